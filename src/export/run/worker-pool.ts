import { rm } from 'node:fs/promises';
import type { StoredWindow } from '../../case/index.ts';
import { ClientError, pauseAfter } from '../../client/index.ts';
import type { Decision } from '../decide/decide-window.ts';
import {
  addObserved,
  addOldestLog,
  effectiveCap,
  largestReply,
  readObserved,
  timeStepOf,
} from '../decide/observed-behaviour.ts';
import { countTotals } from '../decide/progress.ts';
import { readExpected, requestedTimes } from '../decide/reply-checks.ts';
import { nextWindow } from '../decide/scheduler.ts';
import { giveUpNewerHalf, giveUpWindow, readSlice, resetWindow, underWayStates } from '../decide/window.ts';
import { type FetchContext, updateWindows, type WindowedExport } from './export-state.ts';
import {
  advanceJob,
  type ExportJob,
  isDamagedZip,
  isRetryable,
  type JobRun,
  maxAttempts,
  performStep,
  submitJob,
  toJobError,
  zipPath,
} from './job.ts';
import { loadWindow } from './load-window.ts';
import { ExportError, windowRequest } from './order.ts';
import { onIgnoredTimes, splitAtOldest } from './probes.ts';

/** Pauses before a window is retried, in milliseconds. */
const pauses = { first: 1000, longest: 30_000, growth: 3 };

/** Consecutive windows without any answer after which the run ends: the others would fail too. */
const maxUnreached = 3;

/** Consecutive windows with damaged zips after which older times of the last one are not tried. */
const maxDamaged = 3;

