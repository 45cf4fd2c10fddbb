import type { ExportChanges, ReadWindow, StoredExport, StoredWindow } from '../../case/index.ts';
import { incomplete, isProvedBySize, unconfirmed } from './cap-control.ts';
import {
  addObserved,
  leastCap,
  mayBeTruncated,
  type ObservedBehaviour,
  observedBounds,
  observeTimeStep,
  provesOrder,
  type ReplySizes,
  readObserved,
  timeStepOf,
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
  type FieldValueCounts,
  isPartialSlice,
  markUnrequestable,
  maxFilterSlices,
  readSlice,
  type SliceClause,
  splitClauses,
  toFormFilter,
  writeSlice,
} from './slice.ts';
import { isDescending, judgeReply, type Verdict } from './verdict.ts';
import { containsTime, resetWindow, type Window, windowLength } from './window.ts';

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
    ...observationsOf(reply, verdict, evidence),
    ...(cap !== undefined && { cap: String(cap) }),
    ...(repeated !== undefined && { repeats: 'yes' as const }),
  };
  const decision = outcomeOf({
    ...{ reply, verdict, lost, isConfirmed: evidence.again === true },
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
  { before, again, order }: Evidence,
): ObservedBehaviour {
  if (verdict.kind === 'ignored' || verdict.kind === 'bare' || verdict.kind === 'lossy') return {};
  const known = summary.times.filter((time) => time !== undefined);
  const isUnsorted = verdict.kind === 'split' && !isDescending(known);
  const shown = observeTimeStep(summary.times, before.times);
  const lacked =
    before.order === undefined && again === true
      ? readExpected(window.expected).find((each) => each.lacked)?.lacked
      : undefined;
  return {
    ...shown,
    // With rounded times, a log next to the window shows nothing about its bounds.
    ...(timeStepOf(shown) === 1 && observedBounds(window, summary)),
    ...(lacked && { lackedOldest: String(lacked.oldest), lackedNewest: String(lacked.newest) }),
    ...(before.order === undefined && order === 'trusted' && { order }),
    ...((order === 'untrusted' || isUnsorted) && { order: 'untrusted' as const }),
  };
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
    ...{ verdict: decided.verdict, isLoaded: true },
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

function doneWindow({ reply: { window, summary }, counts, context: { now } }: DecidedReply): StoredWindow {
  const { found, stored } = summary;
  const logs = stored + (window.logs ?? 0);
  return { ...window, ...counts, state: 'loaded', found, logs, reason: undefined, updated: now };
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
    ...only,
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
  if (knownTime === undefined || expected.some((each) => each.oldest === knownTime))
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
    ...{ verdict: decided.verdict, isLoaded: false },
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
  const isDoubtful = repeated !== undefined || (before.order === undefined && isCut);
  return { before, again, order, repeated, isDoubtful };
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
  return recent.find((each) => each.records === records && each.reason === unconfirmed);
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
