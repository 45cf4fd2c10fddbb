import type { ExportChanges, ReadWindow, StoredExport, StoredWindow } from '../../case/index.ts';
import { mirrorContext, mirrorDecision, mirrorReply } from './mirrored.ts';
import {
  addObserved,
  incomplete,
  isProvedBySize,
  leastCap,
  mayBeTruncated,
  type ObservedBehaviour,
  observedBounds,
  observeTimeStep,
  provesOrder,
  type ReplySizes,
  readObserved,
  requestedBounds,
  timeStepOf,
  unconfirmed,
} from './observed-behaviour.ts';
import {
  clipChecks,
  confirmsExactChecks,
  controlCheck,
  countMissing,
  detectCap,
  type ExpectedLogs,
  exactCheck,
  lowerBoundChecks,
  type ReplySummary,
  readExpected,
  repliesOverlap,
  writeExpected,
} from './reply-checks.ts';
import {
  ceilTo,
  containsTime,
  type FieldValueCounts,
  floorTo,
  isAligned,
  isPartialSlice,
  markUnrequestable,
  maxFilterSlices,
  readSlice,
  resetWindow,
  type SliceClause,
  splitClauses,
  toFormFilter,
  type Window,
  type WindowSlice,
  windowLength,
  writeSlice,
} from './window.ts';

/** A reply that was read. */
export interface WindowReply {
  readonly window: StoredWindow;
  readonly read: ReadWindow;
  readonly summary: ReplySummary;
  /** Message of the first entry that was not loaded. */
  readonly loss: string | undefined;
  /** Of an ascending slice: the reply of the same logs in descending order. */
  readonly reverseTwin: ReverseTwin | undefined;
  /** Counts of field values in both replies. */
  readonly seen: FieldValueCounts;
  /** True if the window may be requested once more. */
  readonly mayRetry: boolean;
}

/** The window of the same logs in descending order, and the keys of its logs in their order. */
export interface ReverseTwin {
  readonly window: StoredWindow;
  readonly keys: readonly string[];
}

/** The state of the export that a decision depends on. */
export interface DecisionContext {
  readonly stored: StoredExport;
  readonly sizes: ReplySizes;
  /** Time of a log of this export near the window, from the case. */
  readonly knownTime: number | undefined;
  /** The windows whose replies came just before. */
  readonly recent: readonly StoredWindow[];
  /** The planned window directly below this one. */
  readonly below: StoredWindow | undefined;
  /** True if the query may be narrowed to tell apart the logs of one millisecond. */
  readonly canNarrow: boolean;
  /** Number of the next new window. */
  readonly nextNumber: number;
  readonly now: number;
  /** The last time that can be complete: later ones were not over, by one clock at least, when the export began. */
  readonly end: number;
}

/** The decision on a window: its verdict and the changes to save. */
export interface Decision {
  readonly verdict: Verdict;
  /** True if the logs of the reply go into the case. */
  readonly isLoaded: boolean;
  readonly only?: Window;
  readonly changes: ExportChanges;
  /** A window whose reply had the same size, to be requested again: see {@link changesOf}. */
  readonly repeated: StoredWindow | undefined;
}

/**
 * Decides what a reply means for its window and its export. Pure: the caller
 * reads the zip and saves the changes.
 */
export function decideWindow(reply: WindowReply, context: DecisionContext): Decision {
  if (!isOldestFirst(reply, context.stored)) return decide(reply, context);
  const { changes, ...decision } = mirrorDecision(decide(mirrorReply(reply), mirrorContext(context)));
  const { end } = context;
  const ended = changes.windows?.map((window) =>
    window.state === 'loaded' && window.slice === undefined
      ? { ...window, ...endedWindow(window, end) }
      : window,
  );
  const newest = newestUntil(
    end,
    reply.summary.times.filter((time) => time !== undefined),
    readObserved(context.stored),
  );
  const isOpen = end < context.stored.newest && newest !== undefined;
  const seen = { direction: 'asc', ...(isOpen && { newestLog: String(newest) }) } as const;
  const stored = changes.export && addObserved(changes.export, seen);
  return {
    ...decision,
    changes: { ...changes, ...(ended && { windows: ended }), ...(stored && { export: stored }) },
  };
}

