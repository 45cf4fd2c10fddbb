import { useEffect, useRef, useState } from 'preact/hooks';
import { quote } from '../language/index.ts';
import { logFields } from '../records/index.ts';
import type { Answers, Streams } from '../server/index.ts';
import { colourClass, formatCount, formatNumber, visible } from './format.ts';
import { HistogramChart } from './histogram.tsx';
import { allColumns, LogTable, titleOf } from './log-table.tsx';
import { usualColumns } from './page-state.ts';
import { Dialog, StateNote } from './parts.tsx';
import { addClause, clauseFor } from './query-text.ts';
import { sourcesQuery, streamFromServer, useAnswer } from './server-calls.ts';
import { type SelectionParameters, usePage, useSelection } from './use-page-state.ts';

interface SearchViewProps {
  readonly about: Answers['about']['result'] | undefined;
}

/** Fields by which the bars can be divided: all but the time itself. */
const divisions = logFields
  .filter((each) => each !== 'time')
  .toSorted((a, b) => Number(b === 'logLevel') - Number(a === 'logLevel'));

/** The logs of the query: over time, by the values of fields, and one by one. */
export function SearchView({ about }: SearchViewProps) {
  const { state, go } = usePage();
  const selection = useSelection(state);
  const [isChoosing, setChoosing] = useState(false);
  const [hasFields, setFields] = useState(false);
  const by = divisions.find((each) => each === state.by) ?? 'logLevel';
  const answer = useAnswer('histogram', { ...selection, by, buckets: 90 });
  const { result, isStale } = answer;
  const total = result ? result.total + result.timeless : 0;
  const [cancelled, setCancelled] = useState<SelectionParameters>();
  const isCancelled = cancelled === selection;
  const cancel = () => {
    answer.cancel();
    setCancelled(selection);
  };
  return (
    <div class={`search-view ${hasFields ? 'with-fields' : ''}`}>
      <FacetList {...{ selection, isCancelled }} />
      <section class="results" aria-label="Results">
        <div class="results-bar">
          <button
            type="button"
            class="fields-toggle"
            aria-expanded={hasFields}
            onClick={() => setFields(!hasFields)}
          >
            Fields
          </button>
          <strong class="results-count" role="status">
            {result && !isStale ? formatCount(total, 'log') : ''}
          </strong>
          {result && 0 < result.timeless && !isStale && (
            <span class="note">{formatNumber(result.timeless)} without a time</span>
          )}
          <StateNote answer={{ ...answer, cancel }} doing="Counting" />
          <span class="spring" />
          <label>
            by{' '}
            <select
              value={by}
              aria-label="Divide the bars by"
              onChange={({ currentTarget }) => go({ by: currentTarget.value })}
            >
              {divisions.map((each) => (
                <option key={each} value={each}>
                  {titleOf(each)}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => setChoosing(true)}>
            Columns
          </button>
          <DownloadMenu {...{ selection, total, names: about?.names ?? [] }} />
        </div>
        {result && (
          <div class={isStale ? 'stale' : ''}>
            <HistogramChart data={result} zone={state.zone} choose={(interval) => go(interval)} />
          </div>
        )}
        {result && total === 0 && !isStale ? (
          <NoResult selection={selection} />
        ) : (
          <LogTable
            {...{ selection, total, isCancelled }}
            last={about?.overview.last}
            names={about?.names ?? []}
          />
        )}
      </section>
      {isChoosing && <ColumnsDialog close={() => setChoosing(false)} />}
    </div>
  );
}

function NoResult({ selection }: { readonly selection: SelectionParameters }) {
  const { state, go } = usePage();
  const hasTimes = state.from !== undefined || state.to !== undefined;
  return (
    <div class="empty">
      <h2>No log matches</h2>
      {state.q !== '' && <WhyNone selection={selection} />}
      {hasTimes && (
        <button type="button" onClick={() => go({ from: undefined, to: undefined })}>
          Search all times
        </button>
      )}
      {state.q !== '' && (
        <button type="button" onClick={() => go({ q: '' })}>
          Show all logs
        </button>
      )}
    </div>
  );
}

type FacetData = Streams['facets']['result'];

const fields = [
  ...(['logLevel', 'logCode', 'source', 'username', 'className', 'methodName'] as const),
  ...(['serviceTypes', 'machine', 'process', 'thread', 'requestID'] as const),
];

/** Values of a field that are shown, those that are asked for, and those of an open field, the most that the server gives. */
const [shown, asked, askedOpen] = [6, 200, 1000];

/** Above this share of logs with other values than the first few, each once or twice, a field names single logs. */
const [unique, few] = [0.5, 25];

interface FacetsProps {
  readonly selection: SelectionParameters;
  /** True once the user has cancelled the search. */
  readonly isCancelled: boolean;
}

/** The most frequent values of fields, each a filter by a click. */
function FacetList({ selection, isCancelled }: FacetsProps) {
  const [found, setFound] = useState<readonly FacetData[]>([]);
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    if (isCancelled) return;
    const controller = new AbortController();
    void (async () => {
      const parameters = { ...selection, fields, limit: asked };
      const next: FacetData[] = [];
      for await (const facet of streamFromServer('facets', parameters, controller.signal)) {
        next.push(facet);
        // A facet takes the place of its earlier self, so that nothing jumps.
        setFound((before) => [
          ...next,
          ...before.filter((each) => !next.some(({ field }) => field === each.field)),
        ]);
      }
    })().catch(() => {});
    return () => controller.abort();
  }, [selection, isCancelled]);
  const telling = found.filter((each) => isWhole || isTelling(each));
  return (
    <aside class="facets" aria-label="Fields">
      {telling.map((facet) => (
        <Facet key={facet.field} {...{ facet, selection }} />
      ))}
      {(isWhole || telling.length < found.length) && (
        <button type="button" class="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Only telling fields' : `${found.length - telling.length} more fields`}
        </button>
      )}
    </aside>
  );
}

