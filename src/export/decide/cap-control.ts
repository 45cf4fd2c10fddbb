import type { StoredWindow } from '../../case/index.ts';
import { isAboveLowered, leastCap, type ObservedBehaviour } from './observed-behaviour.ts';
import { isPartialSlice } from './slice.ts';
import { resetWindow, type Window } from './window.ts';

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
  const [most = []] = runs.sort((a, b) => countFound(b) - countFound(a));
  return most;
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
export interface ControlReply {
  /** All of its logs. */
  readonly records: number;
  /** Logs of the controlled windows: the request reaches a little further. */
  readonly found: number;
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
  { records, found }: ControlReply,
): number | undefined {
  const controlled = controlledWindows(all);
  const known = countFound(controlled);
  const truncated = all.flatMap((each) => {
    const size = each.state === 'split' ? (each.records ?? 0) : 0;
    const isWithin = ({ oldest, newest }: Window) => each.oldest <= oldest && newest <= each.newest;
    return leastCap < size && isLess(size, countFound(controlled.filter(isWithin))) ? [size] : [];
  });
  const smallest = Math.min(records, ...truncated);
  const isLoaded = controlled.every(({ state }) => state === 'loaded');
  if (isLoaded && isLess(known, found)) return smallest;
  if (!isLess(found, known)) return undefined;
  const largest = Math.max(...controlled.map((each) => each.records ?? 0));
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
    .map((each) => resetWindow({ ...each, attempts: 0, expected: undefined }));
}

/** Windows whose replies a control call confirmed to be whole. */
export function confirmWindows(windows: readonly StoredWindow[]): readonly StoredWindow[] {
  return windows
    .filter(({ reason }) => reason === unconfirmed)
    .map((each) => ({ ...each, missing: undefined, reason: undefined }));
}
