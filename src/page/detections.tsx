import type { Answers } from '../server/index.ts';
import { formatCount, formatNumber, formatTime, visible } from './format.ts';
import { StateNote } from './parts.tsx';
import { addClause } from './query-text.ts';
import { useAnswer } from './server-calls.ts';
import { usePage, useSelection } from './use-page-state.ts';

type Detections = Answers['detections']['result'];
type Detection = Detections['detections'][number];

/** Rules that found something in the logs of the query, and those that could not be evaluated. */
export function DetectionsView() {
  const { state } = usePage();
  const answer = useAnswer('detections', useSelection(state));
  const { result, isStale } = answer;
  return (
    <section class="view" aria-label="Detections">
      <div class="results-bar">
        <strong role="status">
          {result && !isStale
            ? `${formatNumber(result.detections.length)} of ${formatCount(result.rules, 'rule')} found something`
            : ''}
        </strong>
        <StateNote answer={answer} doing="Evaluating rules" />
      </div>
      {result && 0 < result.detections.length && (
        <table class={`list ${isStale ? 'stale' : ''}`}>
          <thead>
            <tr>
              <th scope="col">level</th>
              <th scope="col">rule</th>
              <th scope="col" class="number">
                logs
              </th>
              <th scope="col">first</th>
              <th scope="col">last</th>
              <th scope="col">
                <span class="hidden">actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {result.detections.map((each) => (
              <DetectionRow key={`${each.file} ${each.title}`} detection={each} />
            ))}
          </tbody>
        </table>
      )}
      {result && <Unsupported rules={result.unsupported} />}
    </section>
  );
}

function DetectionRow({ detection }: { readonly detection: Detection }) {
  const { state, go } = usePage();
  const { title, level, description, count, first, last, query, sql } = detection;
  const log = (found: Detection['first']) =>
    found && (
      <button type="button" class="template" onClick={() => go({ log: `${found.case}:${found.id}` })}>
        {found.time === undefined ? 'no time' : formatTime(found.time, state.zone)}
      </button>
    );
  return (
    <tr>
      <td>
        <span class={`rule-level rule-${level ?? 'none'}`}>{level ?? 'none'}</span>
      </td>
      <td>
        <strong>{visible(title)}</strong>
        {description !== undefined && <p class="rule-about">{visible(description)}</p>}
        <Occurrences detection={detection} />
      </td>
      <td class="number">{formatNumber(count)}</td>
      <td class="time">{log(first)}</td>
      <td class="time">{log(last)}</td>
      <td class="row-actions">
        {query !== undefined && (
          <button
            type="button"
            class="small"
            onClick={() => go({ view: 'search', q: addClause(state.q, query) })}
          >
            Search
          </button>
        )}
        {query === undefined && sql !== undefined && (
          <button type="button" class="small" onClick={() => go({ view: 'sql', sql })}>
            SQL
          </button>
        )}
      </td>
    </tr>
  );
}

function Occurrences({ detection: { occurrences, otherOccurrences } }: { readonly detection: Detection }) {
  const { state, go } = usePage();
  if (!occurrences || occurrences.length === 0) return null;
  return (
    <details>
      <summary>{formatCount(occurrences.length + otherOccurrences, 'occurrence')}</summary>
      <ul class="note-logs">
        {occurrences.map(({ group, count, first, last }, index) => (
          <li key={index}>
            <button type="button" class="template" onClick={() => go({ log: `${first.case}:${first.id}` })}>
              {first.time === undefined ? `Log ${first.id}` : formatTime(first.time, state.zone)}
            </button>{' '}
            {last.time === undefined ? '' : `to ${formatTime(last.time, state.zone)}`},{' '}
            {formatCount(count, 'log')}
            {group.map(({ name, value }) => (
              <span key={name} class="tag">
                {visible(name)} {visible(value)}
              </span>
            ))}
          </li>
        ))}
        {0 < otherOccurrences && <li class="note">and {formatNumber(otherOccurrences)} more</li>}
      </ul>
    </details>
  );
}

function Unsupported({ rules }: { readonly rules: Detections['unsupported'] }) {
  if (rules.length === 0) return null;
  return (
    <>
      <h2>{formatCount(rules.length, 'rule')} not evaluated</h2>
      <ul class="note-logs">
        {rules.map(({ file, title, reason }, index) => (
          <li key={index}>
            <strong>{visible(title ?? file)}</strong> ({visible(file)}): {visible(reason)}
          </li>
        ))}
      </ul>
    </>
  );
}
