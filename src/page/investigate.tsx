import type { Answers } from '../server/index.ts';
import { formatCount, formatDuration, formatNumber, formatTime, visible } from './format.ts';
import { StateNote } from './parts.tsx';
import { Template } from './patterns.tsx';
import { useAnswer } from './server-calls.ts';
import { usePage, useSelection } from './use-page-state.ts';

type Found = Answers['investigate']['result'];
type FoundChange = NonNullable<Found['main']>;

/** When and how the logs of the query changed: failures, patterns, times of requests, and what was administered before. */
export function InvestigateView() {
  const { state, go } = usePage();
  const answer = useAnswer('investigate', useSelection(state));
  const { result, isStale } = answer;
  const search = (q: string) => go({ view: 'search', q });
  return (
    <section class="view" aria-label="Investigation">
      <div class="results-bar">
        <strong role="status">
          {result && !isStale
            ? `${formatCount(result.changes.length, 'change')} among ${formatNumber(result.examined)} codes, patterns, sources, users and times`
            : ''}
        </strong>
        <StateNote answer={answer} doing="Investigating" />
      </div>
      {result && !result.main && <p class="note">Nothing changed beyond chance.</p>}
      {result?.main && (
        <div class={isStale ? 'stale' : ''}>
          <Changes title="The main change" changes={[result.main]} search={search} />
          {result.firstSign && (
            <Changes title="The first sign" changes={[result.firstSign]} search={search} />
          )}
          <Changes title="Together with it" changes={result.together} search={search} />
          <Changes title="Times of requests" changes={result.latencies} search={search} />
          <Events events={result.before} search={search} />
          <Differences differences={result.differences} search={search} />
          {result.hit && <Hit hit={result.hit} search={search} />}
        </div>
      )}
    </section>
  );
}

type Search = (query: string) => void;

function SearchButton({ query, search }: { readonly query: string | undefined; readonly search: Search }) {
  if (query === undefined) return null;
  return (
    <button type="button" class="small" title={query} onClick={() => search(query)}>
      Search
    </button>
  );
}

interface ChangesProps {
  readonly title: string;
  readonly changes: readonly FoundChange[];
  readonly search: Search;
}

function Changes({ title, changes, search }: ChangesProps) {
  const { state, go } = usePage();
  if (changes.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <table class="list">
        <tbody>
          {changes.map((change, index) => (
            <tr key={index}>
              <td>
                <span class={`change change-${change.kind}`}>{change.kind}</span>
              </td>
              <td class="time">
                <button
                  type="button"
                  class="template"
                  onClick={() => go({ view: 'search', from: change.start, to: change.end - 1 })}
                >
                  {formatTime(change.start, state.zone)}
                </button>
                {change.isOpen ? ' to the end' : ` for ${formatDuration(change.end - change.start)}`}
              </td>
              <td class="number">
                {formatNumber(change.count)} instead of {formatNumber(Math.round(change.expected))}
              </td>
              <td class="wide">
                <Subject subject={change.subject} />
              </td>
              <td>
                <SearchButton query={change.logs?.query ?? change.query} search={search} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const fieldNames = { logLevel: 'Level', source: 'Source', username: 'User', machine: 'Host' } as const;

function Subject({ subject }: { readonly subject: FoundChange['subject'] }) {
  switch (subject.type) {
    case 'code':
      return (
        <>
          {visible(`${subject.level} ${subject.code} `)}
          {subject.template !== undefined && <Template text={subject.template} />}
        </>
      );
    case 'pattern':
      return <Template text={subject.template} />;
    case 'latency':
      return (
        <>
          {visible(`${subject.source} ${subject.method}`)}:{' '}
          {subject.tail
            ? `95th percentile ${subject.tail.before} s, then ${subject.tail.after} s`
            : `median ${subject.medianBefore} s, then ${subject.medianAfter} s`}
        </>
      );
    case 'value':
      return <>{visible(`${fieldNames[subject.field]} ${subject.value}`)}</>;
    case 'total':
      return <>all logs</>;
    case 'query':
      return <>the query</>;
  }
}

function Events({ events, search }: { readonly events: Found['before']; readonly search: Search }) {
  const { state } = usePage();
  if (events.length === 0) return null;
  return (
    <>
      <h2>Administration before</h2>
      <table class="list">
        <tbody>
          {events.map(({ kind, first, user, message, query, count }) => (
            <tr key={`${query}${first}`}>
              <td class="time">{formatTime(first, state.zone)}</td>
              <td>{kind}</td>
              <td>{visible(user ?? '')}</td>
              <td class="wide">{visible(message.slice(0, 300))}</td>
              <td class="number">{formatCount(count, 'log')}</td>
              <td>
                <SearchButton query={query} search={search} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Differences({
  differences,
  search,
}: {
  readonly differences: Found['differences'];
  readonly search: Search;
}) {
  if (differences.length === 0) return null;
  return (
    <>
      <h2>Different since</h2>
      <table class="list">
        <tbody>
          {differences.map(({ difference: { kind, field, value, before, after, query }, logs }) => (
            <tr key={`${field}${value}`}>
              <td>
                <span class={`change change-${kind}`}>{kind}</span>
              </td>
              <td class="number">
                {formatNumber(before)} before, {formatNumber(after)} since
              </td>
              <td>{field}</td>
              <td class="wide">{field === 'msg' ? <Template text={value} /> : visible(value)}</td>
              <td>
                <SearchButton query={logs?.query ?? query} search={search} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Hit({ hit, search }: { readonly hit: NonNullable<Found['hit']>; readonly search: Search }) {
  const list = (values: typeof hit.users) =>
    values.slice(0, 10).map(({ value, count }) => `${visible(value)} ${formatNumber(count)}`);
  return (
    <>
      <h2>Who is hit</h2>
      <p>
        {formatCount(hit.logs.count, 'failure')}: {hit.users.length} of {hit.activeUsers} users,{' '}
        {hit.sources.length} of {hit.activeSources} sources{' '}
        <SearchButton query={hit.logs.query} search={search} />
      </p>
      <p class="note">Users: {list(hit.users).join(', ')}</p>
      <p class="note">Sources: {list(hit.sources).join(', ')}</p>
    </>
  );
}