/**
 * Returns whether a deployment returns the oldest logs first, whatever is asked for: as earlier replies showed, or
 * as this one shows if no order is known. Times of whole seconds are no such proof.
 */
function isOldestFirst({ window, summary }: WindowReply, stored: StoredExport): boolean {
  const { direction, order, times } = readObserved(stored);
  const isMixed = order === 'untrusted' || observeTimeStep(summary.times, times).times !== 'milliseconds';
  if (window.slice !== undefined || isMixed) return false;
  if (direction === 'asc') return true;
  const known = summary.times.filter((time) => time !== undefined);
  const isLearning = readExpected(window.expected).some(({ kind }) => kind === 'exact');
  const isAscending = isDescending(known.toReversed()) && !isDescending(known);
  return order === undefined && !isLearning && isAscending && known.length === summary.times.length;
}

function decide(reply: WindowReply, context: DecisionContext): Decision {
  const { window, summary, read } = reply;
  const { stored, sizes } = context;
  const unreadable = read.parts.reduce((sum, part) => sum + part.unreadable, 0);
  const records = summary.times.length + unreadable;
  const expected = readExpected(window.expected);
  const evidence = evidenceOf(reply, context, records);
  const { before, order, repeated, isDoubtful } = evidence;
  const observed: ObservedBehaviour = {
    ...before,
    ...observeTimeStep(summary.times, before.times),
    ...(order !== undefined && { order }),
  };
  const slice = readSlice(window.slice);
  const judged = judgeReply({ window, slice, summary, ...sizes, records, observed, isDoubtful });
  const lost = countLost(reply, judged, !mayBeTruncated(records, sizes));
  const verdict = faultOf(read, judged, reply.mayRetry ? lost : 0) ?? judged;
  const cap = detectCap(summary, expected);
  const observations = {
    ...observationsOf(reply, verdict, {
      ...evidence,
      end: context.end < stored.newest ? context.end : undefined,
    }),
    ...(cap !== undefined && { cap: String(cap) }),
    ...(repeated !== undefined && { repeats: 'yes' as const }),
  };
  const decision = outcomeOf({
    reply,
    verdict,
    lost,
    isConfirmed: evidence.again === true,
    context: { ...context, stored: addObserved(stored, observations) },
    counts: { bytes: read.bytes, sha256: read.sha256, records, unreadable },
  });
  return { ...decision, repeated };
}

/**
 * The changes of a decision, as they are saved beside the `windows` of that moment. A decision whose logs are not
 * loaded is saved later than it is made. Meanwhile another reply may have changed or replaced the window to be
 * requested again: then it stays as it is, or its times and its logs would be there twice.
 */
export function changesOf({ changes, repeated }: Decision, windows: readonly StoredWindow[]): ExportChanges {
  if (!repeated || !windows.includes(repeated)) return changes;
  return { ...changes, windows: [...(changes.windows ?? []), resetWindow({ ...repeated, attempts: 0 })] };
}

/** The reason to repeat a request whatever its reply holds; `missing` logs may come the next time. */
function faultOf({ parts }: ReadWindow, judged: Verdict, missing: number): Verdict | undefined {
  if (parts.length === 0) return { kind: 'bare' };
  if (judged.kind === 'ignored' || judged.kind === 'align') return undefined;
  return 0 < missing ? { kind: 'lossy', missing } : undefined;
}

/** The decision on the window of a reply alone. */
type Outcome = Omit<Decision, 'repeated'>;

