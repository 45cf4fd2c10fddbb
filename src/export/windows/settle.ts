import type { ExportChanges, Part, ReadWindow, StoredExport, StoredWindow } from '../../store/index.ts';
import { shownBy, showsAgain } from './expected.ts';
import { type Learnt, readLearnt, withLearnt } from './learnt.ts';
import { mirrors } from './mirrors.ts';
import { partingClauses, readSlice, type SeenValues, type Slice, writeSlice } from './slice.ts';
import type { Survey } from './survey.ts';
import { boundsOf, descends, judge, type Verdict } from './verdict.ts';
import { holds, type Window } from './window.ts';

/** A reply that was read, and what is known beside it. */
export interface Reply {
  readonly kept: StoredExport;
  readonly window: StoredWindow;
  readonly survey: Survey;
  readonly read: ReadWindow;
  /** As many logs as were asked for. */
  readonly num: number;
  /** The planned window just below this one, if there is one. */
  readonly below: StoredWindow | undefined;
  /** Of a slice in ascending order: its descending sister, and the keys of her logs in their order. */
  readonly sister: StoredWindow | undefined;
  readonly sisterKeys: readonly string[];
  /** The values of the fields in both of them. */
  readonly seen: SeenValues;
  /** Whether the query may be narrowed, so that all logs of a millisecond can be told apart. */
  readonly canNarrow: boolean;
  /** The number of the next new window. */
  readonly nextNumber: number;
  readonly now: number;
}

/** What becomes of a window and its export through a reply. */
export interface Settlement {
  readonly verdict: Verdict;
  /** Whether the logs of the reply are to be in the case. */
  readonly isLoaded: boolean;
  readonly only?: Window;
  readonly changes: ExportChanges;
}

/** What becomes of a window and its export through a reply. Pure: the driver reads the zip and notes what this says. */
export function settle(reply: Reply): Settlement {
  const { kept, window, survey, read, num } = reply;
  const unreadable = read.parts.reduce((sum, part) => sum + part.unreadable, 0);
  const records = survey.times.length + unreadable;
  const slice = readSlice(window.slice);
  const before = readLearnt(kept);
  // A reply that was cut off itself proves nothing: it may have been cut off in the same way.
  const proves = window.expected !== undefined && records < num;
  const again = proves ? showsAgain(survey, window.expected) : undefined;
  const learnt: Learnt = { ...before, ...(again === false && { order: 'untrusted' as const }) };
  const verdict = judge({ window, slice, survey, num, records, learnt });
  const counts = { bytes: read.bytes, sha256: read.sha256, records, unreadable };
  const news = newsOf(reply, { verdict, again, before });
  const noted = { ...reply, verdict, slice, counts, kept: withLearnt(kept, news) };
  return outcomeOf(noted);
}

interface Noted extends Reply {
  readonly verdict: Verdict;
  readonly slice: Slice;
  readonly counts: Pick<StoredWindow, 'bytes' | 'sha256' | 'records' | 'unreadable'>;
}

/** What the reply has shown of the deployment. */
function newsOf(
  { window, survey }: Reply,
  {
    verdict,
    again,
    before,
  }: { readonly verdict: Verdict; readonly again: boolean | undefined; readonly before: Learnt },
): Learnt {
  if (verdict.kind === 'ignored') return {};
  const known = survey.times.filter((time) => time !== undefined);
  const isUnsorted = verdict.kind === 'split' && !descends(known);
  return {
    ...boundsOf(window, survey),
    ...(before.order === undefined && again === true && { order: 'trusted' as const }),
    ...((again === false || isUnsorted) && { order: 'untrusted' as const }),
  };
}

function outcomeOf(reply: Noted): Settlement {
  const { verdict } = reply;
  switch (verdict.kind) {
    case 'whole':
      return withSisterWhole(loaded(reply, {}), reply);
    case 'newer':
      return newer(reply, verdict.from);
    case 'learn':
    case 'split':
      return split(reply, verdict);
    case 'again':
      return again(reply);
    case 'full':
      return full(reply);
    case 'ignored':
      return { verdict, isLoaded: false, changes: {} };
  }
}

function loaded(reply: Noted, more: Partial<StoredWindow>): Settlement {
  const { verdict, kept, read } = reply;
  const [problem] = read.parts.flatMap(problemOf);
  // What an entry that cannot be read would have held is not known: one log at least.
  const lost = problem === undefined ? {} : { missing: 1, reason: problem };
  const done = { ...doneWindow(reply), ...lost, ...more };
  return { verdict, isLoaded: true, changes: { export: kept, windows: [done] } };
}

