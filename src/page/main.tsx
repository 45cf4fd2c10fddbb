import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DetectionsView } from './detections.tsx';
import { ExportView } from './export.tsx';
import { commandOf, formatTime, offsetOf, parseTime, visible } from './format.ts';
import { InvestigateView } from './investigate.tsx';
import { LogPanel } from './log-panel.tsx';
import { NotesView } from './notes.tsx';
import { CoverageView, OverviewView } from './overview.tsx';
import { pageViews, type View, writeState } from './page-state.ts';
import { CopyButton, Dialog, useKeys } from './parts.tsx';
import { ChangesView, PatternsView } from './patterns.tsx';
import { QueryBar } from './query-bar.tsx';
import { SearchView } from './search.tsx';
import { useAnswer, useConnection } from './server-calls.ts';
import { ServicesView, TraceView } from './services.tsx';
import { SourcesView } from './sources.tsx';
import { SqlView } from './sql-view.tsx';
import {
  SchemaProvider,
  StateProvider,
  usePage,
  usePageState,
  useSchemaOf,
  withChange,
} from './use-page-state.ts';

const titles: { readonly [V in View]: string } = {
  search: 'Logs',
  investigate: 'Investigate',
  patterns: 'Patterns',
  changes: 'Changes',
  detections: 'Detections',
  services: 'Services',
  trace: 'Request',
  notes: 'Notes',
  overview: 'Overview',
  coverage: 'Coverage',
  sql: 'SQL',
  export: 'Export',
  cases: 'Cases',
};

/** Views that show the logs of the query. */
const queried: readonly View[] = ['search', 'investigate', 'patterns', 'changes', 'detections', 'services'];

/** Keys of the views, in the order of the tabs. */
const viewKeys = '1234567890-';

