import type { Answers } from '../../server/index.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatCount, formatNumber } from '../format/numbers.ts';
import { formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { StateNote } from '../parts/state-note.tsx';
import { addClause, clauseFor } from '../query/clauses.ts';
import { useSelection } from '../search/use-search.ts';
import { usePage } from '../state/use-page-state.ts';

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

/** A time in seconds with three digits. */
function seconds(value: number | undefined): string {
  return value === undefined ? '' : `${Number(value.toPrecision(3))} s`;
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