function problemOf({ entry, problem }: Part): readonly string[] {
  return problem ? [`The entry "${entry}" was not loaded: ${problem.message}`] : [];
}

function doneWindow({ window, survey, counts, now }: Noted): StoredWindow {
  const { found, kept } = survey;
  return { ...window, ...counts, state: 'loaded', found, logs: kept, reason: undefined, updated: now };
}

/** The newer part is whole; what is left is asked for together with the planned window below it. */
function newer(reply: Noted, from: number): Settlement {
  const { verdict, kept, window, survey, below, nextNumber } = reply;
  const only = { oldest: from, newest: window.newest };
  const within = (times: Survey['times']) => times.filter((time) => time === undefined || holds(only, time));
  const done = {
    ...doneWindow(reply),
    ...only,
    found: within(survey.times).length,
    logs: within(survey.keptTimes).length,
  };
  const rest = planned(reply, { oldest: below?.oldest ?? window.oldest, newest: from - 1 }, nextNumber);
  const removed = below ? [below.window] : [];
  return { verdict, isLoaded: true, only, changes: { export: kept, windows: [done, rest], removed } };
}

function split(reply: Noted, verdict: Extract<Verdict, { readonly from: number }>): Settlement {
  const { kept, window, survey, nextNumber, now, counts } = reply;
  const { from } = verdict;
  const parent = { ...window, ...counts, state: 'split', updated: now } as const;
  const upper = planned(reply, { oldest: from, newest: window.newest }, nextNumber);
  const lower = planned(reply, { oldest: window.oldest, newest: from - 1 }, nextNumber + 1);
  const learning = verdict.kind === 'learn' && { expected: JSON.stringify(olderHalf(survey, upper)) };
  const windows = [parent, { ...upper, ...learning }, lower];
  return { verdict, isLoaded: false, changes: { export: kept, windows } };
}

/** The older of the logs that have to come again: newer ones may still be joined by late ones. */
function olderHalf(survey: Survey, { oldest, newest }: Window) {
  const times = survey.times.filter((time) => time !== undefined && holds({ oldest, newest }, time));
  const middle = times[Math.floor(times.length / 2)] ?? newest;
  return shownBy(survey, { oldest, newest: middle });
}

function again(reply: Noted): Settlement {
  const { verdict, kept, window, slice } = reply;
  const asExact = planned(reply, window, window.window);
  const windows = [{ ...asExact, slice: writeSlice({ ...slice, exact: true }) }];
  return { verdict, isLoaded: false, changes: { export: kept, windows } };
}

/**
 * One millisecond with more logs than one call returns. They are asked for from
 * the other end of the order, then by the values of their fields.
 */
function full(reply: Noted): Settlement {
  const { slice, survey, canNarrow, nextNumber } = reply;
  if (slice.order === 'desc') {
    const sister = planned(reply, reply.window, nextNumber);
    const settled = loaded(reply, { missing: 1, reason: tooMany });
    return withMore(settled, [{ ...sister, slice: writeSlice({ ...slice, order: 'asc' }) }]);
  }
  const isSorted = readLearnt(reply.kept).order === 'trusted';
  if (isSorted && mirrors(reply.sisterKeys, survey.keys)) return withSisterWhole(loaded(reply, {}), reply);
  const clauses = canNarrow ? partingClauses(slice, reply.seen) : undefined;
  if (!clauses) return withSisterWhole(loaded(reply, { missing: 1, reason: tooMany }), reply);
  const children = clauses.map((clause, index) => ({
    ...planned(reply, reply.window, nextNumber + index),
    slice: writeSlice({ ...slice, order: 'desc', clauses: [...slice.clauses, clause] }),
  }));
  return withMore(withSisterWhole(loaded(reply, {}), reply), children);
}

const tooMany = 'One millisecond holds more logs than two calls return, and nothing tells them apart';

function withMore(settled: Settlement, more: readonly StoredWindow[]): Settlement {
  const { changes } = settled;
  return { ...settled, changes: { ...changes, windows: [...(changes.windows ?? []), ...more] } };
}

/** What the descending sister of a slice lacks is from now on what this one lacks. */
function withSisterWhole(settled: Settlement, { sister, now }: Noted): Settlement {
  if (!sister) return settled;
  return withMore(settled, [{ ...sister, missing: undefined, reason: undefined, updated: now }]);
}

/** A window to be asked for that takes over from another one. */
function planned(
  { window, now }: Pick<Noted, 'window' | 'now'>,
  { oldest, newest }: Window,
  number: number,
): StoredWindow {
  const { export: ofExport } = window;
  return { window: number, export: ofExport, oldest, newest, state: 'planned', attempts: 0, updated: now };
}