/** Opens a pool of workers that fetch windows concurrently; `run` resolves when no window is left. */
export function openWorkerPool(
  context: FetchContext,
  exported: WindowedExport,
  counted: number | undefined,
): { run: (jobs: number | 'auto') => Promise<void> } {
  const { client, signal, onProgress } = context;
  const { order, exportState } = exported;
  const { active } = exportState;
  let concurrency = startConcurrency(1, 1);
  /** Windows left to a later run. */
  const postponed = new Set<number>();
  let ended: { readonly error: unknown } | undefined;
  let unreached = 0;
  let damaged = 0;
  let waiting: (() => void)[] = [];

  return { run };

  async function run(jobs: number | 'auto'): Promise<void> {
    concurrency = jobs === 'auto' ? startConcurrency(2, maxAutoJobs) : startConcurrency(jobs, jobs);
    await Promise.all(Array.from({ length: concurrency.limit }, work));
    if (ended) throw ended.error;
  }

  async function work(): Promise<void> {
    for (;;) {
      if (ended) return;
      if (mustFindOldest()) await splitOldest();
      const window = await takeNext();
      if (window === 'full') {
        await nextChange();
        continue;
      }
      if (!window && active.size === 0) return;
      if (!window) await nextChange();
      else await fetchOne(window);
    }
  }

  /** Returns whether finding the oldest log is worth a call: there are more logs than one call returns. */
  function mustFindOldest(): boolean {
    const observed = readObserved(exportState.stored());
    if (observed.begins !== undefined || 0 < active.size) return false;
    const { num } = order.request;
    return observed.cap !== undefined || exportState.windows().some(({ records = 0 }) => num <= records);
  }

  async function splitOldest(): Promise<void> {
    const [oldest] = exportState
      .windows()
      .filter(({ state, slice }) => state === 'planned' && slice === undefined)
      .sort((a, b) => a.oldest - b.oldest);
    // No other worker may take the window, or merge it into another one, meanwhile.
    const held = [oldestProbe, ...(oldest ? [oldest.window] : [])];
    for (const number of held) active.add(number);
    try {
      const { windows, seen } = oldest
        ? await splitAtOldest(context, exported, { window: oldest, number: exportState.reserve(1) })
        : { windows: [] };
      const bound = seen?.bound === undefined ? {} : { oldestBound: String(seen.bound) };
      // Other workers may have observed more meanwhile.
      await exportState.save(() => ({
        export: addObserved(addOldestLog(exportState.stored(), seen?.times ?? []), {
          ...bound,
          begins: 'asked',
        }),
        windows,
      }));
    } catch (error) {
      ended ??= { error };
    } finally {
      for (const number of held) active.delete(number);
      notifyChange();
    }
  }

  /** Takes the next window; returns `full` when all permits are in use. */
  async function takeNext(): Promise<StoredWindow | 'full' | undefined> {
    let isFull = concurrency.permits <= active.size;
    if (isFull) return 'full';
    let taken: StoredWindow | undefined;
    await exportState.save(() => {
      isFull = concurrency.permits <= active.size;
      if (isFull) return {};
      const windows = exportState.windows();
      const isFree = ({ window }: StoredWindow) => !active.has(window) && !postponed.has(window);
      const underWay = windows.find((window) => underWayStates.has(window.state) && isFree(window));
      const next = underWay ? { window: underWay, changes: [] } : nextPlanned(windows);
      taken = next?.window;
      if (taken) active.add(taken.window);
      return { windows: next?.changes ?? [] };
    });
    return isFull && 0 < active.size ? 'full' : taken;
  }

  function nextPlanned(windows: readonly StoredWindow[]) {
    const observed = readObserved(exportState.stored());
    // Until the sort order is known, windows go one by one: the first reply shows more than a guess.
    if (observed.order === undefined && 0 < active.size) return undefined;
    return nextWindow({
      windows: windows.filter(({ window }) => !postponed.has(window)),
      isActive: ({ window }) => active.has(window),
      nextNumber: exportState.reserve(2),
      target: {
        cap: effectiveCap(observed, { num: order.request.num, largest: largestReply(windows) }),
        isOrderTrusted: observed.order === 'trusted',
        isOrderKnown: observed.order !== undefined,
        step: timeStepOf(observed),
      },
    });
  }

  async function fetchOne(window: StoredWindow): Promise<void> {
    const [began, overloads] = [client.clock.now(), client.overloads()];
    const before = readObserved(exportState.stored());
    const outcome = (): JobOutcome =>
      client.overloads() === overloads
        ? { kind: 'done', milliseconds: client.clock.now() - began }
        : { kind: 'overloaded' };
    try {
      const { verdict } = await fetchWindow(context, exported, window);
      concurrency = adaptConcurrency(concurrency, outcome());
      unreached = 0;
      damaged = 0;
      if (verdict.kind === 'ignored') await onIgnoredTimes(context, exported, { window, before });
    } catch (error) {
      if (isOverload(error)) concurrency = adaptConcurrency(concurrency, { kind: 'overloaded' });
      await onFailure(window.window, error).catch((fatal: unknown) => {
        ended ??= { error: fatal };
      });
    } finally {
      active.delete(window.window);
      const underWay = active.size;
      onProgress({
        event: 'totals',
        ...countTotals(exportState.windows(), { calls: exportState.calls(), underWay, counted }),
      });
      notifyChange();
    }
  }

  async function onFailure(number: number, error: unknown): Promise<void> {
    signal?.throwIfAborted();
    const window = exportState.windows().find((window) => window.window === number);
    if (!isRetryable(error) || !window) throw error;
    const attempts = window.attempts + 1;
    const isUnreached = error instanceof ClientError && unreachable.has(error.code);
    const reason = error.message;
    if (error.code === 'STILL_RUNNING' && window.attempts === 0) {
      // The job may still end: a later run waits for it again before it submits another one.
      postponed.add(number);
      await updateWindows(exportState, [{ ...window, attempts, reason }], context);
      return;
    }
    if (attempts < maxAttempts && error.code !== 'TOO_BIG') {
      onProgress({ event: 'trouble', window: number, message: reason });
      // A known job may still deliver the logs after a passing failure; another job is the last resort.
      const isJobOver = jobIsOver.has(error.code);
      await updateWindows(
        exportState,
        [{ ...(isJobOver || 1 < attempts ? resetWindow(window) : window), attempts }],
        context,
      );
      return client.clock.sleep(pauseAfter(attempts, pauses, Math.random), signal);
    }
    damaged = error.code === 'DAMAGED_ZIP' ? damaged + 1 : 0;
    const givingUp = { reason, attempts, number: exportState.reserve(1) };
    const halves = 0 < damaged && damaged < maxDamaged ? giveUpNewerHalf(window, givingUp) : undefined;
    if (halves) {
      await updateWindows(exportState, halves, context);
      return;
    }
    await updateWindows(exportState, [giveUpWindow(window, givingUp)], context);
    unreached = isUnreached ? unreached + 1 : 0;
    // Zips without any entry may be how a deployment reports that there are no logs.
    const isHopeless =
      error.code !== 'INCOMPLETE_REPLY' &&
      exportState.windows().every(({ state }) => state !== 'loaded' && state !== 'split');
    if (isHopeless || unreached === maxUnreached) throw error;
  }

  function nextChange(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  }

  function notifyChange(): void {
    const waiters = waiting;
    waiting = [];
    for (const wake of waiters) wake();
  }
}