/** A field is hidden if all logs have one value, or each has its own. */
function isTelling({ total, values, others }: FacetData): boolean {
  const known = values.filter(({ value }) => value !== undefined);
  const [most] = known;
  if (!most || (known.length === 1 && others === 0 && most.count === total)) return false;
  const rare = values.slice(few).reduce((sum, { count }) => sum + count, others);
  return !(2 < known.length && few <= values.length && most.count <= 2 && unique * total < rare);
}

interface FacetProps {
  readonly facet: FacetData;
  readonly selection: SelectionParameters;
}

/** The values of a field: the first few, or all of them with a field to find one. */
function Facet({ facet, selection }: FacetProps) {
  const [isOpen, setOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  const { field, total, values, others } = useWholeFacet(facet, selection, isOpen);
  const needle = wanted.trim().toLowerCase();
  const found =
    needle === '' ? values : values.filter(({ value }) => labelOf(value).toLowerCase().includes(needle));
  const some = isOpen ? found : values.slice(0, shown);
  const rest = values.length - shown;
  const most = Math.max(1, ...values.map(({ count }) => count));
  const number = `${formatNumber(values.length)}${0 < others ? '+' : ''}`;
  return (
    <section class="facet">
      <h2>{field}</h2>
      {isOpen && (
        <input
          type="search"
          class="facet-search"
          aria-label={`Find a value of ${field}`}
          placeholder={`Search ${number} values`}
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      )}
      <ul>
        {some.map((counted) => (
          <FacetValue key={labelOf(counted.value)} {...{ field, most, ...counted }} />
        ))}
      </ul>
      {isOpen && some.length === 0 && <p class="note">No such value</p>}
      {(0 < rest || isOpen) && (
        <button
          type="button"
          class="quiet"
          aria-expanded={isOpen}
          onClick={() => {
            setOpen(!isOpen);
            setWanted('');
          }}
        >
          {isOpen ? 'Fewer' : `${formatNumber(rest)}${0 < others ? '+' : ''} more`}
        </button>
      )}
      {isOpen && 0 < others && (
        <p class="note">
          {formatNumber(others)} of {formatNumber(total)} logs have other values
        </p>
      )}
    </section>
  );
}

/** The values of a field; of an open one with more values than were asked for, as many as the server gives. */
function useWholeFacet(facet: FacetData, selection: SelectionParameters, isOpen: boolean): FacetData {
  const [whole, setWhole] = useState<{ readonly of: FacetData; readonly facet: FacetData }>();
  const isCut = isOpen && 0 < facet.others;
  useEffect(() => {
    if (!isCut) return;
    const controller = new AbortController();
    void (async () => {
      const parameters = { ...selection, fields: [facet.field], limit: askedOpen };
      for await (const found of streamFromServer('facets', parameters, controller.signal))
        setWhole({ of: facet, facet: found });
    })().catch(() => {});
    return () => controller.abort();
  }, [facet, isCut]);
  return isCut && whole?.of === facet ? whole.facet : facet;
}

const labelOf = (value: FacetData['values'][number]['value']) =>
  value === undefined ? '(none)' : visible(String(value));

interface FacetValueProps {
  readonly field: FacetData['field'];
  /** The count of the most frequent value. */
  readonly most: number;
  readonly value?: FacetData['values'][number]['value'];
  readonly count: number;
}

/** A value of a field, which a click includes or excludes. */
function FacetValue({ field, most, value, count }: FacetValueProps) {
  const { state, go } = usePage();
  const label = labelOf(value);
  const clause = clauseFor(field, value);
  return (
    <li class="facet-value">
      <button
        type="button"
        class="facet-include"
        title={`Only ${label}`}
        onClick={() => go({ q: addClause(state.q, clause) })}
      >
        <span class="facet-label">{label}</span>
        <span class="facet-count">{formatNumber(count)}</span>
        <svg class="facet-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect
            class={field === 'logLevel' ? colourClass(value) : 'facet-share'}
            width={(100 * count) / most}
            height="1"
          />
        </svg>
      </button>
      <button
        type="button"
        class="facet-exclude"
        aria-label={`Without ${label}`}
        title={`Without ${label}`}
        onClick={() => go({ q: addClause(state.q, clause, true) })}
      >
        −
      </button>
    </li>
  );
}

interface DownloadMenuProps {
  readonly selection: SelectionParameters;
  /** Number of selected logs. */
  readonly total: number;
  /** Names of the cases. */
  readonly names: readonly string[];
}

/** Formats of all selected logs. */
const formats = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
  ['parquet', 'Parquet'],
  ['xlsx', 'XLSX'],
] as const;

