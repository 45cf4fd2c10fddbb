import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../api/use-answer.ts';
import { colourClass } from '../format/levels.ts';
import { formatCount } from '../format/numbers.ts';
import { formatDuration, formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { StateNote } from '../parts/state-note.tsx';
import type { LogRow } from '../search/use-pages.ts';
import { usePage } from '../state/use-page-state.ts';

/** All logs of one request: a lane for each part that logged, and the pauses between them. */
export function TraceView() {
  const { state, go } = usePage();
  const { request } = state;
  const [text, setText] = useState(request ?? '');
  useEffect(() => setText(request ?? ''), [request]);
  const answer = useAnswer('trace', request === undefined ? undefined : { request });
  const logs = answer.result ?? [];
  return (
    <section class="view" aria-label="Request">
      <form
        class="results-bar"
        onSubmit={(event) => {
          event.preventDefault();
          go({ request: text.trim() === '' ? undefined : text.trim() });
        }}
      >
        <label>
          Request{' '}
          <input
            class="request-field"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            placeholder="Id of a request"
          />
        </label>
        <button type="submit">Show</button>
        <strong role="status">{request !== undefined && !answer.isStale ? summaryOf(logs) : ''}</strong>
        <StateNote answer={answer} doing="Reading the request" />
      </form>
      {request === undefined && <p class="note">Open a log and choose “Trace request”, or enter an id.</p>}
      {0 < logs.length && request !== undefined && (
        <Lanes logs={logs} zone={state.zone} open={(log) => go({ log })} />
      )}
    </section>
  );
}

function summaryOf(logs: readonly LogRow[]): string {
  const times = logs.flatMap(({ log: { time } }) => (time === undefined ? [] : [time]));
  const [first, last] = [times[0], times.at(-1)];
  return `${formatCount(logs.length, 'log')}${first === undefined || last === undefined ? '' : ` in ${formatDuration(last - first)}`}`;
}

interface LanesProps {
  readonly logs: readonly LogRow[];
  readonly zone: string;
  readonly open: (address: string) => void;
}

function Lanes({ logs, zone, open }: LanesProps) {
  const times = logs.map(({ log: { time = 0 } }) => time).filter((time) => time !== 0);
  const first = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? 0) - first);
  const names = [...new Set(logs.map(laneOf))];
  const pauses = logs.map(({ log: { time } }, index) => {
    const before = logs[index - 1]?.log.time;
    return time === undefined || before === undefined ? 0 : time - before;
  });
  const longest = Math.max(0, ...pauses);
  return (
    <>
      <figure class="lanes" aria-label="Lanes of the request">
        {names.map((name) => (
          <div key={name} class="lane">
            <span class="lane-name" title={visible(name)}>
              {visible(name)}
            </span>
            <svg class="lane-line" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
              {logs.map((each, index) => {
                const { time, elapsed = 0, logLevel } = each.log;
                if (laneOf(each) !== name || time === undefined) return null;
                const end = ((time - first) / span) * 996;
                const length = Math.min(end, ((elapsed * 1000) / span) * 996);
                return (
                  <rect
                    key={index}
                    class={`bar ${colourClass(logLevel)}`}
                    x={end - length}
                    y={elapsed > 0 ? 6 : 3}
                    width={Math.max(4, length)}
                    height={elapsed > 0 ? 8 : 14}
                  />
                );
              })}
            </svg>
          </div>
        ))}
        <figcaption class="note">
          {formatTime(first, zone)} + {formatDuration(span)}
          {0 < longest && `; the longest pause is ${formatDuration(longest)}`}
        </figcaption>
      </figure>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">time</th>
            <th scope="col" class="number">
              pause
            </th>
            <th scope="col">level</th>
            <th scope="col">source</th>
            <th scope="col" class="number">
              elapsed
            </th>
            <th scope="col">message</th>
          </tr>
        </thead>
        <tbody>
          {logs.map((each, index) => {
            const { log, id, ofCase } = each;
            const pause = pauses[index] ?? 0;
            return (
              <tr key={`${ofCase}:${id}`} class={0 < pause && pause === longest ? 'slowest' : ''}>
                <td class="time">{log.time === undefined ? '' : formatTime(log.time, zone)}</td>
                <td class="number">{pause === 0 ? '' : `+${formatDuration(pause)}`}</td>
                <td>
                  <span class={`level-badge ${colourClass(log.logLevel)}`}>
                    {visible(log.logLevel ?? '')}
                  </span>
                </td>
                <td>{visible(log.source ?? '')}</td>
                <td class="number">{log.elapsed === undefined ? '' : `${log.elapsed} s`}</td>
                <td class="wide">
                  <button type="button" class="template" onClick={() => open(`${ofCase}:${id}`)}>
                    {visible(log.msg ?? '(no message)')}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

/** Origin of a log: its source, or its machine. */
function laneOf({ log: { source, machine } }: LogRow): string {
  return source ?? machine ?? '(no source)';
}
