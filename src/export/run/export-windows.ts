import {
  addedLogs,
  type Case,
  type EntryNote,
  entryNotesOfJobs,
  findExports,
  findWindows,
  type StoredExport,
  type StoredWindow,
  saveExportChanges,
} from '../../case/index.ts';
import type { Client } from '../../client/index.ts';
import { deleted } from '../decide/deleted.ts';
import { addDoubts, doubtsAbout, type ExportDoubt, readDoubts } from '../decide/doubts.ts';
import { endCoverage, lastTimeOf, notOver } from '../decide/end-coverage.ts';
import {
  addObserved,
  confirmWindows,
  controlledWindows,
  extentOf,
  judgeControl,
  needsControl,
  readObserved,
  replanUnproven,
  unconfirmed,
  unproven,
} from '../decide/observed-behaviour.ts';
import type { WindowsProgress } from '../decide/progress.ts';
import { differs, distrust, markUnproved, notAll, repeatInHalves } from '../decide/sample.ts';
import {
  containsTime,
  readSlice,
  resetWindow,
  reviveWindow,
  toClauseQuery,
  type Window,
  wholeSlice,
} from '../decide/window.ts';
import { type ExportState, type FetchContext, openExportState, type WindowedExport } from './export-state.ts';
import { removeStaleZips } from './job.ts';
import {
  applyRequestSettings,
  type Earlier,
  findExportWithGaps,
  findOpenExport,
  type OpenedExport,
  openExport,
} from './open-export.ts';
import {
  ExportError,
  type ExportOrder,
  isWindowInQuery,
  type RequestSettings,
  toOrder,
  toRequestPlan,
  windowRequest,
} from './order.ts';
import { checkTimeField, confirmEmpty, countedProbe, findDeleted } from './probes.ts';
import { countedSomewhere, countIndependently, findUncounted } from './sampling.ts';
import { type SampleResult, verifySample } from './verify-sample.ts';
import { openWorkerPool } from './worker-pool.ts';

export interface WindowsOptions {
  readonly client: Client;
  /** The target case, open for writing. */
  readonly into: Case;
  readonly onProgress?: ((progress: WindowsProgress) => void) | undefined;
  /**
   * Aborts the export with the reason of the signal. Finished work is in the case,
   * and the export can be resumed.
   */
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait for one job, in milliseconds. Default 30 minutes. */
  readonly maxWait?: number | undefined;
  /**
   * Maximum number of parallel jobs; fewer run while the deployment is overloaded.
   * `auto`: starts with 2 and grows to 16. Default 2.
   */
  readonly jobs?: number | 'auto' | undefined;
  /** True to request everything a second time, by other windows. Default false: a sample is. */
  readonly twice?: boolean | undefined;
}

/**
 * Exports all logs of an order in as many windows as needed. Continues an
 * interrupted export of the case with the same order; intervals that the case
 * has are not requested again unless the order repeats them.
 *
 * A failed window does not stop the others: the result lists it. Rejects with a
 * `ClientError`, an `ExportError` or a `StoreError` where no window could
 * succeed, and with the reason of the signal.
 *
 * ```ts
 * const { order } = await orderSinceLast(incident, { now: Date.now(), overlap: 600_000 });
 * const { logs, complete, gaps } = await exportWindows({ client, into: incident, order });
 * ```
 */
export async function exportWindows(
  options: WindowsOptions & { readonly order: ExportOrder; readonly repeat?: Window | undefined },
): Promise<WindowsResult> {
  const { client, into, order, repeat, onProgress } = options;
  const opened = await openExport(into, order, { repeat, present: client.earliestNow() });
  const { claims } = opened;
  if (claims) {
    const [until, from] = [claims.newest, claims.from].map((time) => new Date(time).toISOString());
    const message = `The case claims all logs until ${until}, which is not over yet: those from ${from} on are requested again`;
    onProgress?.({ event: 'trouble', message });
    await saveExportChanges(into, () => ({ windows: claims.windows }));
  }
  return work(options, opened, { repeat, earlier: opened.earlier });
}

/**
 * Requests again what an export of a case lacks, the newest one unless it is named: failed windows, and
 * windows that the deployment capped. Logs already in the case are not added
 * again.
 *
 * ```ts
 * const { gaps } = await retryGaps({ client, into: incident });
 * ```
 */
