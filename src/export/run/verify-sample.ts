import { createHash } from 'node:crypto';
import { countLevels, exportedLogs, type StoredWindow, timesAround } from '../../case/index.ts';
import { match } from '../../language/index.ts';
import { deploymentLogLevels } from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import { largestReply, readObserved } from '../decide/observed-behaviour.ts';
import { countKeys } from '../decide/reply-checks.ts';
import {
  emptyWindows,
  hollowShare,
  lossyShare,
  orderSeams,
  type Seam,
  sampledWindows,
  sampleSize,
  seamsOf,
  unseenChance,
} from '../decide/sample.ts';
import { containsTime, openStart, type Window, wholeSlice } from '../decide/window.ts';
import type { FetchContext, WindowedExport } from './export-state.ts';
import { isRetryable } from './job.ts';
import { logKey } from './load-window.ts';
import { windowRequest } from './order.ts';
import { countedProbe } from './probes.ts';

/** What a sample of an export showed. */
export interface SampleResult {
  /** Ends of windows that were requested again, and all of them. */
  readonly sampled: number;
  readonly ends: number;
  /** Share of the ends that is assumed to lack logs, and the chance that none of them was sampled. */
  readonly share: number;
  readonly chance: number;
  /** Windows without logs that were requested again, and all of them. */
  readonly hollow: number;
  readonly empty: number;
  /** Number of logs that were requested again at these ends. */
  readonly again: number;
  /** True if logs that are lacking in a second reply show, not only those that are new. */
  readonly isComparable: boolean;
  /** Logs that were requested again by level alone. */
  readonly byLevel: number;
  /** The windows that lack logs which a later reply holds. */
  readonly lossy: readonly StoredWindow[];
  /** Number of logs that an earlier reply held and a later one of the same times does not. */
  readonly lost: number;
  /** The longest time after which a log arrived, in milliseconds: logs so new are no loss at first. 0 for none. */
  readonly late: number;
  /** The windows that such logs are in, and the logs by their keys: once requested again, they have to be there. */
  readonly lateWindows: readonly StoredWindow[];
  readonly lateLogs: ReadonlySet<string>;
  /** Why the sample could not be taken. */
  readonly trouble?: string;
}

/** Times before the present, in milliseconds, in which a log that was not there before came late. */
export const lateTime = 600_000;

/** Logs on either side of an end: few enough that no limit cuts the reply. */
export const logsAside = 5;

/**
 * Requests a sample of the exported logs again: a few at ends of windows, where a reply that was cut lacks some,
 * some windows without logs,
 * and all logs of the more severe levels at once. Ends are added until the chance of an unseen loss is accepted.
 * Stops at the first loss. `due` are logs that came late in an earlier sample: they are late no more.
 */