/** Views that need no open case. */
const startViews: readonly View[] = ['cases', 'export'];

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The page: its head, the query, one view, and the opened log. */
function App() {
  const access = usePageState();
  const { state, go } = access;
  const answer = useAnswer('about', {});
  const [isShowingKeys, setShowingKeys] = useState(false);
  const { result: about, error } = answer;
  const { connection, returns } = useConnection();
  const isEmpty = about !== undefined && about.names.length === 0;
  // A source that cannot be opened has no view.
  const isMissing = error !== undefined && error.status !== 0 && !about;
  const view = isEmpty && state.view !== 'export' ? 'cases' : state.view;
  const [isRefused, setRefused] = useState(false);
  /** Cancels what is on its way, else leaves the query, else closes the log and goes back to the table. */
  const leave = () => {
    const cancel = document.querySelector<HTMLElement>('.main > :not(.log-panel) .cancel');
    const at = document.activeElement;
    if (cancel) return cancel.click();
    if (at instanceof HTMLTextAreaElement && at.id === 'query') return at.blur();
    go({ log: undefined });
    if (at?.closest('.log-panel')) focus('.log-table');
  };
  useKeys({
    '/': () => focus('#query'),
    t: () => focus('.log-table'),
    h: () => focus('.histogram svg'),
    '?': () => setShowingKeys(true),
    // The button where there is no room for the fields; else nothing happens at it.
    f: () => ['.fields-toggle', '.facets button'].forEach(focus),
    l: () => focus('.log-panel [aria-selected="true"]'),
    Escape: leave,
    c: () => go({ view: 'cases', log: undefined }),
    e: () => go({ view: 'export', log: undefined }),
    ...Object.fromEntries(
      [...viewKeys].flatMap((key, index) => {
        const each = pageViews[index];
        return each === undefined ? [] : [[key, () => go({ view: each })]];
      }),
    ),
  });
  const last = about?.overview.last;
  const schema = useSchemaOf(about);
  return (
    <StateProvider value={access}>
      <header class="head">
        <a class="brand" href="/">
          <img src="/icon.svg" alt="" width="20" height="20" /> <span class="brand-name">Logquarry</span>
        </a>
        <h1 class="case-names">{isEmpty ? 'no case' : visible(about?.names.join(', ') ?? '…')}</h1>
        <nav aria-label="Views">
          {(isEmpty ? startViews : pageViews).map((each) => (
            <a
              key={each}
              href={writeState(withChange(state, { view: each, log: undefined }))}
              aria-current={each === view ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                go({ view: each, log: undefined });
              }}
            >
              {titles[each]}
            </a>
          ))}
        </nav>
        <span class="spring" />
        <label class="zone">
          <span class="hidden">Zone</span>
          <select
            value={state.zone}
            aria-label="Zone of times"
            onChange={({ currentTarget }) => go({ zone: currentTarget.value })}
          >
            {zones(state.zone).map((zone) => (
              <option key={zone} value={zone}>
                {zone === own && zone !== 'UTC' ? `${zone} (here)` : zone}{' '}
                {zone === 'UTC' ? '' : offsetOf(last ?? Date.now(), zone)}
              </option>
            ))}
          </select>
        </label>
        {about && !isEmpty && (
          <CopyButton
            label="Copy as command"
            text={() => commandOf({ ...state, view }, { ...about, span: about.overview })}
          />
        )}
        <button type="button" aria-label="Keys" onClick={() => setShowingKeys(true)}>
          ?
        </button>
      </header>
      {connection !== 'there' && (
        <p class="lost" role="alert">
          {connection === 'lost'
            ? 'The server does not answer. It may have been stopped; trying again.'
            : 'The server was started again: open the address that it printed, then this page goes on.'}
        </p>
      )}
      {isMissing && connection === 'there' && !startViews.includes(view) && (
        <p class="lost" role="alert">
          {visible(error?.message ?? '')}
        </p>
      )}
      {about?.overview.exportedOnly !== undefined && (
        <p class="exported-only" role="note">
          {visible(about.overview.exportedOnly)}: complete is said of that request
        </p>
      )}
      {about?.remarks.map((remark) => (
        <p class="lost" role="alert" key={remark}>
          {visible(remark.replace(/^warning: /, ''))}
        </p>
      ))}
      {queried.includes(view) && !isMissing && (
        <section class="ask" aria-label="Search">
          <SchemaProvider value={schema}>
            <QueryBar reportRefused={setRefused} />
          </SchemaProvider>
          <TimeRange first={about?.overview.first} last={last} />
        </section>
      )}
      <main
        key={`${state.cases.join('\n')} ${returns}`}
        class={`main ${state.log === undefined ? '' : 'with-panel'} ${isRefused ? 'refused' : ''}`}
      >
        {!isMissing && (
          <>
            {view === 'search' && <SearchView about={about} />}
            {view === 'investigate' && <InvestigateView />}
            {view === 'patterns' && <PatternsView />}
            {view === 'detections' && <DetectionsView />}
            {view === 'services' && <ServicesView />}
            {view === 'changes' && <ChangesView about={about} />}
            {view === 'trace' && <TraceView />}
            {view === 'notes' && <NotesView names={about?.names ?? []} />}
            {view === 'overview' && <OverviewView about={about} />}
            {view === 'coverage' && <CoverageView names={about?.names ?? []} />}
            {view === 'sql' && <SqlView names={about?.names ?? []} />}
          </>
        )}
        {view === 'export' && <ExportView />}
        {view === 'cases' && <SourcesView />}
        {state.log !== undefined && !isEmpty && !isMissing && (
          <LogPanel address={state.log} names={about?.names ?? []} paths={about?.paths ?? []} />
        )}
      </main>
      {isShowingKeys && <KeysDialog close={() => setShowingKeys(false)} />}
    </StateProvider>
  );
}

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

/** UTC, the zone of this machine, the one in use, and those of the world. */
function zones(current: string): readonly string[] {
  return [...new Set(['UTC', own, current, ...Intl.supportedValuesOf('timeZone')])];
}

/** Lengths of time before the last log, in milliseconds. */
const lengths = [
  ['15 min', 900_000],
  ['1 h', 3_600_000],
  ['6 h', 21_600_000],
  ['1 d', 86_400_000],
  ['7 d', 604_800_000],
] as const;

