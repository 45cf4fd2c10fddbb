import {
  leastCap,
  mayBeTruncated,
  type ObservedBehaviour,
  observedBounds,
  requestedBounds,
  timeStepOf,
} from './observed-behaviour.ts';
import type { ReplySummary } from './reply-checks.ts';
import type { WindowSlice } from './slice.ts';
import { ceilTo, containsTime, floorTo, isAligned, type Window, windowLength } from './window.ts';

/** Classification of a reply for its window. */
export type Verdict =
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
  if (observed.order === 'trusted' || isSmall) return { kind: 'newer', from: ceilTo(last + 1, step) };
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
