import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { Range } from '../../meaning/filter.ts';
import type { Case } from '../case/case.ts';
import { readRuns, type TokenRun, termsTable } from '../index-tables/runs.ts';
import { amongIds } from './among.ts';
import { bitsFor, idsBetween } from './bitmap.ts';
import { idsTo } from './ids-to.ts';
import { type Kept, keptOrMade } from './kept.ts';
import { type LogSet, setOfBits } from './log-set.ts';
import { loadTimes, type Times } from './times.ts';

/** What is known of the logs of a case as long as it does not change. */
export interface Snapshot {
  /** The number of the last action: whatever changes the logs notes one. */
  readonly lastAction: number;
  readonly runs: readonly TokenRun[];
  /** The logs of ids up to this are in the index. */
  readonly covered: number;
  /** The greatest id. */
  readonly lastId: number;
  readonly logs: number;
  /** The sets of logs that were asked for last, by what asked for them. */
  readonly sets: SetCache;
  /** What is made when it is first needed. */
  readonly existing: Kept<LogSet>;
  readonly times: Kept<Times | undefined> & {
    /** How often they were asked for. */
    questions: number;
  };
  readonly span: Kept<Span>;
  readonly starts: Kept<readonly number[]>;
  readonly follow: Kept<boolean>;
}

const snapshots = new WeakMap<Case, Snapshot>();

/** So many bytes of sets are remembered for each open case. */
const cacheBytes = 64 * 1024 * 1024;

/**
 * What is known of a case as a connection sees it, which has to be in one
 * transaction with whatever follows from it. Undefined where there is no index.
 */
export async function snapshotOf(of: Case, connection: DuckDBConnection): Promise<Snapshot | undefined> {
  const known = snapshots.get(of);
  // What is open for reading alone does not change.
  const isCurrent = known && (of.access === 'read' || known.lastAction === (await lastAction(connection)));
  const snapshot = isCurrent ? known : await readSnapshot(connection);
  if (!isCurrent) snapshots.set(of, snapshot);
  return snapshot.runs.length === 0 ? undefined : snapshot;
}

async function lastAction(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll(
    'SELECT coalesce(max(number), 0)::DOUBLE FROM stored.actions',
  );
  return Number(result.getRowsJS()[0]?.[0]);
}

const counts = v.tuple([v.number(), v.number()]);

async function readSnapshot(connection: DuckDBConnection): Promise<Snapshot> {
  const action = await lastAction(connection);
  const runs = await readRuns(connection);
  const result = await connection.runAndReadAll(
    'SELECT coalesce(max(id), 0)::DOUBLE, count(*)::DOUBLE FROM stored.logs',
  );
  const [lastId, logs] = v.parse(counts, result.getRowsJS()[0]);
  const covered = runs.at(-1)?.lastId ?? 0;
  const sets = setCache(Math.max(16, Math.floor((8 * cacheBytes) / bitsFor(lastId))));
  return {
    ...{ lastAction: action, runs, covered, lastId, logs, sets },
    ...{ existing: {}, times: { questions: 0 }, span: {}, starts: {}, follow: {} },
  };
}

/** The sets that were used last. */
export interface SetCache {
  readonly get: (key: string) => LogSet | undefined;
  readonly set: (key: string, logs: LogSet) => void;
  readonly clear: () => void;
}

function setCache(most: number): SetCache {
  const sets = new Map<string, LogSet>();
  return {
    get(key) {
      const found = sets.get(key);
      if (found) {
        sets.delete(key);
        sets.set(key, found);
      }
      return found;
    },
    set(key, logs) {
      for (const oldest of sets.keys()) {
        if (sets.size < most) break;
        sets.delete(oldest);
      }
      sets.set(key, logs);
    },
    clear: () => sets.clear(),
  };
}

/** Forgets the sets that were asked for, so that the next search takes the time of a first one. */
export function forgetSets(of: Case): void {
  snapshots.get(of)?.sets.clear();
}

