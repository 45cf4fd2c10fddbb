import type { Learnt } from './learnt.ts';
import { mayBeCut } from './reply-size.ts';
import { ceilTo, floorTo, isAligned, stepOf } from './resolution.ts';
import type { Slice } from './slice.ts';
import type { Survey } from './survey.ts';
import { holds, lengthOf, type Window } from './window.ts';
import { wireBounds } from './window-request.ts';

/** What a reply turned out to be for its window. */
export type Verdict =
  /** All logs of the window are in it. */
  | { readonly kind: 'whole' }
  /** It holds all logs of the window from this time on, and the older ones are still to be asked for. */
  | { readonly kind: 'newer'; readonly from: number }
  /** It may hold all logs from this time on: the window is split there, and its newer part tells whether that is so. */
  | { readonly kind: 'learn'; readonly from: number }
  /** There are more logs in it than one call returns. The window is split before this time. */
  | { readonly kind: 'split'; readonly from: number }
  /** There are more logs in its one millisecond than one call returns. */
  | { readonly kind: 'full' }
  /** Logs that were seen before are missing in it. */
  | { readonly kind: 'lossy'; readonly missing: number }
  /** Its zip holds no entry at all, which shows neither logs nor their absence. */
  | { readonly kind: 'bare' }
  /** Logs beside the window took the place of its own: it is to be asked for by its exact bounds. */
  | { readonly kind: 'again' }
  /** Its bounds cut seconds that its logs do not tell apart: it is to be asked for by whole ones. */
  | { readonly kind: 'align' }
  /** It does not heed the times that were asked for. */
  | { readonly kind: 'ignored' };

/** A reply, and what was asked. */
export interface Judged {
  readonly window: Window;
  readonly slice: Slice;
  readonly survey: Survey;
  /** As many logs as were asked for. */
  readonly num: number;
  /** Records of the largest reply of the export before this one. */
  readonly largest: number;
  /** All records of the zip, those that could not be read among them. */
  readonly records: number;
  readonly learnt: Learnt;
}

/**
 * What a reply is for its window. It is whole when its size proves that: the
 * deployment may return fewer logs a call than were asked for. Those that came are
 * the newest of the window only when it is known to sort before it cuts off.
 */
export function judge(judged: Judged): Verdict {
  const { window, slice, survey, records, learnt } = judged;
  const step = stepOf(learnt);
  if (0 < survey.outside) return { kind: 'ignored' };
  if (!isAligned(window, step)) return { kind: 'align' };
  if (!mayBeCut(records, judged)) return { kind: 'whole' };
  const known = survey.times.filter((time) => time !== undefined);
  if (isWholeByOrder(judged, known)) return { kind: 'whole' };
  if (isBeset(judged)) return { kind: 'again' };
  // A slice was a second that looked indivisible: it stays one when times turn out to be milliseconds.
  if (lengthOf(window) <= step || slice.order === 'asc' || 0 < slice.clauses.length) return { kind: 'full' };
  const last = Math.min(...known.slice(-1));
  const isSorted = known.length === survey.times.length && descends(known) && slice.order === 'desc';
  if (!isSorted || learnt.order === 'untrusted')
    return { kind: 'split', from: middleOf(window, known, step) };
  // All of them are of the newest millisecond, which is then to be asked for by itself.
  const newest = floorTo(window.newest, step);
  if (newest <= last) return { kind: 'split', from: newest };
  if (learnt.order === 'trusted') return { kind: 'newer', from: ceilTo(last + 1, step) };
  const proof = known[Math.floor(known.length * shareToProve)] ?? last;
  return { kind: 'learn', from: Math.min(newest, ceilTo(Math.max(window.oldest, last, proof) + 1, step)) };
}

/** So much of a first reply has to come again, so little that the second one is not cut off. */
const shareToProve = 0.6;

/** Whether a sorted reply reaches beyond the far end of the window, so that what was cut off is of other times. */
function isWholeByOrder({ window, slice, learnt }: Judged, times: readonly number[]): boolean {
  const last = times.at(-1);
  if (learnt.order !== 'trusted' || last === undefined) return false;
  return slice.order === 'desc'
    ? descends(times) && last < window.oldest
    : descends(times.toReversed()) && window.newest < last;
}

/** So much of a reply may be of the milliseconds next to its window, without a call that leaves them out. */
const shareBeside = 0.1;

/** Whether logs beside the window came, and could be left out by asking for its exact bounds. */
function isBeset({ window, slice, survey, learnt }: Judged): boolean {
  const beside = survey.times.length - survey.found;
  const isMuch = lengthOf(window) === 1 || survey.times.length * shareBeside <= beside;
  if (beside === 0 || !isMuch) return false;
  const before = wireBounds(window, slice, learnt);
  const after = wireBounds(window, { ...slice, exact: true }, { ...learnt, ...boundsOf(window, survey) });
  return before.oldest !== after.oldest || before.newest !== after.newest;
}

/** What a reply shows of the meaning of the bounds that were asked for. */
export function boundsOf({ oldest, newest }: Window, { times }: Survey): Learnt {
  return {
    ...(times.includes(oldest - 1) && { oldestIncluded: 'yes' as const }),
    ...(times.includes(newest + 1) && { newestIncluded: 'yes' as const }),
  };
}

/** Whether times never go up. */
export function descends(times: readonly number[]): boolean {
  return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? time));
}

/** The time before which to split a window: half of the logs that came are on either side, as far as can be. */
function middleOf(window: Window, times: readonly number[], step: number): number {
  const own = times.filter((time) => holds(window, time)).sort((a, b) => a - b);
  const median = own[Math.floor(own.length / 2)] ?? Math.floor((window.oldest + window.newest) / 2);
  return Math.min(floorTo(window.newest, step), Math.max(window.oldest + step, ceilTo(median, step)));
}
