import { ClientError, pauseAfter } from '../../client/index.ts';
import type { StoredWindow } from '../../store/index.ts';
import { ExportError } from '../export-error.ts';
import { afresh } from './afresh.ts';
import { nextWindow } from './agenda.ts';
import { maxAttempts } from './attempts.ts';
import { begunStates } from './begun-states.ts';
import { bringWindow } from './bring-window.ts';
import type { Bringing } from './bringing.ts';
import { checkTimeField } from './check-time-field.ts';
import { type JobOutcome, observe, startConcurrency } from './concurrency.ts';
import { givenUp, givenUpInHalves } from './give-up.ts';
import { capOf, type Learnt, readLearnt, withLearnt } from './learnt.ts';
import { totalsOf } from './ledger.ts';
import { mayPass } from './may-pass.ts';
import { partAtOldest } from './part-at-oldest.ts';
import { windowNews } from './progress.ts';
import { largestReply } from './reply-size.ts';
import { stepOf } from './resolution.ts';
import { isPart } from './slice.ts';
import { slicesByFilters } from './slices-by-filters.ts';

/** The pauses before a window is tried again, in milliseconds. */
const pauses = { first: 1000, longest: 30_000, growth: 3 };

/** When so many windows in a row came to nothing because nobody answers, the others would fare no better. */
const maxUnreached = 3;

/** After this number of windows in a row whose zips stay damaged, the times below the last of them are not tried. */
const maxDamaged = 3;