/** A reply with its verdict, and the export with what the reply showed. */
interface DecidedReply {
  readonly reply: WindowReply;
  readonly context: DecisionContext;
  readonly verdict: Verdict;
  /** Logs of earlier replies that this one lacks. */
  readonly lost: number;
  /** True if it shows exactly what an earlier reply showed. */
  readonly isConfirmed: boolean;
  /** Sizes of the zip; its records are counted whether readable or not. */
  readonly counts: Pick<StoredWindow, 'bytes' | 'sha256' | 'unreadable'> & { readonly records: number };
}

/** Behaviour of the deployment that the reply shows. */
function observationsOf(
  { window, summary }: WindowReply,
  verdict: Verdict,
  { before, again, order, end }: Evidence & { readonly end: number | undefined },
): ObservedBehaviour {
  if (verdict.kind === 'ignored' || verdict.kind === 'bare' || verdict.kind === 'lossy') return {};
  const known = summary.times.filter((time) => time !== undefined);
  const isUnsorted = verdict.kind === 'split' && !isDescending(known);
  const shown = observeTimeStep(summary.times, before.times);
  const newest = end === undefined ? undefined : newestUntil(end, known, before);
  const lacked =
    before.order === undefined && again === true
      ? readExpected(window.expected).find((check) => check.lacked)?.lacked
      : undefined;
  return {
    ...shown,
    // With rounded times, a log next to the window shows nothing about its bounds.
    ...(timeStepOf(shown) === 1 && observedBounds(window, summary)),
    ...(newest !== undefined && { newestLog: String(newest) }),
    ...(lacked && { lackedOldest: String(lacked.oldest), lackedNewest: String(lacked.newest) }),
    ...(before.order === undefined && order === 'trusted' && { order }),
    ...((order === 'untrusted' || isUnsorted) && { order: 'untrusted' as const }),
  };
}

/** The newest of all logs that came, as far as they are not later than `end`. */
function newestUntil(
  end: number,
  times: readonly number[],
  { newestLog }: ObservedBehaviour,
): number | undefined {
  const before = newestLog === undefined ? undefined : Number(newestLog);
  return times.reduce<number | undefined>(
    (newest, time) => (time <= end && !(newest !== undefined && time <= newest) ? time : newest),
    before,
  );
}

function outcomeOf(decided: DecidedReply): Outcome {
  const { verdict } = decided;
  switch (verdict.kind) {
    case 'whole':
      return withTwinComplete(loaded(decided, {}), decided);
    case 'newer':
      return newer(decided, verdict.from);
    case 'learn':
    case 'split':
      return split(decided, verdict);
    case 'again':
      return again(decided);
    case 'full':
      return full(decided);
    case 'bare':
      return withControl(decided);
    case 'align':
      return align(decided);
    case 'lossy':
    case 'ignored':
      return { verdict, isLoaded: false, changes: {} };
  }
}

function loaded(decided: DecidedReply, more: Partial<StoredWindow>): Outcome {
  const done = { ...doneWindow(decided), ...doubtOf(decided), ...lackOf(decided), ...more };
  return {
    verdict: decided.verdict,
    isLoaded: true,
    changes: { export: decided.context.stored, windows: [done] },
  };
}

/** What remains to be confirmed of a window whose reply is whole by its size alone. */
function doubtOf({
  reply,
  context,
  counts,
  verdict,
  isConfirmed,
}: DecidedReply): Pick<StoredWindow, 'missing' | 'reason'> {
  if (isPartialSlice(reply.window.slice) || (verdict.kind !== 'whole' && verdict.kind !== 'newer')) return {};
  const isProved = isConfirmed || !isProvedBySize(counts.records, readObserved(context.stored));
  return isProved ? {} : { missing: 1, reason: unconfirmed };
}

/** Logs that a loaded window is known to lack. An unreadable entry counts as one log at least. */
function lackOf({ lost, reply: { loss } }: DecidedReply): Pick<StoredWindow, 'missing' | 'reason'> {
  if (0 < lost) return { missing: lost, reason: incomplete };
  return loss === undefined ? {} : { missing: 1, reason: loss };
}

