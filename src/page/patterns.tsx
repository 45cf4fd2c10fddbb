import { useState } from 'preact/hooks';
import type { Answers } from '../server/index.ts';
import { colourClass, formatCount, formatNumber, formatTime, visible } from './format.ts';
import { HistogramChart, type MarkedInterval } from './histogram.tsx';
import {
  type ComparedIntervals,
  comparedIntervals,
  type PageState,
  type TimeInterval,
  writeInterval,
} from './page-state.ts';
import { Sparkline, StateNote } from './parts.tsx';
import { addClause } from './query-text.ts';
import { useAnswer, useProgressingAnswer } from './server-calls.ts';
import { type SelectionParameters, usePage, useSelection } from './use-page-state.ts';

/** The messages of the query, grouped into patterns. */
export function PatternsView() {
  const { state, go } = usePage();
  const selection = useSelection(state);
  const answer = useProgressingAnswer('patterns', selection);
  const opened = state.pattern;
  const { result, isStale } = answer;
  return (
    <section class="view" aria-label="Patterns">
      <div class="results-bar">
        <strong role="status">
          {result && !isStale
            ? `${formatCount(result.patterns.length + result.others, 'pattern')} of ${formatCount(result.total, 'log')}${answer.progress ? ' so far' : ''}`
            : ''}
        </strong>
        <StateNote answer={answer} doing="Grouping messages" />
      </div>
      {result && (
        <table class={`list ${isStale ? 'stale' : ''}`}>
          <thead>
            <tr>
              <th scope="col" class="number">
                logs
              </th>
              <th scope="col" class="number">
                share
              </th>
              <th scope="col">over time</th>
              <th scope="col">level</th>
              <th scope="col">pattern</th>
              <th scope="col">first</th>
              <th scope="col">last</th>
              <th scope="col">
                <span class="hidden">actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {result.patterns.flatMap(({ id, template, count, first, last, levels, buckets, query }) => [
              <tr key={id}>
                <td class="number">{formatNumber(count)}</td>
                <td class="number">{((100 * count) / Math.max(1, result.total)).toFixed(1)} %</td>
                <td>
                  <Sparkline counts={buckets} label={`${formatNumber(count)} logs over time`} />
                </td>
                <td>
                  <span class={`level-badge ${colourClass(levels[0]?.value)}`}>
                    {visible(levels[0]?.value ?? '')}
                  </span>
                </td>
                <td class="wide">
                  <button
                    type="button"
                    class="template"
                    aria-expanded={opened === id}
                    onClick={() => go({ pattern: opened === id ? undefined : id })}
                  >
                    <Template text={template} />
                  </button>
                </td>
                <td class="time">{first === undefined ? '' : formatTime(first, state.zone)}</td>
                <td class="time">{last === undefined ? '' : formatTime(last, state.zone)}</td>
                <td>
                  {query !== undefined && (
                    <button
                      type="button"
                      class="small"
                      title={query}
                      onClick={() => go({ view: 'search', q: addClause(state.q, query) })}
                    >
                      Search
                    </button>
                  )}
                </td>
              </tr>,
              ...(opened === id
                ? [
                    <tr key={`${id} values`}>
                      <td colSpan={8}>
                        <PatternValues id={id} selection={selection} />
                      </td>
                    </tr>,
                  ]
                : []),
            ])}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** A template, its variable places marked. */
export function Template({ text }: { readonly text: string }) {
  if (text === '') return <em>(no message)</em>;
  return (
    <>
      {text.split(/(<(?:\*|[a-z]+)>)/).map((piece, index) =>
        index % 2 === 1 ? (
          <var key={index} class="mask">
            {piece.slice(1, -1)}
          </var>
        ) : (
          visible(piece)
        ),
      )}
    </>
  );
}

/** The values at the variable places of a pattern. */
function PatternValues({ id, selection }: { readonly id: string; readonly selection: SelectionParameters }) {
  const answer = useAnswer('pattern', { ...selection, id });
  const { result } = answer;
  return (
    <div class="pattern-values">
      <StateNote answer={answer} doing="Counting values" />
      {result?.places.length === 0 && <p class="note">The messages have no variable place.</p>}
      {result?.places.map(({ mask, values, others }, index) => (
        <div key={index}>
          <h2>
            {index + 1}. <var class="mask">{mask.slice(1, -1)}</var>
          </h2>
          <ol>
            {values.slice(0, 8).map(({ value, count }) => (
              <li key={value}>
                <span>{visible(value.slice(0, 120))}</span> <b>{formatNumber(count)}</b>
              </li>
            ))}
          </ol>
          {0 < others && <p class="note">{formatNumber(others)} logs have others</p>}
        </div>
      ))}
    </div>
  );
}

type About = Answers['about']['result'];

/** What of two intervals was compared, where it is not all of both. */
function ComparedNote({ result, asked, zone }: ComparedNoteProps) {
  const { intervals, sameHours } = result;
  const names = { before: 'earlier', after: 'later' } as const;
  return (
    <>
      {(['before', 'after'] as const).map((side) => {
        const [{ oldest, newest }, { from, to }] = [intervals[side], asked[side]];
        if (oldest === from && newest === to) return null;
        return (
          <p key={side} class="note">
            The {names[side]} interval is cut to the time of the logs, for the rates:{' '}
            {intervalText({ from: oldest, to: newest }, zone)}
          </p>
        );
      })}
      {sameHours && (
        <p class="note">
          Of the {names[sameHours.side]} interval, only the hours of the other one are compared, those of{' '}
          {formatCount(sameHours.parts.length, 'day')}: other hours have other logs
        </p>
      )}
    </>
  );
}

interface ComparedNoteProps {
  readonly result: Answers['changes']['result'];
  readonly asked: ComparedIntervals;
  readonly zone: PageState['zone'];
}

/** Differences between two intervals: the one of the page, and an earlier one. */
export function ChangesView({ about }: { readonly about: About | undefined }) {
  const { state, go } = usePage();
  const selection = useSelection(state);
  const { before, after } = comparedIntervals(state, about?.overview ?? {});
  const whole = { query: state.q, now: selection.now };
  // The chart covers both intervals, also where the query has logs in one of them alone.
  const over = after &&
    before && { first: Math.min(before.from, after.from), last: Math.max(before.to, after.to) };
  const histogram = useAnswer('histogram', over && { ...whole, by: 'logLevel', buckets: 90, over });
  const [dragged, setDragged] = useState<MarkedInterval['look']>('later');
  const answer = useAnswer('changes', after && before && { ...whole, before, after });
  const { result, isStale } = answer;
  const most = Math.max(0, ...(result?.groups.map(({ differences }) => differences.length) ?? []));
  return (
    <section class="view" aria-label="Changes">
      {histogram.result && after && before && (
        <div class="changes-chart">
          <HistogramChart
            data={histogram.result}
            zone={state.zone}
            marked={[
              { ...before, look: 'earlier' },
              { ...after, look: 'later' },
            ]}
            choose={(interval) =>
              dragged === 'later'
                ? go({ ...interval })
                : go({ before: writeInterval(interval), from: after.from, to: after.to })
            }
          />
          {(['later', 'earlier'] as const).map((side) => (
            <p key={side} class={`interval interval-${side}`}>
              <button
                type="button"
                class="small"
                aria-pressed={dragged === side}
                onClick={() => setDragged(side)}
              >
                {side === 'later' ? 'Later' : 'Earlier'}
              </button>{' '}
              {intervalText(side === 'later' ? after : before, state.zone)}
            </p>
          ))}
          <p class="note">
            Drag over the bars for the interval that is pressed. Rates are compared, so the two may differ in
            length.
          </p>
        </div>
      )}
      <div class="results-bar">
        <strong role="status">
          {result && !isStale
            ? `${formatCount(result.groups.length, 'group')} of differences; ${formatNumber(result.before)} logs before, ${formatNumber(result.after)} after`
            : ''}
        </strong>
        <StateNote answer={answer} doing="Comparing" />
      </div>
      {result && after && before && (
        <ComparedNote result={result} asked={{ before, after }} zone={state.zone} />
      )}
      {result && 0 < most && (
        <table class={`list ${isStale ? 'stale' : ''}`}>
          <thead>
            <tr>
              <th scope="col">change</th>
              <th scope="col" class="number">
                before
              </th>
              <th scope="col" class="number">
                after
              </th>
              <th scope="col" class="number">
                rate
              </th>
              <th scope="col">field</th>
              <th scope="col">pattern or value</th>
              <th scope="col">
                <span class="hidden">actions</span>
              </th>
            </tr>
          </thead>
          {result.groups.map(({ differences }, group) => (
            <tbody key={group} class="group">
              {differences.map(({ kind, field, value, before: earlier, after: later, effect, query }) => (
                <tr key={`${field}${value}`}>
                  <td>
                    <span class={`change change-${kind}`}>{kind}</span>
                  </td>
                  <td class="number">{formatNumber(earlier)}</td>
                  <td class="number">{formatNumber(later)}</td>
                  <td class="number">
                    {kind === 'new' || kind === 'gone' ? '' : `×${Number((2 ** effect).toPrecision(2))}`}
                  </td>
                  <td>{field}</td>
                  <td class="wide">{field === 'msg' ? <Template text={value} /> : visible(value)}</td>
                  <td>
                    {query !== undefined && (
                      <button
                        type="button"
                        class="small"
                        onClick={() => go({ view: 'search', q: addClause(state.q, query) })}
                      >
                        Search
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      )}
    </section>
  );
}

function intervalText({ from, to }: TimeInterval, zone: string): string {
  return `${formatTime(from, zone)} – ${formatTime(to, zone)}`;
}
