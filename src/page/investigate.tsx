import type { ComponentChildren } from 'preact';
import type { Streams } from '../server/index.ts';
import { formatCount, formatDuration, formatNumber, formatStart, formatTime, visible } from './format.ts';
import { StateNote } from './parts.tsx';
import { Template } from './patterns.tsx';
import { useProgressingAnswer } from './server-calls.ts';
import { usePage, useSelection } from './use-page-state.ts';

type Found = Extract<Streams['investigate']['result'], { readonly kind: 'result' }>['result'];
type FoundChange = NonNullable<Found['main']>;

/** When and how the logs of the query changed: failures, patterns, times of requests, and what was administered before. */
export function InvestigateView() {
  const { state, go } = usePage();
  const answer = useProgressingAnswer('investigate', useSelection(state));
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
      {result && !result.main && !answer.isLoading && <p class="note">Nothing changed beyond chance.</p>}
      {result?.main && (
        <div class={isStale ? 'stale' : ''}>
          <Changes title="The main change" changes={[result.main]} search={search} />
          {result.firstSign && (
            <Changes title="The first sign" changes={[result.firstSign]} search={search} />
          )}
          <Changes title="Together with it" changes={othersOf(result)} search={search} />
          <Changes title="Times of requests" changes={result.latencies} search={search} />
          <Events events={result.before} search={search} />
          {result.rare && <Rare rare={result.rare} search={search} />}
          <Differences differences={result.differences} search={search} />
          {result.hit && <Hit hit={result.hit} search={search} />}
        </div>
      )}
      {result && (
        <div class={isStale ? 'stale' : ''}>
          <Clocks clocks={result.clocks} isCorrected={result.main !== undefined} search={search} />
          <Recurring recurring={result.recurring} search={search} />
        </div>
      )}
    </section>
  );
}

