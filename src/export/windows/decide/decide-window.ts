import type { ExportChanges, ReadWindow, StoredExport, StoredWindow } from '../../../store/index.ts';
import {
  confirmsExactChecks,
  controlCheck,
  countMissing,
  detectCap,
  type ExpectedLogs,
  exactCheck,
  lowerBoundChecks,
  readExpected,
  writeExpected,
} from './expected.ts';
import { addObserved, mayBeTruncated, type ObservedBehaviour, readObserved } from './observed-behaviour.ts';
import { type ReplySummary, repliesOverlap } from './reply-summary.ts';
import { observedBounds, observeTimeStep, timeStepOf } from './resolution.ts';
import {
  type FieldValueCounts,
  maxFilterSlices,
  readSlice,
  type SliceClause,
  splitClauses,
  toFormFilter,
  type WindowSlice,
  writeSlice,
} from './slice.ts';
import { isDescending, judgeReply, type Verdict } from './verdict.ts';
import { containsTime, type Window } from './window.ts';
import { markUnrequestable } from './window-states.ts';

/** A reply that was read, with the context that its decision needs. */
export interface WindowReply {
  readonly stored: StoredExport;
  readonly window: StoredWindow;
  readonly summary: ReplySummary;
  readonly read: ReadWindow;
  /** Message of the first entry that was not loaded. */
  readonly loss: string | undefined;
  /** Number of logs requested. */
  readonly num: number;
  /** Records of the largest reply of the export so far. */
  readonly largest: number;
  /** True if the window may be requested once more. */
  readonly mayRetry: boolean;
  /** Time of a log of this export near the window, from the case. */
  readonly knownTime: number | undefined;
  /** The planned window directly below this one. */
  readonly below: StoredWindow | undefined;
  /** Of an ascending slice: its reverse-order twin, and the keys of the twin's logs in their order. */
  readonly reverseTwin: StoredWindow | undefined;
  readonly twinKeys: readonly string[];
  /** Counts of field values in both replies. */
  readonly seen: FieldValueCounts;
  /** True if the query may be narrowed to tell apart the logs of one millisecond. */
  readonly canNarrow: boolean;
  /** Number of the next new window. */
  readonly nextNumber: number;
  readonly now: number;
}

/** The decision on a window: its verdict and the changes to save. */
export interface Decision {
  readonly verdict: Verdict;
  /** True if the logs of the reply go into the case. */
  readonly isLoaded: boolean;
  readonly only?: Window;
  readonly changes: ExportChanges;
}

/**
 * Decides what a reply means for its window and its export. Pure: the caller
 * reads the zip and saves the changes.
 */
export function decideWindow(reply: WindowReply): Decision {
  const { stored, window, summary, read, num, largest } = reply;
  const unreadable = read.parts.reduce((sum, part) => sum + part.unreadable, 0);
  const records = summary.times.length + unreadable;
  const slice = readSlice(window.slice);
  const before = readObserved(stored);
  const sizes = { num, largest };
  const expected = readExpected(window.expected);
  // A reply that may be truncated proves nothing: an earlier one may have been truncated in the same way.
  const proves = !mayBeTruncated(records, sizes);
  const again = proves ? confirmsExactChecks(summary, expected) : undefined;
  const lost = proves ? countMissing(summary, expected) : 0;
  const observed: ObservedBehaviour = {
    ...before,
    ...observeTimeStep(summary.times, before.times),
    ...(again === false && { order: 'untrusted' as const }),
  };
  const judged = judgeReply({ window, slice, summary, ...sizes, records, observed });
  const verdict = faultOf(reply, judged, lost) ?? judged;
  const counts = { bytes: read.bytes, sha256: read.sha256, records, unreadable };
  const cap = detectCap(summary, expected);
  const observations = {
    ...observationsOf(reply, { verdict, again, before }),
    ...(cap !== undefined && { cap: String(cap) }),
  };
  const recorded = {
    ...reply,
    verdict,
    slice,
    records,
    counts,
    lost,
    expected,
    stored: addObserved(stored, observations),
  };
  return outcomeOf(recorded);
}

/** The reason to repeat a request whatever its reply holds. */
function faultOf({ read, mayRetry }: WindowReply, judged: Verdict, missing: number): Verdict | undefined {
  if (read.parts.length === 0) return { kind: 'bare' };
  if (judged.kind === 'ignored' || judged.kind === 'align') return undefined;
  return 0 < missing && mayRetry ? { kind: 'lossy', missing } : undefined;
}

