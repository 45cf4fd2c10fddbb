import { existsSync } from 'node:fs';
import type { Log } from '../../records/log.ts';
import type { LogRecord } from '../../records/record.ts';
import type {
  ExportChanges,
  Part,
  ReadWindow,
  StoredExport,
  StoredLog,
  StoredWindow,
} from '../../store/index.ts';
import { addWindow, exportedLogs, nearestTime } from '../../store/index.ts';
import { maxAttempts } from './attempts.ts';
import type { Bringing } from './bringing.ts';
import { askedTimes, readExpected } from './expected.ts';
import { incompleteReply } from './incomplete-reply.ts';
import { readLearnt } from './learnt.ts';
import { logKey } from './log-key.ts';
import { windowNews } from './progress.ts';
import { largestReply } from './reply-size.ts';
import { stepOf } from './resolution.ts';
import { type Reply, type Settlement, settle } from './settle.ts';
import { mostFiltered, readSlice, seenValues } from './slice.ts';
import { countKeys, openSurvey, type Survey } from './survey.ts';
import type { Window } from './window.ts';

/**
 * Reads the zip of a window and loads what is to be in the case of it, in the
 * transaction that notes what became of the window. Undefined when the zip is
 * not where it was, or not what was downloaded.
 */
export async function loadWindow(
  bringing: Bringing,
  { window, path }: { readonly window: StoredWindow; readonly path: string },
): Promise<Settlement | undefined> {
  if (!existsSync(path)) return undefined;
  const { into, ledger, order, signal, onProgress } = bringing;
  const reading = await openReading(bringing, window);
  let settlement: Settlement | undefined;
  await addWindow(into, path, {
    job: window.job ?? '',
    keep: reading.keep,
    zone: order.zone,
    signal,
    settle: (read) => {
      if (order.zone === undefined && read.parts.some(hasAssumedTimes))
        onProgress({ event: 'trouble', window: window.window, message: assumedTimes });
      const isOther = window.sha256 !== undefined && window.sha256 !== read.sha256;
      if (isOther) return undefined;
      settlement = settle(replyOf(bringing, reading, read));
      if (!settlement.isLoaded) return undefined;
      const { changes, only } = settlement;
      // From here on nobody else may change the windows that this changes.
      ledger.take(changes);
      return { changes, ...(only && { only }) };
    },
  });
  if (!settlement) return undefined;
  const fault = incompleteReply(settlement);
  if (fault) throw fault;
  const { changes, isLoaded } = settlement;
  if (!isLoaded) await ledger.note(() => joined(changes, ledger.kept()));
  for (const each of changes.windows ?? []) onProgress(windowNews(each));
  return settlement;
}

function hasAssumedTimes({ remarks }: Part): boolean {
  return remarks.some(({ code }) => code === 'NO_ZONE');
}

const assumedTimes = 'The times of its logs name no zone and are read as UTC: "--zone" names another one';

/** What is seen of the records of a window while they are read, and what the case has beside them. */
interface WindowReading {
  readonly window: StoredWindow;
  readonly keep: (record: LogRecord) => boolean;
  readonly survey: () => Survey;
  /** The time of a log of this export near the window, where its zip may turn out to hold no entry. */
  readonly knownTime: number | undefined;
  readonly sister: StoredWindow | undefined;
  readonly sisterLogs: readonly StoredLog[];
  /** The logs of a slice in ascending order, of others none. */
  readonly own: readonly Log[];
}

