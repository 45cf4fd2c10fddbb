import type { StoredWindow } from '../../case/index.ts';
import { narrow } from '../../language/index.ts';
import { type ExportRequest, newestLogsRequest } from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import {
  addObserved,
  type ObservedBehaviour,
  readObserved,
  timeStepOf,
} from '../decide/observed-behaviour.ts';
import { clipChecks, noLogsCheck, readExpected, writeExpected } from '../decide/reply-checks.ts';
import {
  containsTime,
  floorTo,
  isPartialSlice,
  resetWindow,
  switchToFilterSlices,
  underWayStates,
} from '../decide/window.ts';
import type { FetchContext, WindowedExport } from './export-state.ts';
import { updateWindows } from './export-state.ts';
import { isRetryable, probeLogs } from './job.ts';
import { emptyZipReason } from './load-window.ts';
import { ExportError, probeRequest } from './order.ts';
import { findOldestTime, type ProbeTimes } from './sampling.ts';

/** Milliseconds: logs may show whole seconds of times that the deployment knows more precisely. */
const rounding = 1000;

/**
 * Rejects with `WINDOW_IGNORED` unless the deployment finds a log by its time
 * in the query. An unknown field would match nothing and look like a time
 * without logs.
 */
export async function checkTimeField(context: FetchContext, exported: WindowedExport): Promise<void> {
  const { order, requestPlan } = exported;
  const sample = { ...requestPlan.request, num: 1, sortBy: 'time', sortOrder: 'desc' } as const;
  const [log] = await countedProbe(context, exported, sample);
  // Without any matching log, none can be missed.
  if (log?.time === undefined) return;
  const range = `${order.timeField}:[${log.time - rounding} TO ${log.time + rounding}]`;
  const searchQuery = narrow(sample.searchQuery, [range]);
  const found = await countedProbe(context, exported, { ...sample, searchQuery });
  if (0 < found.length) return;
  throw new ExportError(
    'WINDOW_IGNORED',
    `The deployment finds no log by the field "${order.timeField}", though it has some: ` +
      'name the time field with "--time-field", or use "--via query"',
  );
}

/**
 * Splits a planned window at its oldest log, as far as a few calls for one log
 * each show it. The older part is still requested, to confirm that it is empty.
 * `number` is the number of the older part.
 */
export async function splitAtOldest(
  context: FetchContext,
  exported: WindowedExport,
  { window, number }: { readonly window: StoredWindow; readonly number: number },
): Promise<readonly StoredWindow[]> {
  const { order, requestPlan, exportState } = exported;
  const observed = readObserved(exportState.stored());
  // The reply to its whole interval may prove that the oldest logs come first.
  if (readExpected(window.expected).some(({ kind, count }) => kind === 'exact' && 0 < count)) return [window];
  const probeTimes: ProbeTimes = async (times, { num, order: sortOrder }) => {
    const request = { ...probeRequest(order, requestPlan, { window: times, sortOrder, observed }), num };
    const logs = await countedProbe(context, exported, request);
    return logs.flatMap(({ time }) => (time !== undefined && containsTime(times, time) ? [time] : []));
  };
  const oldestTime = await findOldestTime(window, probeTimes).catch((error: unknown) => {
    if (isRetryable(error)) return undefined;
    throw error;
  });
  const begins = oldestTime === undefined ? undefined : floorTo(oldestTime, timeStepOf(observed));
  if (begins === undefined || !containsTime(window, begins) || begins === window.oldest) return [window];
  const checks = clipChecks({ ...window, oldest: begins }, readExpected(window.expected));
  const isEmpty = writeExpected([noLogsCheck(window.oldest, begins - 1)]);
  return [
    { ...window, oldest: begins, expected: writeExpected(checks) },
    // The logs that an earlier reply brought are all in the other part.
    { ...window, window: number, newest: begins - 1, expected: isEmpty, logs: undefined },
  ];
}

/**
 * Confirms an empty export whose zips hold no entry at all. A deployment that
 * returns a log to a call without filters can write entries, so it has none
 * here. Otherwise the windows stay as they are: nothing shows what they hold.
 */
export async function confirmEmpty(context: FetchContext, exported: WindowedExport): Promise<void> {
  const { exportState } = exported;
  const open = exportState.windows().filter(({ state }) => state !== 'split');
  const unproven = open.filter(({ state, reason }) => state === 'failed' && reason === emptyZipReason);
  const isEmpty = open.every(
    (each) => unproven.includes(each) || (each.state === 'loaded' && each.found === 0),
  );
  if (unproven.length === 0 || !isEmpty) return;
  const logs = await countedProbe(context, exported, { ...newestLogsRequest, num: 1, logLevel: 'DEBUG' });
  if (logs.length === 0) return;
  const empty = { state: 'loaded', found: 0, logs: 0, records: 0, bytes: 0, reason: undefined } as const;
  const updated = context.client.clock.now();
  await exportState.save(() => ({ windows: unproven.map((each) => ({ ...each, ...empty, updated })) }));
}

/** Probes for logs and counts the call as one of the run. */
export function countedProbe(
  context: FetchContext,
  { order, exportState }: WindowedExport,
  request: ExportRequest,
): Promise<readonly Log[]> {
  exportState.countCall();
  return probeLogs({ ...context, zone: order.zone }, request);
}

/**
 * Changes the request of windows after a reply that ignored the times beside its
 * query. The times go into the query, or the slices of a millisecond do without
 * one. `before` is the observed behaviour when the window was requested. Rejects
 * with `WINDOW_IGNORED` where no other form is left.
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