export async function retryGaps(options: WindowsOptions & AgainOptions): Promise<WindowsResult> {
  const found = await findExportWithGaps(options.into, options.export);
  if (found) {
    const { stored, ...others } = applyRequestSettings(found, options.requestSettings ?? {});
    const { asked: _, ...learnt } = stored.learnt;
    return work(options, { ...others, stored: { ...stored, learnt } }, { mayRepeat: true });
  }
  const message = `Nothing to request again: no export in "${options.into.path}" lacks logs`;
  throw new ExportError('NOTHING_TO_RESUME', message);
}

/** What to go on with. */
interface AgainOptions {
  readonly requestSettings?: RequestSettings;
  /** Number of the export. Default: the newest that is not finished, or lacks logs. */
  readonly export?: number | undefined;
}

/**
 * Resumes an unfinished export of a case, the newest one unless it is named, with the order that the case stores.
 *
 * ```ts
 * const { complete } = await resumeWindows({ client, into: incident, jobs: 'auto' });
 * ```
 */
export async function resumeWindows({
  requestSettings = {},
  export: number,
  ...options
}: WindowsOptions & AgainOptions): Promise<WindowsResult> {
  const open = await findOpenExport(options.into, number);
  if (open) return work(options, applyRequestSettings(open, requestSettings));
  await removeStaleZips(options.into);
  const message = `Nothing to resume: no export in "${options.into.path}" is unfinished. For newer logs: --since-last`;
  throw new ExportError('NOTHING_TO_RESUME', message);
}

/** 30 minutes: an export of 10,000 logs takes seconds, and some minutes in a queue. */
const defaultMaxWait = 30 * 60_000;

/** What an export requests that the case may have. */
interface WorkSettings extends Repeated {
  /** True if the case may hold logs of any window. */
  readonly mayRepeat?: boolean;
}

async function work(
  options: WindowsOptions,
  opened: OpenedExport,
  { mayRepeat = false, ...again }: WorkSettings = {},
): Promise<WindowsResult> {
  const { client, into, signal, jobs = 2, maxWait = defaultMaxWait, onProgress = () => {} } = options;
  const { twice = false } = options;
  const context: FetchContext = { client, into, signal, maxWait, onProgress };
  const exported = await startExport(context, opened, mayRepeat);
  const before = logsOf(exported.exportState.windows());
  const count = (times?: Window) => countComparable(context, exported, times);
  const counted = await count();
  const pool = openWorkerPool(context, exported, counted);
  const fetchAll = async () => {
    await pool.run(jobs);
    for (let round = 1; await replanByControl(context, exported, round === mostControls); round += 1)
      await pool.run(jobs);
  };
  let sample: SampleResult | undefined;
  let recounted: number | undefined;
  try {
    await fetchAll();
    await followLateLogs(context, exported, { ...again, fetchAll });
    sample = await proveBySample(context, exported, { fetchAll, twice });
    await findDeleted(context, exported);
    await confirmEmpty(context, exported);
    await saveEnd(context, exported);
    recounted = counted === undefined ? undefined : await compareWithCount(exported, { counted, count });
    await saveProof(exported, { sample, twice });
  } finally {
    await removeStaleZips(into);
  }
  const doubts = readDoubts(exported.exportState.stored());
  const result = { ...(await finalResult(into, exported.exportState, before)), doubts };
  return recounted === undefined ? result : { ...result, counted: recounted };
}

/** Maximum number of control calls: each that shows a lower cap lets windows be requested again. */
const mostControls = 3;

/** Saves an opened export in the case, reports it, and checks how its windows can be requested. */
async function startExport(
  context: FetchContext,
  { stored, windows, resumed }: OpenedExport,
  mayRepeat: boolean,
): Promise<WindowedExport> {
  const { client, into, onProgress } = context;
  const order = toOrder(stored);
  const requestPlan = toRequestPlan(order);
  const revived = windows.map(reviveWindow);
  const requestTime = stored.learnt.asked ?? String(client.clock.now());
  const dated = addObserved(stored, { asked: requestTime, pending: 'yes' });
  const numbers = [...(await findWindows(into)), ...revived].map(({ window }) => window);
  await saveExportChanges(into, () => ({ export: dated, windows: revived }));
  const exportState = openExportState(into, dated, { windows: revived, next: Math.max(0, ...numbers) + 1 });
  const isAlone = (await findExports(into)).every((other) => other.export === stored.export);
  const end = () => lastTimeOf(exportState.stored(), client.earliestNow() - client.clock.now());
  const exported = { order, requestPlan, exportState, end, isAlone, mayRepeat: mayRepeat || !isAlone };
  const { export: number, oldest, newest } = stored;
  onProgress({ event: 'begun', export: number, oldest, newest: Math.min(newest, end()), resumed });
  if (isWindowInQuery(order, requestPlan.request, readObserved(stored)))
    await checkTimeField(context, exported);
  return exported;
}

