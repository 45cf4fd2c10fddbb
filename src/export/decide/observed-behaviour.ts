import * as v from 'valibot';
import type { StoredExport, StoredWindow } from '../../case/index.ts';
import type { ReplySummary } from './reply-checks.ts';
import type { WindowSlice } from './slice.ts';
import { containsTime, type Window } from './window.ts';

const observedBehaviour = v.object({
  /** `trusted` once other calls confirmed that a truncated reply held the newest logs. */
  order: v.optional(v.picklist(['trusted', 'untrusted'])),
  /** Times whose logs a confirmed reply lacked: many of them prove that it was truncated. */
  lackedOldest: v.optional(v.string()),
  lackedNewest: v.optional(v.string()),
  /** `query` once a reply showed that time parameters are ignored beside a search. */
  windowBy: v.optional(v.literal('query')),
  /** `asked` once the oldest log was requested. */
  begins: v.optional(v.literal('asked')),
  /** Maximum number of logs per call, once a reply of this size was shown to lack some. */
  cap: v.optional(v.string()),
  /** Records of the smallest control call that returned fewer than it had to: the cap fell. */
  lowered: v.optional(v.string()),
  /** `yes` once a window was requested again whose logs the case has. */
  repeats: v.optional(v.literal('yes')),
  /** `filters` once a reply showed that only the filter form can slice a millisecond. */
  slices: v.optional(v.literal('filters')),
  /** `yes` once a reply held a log at exactly the requested bound. */
  oldestIncluded: v.optional(v.literal('yes')),
  newestIncluded: v.optional(v.literal('yes')),
  /** `seconds` while all times of all logs are whole seconds. */
  times: v.optional(v.picklist(['seconds', 'milliseconds'])),
});

/** Behaviour of the deployment that the replies of one export have shown. */
export type ObservedBehaviour = v.InferOutput<typeof observedBehaviour>;

/** Reads the observed behaviour of an export. */
export function readObserved(from: StoredExport): ObservedBehaviour {
  return v.parse(observedBehaviour, from.learnt);
}

/** Adds observed behaviour to an export. */
export function addObserved(stored: StoredExport, more: ObservedBehaviour): StoredExport {
  // JSON omits undefined members.
  const observations: Record<string, string> = JSON.parse(JSON.stringify(more));
  return { ...stored, learnt: { ...stored.learnt, ...observations } };
}

/** Maximum number of logs per call: below `num` where replies showed a lower cap and none was larger. */
export function effectiveCap({ cap = '', lowered }: ObservedBehaviour, { num, largest }: ReplySizes): number {
  if (lowered !== undefined) return Math.max(leastCap, Math.floor(Number(lowered) * shareOfLowered));
  const own = Number(cap);
  return 0 < own && largest <= own ? Math.min(num, own) : num;
}

/** Sizes that decide whether a reply may be truncated. */
export interface ReplySizes {
  /** Number of logs requested. */
  readonly num: number;
  /** Records of the largest reply of the export so far. */
  readonly largest: number;
  /** Records of the smallest control call that returned fewer than it had to. */
  readonly lowered?: number | undefined;
}

/** No deployment caps a reply below this size. */
export const leastCap = 10;

/**
 * Returns whether a cap may have truncated a reply, as far as sizes tell. A
 * deployment can have a cap of its own, below `num`, without reporting it. A
 * reply smaller than another one of the export is below that cap, unless its
 * size looks like a setting or a control call has shown that the cap fell.
 */
export function mayBeTruncated(records: number, { num, largest, lowered }: ReplySizes): boolean {
  if (num <= records) return true;
  if (records <= leastCap) return false;
  return largest <= records || isRound(records) || isAboveLowered(records, lowered);
}

/** A cap that fell once may fall again: only replies of less than this share of it count as whole. */
const shareOfLowered = 1 / 4;

/** Returns whether a reply is too large to be whole by its size, once the cap was seen to fall. */
export function isAboveLowered(records: number, lowered: number | undefined): boolean {
  return lowered !== undefined && leastCap < records && lowered * shareOfLowered <= records;
}

/** Caps are hundreds, thousands or powers of two, or one less where an upper bound is excluded. */
function isRound(records: number): boolean {
  return [records, records + 1].some(
    (each) => each % 100 === 0 || (100 <= each && Number.isInteger(Math.log2(each))),
  );
}

/**
 * Number of logs that a confirmed reply must have lacked. Its checked part is
 * about a third, so that a reply in no order has them all elsewhere once in
 * 10,000 times.
 */
const leastLacked = 24;

/** Returns whether a reply shows that an earlier one, whose newest logs were confirmed, lacked older ones. */
export function provesOrder(
  { order, lackedOldest, lackedNewest }: ObservedBehaviour,
  times: readonly (number | undefined)[],
): boolean {
  if (order !== undefined || lackedOldest === undefined) return false;
  const lacked = { oldest: Number(lackedOldest), newest: Number(lackedNewest) };
  const older = times.filter((time) => time !== undefined && containsTime(lacked, time));
  return leastLacked <= older.length;
}

/** The sizes that decide whether a reply to a call for `num` logs may be truncated. */
export function replySizes(
  num: number,
  windows: readonly StoredWindow[],
  { lowered }: ObservedBehaviour,
): ReplySizes {
  return {
    num,
    largest: largestReply(windows),
    ...(lowered !== undefined && { lowered: Number(lowered) }),
  };
}

/** Records of the largest reply, including replies too large for their window. */
export function largestReply(windows: readonly StoredWindow[]): number {
  return windows.reduce((most, { records = 0 }) => Math.max(most, records), 0);
}

const second = 1000;

/**
 * The resolution of log times, in milliseconds. Where it is a second, the
 * deployment knows times more precisely than its logs show. Windows then begin
 * and end at whole seconds, with a margin of a second.
 */
export function timeStepOf({ times }: ObservedBehaviour): number {
  return times === 'seconds' ? second : 1;
}

/** The resolution that times show: one time within a second proves milliseconds. */
export function observeTimeStep(
  times: readonly (number | undefined)[],
  before: ObservedBehaviour['times'],
): Pick<ObservedBehaviour, 'times'> {
  const known = times.filter((time) => time !== undefined);
  if (before === 'milliseconds' || known.some((time) => time % second !== 0))
    return { times: 'milliseconds' };
  return known.length === 0 && before === undefined ? {} : { times: 'seconds' };
}

/** The bounds to request: they cover the window however bounds are interpreted and times are rounded. */
export function requestedBounds(
  { oldest, newest }: Window,
  { exact }: WindowSlice,
  observed: ObservedBehaviour,
): Window {
  const step = timeStepOf(observed);
  if (step !== 1) return { oldest: oldest - step, newest: newest + step };
  return {
    oldest: exact && observed.oldestIncluded ? oldest : oldest - 1,
    newest: exact && observed.newestIncluded ? newest : newest + 1,
  };
}

/** Inclusiveness of the requested bounds, as a reply shows it. */
export function observedBounds({ oldest, newest }: Window, { times }: ReplySummary): ObservedBehaviour {
  return {
    ...(times.includes(oldest - 1) && { oldestIncluded: 'yes' as const }),
    ...(times.includes(newest + 1) && { newestIncluded: 'yes' as const }),
  };
}
