import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  addWindow,
  type Case,
  type ExportChanges,
  exportedLogs,
  lossesOf,
  nearestTime,
  type ReadWindow,
  type StoredExport,
  type StoredPart,
  type StoredWindow,
} from '../../case/index.ts';
import { type Filter, match } from '../../language/index.ts';
import { type Log, type LogRecord, textFields } from '../../records/index.ts';
import {
  changesOf,
  type Decision,
  type DecisionContext,
  decideWindow,
  type WindowReply,
} from '../decide/decide-window.ts';
import {
  addOldestLog,
  type ObservedBehaviour,
  observeTimeStep,
  readObserved,
  replySizes,
  timeStepOf,
} from '../decide/observed-behaviour.ts';
import { toWindowEvent } from '../decide/progress.ts';
import { countKeys, type ReplySummary, readExpected, requestedTimes } from '../decide/reply-checks.ts';
import { containsTime, countFieldValues, maxFilterSlices, readSlice, type Window } from '../decide/window.ts';
import type { FetchContext, WindowedExport } from './export-state.ts';
import { maxAttempts } from './job.ts';
import { ExportError } from './order.ts';

/**
 * Reads the zip of a window and loads its new logs, in the transaction that
 * saves the decision. Returns undefined when the zip is missing or not the one
 * that was downloaded.
 */
export async function loadWindow(
  context: FetchContext,
  exported: WindowedExport,
  { window, path }: { readonly window: StoredWindow; readonly path: string },
): Promise<Decision | undefined> {
  if (!existsSync(path)) return undefined;
  const { client, into, signal, onProgress } = context;
  const { order, exportState, requestPlan } = exported;
  let shown: ReplySummary['times'] = [];
  const reading = await openReading(into, exported, window);
  let decision: Decision | undefined;
  let changes: ExportChanges = {};
  await addWindow(into, path, {
    job: window.job ?? '',
    isWanted: reading.keep,
    zone: order.zone,
    signal,
    decide: (read) => {
      if (order.zone === undefined && read.parts.some(hasAssumedTimes))
        onProgress({ event: 'trouble', window: window.window, message: assumedTimes });
      const isOther = window.sha256 !== undefined && window.sha256 !== read.sha256;
      if (isOther) return undefined;
      const known = { knownTime: reading.knownTime, now: client.clock.now() };
      const reply = reading.reply(read);
      // What is filtered here may be other logs than those of the order.
      if (!requestPlan.residual)
        shown = reply.summary.times.filter((time) => time !== undefined && containsTime(window, time));
      decision = decideWindow(reply, decisionContext(exported, window, known));
      if (!decision.isLoaded) return undefined;
      const { only } = decision;
      changes = withOldest(changesOf(decision, exportState.windows()), shown);
      // From here on no other worker may change these windows.
      exportState.adopt(changes);
      return { changes, ...(only && { onlyTimes: only }) };
    },
  });
  if (!decision) return undefined;
  const fault = toIncompleteReplyError(decision);
  if (fault) throw fault;
  const decided = decision;
  if (!decided.isLoaded)
    await exportState.save(() => {
      changes = mergeObserved(changesOf(decided, exportState.windows()), exportState.stored());
      if (decided.verdict.kind !== 'ignored') changes = withOldest(changes, shown);
      return changes;
    });
  for (const window of changes.windows ?? []) onProgress(toWindowEvent(window));
  return decision;
}

/** Changes that remember the oldest log of a reply as well: it is missing if it does not come again. */
function withOldest(changes: ExportChanges, times: ReplySummary['times']): ExportChanges {
  return changes.export ? { ...changes, export: addOldestLog(changes.export, times) } : changes;
}

function hasAssumedTimes({ remarks }: StoredPart): boolean {
  return remarks.some(({ code }) => code === 'NO_ZONE');
}

const assumedTimes = 'The times of its logs name no zone and are read as UTC: "--log-zone" names another one';

/** Reads the logs of one window: which of them to store, and the reply that they make up. */
interface WindowReading {
  readonly keep: (record: LogRecord) => boolean;
  readonly reply: (read: ReadWindow) => WindowReply;
  /** Time of a log of this export near the window, in case its zip holds no entry. */
  readonly knownTime: number | undefined;
}

