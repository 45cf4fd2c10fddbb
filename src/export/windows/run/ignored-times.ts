import type { StoredWindow } from '../../../store/index.ts';
import { ExportError } from '../../job/export-error.ts';
import { addObserved, type ObservedBehaviour, readObserved } from '../decide/observed-behaviour.ts';
import { isPartialSlice } from '../decide/slice.ts';
import { resetWindow, switchToFilterSlices, underWayStates } from '../decide/window-states.ts';
import { updateWindows } from './export-state.ts';
import type { FetchContext, WindowedExport } from './fetch-context.ts';
import { checkTimeField } from './probes.ts';

/**
 * Changes how windows are requested, after a reply that ignored the times beside
 * its query: the times go into the query, or the slices of a millisecond do
 * without one. `before` is the observed behaviour when the window was requested.
 * Rejects with `WINDOW_IGNORED` where no other form is left.
 */
export async function onIgnoredTimes(
  context: FetchContext,
  exported: WindowedExport,
  { window, before }: { readonly window: StoredWindow; readonly before: ObservedBehaviour },
): Promise<void> {
  const { requestPlan, exportState } = exported;
  const now = readObserved(exportState.stored());
  // Another job changed the form while this one was under way: repeat the window in the new form.
  if (before.windowBy !== now.windowBy || before.slices !== now.slices) {
    const isThere = exportState.windows().some((each) => each.window === window.window);
    if (isThere) await updateWindows(exportState, [resetWindow(window)], context);
    return;
  }
  const isOwnQuery = requestPlan.request.searchQuery === undefined && isPartialSlice(window.slice);
  if (!isOwnQuery || now.slices === 'filters') return putTimesIntoQuery(context, exported);
  context.onProgress({
    event: 'trouble',
    message: 'The deployment ignores times beside a query, so one millisecond is split by its filters',
  });
  await exportState.save(() => ({
    export: addObserved(exportState.stored(), { slices: 'filters' }),
    ...switchToFilterSlices(exportState.windows()),
  }));
}

async function putTimesIntoQuery(context: FetchContext, exported: WindowedExport): Promise<void> {
  const { order, requestPlan, exportState } = exported;
  const canChange = order.windowBy === 'auto' && requestPlan.request.searchQuery !== undefined;
  if (!canChange || readObserved(exportState.stored()).windowBy === 'query') throw timesIgnored();
  context.onProgress({
    event: 'trouble',
    message: 'The deployment ignores times beside a query, so they go into the query',
  });
  await exportState.save(() => ({
    export: addObserved(exportState.stored(), { windowBy: 'query' }),
    windows: exportState
      .windows()
      .filter(({ state }) => underWayStates.has(state))
      .map(resetWindow),
  }));
  await checkTimeField(context, exported);
}

function timesIgnored(): ExportError {
  return new ExportError(
    'WINDOW_IGNORED',
    'The deployment returns logs of other times than requested, so missing logs cannot be detected: ' +
      'try "--window-by query" or "--via query"; if its logs use another time zone, name it with "--log-zone"',
  );
}
