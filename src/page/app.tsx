import { useState } from 'preact/hooks';
import { useConnection } from './api/connection.ts';
import { useAnswer } from './api/use-answer.ts';
import { commandOf } from './format/command.ts';
import { offsetOf } from './format/times.ts';
import { visible } from './format/visible.ts';
import { NotesView } from './notes/notes-view.tsx';
import { CopyButton } from './parts/copy-button.tsx';
import { useKeys } from './parts/use-keys.ts';
import { QueryBar } from './query/query-bar.tsx';
import { LogPanel } from './search/log-panel.tsx';
import { SearchView } from './search/search-view.tsx';
import { TimeRange } from './search/time-range.tsx';
import { ExportView } from './sources/export-view.tsx';
import { SourcesView } from './sources/sources-view.tsx';
import { pageViews, type View, writeState } from './state/page-state.ts';
import { StateProvider, usePageState, withChange } from './state/use-page-state.ts';
import { SchemaProvider, useSchemaOf } from './state/use-schema.ts';
import { ChangesView } from './views/changes.tsx';
import { CoverageView } from './views/coverage.tsx';
import { DetectionsView } from './views/detections.tsx';
import { InvestigateView } from './views/investigate.tsx';
import { KeysDialog } from './views/keys-dialog.tsx';
import { OverviewView } from './views/overview.tsx';
import { PatternsView } from './views/patterns.tsx';
import { ServicesView } from './views/services.tsx';
import { SqlView } from './views/sql.tsx';
import { TraceView } from './views/trace.tsx';

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
export function App() {
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
