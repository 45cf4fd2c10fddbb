import type { StoredExport, StoredWindow } from '../../case/index.ts';
import { unconfirmed } from './cap-control.ts';
import {
  leastCap,
  mayBeTruncated,
  type ObservedBehaviour,
  provesOrder,
  type ReplySizes,
  readObserved,
  timeStepOf,
} from './observed-behaviour.ts';
import {
  clipChecks,
  confirmsExactChecks,
  countMissing,
  type ExpectedLogs,
  exactCheck,
  type ReplySummary,
  readExpected,
} from './reply-checks.ts';
import { isDescending, type Verdict } from './verdict.ts';
import { windowLength } from './window.ts';

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
export interface Evidence {
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