/**
 * The deployment's own count of the logs of an export, or of some of its times. Undefined if it has
 * none, or if the two differ anyway: logs of another export are not added
 * again, and the count includes logs filtered here.
 */
async function countComparable(
  { client, signal }: FetchContext,
  { requestPlan, exportState, isAlone }: WindowedExport,
  times: Window = exportState.stored(),
): Promise<number | undefined> {
  if (!isAlone || requestPlan.residual !== undefined) return undefined;
  return countIndependently({ client, request: requestPlan.request, signal }, times);
}

/**
 * Compares an export with the deployment's own count, and returns that. An excess there means missing logs, even
 * without a gap: the windows that lack them, as far as more counts show which, are marked.
 */
async function compareWithCount(
  { exportState }: WindowedExport,
  {
    counted,
    count,
  }: { readonly counted: number; readonly count: (times?: Window) => Promise<number | undefined> },
): Promise<number> {
  const own = logsOf(exportState.windows()) + unreadableOf(exportState.windows());
  // Logs may have arrived late, or aged away, since the first count.
  const recounted = counted === own ? counted : ((await count()) ?? counted);
  if (recounted <= own || 0 < exportState.windows().flatMap(gapOf).length) return recounted;
  const lacking = await findUncounted(exportState.windows(), { missing: recounted - own, count });
  await exportState.save(() => ({ windows: lacking }));
  return recounted;
}

/** Times that an export requests although the case has them. */
interface Repeated {
  readonly repeat?: Window | undefined;
  readonly earlier?: Earlier | undefined;
}

/**
 * Measures how late logs arrive: those that came now, of times that an earlier export has completely. As long as
 * the oldest of them is in the older half of what was repeated, times before it are repeated as well.
 */
async function followLateLogs(
  { client, into, onProgress }: FetchContext,
  { exportState }: WindowedExport,
  { repeat, earlier, fetchAll }: Repeated & { readonly fetchAll: () => Promise<void> },
): Promise<void> {
  if (!repeat || !earlier) return;
  let { oldest: from } = repeat;
  for (;;) {
    const { export: number } = exportState.stored();
    const times = { oldest: Math.max(from, 0), newest: Math.min(repeat.newest, earlier.requestTime) };
    const late = await addedLogs(into, { export: number, within: overlapsOf(earlier.covered, times) });
    if (!late) return;
    const maxDelay = Math.max(
      earlier.requestTime - late.oldest,
      Number(readObserved(exportState.stored()).late ?? 0),
    );
    await exportState.save(() => ({ export: addObserved(exportState.stored(), { late: String(maxDelay) }) }));
    const minutes = Math.ceil(maxDelay / 60_000);
    const message = `${late.logs} logs came late, up to ${minutes} min after their time`;
    const isNear = from + repeat.newest < 2 * late.oldest || from <= earlier.oldest;
    onProgress({
      event: 'trouble',
      message: isNear ? message : `${message}: older times are requested again`,
    });
    if (isNear) return;
    const oldest = Math.max(earlier.oldest, 2 * from - repeat.newest);
    const updated = client.clock.now();
    await exportState.save(() => ({
      windows: [
        {
          window: exportState.reserve(1),
          export: number,
          oldest,
          newest: from - 1,
          state: 'planned',
          attempts: 0,
          updated,
        },
      ],
    }));
    from = oldest;
    await fetchAll();
  }
}

/** The parts of intervals that lie within other times. */
function overlapsOf(intervals: readonly Window[], { oldest, newest }: Window): readonly Window[] {
  return intervals
    .map((interval) => ({
      oldest: Math.max(interval.oldest, oldest),
      newest: Math.min(interval.newest, newest),
    }))
    .filter((interval) => interval.oldest <= interval.newest);
}

