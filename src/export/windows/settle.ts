import {
  type ExportChanges,
  lossesOf,
  type ReadWindow,
  type StoredExport,
  type StoredWindow,
} from '../../store/index.ts';
import {
  control,
  cutSize,
  type Expected,
  readExpected,
  seenBy,
  shortfall,
  shownBy,
  showsAgain,
  writeExpected,
} from './expected.ts';
import { type Learnt, readLearnt, withLearnt } from './learnt.ts';
import { mirrors } from './mirrors.ts';
import { mayBeCut } from './reply-size.ts';
import { stepOf, timesShown } from './resolution.ts';
import {
  mostFiltered,
  partingClauses,
  readSlice,
  type SeenValues,
  type Slice,
  type SliceClause,
  toFormFilter,
  writeSlice,
} from './slice.ts';
import { unaskable } from './slices-by-filters.ts';
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
  /** Records of the largest reply of the export so far. */
  readonly largest: number;
  /** Whether the window may be asked for once more if this reply is not good enough. */
  readonly mayRetry: boolean;
  /** The time of a log that the case has of this export, near the window. */
  readonly knownTime: number | undefined;
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
  const { kept, window, survey, read, num, largest } = reply;
  const unreadable = read.parts.reduce((sum, part) => sum + part.unreadable, 0);
  const records = survey.times.length + unreadable;
  const slice = readSlice(window.slice);
  const before = readLearnt(kept);
  const sizes = { num, largest };
  const expected = readExpected(window.expected);
  // A reply that may have been cut off itself proves nothing: it may have been cut off in the same way.
  const proves = !mayBeCut(records, sizes);
  const again = proves ? showsAgain(survey, expected) : undefined;
  const lost = proves ? shortfall(survey, expected) : 0;
  const learnt: Learnt = {
    ...before,
    ...timesShown(survey.times, before.times),
    ...(again === false && { order: 'untrusted' as const }),
  };
  const judged = judge({ window, slice, survey, ...sizes, records, learnt });
  const verdict = faultOf(reply, judged, lost) ?? judged;
  const counts = { bytes: read.bytes, sha256: read.sha256, records, unreadable };
  const cap = cutSize(survey, expected);
  const news = {
    ...newsOf(reply, { verdict, again, before }),
    ...(cap !== undefined && { cap: String(cap) }),
  };
  const noted = { ...reply, verdict, slice, records, counts, lost, expected, kept: withLearnt(kept, news) };
  return outcomeOf(noted);
}

/** The reason why a reply is to be asked for again, whatever it holds. */
function faultOf({ read, mayRetry }: Reply, judged: Verdict, missing: number): Verdict | undefined {
  if (read.parts.length === 0) return { kind: 'bare' };
  if (judged.kind === 'ignored' || judged.kind === 'align') return undefined;
  return 0 < missing && mayRetry ? { kind: 'lossy', missing } : undefined;
}

interface Noted extends Reply {
  /** Records of the zip, readable or not. */
  readonly records: number;
  readonly verdict: Verdict;
  readonly expected: readonly Expected[];
  /** Logs that were seen before and did not come. */
  readonly lost: number;
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
  if (verdict.kind === 'ignored' || verdict.kind === 'bare' || verdict.kind === 'lossy') return {};
  const known = survey.times.filter((time) => time !== undefined);
  const isUnsorted = verdict.kind === 'split' && !descends(known);
  const shown = timesShown(survey.times, before.times);
  return {
    ...shown,
    // Where times are rounded, a log next to the window says nothing of its bounds.
    ...(stepOf(shown) === 1 && boundsOf(window, survey)),
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
    case 'bare':
      return withControl(reply);
    case 'align':
      return align(reply);
    case 'lossy':
    case 'ignored':
      return { verdict, isLoaded: false, changes: {} };
  }
}

function loaded(reply: Noted, more: Partial<StoredWindow>): Settlement {
  const { verdict, kept } = reply;
  const done = { ...doneWindow(reply), ...lackOf(reply), ...more };
  return { verdict, isLoaded: true, changes: { export: kept, windows: [done] } };
}

/** What a loaded window is known to lack. What an unreadable entry would have held is not known: one log at least. */
function lackOf({ lost, read }: Noted): Pick<StoredWindow, 'missing' | 'reason'> {
  if (0 < lost) return { missing: lost, reason: 'Logs of these times came before, and do not come any more' };
  const [loss] = lossesOf(read.parts);
  return loss ? { missing: 1, reason: loss.message } : {};
}