export async function verifySample(
  context: FetchContext,
  exported: WindowedExport,
  due: ReadonlySet<string>,
): Promise<SampleResult> {
  const windows = exported.exportState.windows();
  const seams = orderSeams(seamsOf(windows), windows, sha256);
  const { order } = readObserved(exported.exportState.stored());
  const share = order === 'trusted' ? lossyShare.sorted : lossyShare.unsorted;
  const [ends, size] = [seams.length, sampleSize(seams.length, share)];
  const lossy = Math.ceil(ends * share);
  const empty = emptyWindows(windows, sha256);
  let [sampled, hollow, lost, byLevel, late] = [0, 0, 0, 0, 0];
  const end = exported.end();
  const again = new Set<number>();
  const lateLogs = new Set<string>();
  const lateTimes: number[] = [];
  const isLost = ({ time, key }: FoundLog) => {
    if (time <= end - lateTime || end === Number.POSITIVE_INFINITY || due.has(key)) return true;
    late = Math.max(late, end - time);
    lateLogs.add(key);
    lateTimes.push(time);
    return false;
  };
  const result = (more: Partial<SampleResult> = {}): SampleResult => {
    const chance = unseenChance({ ends, lossy, sampled });
    const lateWindows = windows.filter(
      (window) => window.state === 'loaded' && lateTimes.some((time) => containsTime(window, time)),
    );
    const ofSample = { sampled, ends, share, chance, hollow, empty: empty.length };
    const counts = { ...ofSample, again: again.size, byLevel, lost, late };
    return { ...counts, isComparable: !exported.mayRepeat, lossy: [], lateWindows, lateLogs, ...more };
  };
  try {
    const maxLogs = wholeReply(windows);
    for (const seam of seams) {
      if (sampled === size) break;
      const compared = await compare(context, exported, await intervalAt(context, seam), { maxLogs });
      // So many logs of one time may be more than one call returns.
      if (!compared) continue;
      if (compared.more.some(isLost)) return result({ lossy: seam.windows });
      lost += compared.fewer;
      sampled += 1;
      for (const id of compared.known) again.add(id);
    }
    for (const window of empty.slice(0, sampleSize(empty.length, hollowShare))) {
      const compared = await compare(context, exported, window, { maxLogs });
      if (!compared) continue;
      if (compared.more.some(isLost)) return result({ lossy: [window] });
      hollow += 1;
    }
    const leveled = await compareByLevel(context, exported, { windows, isLost });
    if (leveled.lossy.length > 0) return result({ lossy: leveled.lossy });
    byLevel = leveled.logs;
    return result();
  } catch (error) {
    context.signal?.throwIfAborted();
    if (!isRetryable(error)) throw error;
    return result({ trouble: error.message });
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The interval of the logs around an end that are known, as far as the windows of that end reach. */
async function intervalAt({ into }: FetchContext, { time, windows }: Seam): Promise<Window> {
  const oldest = Math.max(0, Math.min(...windows.map((window) => window.oldest)));
  const newest = Math.max(...windows.map((window) => window.newest));
  // Of a small reply half of its logs: a limit that cut it leaves room for others.
  const half = Math.floor(Math.min(...windows.map(({ records = 0 }) => records)) / 2);
  const count = Math.max(1, Math.min(logsAside, half));
  const near = await timesAround(into, { time, oldest, newest, count });
  const older = near.filter((nearTime) => nearTime < time);
  const newer = near.filter((nearTime) => time <= nearTime);
  // With fewer logs than that, all of the window is near its end.
  return {
    oldest: older.length < count ? Math.min(oldest, time) : (older[0] ?? oldest),
    newest: newer.length < count ? Math.max(newest, time - 1) : (newer.at(-1) ?? newest),
  };
}

/** A log that came now and is not in the case. */
interface FoundLog {
  readonly time: number;
  readonly key: string;
}

interface Compared {
  readonly more: readonly FoundLog[];
  /** Number of logs in the case that did not come now. */
  readonly fewer: number;
  readonly logs: readonly Log[];
  /** Ids of the logs in the case. */
  readonly known: readonly number[];
}

async function compare(
  context: FetchContext,
  exported: WindowedExport,
  window: Window,
  { maxLogs, logLevel }: { readonly maxLogs: number; readonly logLevel?: string },
): Promise<Compared | undefined> {
  const { order, requestPlan, exportState, mayRepeat } = exported;
  const observed = readObserved(exportState.stored());
  const known = await exportedLogs(context.into, window);
  if (logLevel === undefined && maxLogs < known.length) return undefined;
  const request = windowRequest(order, requestPlan, { window, slice: wholeSlice, observed });
  const reply = await countedProbe(context, exported, { ...request, ...(logLevel && { logLevel }) });
  const { residual } = requestPlan;
  const logs = reply.filter(
    (log) =>
      (log.time === undefined || containsTime(window, log.time)) &&
      (!residual || match(residual, { ...log })),
  );
  const left = new Map(countKeys(known.map(({ log }) => logKey({ log }))));
  const more: FoundLog[] = [];
  for (const log of logs) {
    const key = logKey({ log });
    const count = left.get(key) ?? 0;
    if (0 < count) left.set(key, count - 1);
    else if (log.time !== undefined) more.push({ time: log.time, key });
  }
  // Other exports of the case may have other filters, and a deployment deletes its oldest logs.
  const first = Math.min(...logs.map(({ time = Number.POSITIVE_INFINITY }) => time));
  const isComparable = !mayRepeat && logLevel === undefined;
  const due = isComparable ? known.filter(({ log }) => first <= (log.time ?? first)).length : 0;
  return { more, fewer: Math.max(0, due - logs.length), logs, known: known.map(({ id }) => id) };
}

/** Share of the largest reply up to which a reply is believed to be whole. */
const wholeShare = 1 / 4;

/** The number of logs up to which a reply is believed to be whole. */
function wholeReply(windows: readonly StoredWindow[]): number {
  return Math.max(2 * logsAside, largestReply(sampledWindows(windows)) * wholeShare);
}

async function compareByLevel(
  context: FetchContext,
  exported: WindowedExport,
  {
    windows,
    isLost,
  }: { readonly windows: readonly StoredWindow[]; readonly isLost: (log: FoundLog) => boolean },
): Promise<{ readonly lossy: readonly StoredWindow[]; readonly logs: number }> {
  const own = sampledWindows(windows);
  const times = own.flatMap(({ oldest, newest }) => [oldest, newest]);
  const logLevel = levelWithin(
    own.length < 2
      ? new Map()
      : await countLevels(context.into, {
          oldest: Math.max(0, Math.min(...times)),
          newest: Math.max(...times),
        }),
    {
      maxLogs: wholeReply(windows),
      level: exported.requestPlan.request.logLevel,
    },
  );
  if (logLevel === undefined) return { lossy: [], logs: 0 };
  const window = { oldest: Math.max(openStart, Math.min(...times)), newest: Math.max(...times) };
  const compared = await compare(context, exported, window, { maxLogs: wholeReply(windows), logLevel });
  if (!compared) return { lossy: [], logs: 0 };
  const { more, logs } = compared;
  const shown = severe(logLevel);
  // A deployment that does not combine a level with a query returns logs of others.
  if (logs.some((log) => log.logLevel === undefined || !shown.includes(log.logLevel)))
    return { lossy: [], logs: 0 };
  const gone = more.filter(isLost);
  const lossy = windows.filter(
    (window) => window.state === 'loaded' && gone.some(({ time }) => containsTime(window, time)),
  );
  return { lossy, logs: logs.length };
}

/** The least severe level of which there are few enough logs, among those more severe than a level. */
function levelWithin(
  counts: ReadonlyMap<string, number>,
  { maxLogs, level }: { readonly maxLogs: number; readonly level: string | undefined },
): string | undefined {
  const last = level === undefined ? levels.length : severe(level).length;
  return levels.slice(0, last - 1).findLast((level) => {
    const count = severe(level).reduce((sum, one) => sum + (counts.get(one) ?? 0), 0);
    return 0 < count && count <= maxLogs;
  });
}

/** The levels, the most severe first. */
const levels: readonly string[] = deploymentLogLevels;

/** A level and all that are more severe. */
function severe(level: string): readonly string[] {
  return levels.slice(0, levels.indexOf(level) + 1);
}