/** Most logs of a workbook. */
const mostOfWorkbook = 100_000;

/** Takes away all selected logs as a file, or their report. */
function DownloadMenu({ selection, total, names }: DownloadMenuProps) {
  const { state } = usePage();
  const form = useRef<HTMLFormElement>(null);
  const parameters = useRef<HTMLInputElement>(null);
  const send = (path: string, asked: object) => {
    if (!parameters.current || !form.current) return;
    parameters.current.value = JSON.stringify({ ...selection, ...asked });
    form.current.action = path + sourcesQuery();
    form.current.submit();
  };
  const choose = (choice: string) => {
    const [kind = '', format = '', ofCase] = choice.split(' ');
    if (kind === 'logs') send('/download', { order: state.order, format });
    else if (kind === 'report') send('/report', { ofCase: Number(ofCase), format, zone: state.zone });
  };
  return (
    <>
      <form ref={form} action="/download" method="post" hidden>
        <input ref={parameters} name="parameters" type="hidden" />
      </form>
      <select
        aria-label="Download the logs"
        value=""
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          currentTarget.value = '';
          choose(value);
        }}
      >
        <option value="">Download …</option>
        <optgroup label="Logs">
          {formats.map(([format, title]) => {
            const isTooLong = format === 'xlsx' && mostOfWorkbook < total;
            return (
              <option key={format} value={`logs ${format}`} disabled={isTooLong}>
                {title}
                {isTooLong ? ' (at most 100,000 logs)' : ''}
              </option>
            );
          })}
        </optgroup>
        {names.map((name, ofCase) => (
          <optgroup key={name} label={names.length === 1 ? 'Report' : `Report of ${visible(name)}`}>
            <option value={`report html ${ofCase}`}>Report, a page of one file</option>
            <option value={`report xlsx ${ofCase}`}>Report, XLSX</option>
          </optgroup>
        ))}
      </select>
    </>
  );
}

/** Chooses the columns of the table and their order. */
function ColumnsDialog({ close }: { readonly close: () => void }) {
  const { state, go } = usePage();
  const { columns } = state;
  const others = allColumns.filter((each) => !columns.includes(each));
  const swap = (index: number, step: number) => {
    const next = [...columns];
    const [moved = ''] = next.splice(index, 1);
    next.splice(index + step, 0, moved);
    go({ columns: next });
  };
  return (
    <Dialog title="Columns" close={close}>
      <ul class="choices">
        {columns.map((column, index) => (
          <li key={column} class="column-choice">
            <label>
              <input
                type="checkbox"
                checked
                disabled={columns.length === 1}
                onChange={() => go({ columns: columns.filter((each) => each !== column) })}
              />{' '}
              {titleOf(column)}
            </label>
            <button
              type="button"
              class="small"
              disabled={index === 0}
              aria-label={`Move ${titleOf(column)} to the left`}
              onClick={() => swap(index, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="small"
              disabled={index === columns.length - 1}
              aria-label={`Move ${titleOf(column)} to the right`}
              onClick={() => swap(index, 1)}
            >
              ↓
            </button>
          </li>
        ))}
        {others.map((column) => (
          <li key={column} class="column-choice">
            <label>
              <input type="checkbox" checked={false} onChange={() => go({ columns: [...columns, column] })} />{' '}
              {titleOf(column)}
            </label>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => go({ columns: usualColumns })}>
        Usual columns
      </button>
    </Dialog>
  );
}

/** The clauses of a query that selects nothing: what each selects alone, and what the cases have instead. */
function WhyNone({ selection }: { readonly selection: SelectionParameters }) {
  const { go } = usePage();
  const { result } = useAnswer('poorResult', selection);
  return (
    <ul class="why-none" aria-label="Parts of the query">
      {result?.parts.map(({ text, count, near, values }) => (
        <li key={text}>
          <button type="button" class="template" onClick={() => go({ q: text })}>
            {visible(text)}
          </button>
          <span>{count === 0 ? 'selects no log' : `alone selects ${formatCount(count, 'log')}`}</span>
          {near.map(({ words, count: logs }) => (
            <button
              key={words.join(' ')}
              type="button"
              class="small"
              onClick={() =>
                go({
                  q: `${/^\w+:/.exec(text)?.[0] ?? ''}${words.length === 1 ? words[0] : quote(words.join(' '))}`,
                })
              }
            >
              {visible(words.join(' '))} {formatNumber(logs)}
            </button>
          ))}
          {values?.values.map(({ value, count: logs }) => (
            <button
              key={String(value)}
              type="button"
              class="small"
              onClick={() => go({ q: clauseFor(values.field, value) })}
            >
              {visible(String(value))} {formatNumber(logs)}
            </button>
          ))}
        </li>
      ))}
    </ul>
  );
}
