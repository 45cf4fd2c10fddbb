import type { ExportChanges, StoredExport, StoredWindow } from '../../case/index.ts';
import { addObserved, isAboveLowered, leastCap, readObserved } from './observed-behaviour.ts';
import { isPartialSlice, resetWindow, type Window, windowLength } from './window.ts';

/** An end of windows, at which a reply that was cut lacks logs: requested again with a few logs on either side. */
export interface Seam {
  /** The first time of the newer side. */
  readonly time: number;
  /** The windows on either side. */
  readonly windows: readonly StoredWindow[];
}

/** Share of the ends at which logs are assumed to be lost. A limit of any kind cuts the replies that are fullest. */
export const lossyShare = { sorted: 1 / 2, unsorted: 1 / 5 } as const;

/** The chance of an unseen loss at which no more ends are requested again. */
export const acceptedChance = 0.05;

/**
 * Windows whose replies may have been cut, as far as nothing but the sample proves them. No number of logs cuts a
 * reply of few, but one of bytes does: first the one of the most bytes.
 */
export function sampledWindows(windows: readonly StoredWindow[]): StoredWindow[] {
  const unproved = wholeWindows(windows).filter(({ records = 0 }) => 0 < records);
  const largest = largestBy(unproved, 'bytes');
  return unproved.filter((window) => leastCap < (window.records ?? 0) || window === largest);
}

/** Loaded windows that lack nothing as far as it is known. */
function wholeWindows(windows: readonly StoredWindow[]): StoredWindow[] {
  return windows.filter(
    ({ state, slice, missing = 0 }) => state === 'loaded' && !isPartialSlice(slice) && missing === 0,
  );
}

/** Share of the replies without logs that are assumed to have left out some: nothing tells one from another. */
export const hollowShare = 1 / 5;

/** Windows whose replies had no logs, in the order in which a sample requests them again. */
export function emptyWindows(
  windows: readonly StoredWindow[],
  hash: (text: string) => string,
): readonly StoredWindow[] {
  const rank = ranking(windows, hash);
  return wholeWindows(windows)
    .filter(({ records = 0 }) => records === 0)
    .map((window) => ({ window, rank: rank(window.oldest) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ window }) => window);
}

/** The rank of a time in an order that depends on the bytes of all zips, which no deployment knows before it has sent them. */
function ranking(windows: readonly StoredWindow[], hash: (text: string) => string): (time: number) => string {
  const seed = windows.map(({ sha256 = '' }) => sha256).join();
  return (time) => hash(`${seed} ${time}`);
}

/** The window with the largest reply, in logs or bytes; the first of several. */
function largestBy(windows: readonly StoredWindow[], size: 'records' | 'bytes'): StoredWindow | undefined {
  return windows.reduce<StoredWindow | undefined>(
    (largest, window) => ((largest?.[size] ?? 0) < (window[size] ?? 0) ? window : largest),
    undefined,
  );
}

/** The ends of windows that a sample can choose from: below each window, and above the newest one of a run. */
export function seamsOf(windows: readonly StoredWindow[]): readonly Seam[] {
  const byTime = new Map<number, StoredWindow[]>();
  for (const window of sampledWindows(windows))
    for (const time of [window.oldest, window.newest + 1])
      byTime.set(time, [...(byTime.get(time) ?? []), window]);
  return [...byTime].map(([time, own]) => ({ time, windows: own }));
}

/** Orders seams for a sample: both ends of the largest replies first, as they were cut the most likely. */
export function orderSeams(
  seams: readonly Seam[],
  windows: readonly StoredWindow[],
  hash: (text: string) => string,
): readonly Seam[] {
  const rank = ranking(windows, hash);
  const sampled = sampledWindows(windows);
  const largest = [largestBy(sampled, 'records'), largestBy(sampled, 'bytes')];
  const isFirst = ({ windows: own }: Seam) => own.some((window) => largest.includes(window));
  return [...seams]
    .map((seam) => ({ seam, rank: isFirst(seam) ? '' : rank(seam.time) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ seam }) => seam);
}

/**
 * The chance that none of the sampled ends is one of those where logs are lost, drawn without replacement
 * (hypergeometric distribution).
 */
export function unseenChance({
  ends,
  lossy,
  sampled,
}: {
  readonly ends: number;
  readonly lossy: number;
  readonly sampled: number;
}): number {
  let chance = 1;
  for (let index = 0; index < sampled; index += 1)
    chance *= Math.max(0, ends - lossy - index) / Math.max(1, ends - index);
  return chance;
}