interface RecordedReply extends WindowReply {
  /** Records of the zip, readable or not. */
  readonly records: number;
  readonly verdict: Verdict;
  readonly expected: readonly ExpectedLogs[];
  /** Logs of earlier replies that this one lacks. */
  readonly lost: number;
  readonly slice: WindowSlice;
  readonly counts: Pick<StoredWindow, 'bytes' | 'sha256' | 'records' | 'unreadable'>;
}

/** Behaviour of the deployment that the reply shows. */
function observationsOf(
  { window, summary }: WindowReply,
  {
    verdict,
    again,
    before,
  }: { readonly verdict: Verdict; readonly again: boolean | undefined; readonly before: ObservedBehaviour },
): ObservedBehaviour {
  if (verdict.kind === 'ignored' || verdict.kind === 'bare' || verdict.kind === 'lossy') return {};
  const known = summary.times.filter((time) => time !== undefined);
  const isUnsorted = verdict.kind === 'split' && !isDescending(known);
  const shown = observeTimeStep(summary.times, before.times);
  return {
    ...shown,
    // With rounded times, a log next to the window shows nothing about its bounds.
    ...(timeStepOf(shown) === 1 && observedBounds(window, summary)),
    ...(before.order === undefined && again === true && { order: 'trusted' as const }),
    ...((again === false || isUnsorted) && { order: 'untrusted' as const }),
  };
}