function doneWindow({
  reply: { window, summary },
  counts,
  context: { now, end },
}: DecidedReply): StoredWindow {
  const { found, stored } = summary;
  const logs = stored + (window.logs ?? 0);
  const times = window.slice === undefined ? endedWindow(window, end) : {};
  return { ...window, ...counts, ...times, state: 'loaded', found, logs, reason: undefined, updated: now };
}

/** The part of a window that can be complete. A window beyond the end stays until the export ends. */
function endedWindow({ oldest, newest }: Window, end: number): Window {
  return { oldest, newest: oldest <= end ? Math.min(newest, end) : newest };
}

/** The newer part is complete; the rest is requested together with the planned window below it. */
function newer(decided: DecidedReply, from: number): Outcome {
  const { window, summary } = decided.reply;
  const { stored, below, nextNumber } = decided.context;
  const only = { oldest: from, newest: window.newest };
  const inNewerPart = (times: ReplySummary['times']) =>
    times.filter((time) => time === undefined || containsTime(only, time));
  const done = {
    ...doneWindow(decided),
    ...doubtOf(decided),
    ...endedWindow(only, decided.context.end),
    found: inNewerPart(summary.times).length,
    logs: inNewerPart(summary.storedTimes).length + (window.logs ?? 0),
  };
  const times = { oldest: below?.oldest ?? window.oldest, newest: from - 1 };
  const left = { oldest: window.oldest, newest: from - 1 };
  const seen = lowerBoundChecks(summary, left, decided.counts.records);
  const before = clipChecks(left, readExpected(window.expected));
  const checks = [...moreLogs(seen, before), ...readExpected(below?.expected)];
  // Logs that an earlier request of the window below brought stay in the case.
  const logs = below?.logs === undefined ? {} : { logs: below.logs };
  const rest = { ...planned(decided, times, nextNumber), ...logs, expected: writeExpected(checks) };
  const removed = below ? [below.window] : [];
  const changes = { export: stored, windows: [done, rest], removed };
  return { verdict: decided.verdict, isLoaded: true, only, changes };
}

/** The checks that require more logs: an earlier reply may have shown more of the same times. */
function moreLogs(some: readonly ExpectedLogs[], others: readonly ExpectedLogs[]): readonly ExpectedLogs[] {
  const sum = (checks: readonly ExpectedLogs[]) => checks.reduce((total, { count }) => total + count, 0);
  return sum(some) < sum(others) ? others : some;
}

function split(decided: DecidedReply, verdict: Extract<Verdict, { readonly from: number }>): Outcome {
  const { window, summary } = decided.reply;
  const { stored, nextNumber, now: updated } = decided.context;
  const { from } = verdict;
  const parent = { ...window, ...decided.counts, state: 'split', updated } as const;
  const child = (times: Window, number: number, learning: readonly ExpectedLogs[] = []) => {
    const now = lowerBoundChecks(summary, times, decided.counts.records);
    const before = clipChecks(times, readExpected(window.expected)).filter(({ kind }) => kind === 'least');
    const seen = moreLogs(now, before);
    return { ...planned(decided, times, number), expected: writeExpected([...seen, ...learning]) };
  };
  const newerTimes = { oldest: from, newest: window.newest };
  const upper = child(
    newerTimes,
    nextNumber,
    verdict.kind === 'learn' ? [olderHalf(summary, newerTimes, window.oldest)] : [],
  );
  const lower = child({ oldest: window.oldest, newest: from - 1 }, nextNumber + 1);
  return { verdict, isLoaded: false, changes: { export: stored, windows: [parent, upper, lower] } };
}

