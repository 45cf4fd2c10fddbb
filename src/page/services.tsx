import { useEffect, useState } from 'preact/hooks';
import type { Answers } from '../server/index.ts';
import { colourClass, formatCount, formatDuration, formatNumber, formatTime, visible } from './format.ts';
import type { LogRow } from './log-table.tsx';
import { StateNote } from './parts.tsx';
import { addClause, clauseFor } from './query-text.ts';
import { useAnswer } from './server-calls.ts';
import { usePage, useSelection } from './use-page-state.ts';

type Report = Answers['services']['result'];

const percentiles = ['p50', 'p90', 'p95', 'p99', 'max'] as const;

/** Requests, their times and errors by service. */
export function ServicesView() {
  const { state } = usePage();
  const answer = useAnswer('services', useSelection(state));
  const { result, isStale } = answer;
  return (
    <section class="view" aria-label="Services">
      <div class="results-bar">
        <strong role="status">
          {result && !isStale
            ? `${formatCount(result.total.requests, 'request')}, ${formatCount(result.total.errors, 'error')} in ${formatCount(result.total.logs, 'log')}`
            : ''}
        </strong>
        <StateNote answer={answer} doing="Measuring" />
      </div>
      {result && (
        <div class={isStale ? 'stale' : ''}>
          {!result.total.elapsed && <p class="note">No request was measured: times need the level FINE.</p>}
          <Groups groups={result.groups} />
          <Slowest slowest={result.slowest} />
        </div>
      )}
    </section>
  );
}

/** A time in seconds with three digits, below one second in milliseconds. */
function seconds(value: number | undefined): string {
  if (value === undefined) return '';
  return value < 1 ? `${Number((value * 1000).toPrecision(3))} ms` : `${Number(value.toPrecision(3))} s`;
}

function Groups({ groups }: { readonly groups: Report['groups'] }) {
  const { state, go } = usePage();
  const most = Math.max(...groups.map(({ sumShare = 0 }) => sumShare), 0.0001);
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col" class="number">
            requests
          </th>
          <th scope="col" class="number">
            errors
          </th>
          <th scope="col" class="number">
            warnings
          </th>
          <th scope="col">share of all time</th>
          {percentiles.map((name) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map(({ key, requests, errors, warnings, sumShare = 0, elapsed }) => (
          <tr key={String(key.service)}>
            <th scope="row">
              <button
                type="button"
                class="template"
                onClick={() =>
                  go({ view: 'search', q: addClause(state.q, clauseFor('source', key.service)) })
                }
              >
                {visible(String(key.service ?? '(none)'))}
              </button>
            </th>
            <td class="number">{formatNumber(requests)}</td>
            <td class="number">{errors === 0 ? '' : formatNumber(errors)}</td>
            <td class="number">{warnings === 0 ? '' : formatNumber(warnings)}</td>
            <td>
              <svg class="sql-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(100 * sumShare) / most} height="10" />
              </svg>
              {(100 * sumShare).toFixed(1)} %
            </td>
            {percentiles.map((name) => (
              <td key={name} class="number">
                {seconds(elapsed?.[name])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Slowest({ slowest }: { readonly slowest: Report['slowest'] }) {
  const { state, go } = usePage();
  if (slowest.length === 0) return null;
  return (
    <>
      <h2>Slowest requests</h2>
      <table class="list">
        <tbody>
          {slowest.map(({ id, ofCase, took, time, request, service, method, user }) => (
            <tr key={`${ofCase}:${id}`}>
              <td class="number">{seconds(took)}</td>
              <td class="time">
                <button type="button" class="template" onClick={() => go({ log: `${ofCase}:${id}` })}>
                  {time === undefined ? 'log' : formatTime(time, state.zone)}
                </button>
              </td>
              <td>{visible(service ?? '')}</td>
              <td>{visible(method ?? '')}</td>
              <td>{visible(user ?? '')}</td>
              <td>
                {request !== undefined && (
                  <button type="button" class="small" onClick={() => go({ view: 'trace', request })}>
                    Trace
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

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