/** Stands for the search for the oldest log in the set of active windows. */
const oldestProbe = -1;

/** Failures after which the same job cannot succeed. */
const jobIsOver: ReadonlySet<string> = new Set(['JOB_FAILED', 'DAMAGED_ZIP', 'INCOMPLETE_REPLY']);

/** Maximum number of parallel jobs with `--jobs auto`. */
const maxAutoJobs = 16;

/** Failures that fewer parallel jobs may avoid. */
const overloadCodes: ReadonlySet<string> = new Set([
  ...['TIMED_OUT', 'UNREACHABLE', 'SERVER_ERROR', 'JOB_FAILED', 'STILL_RUNNING'],
]);

function isOverload(error: unknown): boolean {
  return (error instanceof ClientError || error instanceof ExportError) && overloadCodes.has(error.code);
}

const unreachable: ReadonlySet<string> = new Set(['UNREACHABLE', 'TIMED_OUT']);

/** Outcome of one job, as a sign of the load of the deployment. */
export type JobOutcome =
  /** The job ended well; `milliseconds` is its duration. */
  | { readonly kind: 'done'; readonly milliseconds: number }
  /** The deployment failed, did not answer in time, or asked for fewer requests. */
  | { readonly kind: 'overloaded' };

/** An adaptive number of parallel jobs. */
interface Concurrency {
  /** Maximum number of parallel jobs now: 1 to `limit`. */
  readonly permits: number;
  readonly limit: number;
  /** Jobs that ended well since `permits` changed last. */
  readonly calm: number;
  /** Outcomes to ignore: those of jobs that began before `permits` was halved. */
  readonly ignored: number;
  /** Duration of the quickest recent jobs, in milliseconds; undefined until one has ended. */
  readonly quickest: number | undefined;
}

/** Starts with `permits` parallel jobs, which may grow to `limit`. */
export function startConcurrency(permits: number, limit: number): Concurrency {
  return { permits: Math.min(permits, limit), limit, calm: 0, ignored: 0, quickest: undefined };
}

/** A job slower than the quickest ones by this factor queues behind others, so more jobs would not help. */
const slow = 3;

/** Factor by which the quickest duration grows with each job: windows grow, and so do their jobs. */
const fade = 1.05;

/**
 * Adds one permit after as many good jobs as there are permits, and halves them
 * when the deployment is overloaded. This is additive increase and
 * multiplicative decrease, as in TCP congestion control (RFC 5681).
 */
export function adaptConcurrency(state: Concurrency, outcome: JobOutcome): Concurrency {
  if (outcome.kind === 'overloaded') {
    if (0 < state.ignored) return { ...state, ignored: state.ignored - 1, calm: 0 };
    const permits = Math.max(1, Math.floor(state.permits / 2));
    return { ...state, permits, calm: 0, ignored: state.permits - 1 };
  }
  const { milliseconds } = outcome;
  // At least one millisecond: zero would never grow.
  const quickest = Math.max(1, Math.min(milliseconds, (state.quickest ?? milliseconds) * fade));
  const isSlow = slow * quickest < milliseconds;
  const calm = isSlow ? 0 : state.calm + 1;
  const ignored = Math.max(0, state.ignored - 1);
  const grows = state.permits <= calm && state.permits < state.limit;
  return {
    limit: state.limit,
    ignored,
    quickest,
    permits: grows ? state.permits + 1 : state.permits,
    calm: grows ? 0 : calm,
  };
}

/**
 * Fetches one window: submits its job unless there is one, waits, downloads,
 * checks and loads. Each step is saved in the case before the next begins, and
 * so is the decision. Rejects with a `ClientError`, an `ExportError` or a
 * `StoreError`.
 */