/** Those who bring the windows, side by side. */
export function openCrew(
  bringing: Bringing,
  {
    active,
    calls,
    counted,
  }: {
    readonly active: Set<number>;
    readonly calls: () => number;
    /** The logs by the deployment's own count. */
    readonly counted: number | undefined;
  },
): { run: (jobs: number | 'auto') => Promise<void> } {
  const { ledger, client, signal, onProgress, order, asking } = bringing;
  let concurrency = startConcurrency(1, 1);
  /** Windows that are left as they are for a later run. */
  const aside = new Set<number>();
  let ended: { readonly error: unknown } | undefined;
  let unreached = 0;
  let damaged = 0;
  let waiting: (() => void)[] = [];

  return { run };

  async function run(jobs: number | 'auto'): Promise<void> {
    concurrency = jobs === 'auto' ? startConcurrency(2, mostJobs) : startConcurrency(jobs, jobs);
    await Promise.all(Array.from({ length: concurrency.limit }, member));
    if (ended) throw ended.error;
  }

  async function member(): Promise<void> {
    for (;;) {
      if (ended) return;
      if (mustPart()) await part();
      const window = await takeNext();
      if (window === 'full') {
        await someChange();
        continue;
      }
      if (!window && active.size === 0) return;
      if (!window) await someChange();
      else await bring(window);
    }
  }

  /** Whether it is worth a call to know where the logs begin: they are more than one call returns. */
  function mustPart(): boolean {
    const learnt = readLearnt(ledger.kept());
    if (learnt.begins !== undefined || 0 < active.size) return false;
    const { num } = order.request;
    return learnt.cap !== undefined || ledger.windows().some(({ records = 0 }) => num <= records);
  }

  async function part(): Promise<void> {
    const kept = withLearnt(ledger.kept(), { begins: 'asked' });
    const [oldest] = ledger
      .windows()
      .filter(({ state, slice }) => state === 'planned' && slice === undefined)
      .sort((a, b) => a.oldest - b.oldest);
    // Nobody else may take it, or take it in, meanwhile.
    const held = [atTheBeginning, ...(oldest ? [oldest.window] : [])];
    for (const number of held) active.add(number);
    try {
      const windows = oldest ? await partAtOldest(bringing, oldest, ledger.reserve(1)) : [];
      await ledger.note(() => ({ export: kept, windows }));
    } catch (error) {
      ended ??= { error };
    } finally {
      for (const number of held) active.delete(number);
      changed();
    }
  }

  /** The next window; `full` where as many jobs are under way as there may be. */
  async function takeNext(): Promise<StoredWindow | 'full' | undefined> {
    let isFull = concurrency.permits <= active.size;
    if (isFull) return 'full';
    let taken: StoredWindow | undefined;
    await ledger.note(() => {
      isFull = concurrency.permits <= active.size;
      if (isFull) return {};
      const windows = ledger.windows();
      const isFree = ({ window }: StoredWindow) => !active.has(window) && !aside.has(window);
      const underWay = windows.find((each) => begunStates.has(each.state) && isFree(each));
      const next = underWay ? { window: underWay, changes: [] } : planned(windows);
      taken = next?.window;
      if (taken) active.add(taken.window);
      return { windows: next?.changes ?? [] };
    });
    return isFull && 0 < active.size ? 'full' : taken;
  }

  function planned(windows: readonly StoredWindow[]) {
    const learnt = readLearnt(ledger.kept());
    // Until the order is known, one window after the other: the first reply says more than a guess.
    if (learnt.order === undefined && 0 < active.size) return undefined;
    return nextWindow({
      windows: windows.filter(({ window }) => !aside.has(window)),
      isActive: ({ window }) => active.has(window),
      nextNumber: ledger.reserve(2),
      aim: {
        cap: capOf(learnt, { num: order.request.num, largest: largestReply(windows) }),
        trusted: learnt.order === 'trusted',
        isOrderKnown: learnt.order !== undefined,
        step: stepOf(learnt),
      },
    });
  }

  async function bring(window: StoredWindow): Promise<void> {
    const [began, overloads] = [client.clock.now(), client.overloads()];
    const before = readLearnt(ledger.kept());
    const outcome = (): JobOutcome =>
      client.overloads() === overloads
        ? { kind: 'done', milliseconds: client.clock.now() - began }
        : { kind: 'overloaded' };
    try {
      const { verdict } = await bringWindow(bringing, window);
      concurrency = observe(concurrency, outcome());
      unreached = 0;
      damaged = 0;
      if (verdict.kind === 'ignored') await turnAway(window, before);
    } catch (error) {
      if (isLoad(error)) concurrency = observe(concurrency, { kind: 'overloaded' });
      await onFailure(window.window, error).catch((worse: unknown) => {
        ended ??= { error: worse };
      });
    } finally {
      active.delete(window.window);
      const underWay = active.size;
      onProgress({ event: 'totals', ...totalsOf(ledger.windows(), { calls: calls(), underWay, counted }) });
      changed();
    }
  }

  async function onFailure(number: number, error: unknown): Promise<void> {
    signal?.throwIfAborted();
    const window = ledger.windows().find((each) => each.window === number);
    if (!mayPass(error) || !window) throw error;
    const attempts = window.attempts + 1;
    const isUnreached = error instanceof ClientError && unreachable.has(error.code);
    const reason = error.message;
    if (error.code === 'STILL_RUNNING' && window.attempts === 0) {
      // The job may yet end: a later run waits for it again before it asks anew.
      aside.add(number);
      return noteWindow({ ...window, attempts, reason });
    }
    if (attempts < maxAttempts && error.code !== 'TOO_BIG') {
      onProgress({ event: 'trouble', window: number, message: reason });
      // A job that is known may still bring the logs, whatever went wrong just now; another one is the last resort.
      const isJobOver = jobIsOver.has(error.code);
      await noteWindow({ ...(isJobOver || 1 < attempts ? afresh(window) : window), attempts });
      return client.clock.sleep(pauseAfter(attempts, pauses, Math.random), signal);
    }
    damaged = error.code === 'DAMAGED_ZIP' ? damaged + 1 : 0;
    const givingUp = { reason, attempts, number: ledger.reserve(1) };
    const halves = 0 < damaged && damaged < maxDamaged ? givenUpInHalves(window, givingUp) : undefined;
    if (halves) return noteWindows(halves);
    await noteWindow(givenUp(window, givingUp));
    unreached = isUnreached ? unreached + 1 : 0;
    // Zips without any entry can be the way of a deployment to say that there are no logs.
    const isHopeless =
      error.code !== 'INCOMPLETE_REPLY' &&
      ledger.windows().every(({ state }) => state !== 'loaded' && state !== 'split');
    if (isHopeless || unreached === maxUnreached) throw error;
  }

  function noteWindow(window: StoredWindow): Promise<void> {
    return noteWindows([window]);
  }

  async function noteWindows(windows: readonly StoredWindow[]): Promise<void> {
    const noted = windows.map((window) => ({ ...window, updated: client.clock.now() }));
    await ledger.note(() => ({ windows: noted }));
    for (const each of noted) onProgress(windowNews(each));
  }

  /** The times are not heeded beside a query: they go into it, or the slices of a millisecond do without one. */
  async function turnAway(window: StoredWindow, before: Learnt): Promise<void> {
    const now = readLearnt(ledger.kept());
    // Another job has found that out while this one was under way: its window is asked for again, in the new way.
    if (before.windowBy !== now.windowBy || before.slices !== now.slices) {
      const isThere = ledger.windows().some((each) => each.window === window.window);
      return isThere ? noteWindow(afresh(window)) : undefined;
    }
    const isOwnQuery = asking.request.searchQuery === undefined && isPart(window.slice);
    if (!isOwnQuery || readLearnt(ledger.kept()).slices === 'filters') return turnToQuery();
    onProgress({
      event: 'trouble',
      message: 'The deployment takes no times beside a query, so one millisecond is split by its filters',
    });
    await ledger.note(() => ({
      export: withLearnt(ledger.kept(), { slices: 'filters' }),
      ...slicesByFilters(ledger.windows()),
    }));
  }

  /** The times are not heeded as parameters: from now on they are in the query, where there is one. */
  async function turnToQuery(): Promise<void> {
    const learnt = readLearnt(ledger.kept());
    const canTurn = order.windowBy === 'auto' && asking.request.searchQuery !== undefined;
    if (!canTurn || learnt.windowBy === 'query') throw ignored();
    onProgress({
      event: 'trouble',
      message: 'The deployment takes no times beside a query, so they go into the query',
    });
    await ledger.note(() => ({
      export: withLearnt(ledger.kept(), { windowBy: 'query' }),
      windows: ledger
        .windows()
        .filter(({ state }) => begunStates.has(state))
        .map(afresh),
    }));
    await checkTimeField(bringing);
  }

  function someChange(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  }

  function changed(): void {
    const told = waiting;
    waiting = [];
    for (const tell of told) tell();
  }
}

/** Stands among the windows under way for the call for the oldest log. */
const atTheBeginning = -1;

/** Failures after which the same job brings nothing better. */
const jobIsOver: ReadonlySet<string> = new Set(['JOB_FAILED', 'DAMAGED_ZIP', 'INCOMPLETE_REPLY']);
/** The most jobs side by side, where their number is left to this program. */
const mostJobs = 16;

/** Failures that fewer jobs side by side may avoid. */
const ofLoad: ReadonlySet<string> = new Set([
  ...['TIMED_OUT', 'UNREACHABLE', 'SERVER_ERROR', 'JOB_FAILED', 'STILL_RUNNING'],
]);

function isLoad(error: unknown): boolean {
  return (error instanceof ClientError || error instanceof ExportError) && ofLoad.has(error.code);
}

const unreachable: ReadonlySet<string> = new Set(['UNREACHABLE', 'TIMED_OUT']);

function ignored(): ExportError {
  return new ExportError(
    'WINDOW_IGNORED',
    'The deployment returns logs of other times than it was asked for, so nothing can be said of what is missing: ' +
      'try "--window-by query", or "--via query"; or its logs bear the time of another zone: "--zone" names it',
  );
}