async function openReading(
  into: Case,
  exported: WindowedExport,
  window: StoredWindow,
): Promise<WindowReading> {
  const { exportState, requestPlan } = exported;
  const isAscending = readSlice(window.slice).order === 'asc';
  const expected = readExpected(window.expected);
  const observed = readObserved(exportState.stored());
  const known = await knownKeys(into, exported, window);
  // This scans all logs, so only a window that failed before is worth it.
  const knownTime =
    window.attempts === 0
      ? undefined
      : await nearestTime(into, { export: window.export, ...windowOf(window) });
  const twin = isAscending ? reverseTwinOf(window, exportState.windows()) : undefined;
  const twinLogs = twin ? await exportedLogs(into, { ...windowOf(window), job: twin.job }) : [];
  const { keep, summary } = startReplySummary({
    window,
    requested: requestedTimes(window, expected),
    residual: requestPlan.residual,
    known,
    resolution: observed.times,
    fingerprints: observed.order === undefined || expected.some(({ kind }) => kind === 'exact'),
    keys: isAscending,
  });
  /** Logs of an ascending slice; empty for others. */
  const own: Log[] = [];
  return {
    keep: (record) => {
      if (isAscending) own.push(record.log);
      return keep(record);
    },
    reply: (read) => ({
      window,
      read,
      summary: summary(),
      loss: lossesOf(read.parts)[0]?.message,
      reverseTwin: twin && { window: twin, keys: twinLogs.map(logKey) },
      seen: countFieldValues([...own, ...twinLogs.map(({ log }) => log)]),
      mayRetry: window.attempts + 1 < maxAttempts,
    }),
    knownTime,
  };
}

/** The export as it is at this moment; other workers may have changed it since the window was requested. */
function decisionContext(
  { order, exportState, end }: WindowedExport,
  window: StoredWindow,
  known: Pick<DecisionContext, 'knownTime' | 'now'>,
): DecisionContext {
  const windows = exportState.windows();
  return {
    ...known,
    end: end(),
    stored: exportState.stored(),
    sizes: replySizes(order.request.num, windows, readObserved(exportState.stored())),
    recent: windows
      .filter(({ state }) => state === 'loaded')
      .sort((a, b) => b.updated - a.updated)
      .slice(0, recentWindows),
    below: windowBelow(
      window,
      windows.filter((window) => !exportState.active.has(window.window)),
    ),
    canNarrow: order.via === 'search' || order.request.searchQuery === undefined,
    nextNumber: exportState.reserve(newWindows),
  };
}

/** Number of the newest replies whose sizes are compared: a cap that falls for a while shows in a row. */
const recentWindows = 4;

/** Adds behaviour that was observed since the changes were made. */
function mergeObserved(changes: ExportChanges, stored: StoredExport): ExportChanges {
  if (!changes.export) return changes;
  const observed = { ...stored.learnt, ...changes.export.learnt };
  // An observed reason for distrust always wins.
  const order = stored.learnt.order === 'untrusted' && { order: 'untrusted' };
  const times = stored.learnt.times === 'milliseconds' && { times: 'milliseconds' };
  return { ...changes, export: { ...stored, learnt: { ...observed, ...order, ...times } } };
}

/**
 * Maximum number of new windows from one reply: a slice for each value of a
 * field, and one for all others.
 */
const newWindows = maxFilterSlices + 2;

/** The planned window directly below another one. */
function windowBelow(
  { oldest, slice }: StoredWindow,
  windows: readonly StoredWindow[],
): StoredWindow | undefined {
  if (slice !== undefined) return undefined;
  return windows.find(
    (window) => window.newest === oldest - 1 && window.state === 'planned' && window.slice === undefined,
  );
}

/** The window of the same logs in descending order. */
function reverseTwinOf(window: StoredWindow, windows: readonly StoredWindow[]): StoredWindow | undefined {
  const { clauses } = readSlice(window.slice);
  const clausesText = JSON.stringify(clauses);
  return windows.find((other) => {
    const slice = readSlice(other.slice);
    const isSame = other.oldest === window.oldest && other.newest === window.newest;
    return (
      isSame &&
      other.state === 'loaded' &&
      slice.order === 'desc' &&
      JSON.stringify(slice.clauses) === clausesText
    );
  });
}

/** Counts the logs that the case has of a window, by key; empty where it cannot have any. */
async function knownKeys(
  into: Case,
  { mayRepeat, exportState }: WindowedExport,
  { oldest, newest, slice }: StoredWindow,
): Promise<ReadonlyMap<string, number>> {
  // A window widened to whole seconds may share one with another window.
  const observed = readObserved(exportState.stored());
  const isWidened = timeStepOf(observed) !== 1;
  const isRepeated = mayRepeat || observed.repeats !== undefined;
  if (!isRepeated && !isWidened && slice === undefined) return new Map();
  return countKeys((await exportedLogs(into, { oldest, newest })).map(logKey));
}

function windowOf({ oldest, newest }: Window): Window {
  return { oldest, newest };
}