/** Maximum number of samples: each that finds a loss lets windows be requested again with fewer logs a call. */
const maxSamples = 4;

/** Maximum number of passes over all logs: one that adds none is the last. */
const maxPasses = 4;

/**
 * Proves an export by requesting some of its logs again, or all of them. Where a later reply has logs that an
 * earlier one of the same times left out, what rested on the order or the size of replies is requested again.
 * Windows that stay without proof become gaps.
 */
async function proveBySample(
  context: FetchContext,
  exported: WindowedExport,
  { fetchAll, twice }: { readonly fetchAll: () => Promise<void>; readonly twice: boolean },
): Promise<SampleResult> {
  const { exportState } = exported;
  const report = (message: string) => context.onProgress({ event: 'trouble', message });
  if (twice) await repeatAll(exported, { fetchAll, passes: maxPasses });
  let due: ReadonlySet<string> = new Set();
  let late = 0;
  for (let round = 1; ; round += 1) {
    const sample = await verifySample(context, exported, due);
    late = Math.max(late, sample.late);
    await saveLate(exported, late);
    if (sample.lost > 0) {
      report('The deployment returns different logs for the same request: all are requested once more');
      if (!twice) await repeatAll(exported, { fetchAll, passes: 1 });
      await exportState.save(() => ({ windows: markUnproved(exportState.windows(), differs) }));
    }
    if (sample.lost > 0) return { ...sample, late };
    if (sample.lossy.length === 0 && 0 < sample.lateLogs.size && round < maxSamples) {
      // Other ones show in each sample: none may be left that was seen and is not in the case.
      due = new Set([...due, ...sample.lateLogs]);
      await requestLate(exported, sample.lateWindows);
      await fetchAll();
      continue;
    }
    if (sample.lossy.length === 0)
      await exportState.save(() => ({
        windows: sample.lateWindows.map((window) => ({ ...window, missing: 1, reason: notAll })),
      }));
    if (sample.lossy.length === 0) return { ...sample, late };
    const changes =
      round === maxSamples ? undefined : distrust(exportState.stored(), exportState.windows(), sample.lossy);
    if (changes)
      report('The deployment left out logs that it returns when it is asked again: all are requested anew');
    await exportState.save(
      () =>
        changes ?? {
          windows: markUnproved(exportState.windows(), notAll, sample.lossy),
        },
    );
    if (!changes) return { ...sample, late };
    await fetchAll();
  }
}

/** Requests windows again in which logs came late. One that is still lacking was left out, and not late. */
async function requestLate({ exportState }: WindowedExport, windows: readonly StoredWindow[]): Promise<void> {
  await exportState.save(() => ({
    export: addObserved(exportState.stored(), { repeats: 'yes' }),
    windows: windows.map((window) => resetWindow({ ...window, attempts: 0, expected: undefined })),
  }));
}

/** Remembers how late logs arrive: the next export overlaps by twice as much. */
async function saveLate({ exportState }: WindowedExport, late: number): Promise<void> {
  const before = Number(readObserved(exportState.stored()).late ?? 0);
  if (late <= before) return;
  await exportState.save(() => ({ export: addObserved(exportState.stored(), { late: String(late) }) }));
}

/** Requests all logs again, by halves of their windows, until a pass adds none. If the last one does, a doubt stays. */
async function repeatAll(
  { exportState }: WindowedExport,
  { fetchAll, passes }: { readonly fetchAll: () => Promise<void>; readonly passes: number },
): Promise<void> {
  const count = () => logsOf(exportState.windows());
  for (let pass = 1; pass <= passes; pass += 1) {
    const before = count();
    await exportState.save(() => ({
      export: addObserved(exportState.stored(), { repeats: 'yes' }),
      windows: repeatInHalves(exportState.windows(), exportState.reserve),
    }));
    await fetchAll();
    if (count() === before) return;
  }
  await exportState.save(() => ({ windows: markUnproved(exportState.windows(), differs) }));
}

/** Ends the coverage of an export at the last time that it can prove, and remembers the clocks. */
async function saveEnd({ client }: FetchContext, { order, exportState, end }: WindowedExport): Promise<void> {
  await exportState.save(() => {
    const stored = addObserved(exportState.stored(), { skew: String(client.skew() ?? 0) });
    const state = { stored, windows: exportState.windows(), end: end(), to: order.to };
    return (
      endCoverage({ ...state, number: exportState.reserve(1), now: client.clock.now() }) ?? { export: stored }
    );
  });
}