/** The ids that there are. */
export function existing(snapshot: Snapshot, connection: DuckDBConnection): Promise<LogSet> {
  return keptOrMade(snapshot.existing, () => findExisting(snapshot, connection));
}

async function findExisting({ lastId, logs }: Snapshot, connection: DuckDBConnection): Promise<LogSet> {
  const bits = bitsFor(lastId);
  if (logs === lastId) return setOfBits(idsBetween(1, lastId, bits));
  return setOfBits(await idsTo(connection, { sql: 'SELECT id FROM stored.logs', parameters: [], bits }));
}

/**
 * The numbers of the rows of logs that there are. Rows far from each other are
 * found by them in a third of the time, even where they have to be asked for.
 */
export async function rowsOf(
  ids: readonly number[],
  snapshot: Snapshot,
  connection: DuckDBConnection,
): Promise<readonly number[]> {
  if (await rowsFollowIds(snapshot, connection)) return ids.map((id) => id - 1);
  const found = await connection.runAndReadAll(
    `SELECT rowid::DOUBLE FROM stored.logs WHERE ${amongIds(ids)}`,
  );
  return found.getRowsJS().map(([row]) => Number(row));
}

/** Whether the rows have the numbers that their ids have, less one: they were added one after the other, and none was taken out. */
async function rowsFollowIds(
  { follow, logs, lastId }: Snapshot,
  connection: DuckDBConnection,
): Promise<boolean> {
  if (logs !== lastId) return false;
  return keptOrMade(follow, async () => {
    const sql = 'SELECT count(*) = 0 FROM stored.logs WHERE rowid <> id - 1';
    return (await connection.runAndReadAll(sql)).getRowsJS()[0]?.[0] === true;
  });
}

/** So often the database is asked instead: one question alone is answered sooner without the times of all logs. */
const fewQuestions = 3;

/** The times of the logs, once they are worth loading; undefined before, and when there are too many to hold them. */
export async function timesOf(
  { times, lastId }: Snapshot,
  connection: DuckDBConnection,
): Promise<Times | undefined> {
  times.questions += 1;
  if (times.questions <= fewQuestions) return undefined;
  return keptOrMade(times, () => loadTimes(connection, lastId));
}

/** The ids at which slices of the index begin, in any order; hardly one is missing. */
export function sliceStarts(
  { starts, runs }: Snapshot,
  connection: DuckDBConnection,
): Promise<readonly number[]> {
  return keptOrMade(starts, () => readStarts(runs, connection));
}

/** Of the terms of a slice about one in 256 has a hash below this: asking all of them takes ten times as long. */
const fewHashes = 2 ** 24;

async function readStarts(
  runs: readonly TokenRun[],
  connection: DuckDBConnection,
): Promise<readonly number[]> {
  const selects = runs.map(({ run }) => `SELECT first FROM ${termsTable(run)} WHERE hash < ${fewHashes}`);
  const result = await connection.runAndReadAll(
    `SELECT DISTINCT first::DOUBLE FROM (${selects.join(' UNION ALL ')})`,
  );
  return result.getRowsJS().map(([first]) => Number(first));
}

/** Whether a range has no more than a quarter of the time that the logs take: then looking through those of that time is quickest. */
export async function isNarrow(
  snapshot: Snapshot,
  connection: DuckDBConnection,
  { lower, upper }: Range,
): Promise<boolean> {
  const { first, last } = await keptOrMade(snapshot.span, () => readSpan(connection));
  const [from, to] = [Number(lower?.value ?? first), Number(upper?.value ?? last)];
  return 4 * (Math.min(to, last) - Math.max(from, first)) <= last - first;
}

interface Span {
  readonly first: number;
  readonly last: number;
}

async function readSpan(connection: DuckDBConnection): Promise<Span> {
  const result = await connection.runAndReadAll(
    'SELECT coalesce(epoch_ms(min("time")), 0)::DOUBLE, coalesce(epoch_ms(max("time")), 0)::DOUBLE FROM stored.logs',
  );
  const [first, last] = v.parse(counts, result.getRowsJS()[0]);
  return { first, last };
}