function outcomeOf(reply: RecordedReply): Decision {
  const { verdict } = reply;
  switch (verdict.kind) {
    case 'whole':
      return withTwinComplete(loaded(reply, {}), reply);
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

function loaded(reply: RecordedReply, more: Partial<StoredWindow>): Decision {
  const { verdict, stored } = reply;
  const done = { ...doneWindow(reply), ...lackOf(reply), ...more };
  return { verdict, isLoaded: true, changes: { export: stored, windows: [done] } };
}

/** Logs that a loaded window is known to lack. An unreadable entry counts as one log at least. */
function lackOf({ lost, loss }: RecordedReply): Pick<StoredWindow, 'missing' | 'reason'> {
  if (0 < lost) return { missing: lost, reason: 'Logs of these times came before, and do not come any more' };
  return loss === undefined ? {} : { missing: 1, reason: loss };
}

function doneWindow({ window, summary, counts, now }: RecordedReply): StoredWindow {
  const { found, stored } = summary;
  const logs = stored + (window.logs ?? 0);
  return { ...window, ...counts, state: 'loaded', found, logs, reason: undefined, updated: now };
}

/** The newer part is complete; the rest is requested together with the planned window below it. */
function newer(reply: RecordedReply, from: number): Decision {
  const { verdict, stored, window, summary, below, nextNumber } = reply;
  const only = { oldest: from, newest: window.newest };
  const inNewerPart = (times: ReplySummary['times']) =>
    times.filter((time) => time === undefined || containsTime(only, time));
  const done = {
    ...doneWindow(reply),
    ...only,
    found: inNewerPart(summary.times).length,
    logs: inNewerPart(summary.storedTimes).length + (window.logs ?? 0),
  };
  const times = { oldest: below?.oldest ?? window.oldest, newest: from - 1 };
  const seen = lowerBoundChecks(summary, { oldest: window.oldest, newest: from - 1 }, reply.records);
  const checks = [...seen, ...readExpected(below?.expected)];
  const rest = { ...planned(reply, times, nextNumber), expected: writeExpected(checks) };
  const removed = below ? [below.window] : [];
  return { verdict, isLoaded: true, only, changes: { export: stored, windows: [done, rest], removed } };
}

function split(reply: RecordedReply, verdict: Extract<Verdict, { readonly from: number }>): Decision {
  const { stored, window, summary, nextNumber, now, counts, records } = reply;
  const { from } = verdict;
  const parent = { ...window, ...counts, state: 'split', updated: now } as const;
  const child = (times: Window, number: number, learning: readonly ExpectedLogs[] = []) => {
    const seen = lowerBoundChecks(summary, times, records);
    return { ...planned(reply, times, number), expected: writeExpected([...seen, ...learning]) };
  };
  const newerTimes = { oldest: from, newest: window.newest };
  const upper = child(
    newerTimes,
    nextNumber,
    verdict.kind === 'learn' ? [olderHalf(summary, newerTimes)] : [],
  );
  const lower = child({ oldest: window.oldest, newest: from - 1 }, nextNumber + 1);
  return { verdict, isLoaded: false, changes: { export: stored, windows: [parent, upper, lower] } };
}

/** Check for the older half of the logs: newer times may still receive late logs. */
function olderHalf(summary: ReplySummary, { oldest, newest }: Window) {
  const times = summary.times.filter((time) => time !== undefined && containsTime({ oldest, newest }, time));
  const middle = times[Math.floor(times.length / 2)] ?? newest;
  return exactCheck(summary, { oldest, newest: middle });
}

function again(reply: RecordedReply): Decision {
  const { verdict, stored, window, slice } = reply;
  const asExact = planned(reply, window, window.window);
  const windows = [{ ...asExact, expected: window.expected, slice: writeSlice({ ...slice, exact: true }) }];
  return { verdict, isLoaded: false, changes: { export: stored, windows } };
}

/** Repeats the window together with a known log: a zip that lacks it too does not answer the request. */
function withControl({ verdict, stored, window, expected, knownTime, now }: RecordedReply): Decision {
  const isControlled = knownTime === undefined || expected.some((each) => each.oldest === knownTime);
  if (isControlled) return { verdict, isLoaded: false, changes: {} };
  const asked = planned({ window, now }, window, window.window);
  const checks = writeExpected([...expected, controlCheck(knownTime)]);
  const windows = [{ ...asked, slice: window.slice, attempts: window.attempts, expected: checks }];
  return { verdict, isLoaded: false, changes: { export: stored, windows } };
}

/** The scheduler widens the window to whole seconds before it is repeated. */
function align(reply: RecordedReply): Decision {
  const { verdict, stored, window } = reply;
  return {
    ...{ verdict, isLoaded: false },
    changes: { export: stored, windows: [planned(reply, window, window.window)] },
  };
}

/**
 * Handles one millisecond with more logs than one call returns: requests it in
 * reverse order, then by field values.
 */
function full(reply: RecordedReply): Decision {
  const { slice, summary, canNarrow, nextNumber } = reply;
  if (slice.order === 'desc') {
    const reverseTwin = planned(reply, reply.window, nextNumber);
    const decision = loaded(reply, { missing: 1, reason: tooManyLogs });
    return withMore(decision, [{ ...reverseTwin, slice: writeSlice({ ...slice, order: 'asc' }) }]);
  }
  const isSorted = readObserved(reply.stored).order === 'trusted';
  if (isSorted && repliesOverlap(reply.twinKeys, summary.keys))
    return withTwinComplete(loaded(reply, {}), reply);
  const clauses = canNarrow ? splittingClauses(reply) : undefined;
  if (!clauses) return withTwinComplete(loaded(reply, { missing: 1, reason: tooManyLogs }), reply);
  const children = clauses.map((clause, index) => {
    const child = planned(reply, reply.window, nextNumber + index);
    const own = writeSlice({ ...slice, order: 'desc', clauses: [...slice.clauses, clause] });
    const isAsked = readObserved(reply.stored).slices === undefined || toFormFilter(clause) !== undefined;
    return isAsked ? { ...child, slice: own } : markUnrequestable({ ...child, slice: own }, reply.now);
  });
  return withMore(withTwinComplete(loaded(reply, {}), reply), children);
}

/**
 * Clauses that split a slice further. A level of the query form includes all
 * more severe ones, so the least severe level splits nothing.
 */
function splittingClauses({ slice, seen, stored }: RecordedReply): readonly SliceClause[] | undefined {
  if (readObserved(stored).slices === undefined) return splitClauses(slice, seen);
  const isOneLevel = (seen.get('logLevel')?.size ?? 0) < 2;
  const splittable = isOneLevel ? new Map([...seen].filter(([field]) => field !== 'logLevel')) : seen;
  return splitClauses(slice, splittable, maxFilterSlices);
}

const tooManyLogs = 'One millisecond holds more logs than two calls return, and nothing tells them apart';

function withMore(decision: Decision, more: readonly StoredWindow[]): Decision {
  const { changes } = decision;
  return { ...decision, changes: { ...changes, windows: [...(changes.windows ?? []), ...more] } };
}

/** Marks the reverse-order twin of a slice as complete: this slice now accounts for what the twin lacks. */
function withTwinComplete(decision: Decision, { reverseTwin, now }: RecordedReply): Decision {
  if (!reverseTwin) return decision;
  return withMore(decision, [{ ...reverseTwin, missing: undefined, reason: undefined, updated: now }]);
}

/** A planned window that replaces another one. */
function planned(
  { window, now }: Pick<RecordedReply, 'window' | 'now'>,
  { oldest, newest }: Window,
  number: number,
): StoredWindow {
  const { export: ofExport } = window;
  return { window: number, export: ofExport, oldest, newest, state: 'planned', attempts: 0, updated: now };
}
