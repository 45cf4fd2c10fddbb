import { type StoredWindow, timesAround } from '../../case/index.ts';
import { match, narrow } from '../../language/index.ts';
import { type ExportRequest, newestLogsRequest } from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import { isOutOfOrder, markDeleted, type WindowWithOldest } from '../decide/deleted.ts';
import {
  addObserved,
  extentOf,
  incomplete,
  type ObservedBehaviour,
  readObserved,
  timeStepOf,
} from '../decide/observed-behaviour.ts';
import { clipChecks, noLogsCheck, readExpected, writeExpected } from '../decide/reply-checks.ts';
import { notAll } from '../decide/sample.ts';
import {
  containsTime,
  floorTo,
  isPartialSlice,
  resetWindow,
  switchToFilterSlices,
  underWayStates,
  type Window,
  wholeSlice,
} from '../decide/window.ts';
import type { FetchContext, WindowedExport } from './export-state.ts';
import { updateWindows } from './export-state.ts';
import { isRetryable, probeLogs } from './job.ts';
import { emptyZipReason } from './load-window.ts';
import { ExportError, probeRequest, windowRequest } from './order.ts';
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

/** Times of logs that probes for the oldest one showed, and a time that none is older than, if it is known. */
interface SeenOldest {
  readonly times: readonly (number | undefined)[];
  readonly bound: number | undefined;
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
): Promise<{ readonly windows: readonly StoredWindow[]; readonly seen?: SeenOldest }> {
  const { order, requestPlan, exportState } = exported;
  const observed = readObserved(exportState.stored());
  // The reply to its whole interval may prove that the oldest logs come first.
  if (readExpected(window.expected).some(({ kind, count }) => kind === 'exact' && 0 < count))
    return { windows: [window] };
  const known: (number | undefined)[] = [];
  const { residual } = requestPlan;
  const probeTimes: ProbeTimes = async (times, { num, order: sortOrder }) => {
    const request = { ...probeRequest(order, requestPlan, { window: times, sortOrder, observed }), num };
    const logs = await countedProbe(context, exported, request);
    const within = logs.filter(({ time }) => time !== undefined && containsTime(times, time));
    for (const log of within) if (!residual || match(residual, { ...log })) known.push(log.time);
    return within.flatMap(({ time }) => time ?? []);
  };
  const oldestTime = await findOldestTime(window, probeTimes).catch((error: unknown) => {
    if (isRetryable(error)) return undefined;
    throw error;
  });
  const begins = oldestTime === undefined ? undefined : floorTo(oldestTime, timeStepOf(observed));
  const seen = { times: known, bound: begins };
  if (begins === undefined || !containsTime(window, begins) || begins === window.oldest)
    return { windows: [window], seen };
  const checks = clipChecks({ ...window, oldest: begins }, readExpected(window.expected));
  const isEmpty = writeExpected([noLogsCheck(window.oldest, begins - 1)]);
  const windows = [
    { ...window, oldest: begins, expected: writeExpected(checks) },
    // The logs that an earlier reply brought are all in the other part.
    { ...window, window: number, newest: begins - 1, expected: isEmpty, logs: undefined },
  ];
  return { windows, seen };
}

/**
 * Finds out whether the deployment deleted logs during an export, and marks the times of which some may have gone
 * before they were requested. It asks only where that could be: where the oldest log that was there at the
 * beginning did not come, or where newer windows were loaded after older ones.
 */
export async function findDeleted(context: FetchContext, exported: WindowedExport): Promise<void> {
  const { exportState } = exported;
  const { oldestLog, oldestBound, repeats } = readObserved(exportState.stored());
  const all = exportState.windows().filter(({ state, slice }) => state === 'loaded' && slice === undefined);
  const windows = all.filter(({ missing = 0 }) => missing === 0);
  const oldestOf = async (window: Window) => {
    const oldest = Math.max(0, window.oldest);
    const [first] = await timesAround(context.into, {
      time: oldest,
      oldest,
      newest: window.newest,
      count: 1,
    });
    return first;
  };
  const known = all.length === 0 ? undefined : await oldestOf(extentOf(all));
  const seen = Number(oldestLog ?? known ?? Number.NaN);
  const lacking = windows.filter(
    (window) => !(known !== undefined && known <= seen) && containsTime(window, seen),
  );
  const isDoubtful =
    0 < lacking.length || isOutOfOrder(windows) || all.some(({ reason }) => reason === incomplete);
  if (Number.isNaN(seen) || !isDoubtful) return;
  const first = Math.min(seen, known ?? seen);
  if (await isThere(context, exported, first)) {
    await exportState.save(() => ({
      windows: lacking.map((window) => ({ ...window, missing: 1, reason: notAll })),
    }));
    return;
  }
  const [until = Number.POSITIVE_INFINITY] = await oldestTimes(context, exported, extentOf(all));
  context.onProgress({
    event: 'trouble',
    message: `The deployment deleted its oldest logs during the export: that of ${new Date(first).toISOString()} is gone`,
  });
  const below = windows.filter(({ oldest }) => oldest < until);
  const dated: WindowWithOldest[] = [];
  // Logs that came twice do not show what was there the second time.
  for (const window of below)
    dated.push({ window, first: repeats === undefined ? await oldestOf(window) : undefined });
  const since = oldestBound === undefined ? Number.NEGATIVE_INFINITY : Number(oldestBound);
  const reserve = () => exportState.reserve(1);
  await exportState.save(() => ({ windows: markDeleted(dated, { since, until, reserve }) }));
}

async function isThere(context: FetchContext, exported: WindowedExport, time: number): Promise<boolean> {
  const times = await oldestTimes(context, exported, { oldest: time, newest: time });
  return times.length > 0;
}

/** Times of logs of an interval, of the oldest ones if the deployment sorts. */
async function oldestTimes(
  context: FetchContext,
  exported: WindowedExport,
  window: Window,
): Promise<readonly number[]> {
  const { order, requestPlan, exportState } = exported;
  const observed = readObserved(exportState.stored());
  const slice = { ...wholeSlice, order: 'asc' } as const;
  const request = windowRequest(order, requestPlan, { window, slice, observed });
  const logs = await countedProbe(context, exported, request);
  // A zip without any log may be one that lacks its entry: logs are gone only if the next one has none either.
  const all = logs.length === 0 ? await countedProbe(context, exported, request) : logs;
  const times = all.flatMap(({ time }) => (time !== undefined && containsTime(window, time) ? [time] : []));
  return times.sort((a, b) => a - b);
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
    (window) => unproven.includes(window) || (window.state === 'loaded' && window.found === 0),
  );
  if (unproven.length === 0 || !isEmpty) return;
  const logs = await countedProbe(context, exported, { ...newestLogsRequest, num: 1, logLevel: 'DEBUG' });
  if (logs.length === 0) return;
  const empty = { state: 'loaded', found: 0, logs: 0, records: 0, bytes: 0, reason: undefined } as const;
  const updated = context.client.clock.now();
  await exportState.save(() => ({ windows: unproven.map((window) => ({ ...window, ...empty, updated })) }));
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
    const isThere = exportState.windows().some((other) => other.window === window.window);
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