async function openReading(bringing: Bringing, window: StoredWindow): Promise<WindowReading> {
  const { into, ledger, asking } = bringing;
  const keys = readSlice(window.slice).order === 'asc';
  const expected = readExpected(window.expected);
  const prints =
    expected.some(({ kind }) => kind === 'exact') || readLearnt(ledger.kept()).order === undefined;
  const known = await knownKeys(bringing, window);
  // All logs have to be looked at for this: only a window that has come to nothing before is worth it.
  const knownTime =
    window.attempts === 0
      ? undefined
      : await nearestTime(into, { export: window.export, ...windowOf(window) });
  const sister = keys ? sisterOf(window, ledger.windows()) : undefined;
  const sisterLogs = sister ? await exportedLogs(into, { ...windowOf(window), job: sister.job }) : [];
  const { residual } = asking;
  const resolution = readLearnt(ledger.kept()).times;
  const { keep, survey } = openSurvey({
    ...{ window, asked: askedTimes(window, expected), residual, known, resolution, prints, keys },
  });
  const own: Log[] = [];
  const keepOwn = (record: LogRecord) => {
    if (keys) own.push(record.log);
    return keep(record);
  };
  return { window, keep: keepOwn, survey, knownTime, sister, sisterLogs, own };
}

/** What was read, with what is known beside it at this moment. */
function replyOf(
  { ledger, order, client, isActive }: Bringing,
  { window, survey, knownTime, sister, sisterLogs, own }: WindowReading,
  read: ReadWindow,
): Reply {
  const idle = ledger.windows().filter((each) => !isActive(each.window));
  return {
    ...{ window, read, sister, knownTime, num: order.request.num },
    largest: largestReply(ledger.windows()),
    mayRetry: window.attempts + 1 < maxAttempts,
    sisterKeys: sisterLogs.map(logKey),
    kept: ledger.kept(),
    survey: survey(),
    seen: seenValues([...own, ...sisterLogs.map(({ log }) => log)]),
    below: belowOf(window, idle),
    canNarrow: order.via === 'search' || order.request.searchQuery === undefined,
    nextNumber: ledger.reserve(newWindows),
    now: client.clock.now(),
  };
}

/** Changes with what was learnt since they were made. */
function joined(changes: ExportChanges, kept: StoredExport): ExportChanges {
  if (!changes.export) return changes;
  const learnt = { ...kept.learnt, ...changes.export.learnt };
  // Whoever has seen a reason for distrust is right.
  const order = kept.learnt.order === 'untrusted' && { order: 'untrusted' };
  const times = kept.learnt.times === 'milliseconds' && { times: 'milliseconds' };
  return { ...changes, export: { ...kept, learnt: { ...learnt, ...order, ...times } } };
}

/** A reply leads to this many new windows at most: a slice for each value of a field, and one for all others. */
const newWindows = mostFiltered + 2;

/** The planned window just below another one. */
function belowOf(
  { oldest, slice }: StoredWindow,
  windows: readonly StoredWindow[],
): StoredWindow | undefined {
  if (slice !== undefined) return undefined;
  return windows.find(
    (each) => each.newest === oldest - 1 && each.state === 'planned' && each.slice === undefined,
  );
}

/** The window of the same logs in descending order. */
function sisterOf(window: StoredWindow, windows: readonly StoredWindow[]): StoredWindow | undefined {
  const { clauses } = readSlice(window.slice);
  const wanted = JSON.stringify(clauses);
  return windows.find((each) => {
    const slice = readSlice(each.slice);
    const isSame = each.oldest === window.oldest && each.newest === window.newest;
    return (
      isSame && each.state === 'loaded' && slice.order === 'desc' && JSON.stringify(slice.clauses) === wanted
    );
  });
}

/** How often the case has each log of the times of a window, where it can have any. */
async function knownKeys(
  { into, mayRepeat, ledger }: Bringing,
  { oldest, newest, slice }: StoredWindow,
): Promise<ReadonlyMap<string, number>> {
  // A window that was widened to whole seconds may share one with another.
  const isWidened = stepOf(readLearnt(ledger.kept())) !== 1;
  if (!mayRepeat && !isWidened && slice === undefined) return new Map();
  return countKeys((await exportedLogs(into, { oldest, newest })).map(logKey));
}

function windowOf({ oldest, newest }: Window): Window {
  return { oldest, newest };
}