/** Ends an export, and remembers what nothing proves of it. One without any window has requested nothing. */
async function saveProof(
  { exportState, requestPlan }: WindowedExport,
  { sample, twice }: { readonly sample: SampleResult | undefined; readonly twice: boolean },
): Promise<void> {
  const loaded = exportState.windows().filter(({ state }) => state === 'loaded');
  // Logs that are filtered here are found, and not among those that are compared.
  const countOf = ({ found = 0, logs: added = 0 }: StoredWindow) => (requestPlan.residual ? added : found);
  const logs = loaded.reduce((sum, window) => sum + countOf(window), 0);
  const observed = readObserved(exportState.stored());
  const doubts = loaded.length === 0 ? [] : doubtsAbout({ observed, sample, logs, twice });
  const ended = addObserved(exportState.stored(), { pending: 'no' });
  await exportState.save(() => ({ export: addDoubts(ended, doubts) }));
}

async function finalResult(
  into: Case,
  exportState: ExportState,
  before: number,
): Promise<Omit<WindowsResult, 'doubts'>> {
  const windows = exportState.windows();
  const loaded = windows.flatMap(({ state, job }) => (state === 'loaded' && job ? [job] : []));
  const notes = await entryNotesOfJobs(into, new Set(loaded));
  return toWindowsResult({
    stored: exportState.stored(),
    windows,
    before,
    calls: exportState.calls(),
    notes,
  });
}

/** Number of logs that windows added to the case. One that was requested again and then split has added some too. */
function logsOf(windows: readonly StoredWindow[]): number {
  return windows.reduce((total, { logs = 0 }) => total + logs, 0);
}

/** Number of records of loaded windows that could not be read. */
function unreadableOf(windows: readonly StoredWindow[]): number {
  return windows.reduce(
    (total, { state, unreadable = 0 }) => total + (state === 'loaded' ? unreadable : 0),
    0,
  );
}

/** Result of a windowed export. Times are milliseconds since the epoch. */
export interface WindowsResult {
  /** Number of the export in the case. */
  readonly export: number;
  readonly oldest: number;
  readonly newest: number;
  /** Export jobs of this run. */
  readonly calls: number;
  /** Loaded windows, including those of earlier runs of this export. */
  readonly windows: number;
  /** Logs that the export added to the case, in all its runs. Zero is no failure: nothing matched. */
  readonly logs: number;
  /** Logs that this run added: fewer after `resumeWindows` and `retryGaps`. */
  readonly added: number;
  readonly unreadable: number;
  /** Total size of the zips. */
  readonly bytes: number;
  /** True if these are all requested logs. */
  readonly complete: boolean;
  /** Number of logs by the deployment's own count, where it has one. */
  readonly counted?: number;
  /** Intervals with missing logs, and why. */
  readonly gaps: readonly WindowGap[];
  /** Remarks on entries of zips that are no gaps. */
  readonly notes: readonly EntryNote[];
  /** What nothing proves, although no log is known to be missing. */
  readonly doubts: readonly ExportDoubt[];
}

/** A window with missing logs. */
export interface WindowGap {
  /** `failed`: not loaded this time. `capped`: the deployment returns no more of it. */
  readonly kind: 'failed' | 'capped';
  readonly oldest: number;
  readonly newest: number;
  /** Its restriction beyond its times, in the search language. */
  readonly slice?: string;
  /** Minimum number of missing logs; absent when unknown. */
  readonly missing?: number;
  readonly reason: string;
}

/** Builds the result of an export from its windows. `before`: how many logs they had added before this run. */
export function toWindowsResult({
  stored,
  windows,
  before,
  calls,
  notes,
}: {
  readonly stored: StoredExport;
  readonly windows: readonly StoredWindow[];
  readonly before: number;
  readonly calls: number;
  readonly notes: readonly EntryNote[];
}): Omit<WindowsResult, 'doubts'> {
  const loaded = windows.filter(({ state }) => state === 'loaded');
  const logs = logsOf(windows);
  const gaps = windows.flatMap(gapOf).sort((a, b) => b.newest - a.newest);
  const { oldest, newest } = stored;
  return {
    export: stored.export,
    oldest,
    newest,
    calls,
    windows: loaded.length,
    logs,
    added: logs - before,
    unreadable: unreadableOf(windows),
    bytes: loaded.reduce((total, { bytes = 0 }) => total + bytes, 0),
    complete: gaps.length === 0,
    gaps,
    notes,
  };
}