/** The reason of a window whose zips hold no entry at all. */
export const emptyZipReason = 'The zip holds no entry at all, which shows no logs and no absence of any';

/** The failure of a reply that lacks known logs. Undefined if there is none, or if the window is requested in another way. */
export function toIncompleteReplyError({
  verdict,
  changes,
}: Pick<Decision, 'verdict' | 'changes'>): ExportError | undefined {
  if (verdict.kind === 'lossy') {
    const lost = verdict.missing === 1 ? '1 log' : `${verdict.missing} logs`;
    return new ExportError('INCOMPLETE_REPLY', `The reply lacks ${lost} that came before`);
  }
  const isAskedAgain = (changes.windows ?? []).length > 0;
  if (verdict.kind !== 'bare' || isAskedAgain) return undefined;
  return new ExportError('INCOMPLETE_REPLY', emptyZipReason);
}

/** Options of a reply summary, with what the case knows before the zip is read. */
export interface ReplySummaryOptions {
  readonly window: Window;
  /** The requested times: those of the window, and of logs that a check expects. */
  readonly requested: Window;
  /** The filter that is applied to the logs here. */
  readonly residual: Filter | undefined;
  /** Number of logs of each key in the case. */
  readonly known: ReadonlyMap<string, number>;
  /** The resolution that the times of earlier replies have shown. */
  readonly resolution?: ObservedBehaviour['times'];
  /** True to collect the fingerprints of all logs. */
  readonly fingerprints: boolean;
  /** True to collect the keys of all logs. */
  readonly keys: boolean;
}

/** Summarises the logs of a zip one by one. `keep` returns whether to store a log in the case. */
export function startReplySummary({
  window,
  requested: asked,
  residual,
  known,
  resolution,
  fingerprints: prints,
  keys,
}: ReplySummaryOptions): {
  readonly keep: (record: LogRecord) => boolean;
  readonly summary: () => ReplySummary;
} {
  const left = new Map(known);
  const times: (number | undefined)[] = [];
  const keptTimes: (number | undefined)[] = [];
  const allPrints: number[] = [];
  const allKeys: string[] = [];
  let found = 0;

  function keep(record: LogRecord): boolean {
    const { time } = record.log;
    times.push(time);
    if (prints) allPrints.push(logFingerprint(record));
    if (time !== undefined && !containsTime(window, time)) return false;
    found += 1;
    if (residual && !match(residual, record.log)) return false;
    if (keys) allKeys.push(logKey(record));
    if (0 < left.size && isKnown(logKey(record))) return false;
    keptTimes.push(time);
    return true;
  }

  /** Each log that the case has takes the place of one that comes, not of all that are equal to it. */
  function isKnown(key: string): boolean {
    const count = left.get(key) ?? 0;
    if (count === 0) return false;
    left.set(key, count - 1);
    return true;
  }

  const summary = (): ReplySummary => {
    // A reply whose times are the first that are no whole seconds was requested with the margin of a second.
    const steps = [resolution, observeTimeStep(times, resolution).times].map((shown) =>
      timeStepOf({ times: shown }),
    );
    const around = reachOf(asked, Math.max(...steps));
    const outside = times.filter((time) => time !== undefined && !containsTime(around, time)).length;
    return {
      times,
      found,
      stored: keptTimes.length,
      storedTimes: keptTimes,
      outside,
      fingerprints: allPrints,
      keys: allKeys,
    };
  };
  return { keep, summary };
}

/** The possible times of logs of a reply: the request has a margin of a step, and times are rounded by as much. */
function reachOf({ oldest, newest }: Window, step: number): Window {
  const margin = step === 1 ? 1 : 2 * step;
  return { oldest: oldest - margin, newest: newest + margin };
}

const fields: readonly (keyof Log)[] = ['time', 'logCode', 'elapsed', ...textFields];

/** A text that is equal for two logs exactly if all their members are. */
export function logKey({ log, extra }: Pick<LogRecord, 'log' | 'extra'>): string {
  const values = fields.map((field) => textOfLarge(log[field]) ?? null);
  if (!extra) return JSON.stringify(values);
  return JSON.stringify([values, Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** JSON has no `bigint`, and no number is a text. */
function textOfLarge(value: Log[keyof Log]): string | number | undefined {
  return typeof value === 'bigint' ? String(value) : value;
}

/** A fingerprint of a log: 48 bits of its SHA-256. */
export function logFingerprint(record: Pick<LogRecord, 'log' | 'extra'>): number {
  return createHash('sha256').update(logKey(record)).digest().readUIntBE(0, 6);
}
