import type { Answers } from '../../server/index.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatCount, formatNumber } from '../format/numbers.ts';
import { formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { StateNote } from '../parts/state-note.tsx';
import { addClause } from '../query/clauses.ts';
import { HistogramChart } from '../search/histogram.tsx';
import { useSelection } from '../search/use-search.ts';
import { comparedIntervals, type TimeInterval, writeInterval } from '../state/compared-intervals.ts';
import { usePage } from '../state/use-page-state.ts';
import { Template } from './patterns.tsx';

type About = Answers['about']['result'];

/** Differences between two intervals: the one of the page, and an earlier one. */
export function ChangesView({ about }: { readonly about: About | undefined }) {
  const { state, go } = usePage();
  const selection = useSelection(state);
  const { before, after } = comparedIntervals(state, about?.overview ?? {});
  const whole = { query: state.q, now: selection.now };
  const histogram = useAnswer('histogram', { ...whole, by: 'logLevel', buckets: 90 });
  const answer = useAnswer('changes', after && before && { ...whole, before, after });
  const { result, isStale } = answer;
  const most = Math.max(0, ...(result?.groups.map(({ differences }) => differences.length) ?? []));
  return (
    <section class="view" aria-label="Changes">
      <p class="note">
        Drag over the bars for the later interval; with <b>Earlier</b> for the one it is compared with. Rates
        are compared, so the two may differ in length.
      </p>
      {histogram.result && after && (
        <div class="changes-charts">
          <h2>Later {intervalText(after, state.zone)}</h2>
          <HistogramChart
            data={histogram.result}
            zone={state.zone}
            marked={after}
            choose={(interval) => go({ ...interval })}
          />
          <h2>Earlier {before ? intervalText(before, state.zone) : ''}</h2>
          <HistogramChart
            data={histogram.result}
            zone={state.zone}
            {...(before && { marked: before })}
            choose={(interval) => go({ before: writeInterval(interval), from: after.from, to: after.to })}
          />
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
