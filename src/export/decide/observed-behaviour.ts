import * as v from 'valibot';
import type { StoredExport, StoredWindow } from '../../case/index.ts';
import type { ReplySummary } from './reply-checks.ts';
import { containsTime, isPartialSlice, resetWindow, type Window, type WindowSlice } from './window.ts';

const observedBehaviour = v.object({
  /** `trusted` once other calls confirmed that a truncated reply held the newest logs. */
  order: v.optional(v.picklist(['trusted', 'untrusted'])),
  /** `asc` once a reply held the oldest logs first, although the newest were requested. */
  direction: v.optional(v.literal('asc')),
  /** Times whose logs a confirmed reply lacked: many of them prove that it was truncated. */
  lackedOldest: v.optional(v.string()),
  lackedNewest: v.optional(v.string()),
  /** `query` once a reply showed that time parameters are ignored beside a search. */
  windowBy: v.optional(v.literal('query')),
  /** `asked` once the oldest log was requested. */
  begins: v.optional(v.literal('asked')),
  /** Time of the oldest log that was there then, as far as it is known, and a time that none was older than. */
  oldestLog: v.optional(v.string()),
  oldestBound: v.optional(v.string()),
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
  /** The time by the clock of this machine when the export began: no later one can be complete. */
  asked: v.optional(v.string()),
  /** Time of the newest log that came and is not later than that. */
  newestLog: v.optional(v.string()),
  /** The longest time after which a log was seen to arrive, in milliseconds. */
  late: v.optional(v.string()),
  /** Milliseconds by which the clock of the deployment was ahead of this machine's. */
  skew: v.optional(v.string()),
  /** `yes` from the start of a run to its end: before, no sample of what is loaded was requested again. */
  pending: v.optional(v.picklist(['yes', 'no'])),
  /** What nothing proves, as JSON, once the export has ended. */
  doubts: v.optional(v.string()),
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

/** Adds the oldest log that any reply showed, whether it was stored or not: one that is not stored is missing. */
export function addOldestLog(stored: StoredExport, times: readonly (number | undefined)[]): StoredExport {
  const { oldestLog } = readObserved(stored);
  const before = oldestLog === undefined ? Number.POSITIVE_INFINITY : Number(oldestLog);
  const oldest = times.reduce<number>((min, time = min) => Math.min(min, time), before);
  return oldest < before ? addObserved(stored, { oldestLog: String(oldest) }) : stored;
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
  /** Share of the largest reply from which on a reply may have been cut. Default 1. */
  readonly band?: number | undefined;
}

/**
 * Where nothing is sorted, replies of half the largest one may have been cut: a limit need not be a number of logs,
 * and logs differ in their bytes and levels.
 */
const unsortedBand = 1 / 2;

/** No deployment caps a reply below this size. */
export const leastCap = 10;

/**
 * Returns whether a cap may have truncated a reply, as far as sizes tell. A
 * deployment can have a cap of its own, below `num`, without reporting it. A
 * reply smaller than another one of the export is below that cap, unless its
 * size looks like a setting or a control call has shown that the cap fell.
 */
export function mayBeTruncated(records: number, { num, largest, lowered, band = 1 }: ReplySizes): boolean {
  if (num <= records) return true;
  if (records <= leastCap) return false;
  return largest * band <= records || isRound(records) || isAboveLowered(records, lowered);
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
    (count) => count % 100 === 0 || (100 <= count && Number.isInteger(Math.log2(count))),
  );
}

/**
 * Number of logs that a confirmed reply must have lacked. Its checked part is
 * about a third, so that a reply in no order has them all elsewhere once in
 * 10,000 times.
 */
export const leastLacked = 24;

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
  { lowered, order }: ObservedBehaviour,
): ReplySizes {
  return {
    num,
    largest: largestReply(windows),
    ...(lowered !== undefined && { lowered: Number(lowered) }),
    ...(order === 'untrusted' && { band: unsortedBand }),
  };
}