/** Reasons of windows that may lack logs, but need not. */
const withoutProof: ReadonlySet<string> = new Set([
  ...[unproven, notOver, notAll, differs, deleted, countedSomewhere],
]);

function gapOf({
  state,
  oldest,
  newest,
  slice,
  missing = 0,
  reason = '',
}: StoredWindow): readonly WindowGap[] {
  if (state === 'split' || (state === 'loaded' && missing === 0)) return [];
  const clauses = readSlice(slice).clauses.map(toClauseQuery);
  const narrowed = clauses.length === 0 ? {} : { slice: clauses.join(' AND ') };
  if (state !== 'loaded') return [{ kind: 'failed', oldest, newest, ...narrowed, reason }];
  if (withoutProof.has(reason)) return [{ kind: 'capped', oldest, newest, ...narrowed, reason }];
  return [{ kind: 'capped', oldest, newest, ...narrowed, missing, reason }];
}

/**
 * Confirms windows that only the sizes of their replies show to be whole, by a
 * control call for as many logs of their times as the deployment returns. If it
 * shows that the cap changed, plans those that are too large again and resolves
 * to true; after the last round it marks them as unproven instead. Rejects like
 * any other call, and the export stays open.
 */
async function replanByControl(
  context: FetchContext,
  exported: WindowedExport,
  isLast: boolean,
): Promise<boolean> {
  const { exportState } = exported;
  if (!needsControl(exportState.windows(), readObserved(exportState.stored()))) return false;
  const lowered = await controlCap(context, exported);
  const windows = exportState.windows();
  if (lowered === undefined) {
    await exportState.save(() => ({ windows: confirmWindows(windows) }));
    return false;
  }
  context.onProgress({
    event: 'trouble',
    message: `The deployment returns a changing number of logs per call, once ${lowered}`,
  });
  const smallest = Math.min(lowered, Number(readObserved(exportState.stored()).lowered ?? lowered));
  const again = replanUnproven(windows, smallest);
  const isOver = isLast || again.length === 0;
  const numbers = new Set(again.map(({ window }) => window));
  const doubtful = windows
    .filter(({ window, reason }) => reason === unconfirmed && numbers.has(window))
    .map((window) => ({ ...window, reason: unproven }));
  const sound = confirmWindows(windows).filter(({ window }) => !numbers.has(window));
  await exportState.save(() => ({
    export: addObserved(exportState.stored(), { lowered: String(smallest), repeats: 'yes' }),
    windows: isOver ? [...doubtful, ...sound] : again,
  }));
  return !isOver;
}

/** Repeats a control that fails once: its own reply may have lacked logs. */
async function controlCap(context: FetchContext, exported: WindowedExport): Promise<number | undefined> {
  const first = await controlOnce(context, exported);
  if (first === undefined) return undefined;
  const second = await controlOnce(context, exported);
  return second === undefined ? undefined : Math.min(first, second);
}

async function controlOnce(context: FetchContext, exported: WindowedExport): Promise<number | undefined> {
  const { order, requestPlan, exportState } = exported;
  const windows = exportState.windows();
  const window = extentOf(controlledWindows(windows));
  const stored = exportState.stored();
  const observed = readObserved(stored);
  // The window of the present ends where its logs are proved to be all: its reply had newer ones too.
  const isLast = windows.every(({ state, newest }) => state === 'split' || newest <= window.newest);
  const requested = isLast ? { ...window, newest: Math.max(window.newest, stored.newest) } : window;
  const request = windowRequest(order, requestPlan, { window: requested, slice: wholeSlice, observed });
  const logs = await countedProbe(context, exported, request);
  const own = logs.filter(({ time }) => time === undefined || containsTime(window, time));
  const newer = logs.filter(({ time = window.newest }) => window.newest < time && time <= requested.newest);
  return judgeControl(windows, {
    num: order.request.num,
    records: logs.length,
    found: own.length,
    newer: newer.length,
  });
}