/** The changes beside the main one, which is one of them, as the terminal lists them. */
function othersOf({ main, together }: Found): readonly FoundChange[] {
  return together.filter(({ subject }) => JSON.stringify(subject) !== JSON.stringify(main?.subject));
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

interface FoundListProps<Item> {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly items: readonly Item[];
  /** The cells of a row. */
  readonly cells: (item: Item) => ComponentChildren;
  /** The query for the logs of a row, which has a button then. */
  readonly queryOf?: (item: Item) => string | undefined;
  readonly search: Search;
}

/** A heading and a table, a row for each finding; nothing without any. */
function FoundList<Item>({ title, note, items, cells, queryOf, search }: FoundListProps<Item>) {
  if (items.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      {note !== undefined && <p class="note">{note}</p>}
      <table class="list">
        <tbody>
          {items.map((item, index) => (
            <tr key={index}>
              {cells(item)}
              {queryOf && (
                <td>
                  <SearchButton query={queryOf(item)} search={search} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

interface ChangesProps {
  readonly title: string;
  readonly changes: readonly FoundChange[];
  readonly search: Search;
}

function Changes({ title, changes, search }: ChangesProps) {
  const { state, go } = usePage();
  return (
    <FoundList
      title={title}
      items={changes}
      search={search}
      queryOf={({ logs, query }) => logs?.query ?? query}
      cells={({ kind, start, end, isOpen, count, expected, subject }) => (
        <>
          <td>
            <span class={`change change-${kind}`}>{kind}</span>
          </td>
          <td class="time">
            <button
              type="button"
              class="template"
              onClick={() => go({ view: 'search', from: start, to: end - 1 })}
            >
              {formatStart(start, state.zone)}
            </button>
            {isOpen ? ' to the end' : ` for ${formatDuration(end - start)}`}
          </td>
          <td class="number">
            {formatNumber(count)} instead of {formatNumber(Math.round(expected))}
          </td>
          <td class="wide">
            <Subject subject={subject} />
          </td>
        </>
      )}
    />
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
  return (
    <FoundList
      title="Administration before"
      items={events}
      search={search}
      queryOf={({ query }) => query}
      cells={({ kind, first, user, message, count }) => (
        <>
          <td class="time">{formatTime(first, state.zone)}</td>
          <td>{kind}</td>
          <td>{visible(user ?? '')}</td>
          <td class="wide">{visible(message.slice(0, 300))}</td>
          <td class="number">{formatCount(count, 'log')}</td>
        </>
      )}
    />
  );
}

/** Logs of any code and level that hardly occur otherwise, before the change. */
function Rare({ rare, search }: { readonly rare: NonNullable<Found['rare']>; readonly search: Search }) {
  const { state } = usePage();
  const usual = Number(rare.usual.toPrecision(2));
  return (
    <FoundList
      title="Rare logs before"
      note={`${formatCount(rare.inHour, 'kind')} of rare logs in the hour before, ${usual} in an average hour`}
      items={rare.kinds}
      search={search}
      queryOf={({ logs }) => logs?.query}
      cells={({ first, level, source, user, template, count }) => (
        <>
          <td class="time">{formatTime(first, state.zone)}</td>
          <td>{visible([level, source, user].filter((name) => name !== undefined).join(', '))}</td>
          <td class="wide">
            <Template text={template} />
          </td>
          <td class="number">{formatCount(count, 'log')} in all</td>
        </>
      )}
    />
  );
}

interface ClocksProps {
  readonly clocks: Found['clocks'];
  readonly isCorrected: boolean;
  readonly search: Search;
}

/** Sources or hosts whose clocks differ from others. */
function Clocks({ clocks, isCorrected, search }: ClocksProps) {
  return (
    <FoundList
      title="Clocks that are off"
      note={
        isCorrected ? 'The order of these findings is corrected by them, the times are as logged.' : undefined
      }
      items={clocks}
      search={search}
      cells={({ field, value, ahead, requests, of, against, isMutual }) => (
        <>
          <td>{visible(`${fieldNames[field]} ${value}`)}</td>
          <td class="number">
            {formatDuration(Math.abs(ahead))} {ahead < 0 ? 'behind' : 'ahead'}
          </td>
          <td class="wide">
            of {visible(against.slice(0, 3).join(', '))}
            {3 < against.length && ` and ${formatNumber(against.length - 3)} more`}
            {isMutual && '; which of the two is wrong cannot be said'}
          </td>
          <td class="number">
            by {formatNumber(requests)} of {formatCount(of, 'common request')}
          </td>
        </>
      )}
    />
  );
}

interface RecurringProps {
  readonly recurring: Found['recurring'];
  readonly search: Search;
}

/** Logs that come at the same time of most days or weeks. */
function Recurring({ recurring, search }: RecurringProps) {
  const { state } = usePage();
  return (
    <FoundList
      title="Recurs, and is no change"
      items={recurring}
      search={search}
      queryOf={({ logs, query }) => logs?.query ?? query}
      cells={({ subject, every, times, of, count, last, begin }) => (
        <>
          <td>each {every}</td>
          <td class="time">last {formatTime(begin ?? last.from, state.zone)}</td>
          <td class="number">
            {formatNumber(times)} of {formatCount(of, every)}, {formatCount(count, 'log')}
          </td>
          <td class="wide">
            <Subject subject={subject} />
          </td>
        </>
      )}
    />
  );
}

interface DifferencesProps {
  readonly differences: Found['differences'];
  readonly search: Search;
}

function Differences({ differences, search }: DifferencesProps) {
  return (
    <FoundList
      title="Different since"
      items={differences}
      search={search}
      queryOf={({ difference, logs }) => logs?.query ?? difference.query}
      cells={({ difference: { kind, field, value, before, after } }) => (
        <>
          <td>
            <span class={`change change-${kind}`}>{kind}</span>
          </td>
          <td class="number">
            {formatNumber(before)} before, {formatNumber(after)} since
          </td>
          <td>{field}</td>
          <td class="wide">{field === 'msg' ? <Template text={value} /> : visible(value)}</td>
        </>
      )}
    />
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