/** Check for the older half of the logs: newer times may still receive late logs. */
function olderHalf(summary: ReplySummary, { oldest, newest }: Window, lowest: number): ExpectedLogs {
  const times = summary.times.filter((time) => time !== undefined);
  const own = times.filter((time) => containsTime({ oldest, newest }, time));
  const middle = own[Math.floor(own.length / 2)] ?? newest;
  const lacked = { oldest: lowest, newest: Math.min(...times.slice(-1)) - 1 };
  return { ...exactCheck(summary, { oldest, newest: middle }), lacked };
}

function again(decided: DecidedReply): Outcome {
  const { window } = decided.reply;
  const slice = writeSlice({ ...readSlice(window.slice), exact: true });
  return replan(decided, { expected: window.expected, slice });
}

/** Repeats the window together with a known log: a zip that lacks it too does not answer the request. */
function withControl(decided: DecidedReply): Outcome {
  const { window } = decided.reply;
  const { knownTime } = decided.context;
  const expected = readExpected(window.expected);
  if (knownTime === undefined || expected.some((check) => check.oldest === knownTime))
    return { verdict: decided.verdict, isLoaded: false, changes: {} };
  const checks = writeExpected([...expected, controlCheck(knownTime)]);
  return replan(decided, { slice: window.slice, attempts: window.attempts, expected: checks });
}

/** The scheduler widens the window to whole seconds before it is repeated. */
function align(decided: DecidedReply): Outcome {
  return replan(decided, {});
}

/** Loads nothing, and plans the window anew. */
function replan(decided: DecidedReply, more: Partial<StoredWindow>): Outcome {
  const { window } = decided.reply;
  const again = { ...planned(decided, window, window.window), logs: window.logs, ...more };
  return {
    verdict: decided.verdict,
    isLoaded: false,
    changes: { export: decided.context.stored, windows: [again] },
  };
}

/**
 * Handles one millisecond with more logs than one call returns: requests it in
 * reverse order, then by field values.
 */
function full(decided: DecidedReply): Outcome {
  const { reply, context, counts } = decided;
  const { window, summary, reverseTwin } = reply;
  const { stored, sizes, canNarrow, nextNumber, now } = context;
  const slice = readSlice(window.slice);
  if (slice.order === 'desc') {
    const ascending = planned(decided, window, nextNumber);
    const decision = loaded(decided, { missing: 1, reason: tooManyLogs });
    return withMore(decision, [{ ...ascending, slice: writeSlice({ ...slice, order: 'asc' }) }]);
  }
  const observed = readObserved(stored);
  const isSmall = [counts.records, reverseTwin?.window.records ?? sizes.num].every(
    (records) => !mayBeTruncated(records, sizes),
  );
  // Few or equal logs cannot prove an overlap: that both replies are the same and small is all that can be known.
  const isSame = isSmall && summary.stored === 0;
  if (observed.order === 'trusted' && (isSame || repliesOverlap(reverseTwin?.keys ?? [], summary.keys)))
    return withTwinComplete(loaded(decided, {}), decided);
  const clauses = canNarrow ? splittingClauses(decided) : undefined;
  if (!clauses) return withTwinComplete(loaded(decided, { missing: 1, reason: tooManyLogs }), decided);
  const children = clauses.map((clause, index) => {
    const child = planned(decided, window, nextNumber + index);
    const own = writeSlice({ ...slice, order: 'desc', clauses: [...slice.clauses, clause] });
    const isAsked = observed.slices === undefined || toFormFilter(clause) !== undefined;
    return isAsked ? { ...child, slice: own } : markUnrequestable({ ...child, slice: own }, now);
  });
  return withMore(withTwinComplete(loaded(decided, {}), decided), children);
}

/**
 * Clauses that split a slice further. A level of the query form includes all
 * more severe ones, so the least severe level splits nothing.
 */