/** Records of the largest reply, including replies too large for their window. */
export function largestReply(windows: readonly StoredWindow[]): number {
  return windows.reduce((max, { records = 0 }) => Math.max(max, records), 0);
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

/**
 * Reason of a loaded window that only the size of its reply shows to be whole,
 * until a control call at the end of the export confirms it.
 */
export const unconfirmed = 'Nothing but its size shows that this reply holds all logs, until the export ends';

/** Reason of a loaded window that lacks logs of earlier replies. */
export const incomplete = 'Logs of these times came before, and do not come any more';

/** Reason of a window that stays without proof. */
export const unproven =
  'The deployment does not sort and returns a changing number of logs per call, so nothing proves that these are all';

/** Returns whether the size of a reply alone shows that it is whole. */
export function isProvedBySize(records: number, { order }: ObservedBehaviour): boolean {
  return order !== 'trusted' && leastCap < records;
}

/** The contiguous run of windows with the most logs: a control call asks for all of its times. */
export function controlledWindows(all: readonly StoredWindow[]): readonly StoredWindow[] {
  const sorted = all.filter(({ state }) => state !== 'split').sort((a, b) => a.oldest - b.oldest);
  const runs: StoredWindow[][] = [];
  let end = Number.NaN;
  for (const window of sorted) {
    const run = window.oldest <= end + 1 ? runs.at(-1) : undefined;
    if (run) run.push(window);
    else runs.push([window]);
    end = run ? Math.max(end, window.newest) : window.newest;
  }
  const [largestRun = []] = runs.sort((a, b) => countFound(b) - countFound(a));
  return largestRun;
}

/** The times from the oldest to the newest of some windows. */
export function extentOf(windows: readonly Window[]): Window {
  return {
    oldest: Math.min(...windows.map(({ oldest }) => oldest)),
    newest: Math.max(...windows.map(({ newest }) => newest)),
  };
}

/** Share by which two counts may differ: logs can arrive late, and one entry in a zip may be unreadable. */
const tolerance = 0.01;

/** Size of the reply to a control call. */
interface ControlReply {
  /** Number of logs requested: no more can come. Default: more than all replies held. */
  readonly num?: number;
  /** All of its logs. */
  readonly records: number;
  /** Logs of the controlled windows: the request reaches a little further. */
  readonly found: number;
  /** Logs behind the end of the last window, of which its reply may have had some, and others have come since. */
  readonly newer?: number;
}

/**
 * Judges a control call for all times of the controlled windows, after all of
 * them were requested. Sizes prove something only if the cap was the same for all
 * calls. So the control must return as many logs as every other reply that was
 * truncated, or all that are known if those are fewer. Returns undefined if it
 * does, otherwise the smallest number of logs to which a reply may have been cut.
 */
export function judgeControl(
  all: readonly StoredWindow[],
  { num = Number.POSITIVE_INFINITY, records, found: within, newer = 0 }: ControlReply,
): number | undefined {
  const controlled = controlledWindows(all);
  const known = countFound(controlled);
  const found = Math.max(within, Math.min(within + newer, known));
  const truncated = all.flatMap((window) => {
    const size = window.state === 'split' ? (window.records ?? 0) : 0;
    const isWithin = ({ oldest, newest }: Window) => window.oldest <= oldest && newest <= window.newest;
    return leastCap < size && isLess(size, countFound(controlled.filter(isWithin))) ? [size] : [];
  });
  const smallest = Math.min(records, ...truncated);
  const isLoaded = controlled.every(({ state }) => state === 'loaded');
  if (isLoaded && isLess(known, found)) return smallest;
  if (!isLess(found, known)) return undefined;
  // A reply to an earlier call for more logs is no measure.
  const largest = Math.min(num, Math.max(...controlled.map((window) => window.records ?? 0)));
  const isSame = truncated.every((size) => !isLess(size, records) && !isLess(records, size));
  return isSame && !isLess(records, largest) ? undefined : smallest;
}

function countFound(windows: readonly StoredWindow[]): number {
  return windows.reduce((sum, { state, found = 0 }) => sum + (state === 'loaded' ? found : 0), 0);
}

function isLess(some: number, others: number): boolean {
  return some < others - Math.max(1, others * tolerance);
}

/** Returns whether an export has windows that a control call can confirm or have requested again. */
export function needsControl(windows: readonly StoredWindow[], { order }: ObservedBehaviour): boolean {
  const reasons = order === 'trusted' ? [unconfirmed] : [unconfirmed, incomplete];
  return windows.some(({ state, reason = '' }) => state === 'loaded' && reasons.includes(reason));
}

/**
 * Windows that a control call leaves without proof, planned again with fewer logs
 * per call: those of replies that are too large, and those that lack logs, maybe
 * for the same reason. Their checks go, as a smaller reply could not meet them.
 */
export function replanUnproven(windows: readonly StoredWindow[], lowered: number): readonly StoredWindow[] {
  return windows
    .filter(({ slice }) => !isPartialSlice(slice))
    .filter(({ state, reason, records = 0 }) => {
      if (state !== 'loaded') return state === 'failed';
      return reason === incomplete || (reason === unconfirmed && isAboveLowered(records, lowered));
    })
    .map((window) => resetWindow({ ...window, attempts: 0, expected: undefined }));
}

/** Windows whose replies a control call confirmed to be whole. */
export function confirmWindows(windows: readonly StoredWindow[]): readonly StoredWindow[] {
  return windows
    .filter(({ reason }) => reason === unconfirmed)
    .map((window) => ({ ...window, missing: undefined, reason: undefined }));
}