function doneWindow({ window, survey, counts, now }: Noted): StoredWindow {
  const { found, kept } = survey;
  const logs = kept + (window.logs ?? 0);
  return { ...window, ...counts, state: 'loaded', found, logs, reason: undefined, updated: now };
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
    logs: within(survey.keptTimes).length + (window.logs ?? 0),
  };
  const times = { oldest: below?.oldest ?? window.oldest, newest: from - 1 };
  const seen = seenBy(survey, { oldest: window.oldest, newest: from - 1 }, reply.records);
  const checks = [...seen, ...readExpected(below?.expected)];
  const rest = { ...planned(reply, times, nextNumber), expected: writeExpected(checks) };
  const removed = below ? [below.window] : [];
  return { verdict, isLoaded: true, only, changes: { export: kept, windows: [done, rest], removed } };
}

function split(reply: Noted, verdict: Extract<Verdict, { readonly from: number }>): Settlement {
  const { kept, window, survey, nextNumber, now, counts, records } = reply;
  const { from } = verdict;
  const parent = { ...window, ...counts, state: 'split', updated: now } as const;
  const child = (times: Window, number: number, learning: readonly Expected[] = []) => {
    const seen = seenBy(survey, times, records);
    return { ...planned(reply, times, number), expected: writeExpected([...seen, ...learning]) };
  };
  const newerTimes = { oldest: from, newest: window.newest };
  const upper = child(
    newerTimes,
    nextNumber,
    verdict.kind === 'learn' ? [olderHalf(survey, newerTimes)] : [],
  );
  const lower = child({ oldest: window.oldest, newest: from - 1 }, nextNumber + 1);
  return { verdict, isLoaded: false, changes: { export: kept, windows: [parent, upper, lower] } };
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
  const windows = [{ ...asExact, expected: window.expected, slice: writeSlice({ ...slice, exact: true }) }];
  return { verdict, isLoaded: false, changes: { export: kept, windows } };
}

/** Asks for the window together with a log that is known: a zip that lacks it as well is not what was asked for. */
function withControl({ verdict, kept, window, expected, knownTime, now }: Noted): Settlement {
  const isControlled = knownTime === undefined || expected.some((each) => each.oldest === knownTime);
  if (isControlled) return { verdict, isLoaded: false, changes: {} };
  const asked = planned({ window, now }, window, window.window);
  const checks = writeExpected([...expected, control(knownTime)]);
  const windows = [{ ...asked, slice: window.slice, attempts: window.attempts, expected: checks }];
  return { verdict, isLoaded: false, changes: { export: kept, windows } };
}

/** The scheduler widens it to whole seconds before it is asked for again. */
function align(reply: Noted): Settlement {
  const { verdict, kept, window } = reply;
  return {
    ...{ verdict, isLoaded: false },
    changes: { export: kept, windows: [planned(reply, window, window.window)] },
  };
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
  const clauses = canNarrow ? narrowing(reply) : undefined;
  if (!clauses) return withSisterWhole(loaded(reply, { missing: 1, reason: tooMany }), reply);
  const children = clauses.map((clause, index) => {
    const child = planned(reply, reply.window, nextNumber + index);
    const own = writeSlice({ ...slice, order: 'desc', clauses: [...slice.clauses, clause] });
    const isAsked = readLearnt(reply.kept).slices === undefined || toFormFilter(clause) !== undefined;
    return isAsked ? { ...child, slice: own } : unaskable({ ...child, slice: own }, reply.now);
  });
  return withMore(withSisterWhole(loaded(reply, {}), reply), children);
}

/** The clauses that split a slice further. A level of the query form stands for all more severe ones too, so that the least severe splits nothing. */
function narrowing({ slice, seen, kept }: Noted): readonly SliceClause[] | undefined {
  if (readLearnt(kept).slices === undefined) return partingClauses(slice, seen);
  const isOneLevel = (seen.get('logLevel')?.size ?? 0) < 2;
  const told = isOneLevel ? new Map([...seen].filter(([field]) => field !== 'logLevel')) : seen;
  return partingClauses(slice, told, mostFiltered);
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