function splittingClauses({ reply, context }: DecidedReply): readonly SliceClause[] | undefined {
  const { seen } = reply;
  const slice = readSlice(reply.window.slice);
  if (readObserved(context.stored).slices === undefined) return splitClauses(slice, seen);
  const isOneLevel = (seen.get('logLevel')?.size ?? 0) < 2;
  const splittable = isOneLevel ? new Map([...seen].filter(([field]) => field !== 'logLevel')) : seen;
  return splitClauses(slice, splittable, maxFilterSlices);
}

const tooManyLogs = 'One millisecond holds more logs than two calls return, and nothing tells them apart';

function withMore(decision: Outcome, more: readonly StoredWindow[]): Outcome {
  const { changes } = decision;
  return { ...decision, changes: { ...changes, windows: [...(changes.windows ?? []), ...more] } };
}

/** Marks the reverse-order twin of a slice as complete: this slice now accounts for what the twin lacks. */
function withTwinComplete(decision: Outcome, { reply: { reverseTwin }, context }: DecidedReply): Outcome {
  if (!reverseTwin) return decision;
  const complete = { ...reverseTwin.window, missing: undefined, reason: undefined, updated: context.now };
  return withMore(decision, [complete]);
}

/** A planned window that replaces the one of the reply. */
function planned({ reply, context }: DecidedReply, { oldest, newest }: Window, number: number): StoredWindow {
  const { export: ofExport } = reply.window;
  const updated = context.now;
  return { window: number, export: ofExport, oldest, newest, state: 'planned', attempts: 0, updated };
}

/** A reply and its window. */
interface SummarizedReply {
  readonly window: StoredWindow;
  readonly summary: ReplySummary;
}

/** The state of the export that gives a reply its meaning. */
interface EvidenceContext {
  readonly stored: StoredExport;
  readonly sizes: ReplySizes;
  /** The windows whose replies came just before. */
  readonly recent: readonly StoredWindow[];
}

/** What a reply shows beside its own logs. */
interface Evidence {
  readonly before: ObservedBehaviour;
  /** True or false if it confirms or refutes what an earlier reply showed. */
  readonly again: boolean | undefined;
  /** The sort order that it proves or refutes. */
  readonly order: ObservedBehaviour['order'];
  /** A recent window whose reply had the same size. */
  readonly repeated: StoredWindow | undefined;
  /** True if it may be truncated although it is small. */
  readonly isDoubtful: boolean;
}

/** Reads what a reply of `records` shows of earlier replies, of the sort order and of the cap. */
export function evidenceOf(reply: SummarizedReply, context: EvidenceContext, records: number): Evidence {
  const { window, summary } = reply;
  const before = readObserved(context.stored);
  const expected = readExpected(window.expected);
  const isCut = leastCap < records && endsEarly(summary, expected);
  // A reply that may be truncated proves nothing: an earlier one may have been truncated in the same way.
  const proves = !mayBeTruncated(records, context.sizes) && !isCut;
  const again = proves ? confirmsExactChecks(summary, expected) : undefined;
  const isSorted = provesOrder(before, summary.times) && again !== false;
  const order = again === false ? 'untrusted' : isSorted ? 'trusted' : undefined;
  const repeated = before.order === 'trusted' ? undefined : repeatedSize(reply, context, records);
  if (before.order === 'trusted' && isRefuted(reply, records))
    return { before, again, order: 'untrusted', repeated, isDoubtful: true };
  const isDoubtful = repeated !== undefined || (before.order === undefined && isCut);
  return { before, again, order, repeated, isDoubtful };
}

/** Returns whether a reply is not sorted as those were on which the trust in an order rests. */
function isRefuted({ window, summary }: SummarizedReply, records: number): boolean {
  const known = summary.times.filter((time) => time !== undefined);
  const ordered = readSlice(window.slice).order === 'asc' ? known.toReversed() : known;
  return leastCap < records && !isDescending(ordered);
}

/** Counts the logs of earlier replies that a reply lacks, of the times of which it must hold all. */
export function countLost({ window, summary }: SummarizedReply, judged: Verdict, isSmall: boolean): number {
  const expected = readExpected(window.expected);
  if (judged.kind === 'newer')
    return countMissing(summary, clipChecks({ oldest: judged.from, newest: window.newest }, expected));
  return isSmall ? countMissing(summary, expected) : 0;
}

