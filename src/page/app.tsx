import { useState } from 'preact/hooks';
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
import { type View, views, writeState } from './state/page-state.ts';
import { StateProvider, usePageState, withChange } from './state/use-page-state.ts';
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
};

/** Views that show the logs of the query. */
const queried: readonly View[] = ['search', 'investigate', 'patterns', 'changes', 'detections', 'services'];

/** Keys of the views, in the order of the tabs. */
const viewKeys = '1234567890-';

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The page: its head, the query, one view, and the opened log. */
export function App() {
  const access = usePageState();
  const { state, go } = access;
  const answer = useAnswer('about', {});
  const [isShowingKeys, setShowingKeys] = useState(false);
  const { result: about, error } = answer;
  const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();
  useKeys({
    '/': () => focus('#query'),
    t: () => focus('.log-table'),
    h: () => focus('.histogram svg'),
    '?': () => setShowingKeys(true),
    Escape: () => go({ log: undefined }),
    ...Object.fromEntries(views.map((view, index) => [viewKeys.charAt(index), () => go({ view })])),
  });
  const last = about?.overview.last;
  return (
    <StateProvider value={access}>
      <header class="head">
        <a class="brand" href="/">
          <img src="/icon.svg" alt="" width="20" height="20" /> Logquarry
        </a>
        <h1 class="case-names">{visible(about?.names.join(', ') ?? '…')}</h1>
        <nav aria-label="Views">
          {views.map((view) => (
            <a
              key={view}
              href={writeState(withChange(state, { view, log: undefined }))}
              aria-current={view === state.view ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                go({ view, log: undefined });
              }}
            >
              {titles[view]}
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
        <button
          type="button"
          aria-pressed={state.times === 'relative'}
          title="Times before the last log"
          onClick={() => go({ times: state.times === 'relative' ? 'absolute' : 'relative' })}
        >
          Relative
        </button>
        {about && <CopyButton label="Copy as command" text={() => commandOf(state, about.paths)} />}
        <button type="button" aria-label="Keys" onClick={() => setShowingKeys(true)}>
          ?
        </button>
      </header>
      {error && (
        <p class="lost" role="alert">
          {error.message} {error.status === 0 ? 'It may have been stopped; trying again.' : ''}
        </p>
      )}
      {queried.includes(state.view) && (
        <section class="ask" aria-label="Search">
          <QueryBar />
          <TimeRange first={about?.overview.first} last={last} />
        </section>
      )}
      <main class={state.log === undefined ? 'main' : 'main with-panel'}>
        {state.view === 'search' && <SearchView about={about} />}
        {state.view === 'investigate' && <InvestigateView />}
        {state.view === 'patterns' && <PatternsView />}
        {state.view === 'detections' && <DetectionsView />}
        {state.view === 'services' && <ServicesView />}
        {state.view === 'changes' && <ChangesView about={about} />}
        {state.view === 'trace' && <TraceView />}
        {state.view === 'notes' && <NotesView names={about?.names ?? []} />}
        {state.view === 'overview' && <OverviewView about={about} />}
        {state.view === 'coverage' && <CoverageView />}
        {state.view === 'sql' && <SqlView names={about?.names ?? []} />}
        {state.log !== undefined && <LogPanel address={state.log} />}
      </main>
      {isShowingKeys && <KeysDialog close={() => setShowingKeys(false)} />}
    </StateProvider>
  );
}

/** UTC, the zone of this machine, the one in use, and those of the world. */
function zones(current: string): readonly string[] {
  return [...new Set(['UTC', own, current, ...Intl.supportedValuesOf('timeZone')])];
}