async function fetchWindow(
  context: FetchContext,
  exported: WindowedExport,
  window: StoredWindow,
): Promise<Decision> {
  const submitted = window.job === undefined ? await submitWindow(context, exported, window) : window;
  const path = zipPath(context.into.path, submitted.job ?? '');
  try {
    const decision = await finishWindow(context, exported, { first: submitted, path });
    await rm(path, { force: true });
    return decision;
  } finally {
    if (context.into.path === ':memory:') await rm(path, { force: true });
  }
}

async function submitWindow(
  context: FetchContext,
  exported: WindowedExport,
  window: StoredWindow,
): Promise<StoredWindow> {
  const { order, requestPlan, exportState } = exported;
  const slice = readSlice(window.slice);
  const observed = readObserved(exportState.stored());
  exportState.countCall();
  const request = windowRequest(order, requestPlan, {
    window: requestedTimes(window, readExpected(window.expected)),
    slice,
    observed,
  });
  const { job } = await submitJob(context.client, request, context.signal);
  return saveState(context, exported, { ...window, state: 'submitted', job: job.id, address: job.address });
}

async function saveState(
  context: FetchContext,
  { exportState }: WindowedExport,
  window: StoredWindow,
): Promise<StoredWindow> {
  const [updated = window] = await updateWindows(exportState, [window], context);
  return updated;
}

async function finishWindow(
  context: FetchContext,
  exported: WindowedExport,
  { first, path }: { readonly first: StoredWindow; readonly path: string },
): Promise<Decision> {
  let window = first;
  let job = toJob(window);
  const run = runOf(context, path, (zip) => {
    window = { ...window, ...zip };
  });
  for (;;) {
    context.signal?.throwIfAborted();
    if (job.state === 'failed') throw toJobError(job);
    if (job.state === 'fetched') {
      const loaded = await loadOrDamage(context, exported, { window, path });
      if ('decision' in loaded) return loaded.decision;
      job = advanceJob(job, loaded.event);
      if (loaded.event.kind === 'damaged')
        context.onProgress({ event: 'trouble', window: window.window, message: loaded.event.reason });
    } else if (job.state !== 'loaded') {
      job = advanceJob(job, await performStep(run, job));
    }
    if (job.state === 'submitted' || job.state === 'ready' || job.state === 'fetched') {
      const upload = 'upload' in job ? { upload: job.upload } : {};
      window = await saveState(context, exported, { ...window, state: job.state, ...upload });
    }
  }
}

/** Continues the job of a window from its zip when that was fetched, else from the deployment. */
function toJob({ job: id = '', address = '', state, upload }: StoredWindow): ExportJob {
  if (state === 'fetched' && upload !== undefined) return { id, address, state, upload, damaged: 0 };
  return { id, address, state: 'submitted' };
}

function runOf(
  { client, into, signal, maxWait, onProgress }: FetchContext,
  path: string,
  onZip: (zip: Pick<StoredWindow, 'bytes' | 'sha256'>) => void,
): JobRun {
  let lastTrouble: string | undefined;
  return {
    client,
    into,
    signal,
    maxWait,
    path,
    onProgress: (progress) => {
      if (progress.stage === 'downloaded') onZip({ bytes: progress.bytes, sha256: progress.sha256 });
      if (progress.stage !== 'waiting' || progress.trouble === lastTrouble) return;
      lastTrouble = progress.trouble;
      if (lastTrouble !== undefined) onProgress({ event: 'trouble', message: lastTrouble });
    },
  };
}

interface Fetched {
  readonly window: StoredWindow;
  readonly path: string;
}

type LoadedOrNot =
  | { readonly decision: Decision }
  | { readonly event: { readonly kind: 'damaged'; readonly reason: string } | { readonly kind: 'lost' } };

async function loadOrDamage(
  context: FetchContext,
  exported: WindowedExport,
  fetched: Fetched,
): Promise<LoadedOrNot> {
  try {
    const decision = await loadWindow(context, exported, fetched);
    return decision ? { decision } : { event: { kind: 'lost' } };
  } catch (error) {
    if (!isDamagedZip(error)) throw error;
    await rm(fetched.path, { force: true });
    return { event: { kind: 'damaged', reason: error.message } };
  }
}