/**
 * A recent window whose reply had the same size as this one, which may be a cap
 * that both reached. Undefined if the size proves nothing anyway, or if the
 * window can't be split.
 */
function repeatedSize(
  { window }: SummarizedReply,
  { recent, sizes, stored }: EvidenceContext,
  records: number,
): StoredWindow | undefined {
  const isIndivisible = windowLength(window) <= timeStepOf(readObserved(stored));
  if (records <= leastCap || mayBeTruncated(records, sizes) || isIndivisible) return undefined;
  return recent.find((window) => window.records === records && window.reason === unconfirmed);
}

/** Returns whether a sorted reply ends before the oldest logs that it was to show again. */
function endsEarly(summary: ReplySummary, expected: readonly ExpectedLogs[]): boolean {
  const known = summary.times.filter((time) => time !== undefined);
  const last = known.at(-1);
  if (last === undefined || !isDescending(known)) return false;
  return expected.some(({ kind, oldest, newest, count }) => {
    const isOldest = kind === 'exact' && 0 < count;
    return (
      isOldest && oldest < last && last <= newest && exactCheck(summary, { oldest, newest }).count < count
    );
  });
}

/** Classification of a reply for its window. */
type Verdict =
  /** It holds all logs of the window. */
  | { readonly kind: 'whole' }
  /** It holds all logs of the window from this time on. The older ones must still be requested. */
  | { readonly kind: 'newer'; readonly from: number }
  /** It may hold all logs from this time on. The window is split there, and the reply to its newer part decides. */
  | { readonly kind: 'learn'; readonly from: number }
  /** The window holds more logs than one call returns, and is split before this time. */
  | { readonly kind: 'split'; readonly from: number }
  /** Its single millisecond holds more logs than one call returns. */
  | { readonly kind: 'full' }
  /** It lacks logs of earlier replies. */
  | { readonly kind: 'lossy'; readonly missing: number }
  /** Its zip holds no entry, which proves neither logs nor their absence. */
  | { readonly kind: 'bare' }
  /** Logs beside the window took the place of its own: it must be requested by its exact bounds. */
  | { readonly kind: 'again' }
  /** Its bounds cut seconds, but its logs have whole seconds only: it must be widened to whole seconds. */
  | { readonly kind: 'align' }
  /** It ignores the requested times. */
  | { readonly kind: 'ignored' };

/** A reply and its request. */
export interface JudgedReply {
  readonly window: Window;
  readonly slice: WindowSlice;
  readonly summary: ReplySummary;
  /** Number of logs requested. */
  readonly num: number;
  /** Records of the largest reply of the export before this one. */
  readonly largest: number;
  /** Records of a control call that returned fewer than it had to. */
  readonly lowered?: number | undefined;
  /** Share of the largest reply from which on a reply may have been cut. */
  readonly band?: number | undefined;
  /** All records of the zip, including unreadable ones. */
  readonly records: number;
  readonly observed: ObservedBehaviour;
  /** True if the reply may be truncated although its size alone does not show it. */
  readonly isDoubtful?: boolean;
}

/**
 * Classifies a reply. A deployment may return fewer logs per call than requested,
 * and change that number at any time. If it is known to sort before it truncates,
 * a reply of more than a few logs proves only that none is missing after its last
 * one; the older times are requested again. Otherwise the size of a reply shows
 * whether it is whole.
 */