interface TimeRangeProps {
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** The interval of the page, on the clock of its zone. */
function TimeRange({ first, last }: TimeRangeProps) {
  const { state, go } = usePage();
  const { from, to, zone } = state;
  const isLimited = from !== undefined || to !== undefined;
  const usable = lengths.filter(
    ([, length]) => first !== undefined && last !== undefined && length < last - first,
  );
  return (
    <fieldset class="time-range">
      <legend class="hidden">Interval</legend>
      <TimeField label="From" time={from} usual={first} zone={zone} change={(time) => go({ from: time })} />
      <span aria-hidden="true">–</span>
      <TimeField label="To" time={to} usual={last} zone={zone} isEnd change={(time) => go({ to: time })} />
      <select
        aria-label="Last part of the logs"
        value=""
        onChange={({ currentTarget }) => {
          const length = Number(currentTarget.value);
          if (last !== undefined && 0 < length) go({ from: last - length, to: last });
          currentTarget.value = '';
        }}
      >
        <option value="">Last …</option>
        {usable.map(([name, length]) => (
          <option key={name} value={length}>
            last {name} of the logs
          </option>
        ))}
      </select>
      <button type="button" disabled={!isLimited} onClick={() => go({ from: undefined, to: undefined })}>
        All times
      </button>
      <span class="spring" />
      {state.view === 'search' && (
        <button
          type="button"
          aria-pressed={state.times === 'relative'}
          title="Times of the table before the last log"
          onClick={() => go({ times: state.times === 'relative' ? 'absolute' : 'relative' })}
        >
          Relative times
        </button>
      )}
    </fieldset>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly time: number | undefined;
  readonly usual: number | undefined;
  readonly zone: string;
  /** The end of the interval. */
  readonly isEnd?: boolean;
  readonly change: (time: number | undefined) => void;
}

function TimeField({ label, time, usual, zone, isEnd = false, change }: TimeFieldProps) {
  const shown = time === undefined ? '' : formatTime(time, zone);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const parsed = parseTime(text, zone, isEnd);
  const isBad = text.trim() !== '' && parsed === undefined;
  const send = () => {
    if (!isBad && text !== shown) change(parsed);
  };
  return (
    <input
      class="time-field"
      aria-label={label}
      aria-invalid={isBad}
      title={`${label}, such as 2025-03-12 08:24 or now-2h`}
      value={text}
      placeholder={usual === undefined ? label : formatTime(usual, zone)}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && send()}
      onBlur={send}
    />
  );
}

const keys = [
  ['/', 'Go to the query'],
  ['Enter', 'Search; open the log of the table'],
  ['Ctrl Space', 'Suggest what can stand at the cursor'],
  ['Tab', 'Take the suggestion'],
  ['Alt Enter', 'Apply the first fix'],
  ['Alt Shift Enter', 'Write the query as the server reads it, so that nobody can misread it'],
  ['Shift Enter', 'A new line in the query'],
  ['t', 'Go to the table'],
  ['f', 'Go to the fields at the left'],
  ['h', 'Go to the bars: arrow keys move, Space marks both ends, Enter zooms'],
  ['↑ ↓ j k', 'Move in the table; Page Up, Page Down, Home, End as well'],
  ['1 … 9 0 -', 'Views, in the order of the tabs'],
  ['c', 'Cases and log files of the folder'],
  ['e', 'Export from a deployment'],
  ['l', 'Go to the open log; arrow keys choose one of its parts'],
  ['n', 'Notes on the open log'],
  ['← →', 'On the edge of a column: its width'],
  ['Esc', 'Cancel a search; close the log, the list or the dialog'],
  ['?', 'These keys'],
] as const;

/** The keys of the page. */
function KeysDialog({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="Keys" close={close}>
      <table class="list keys">
        <tbody>
          {keys.map(([key, about]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

// Last, so that all constants of this file have their values.
const root = document.getElementById('page');
if (root) render(<App />, root);