/** Of so few ends, all are requested again: the share of the lossy ones says nothing about three of them. */
export const minEnds = 5;

/** The number of ends to sample so that the chance of an unseen loss is accepted. */
export function sampleSize(ends: number, share: number): number {
  const lossy = Math.ceil(ends * share);
  for (let sampled = minEnds; sampled < ends; sampled += 1)
    if (unseenChance({ ends, lossy, sampled }) <= acceptedChance) return sampled;
  return ends;
}

/** Reason of windows of a deployment that returned more when it was asked again. */
export const notAll =
  'Asked again, the deployment returned logs that it had left out before, so nothing proves that these are all';

/** Windows that are requested again with fewer logs a call, at most: more would take days. */
const maxReplanned = 20_000;

/**
 * Plans again, with fewer logs a call, all windows whose replies were as large as one that lacked logs. What the
 * order of the replies seemed to prove is not believed any more. If the reply was so small that nothing cut it, all
 * that are as small are planned again as they are. Undefined if windows cannot be made smaller.
 */
export function distrust(
  stored: StoredExport,
  windows: readonly StoredWindow[],
  lossy: readonly StoredWindow[],
): ExportChanges | undefined {
  const uncut = uncutWindows(windows);
  const cut = lossy.filter((window) => !uncut.includes(window));
  if (cut.length === 0)
    return { export: addObserved(stored, { repeats: 'yes' }), windows: uncut.map(resetAttempts) };
  const before = Number(readObserved(stored).lowered ?? Number.POSITIVE_INFINITY);
  const smallest = Math.min(before, ...cut.map(({ records = 0 }) => records));
  // A reply of fewer logs than that share may lack some as well, if it was one of those that did.
  const lowered = before <= smallest ? Math.floor(before / 2) : smallest;
  const again = sampledWindows(windows).filter(({ records = 0 }) => isAboveLowered(records, lowered));
  const found = again.reduce((sum, window) => sum + (window.found ?? 0), 0);
  if (again.length === 0 || maxReplanned < (found * 4) / Math.max(leastCap, lowered)) return undefined;
  return {
    export: addObserved(stored, { order: 'untrusted', lowered: String(lowered), repeats: 'yes' }),
    windows: [...again, ...(cut.length < lossy.length ? uncut : [])].map(resetAttempts),
  };
}

/** Windows of so few logs, or none, that no limit cut their replies. */
function uncutWindows(windows: readonly StoredWindow[]): StoredWindow[] {
  const sampled = new Set(sampledWindows(windows));
  return wholeWindows(windows).filter((window) => !sampled.has(window));
}

function resetAttempts(window: StoredWindow): StoredWindow {
  return resetWindow({ ...window, attempts: 0, expected: undefined });
}

/** Reason of windows of a deployment that left out logs which it had returned before. */
export const differs =
  'The deployment returns different logs for the same request, so nothing proves that these are all';

/** Marks all windows as unproved whose replies may have been cut; with a `lossy` one that no limit cut, those as well. */
export function markUnproved(
  windows: readonly StoredWindow[],
  reason: string,
  lossy: readonly StoredWindow[] = [],
): readonly StoredWindow[] {
  const uncut = uncutWindows(windows);
  const isUncut = lossy.some((window) => uncut.includes(window));
  return [...sampledWindows(windows), ...(isUncut ? uncut : [])].map((window) => ({
    ...window,
    missing: 1,
    reason,
  }));
}

/**
 * Plans all loaded windows once more, each as two halves: a reply that is cut at the same place twice would look
 * complete. One that is too small to be cut is requested as it is.
 */
export function repeatInHalves(
  windows: readonly StoredWindow[],
  reserve: (count: number) => number,
): readonly StoredWindow[] {
  const loaded = windows.filter(({ state, missing = 0 }) => state === 'loaded' && missing === 0);
  return loaded.flatMap((window) => {
    const again = resetWindow({ ...window, attempts: 0, expected: undefined });
    const isSmall = (window.records ?? 0) <= leastCap;
    if (isSmall || windowLength(window) < 2 || window.slice !== undefined) return [again];
    const [older, newer] = halvesOf(window);
    const { logs: _, ...fresh } = again;
    return [
      { ...again, ...newer },
      { ...fresh, ...older, window: reserve(1) },
    ];
  });
}

function halvesOf({ oldest, newest }: Window): readonly [Window, Window] {
  const middle = oldest + Math.floor((newest - oldest) / 2);
  return [
    { oldest, newest: middle },
    { oldest: middle + 1, newest },
  ];
}