export function judgeReply(judged: JudgedReply): Verdict {
  const { window, slice, summary, records, observed, isDoubtful = false } = judged;
  const step = timeStepOf(observed);
  if (0 < summary.outside) return { kind: 'ignored' };
  if (!isAligned(window, step)) return { kind: 'align' };
  const known = summary.times.filter((time) => time !== undefined);
  const isSorted = known.length === summary.times.length && isDescending(known) && slice.order === 'desc';
  const isSmall = !isDoubtful && !mayBeTruncated(records, judged);
  if (isSmall && (records <= leastCap || !isProvable(judged, isSorted))) return { kind: 'whole' };
  if (isWholeByOrder(judged, known)) return { kind: 'whole' };
  if (!isSmall && isCrowdedOut(judged)) return { kind: 'again' };
  // A slice began as a second that looked indivisible, and stays whole when times turn out to be
  // milliseconds.
  if (windowLength(window) <= step || slice.order === 'asc' || 0 < slice.clauses.length)
    return { kind: 'full' };
  const last = known.at(-1) ?? Number.POSITIVE_INFINITY;
  if (!isSorted || observed.order === 'untrusted')
    return { kind: 'split', from: middleOf(window, known, step) };
  // All logs are of the newest millisecond, which is then requested by itself.
  const newest = floorTo(window.newest, step);
  if (newest <= last) return { kind: 'split', from: newest };
  if (observed.order === 'trusted' || isSmall) {
    const from = ceilTo(last + 1, step);
    return from <= window.oldest ? { kind: 'whole' } : { kind: 'newer', from };
  }
  const proof = known[Math.floor(known.length * shareToProve)] ?? last;
  return { kind: 'learn', from: Math.min(newest, ceilTo(Math.max(window.oldest, last, proof) + 1, step)) };
}

/** Returns whether the order of a reply can prove more than its size. */
function isProvable({ window, slice, observed }: JudgedReply, isSorted: boolean): boolean {
  if (0 < slice.clauses.length) return false;
  // The newest logs of a truncated reply were confirmed: it costs one more call to rely on both.
  const isLikely = observed.order === undefined && observed.lackedOldest !== undefined;
  if (isLikely) return isSorted && timeStepOf(observed) < windowLength(window);
  return observed.order === 'trusted' && (isSorted || slice.order === 'asc');
}

/** Share of a first reply that must come again, small enough that the second reply is not truncated. */
const shareToProve = 0.6;

/**
 * Returns whether a sorted reply reaches beyond the far end of the window, so
 * truncation hit other times only.
 */
function isWholeByOrder({ window, slice, observed }: JudgedReply, times: readonly number[]): boolean {
  const last = times.at(-1);
  if (observed.order !== 'trusted' || last === undefined) return false;
  return slice.order === 'desc'
    ? isDescending(times) && last < window.oldest
    : isDescending(times.toReversed()) && window.newest < last;
}

/** Share of a reply that may lie beside its window before exact bounds are requested. */
const shareBeside = 0.1;

/** Returns whether logs beside the window came that its exact bounds would exclude. */
function isCrowdedOut({ window, slice, summary, observed }: JudgedReply): boolean {
  const beside = summary.times.length - summary.found;
  const isMuch = windowLength(window) === 1 || summary.times.length * shareBeside <= beside;
  if (beside === 0 || !isMuch) return false;
  const before = requestedBounds(window, slice, observed);
  const after = requestedBounds(
    window,
    { ...slice, exact: true },
    { ...observed, ...observedBounds(window, summary) },
  );
  return before.oldest !== after.oldest || before.newest !== after.newest;
}

/** Returns whether times never increase. */
export function isDescending(times: readonly number[]): boolean {
  return times.every((time, index) => time <= (times[index - 1] ?? time));
}

/** The time to split a window at: as far as possible, half of the logs lie on either side. */
function middleOf(window: Window, times: readonly number[], step: number): number {
  const own = times.filter((time) => containsTime(window, time)).sort((a, b) => a - b);
  const median = own[Math.floor(own.length / 2)] ?? Math.floor((window.oldest + window.newest) / 2);
  return Math.min(floorTo(window.newest, step), Math.max(window.oldest + step, ceilTo(median, step)));
}
