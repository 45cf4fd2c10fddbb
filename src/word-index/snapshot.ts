import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { RangeFilter } from '../language/index.ts';
import { selectIds } from './log-conditions.ts';
import { bitsFor, idsBetween, type LogSet, setOfBits } from './log-set.ts';
import { type FieldValues, loadFieldValues, loadTimes, type Times } from './log-values.ts';
import type { IndexReader } from './look-up.ts';
import { PageCache, readSegments, type Segment, unlessDamaged } from './stored-segments.ts';

/** Cached facts about logs and their index, valid until they change. */
export interface Snapshot {
  readonly segments: readonly Segment[];
  readonly pages: PageCache;
  /** Ids up to this one are indexed. */
  readonly covered: number;
  /** The greatest id. */
  readonly lastId: number;
  readonly logs: number;
  /** Recently used sets of logs, by filter. */
  readonly sets: SetCache;
  /** Made on first use. */
  readonly existing: Lazy<LogSet>;
  readonly times: CountedLazy<Times | undefined>;
  /** By the SQL expression of a value. */
  readonly values: Map<string, CountedLazy<FieldValues | undefined>>;
  readonly span: Lazy<Span>;
}

/** A cache for a value that is made once making it pays. */
interface CountedLazy<T> extends Lazy<T> {
  /** Number of requests so far. */
  requests: number;
}

/** Bytes of cached sets, and minimum bytes of cached pages of the index. */
const cacheBytes = 64 * 1024 * 1024;

/** Bytes of cached pages for a log of a large case: a phrase of frequent words reads up to four. */
const pageBytesOfLog = 5;

const counts = v.tuple([v.number(), v.number()]);

/** Reads the state of the index that a connection sees; without an index it has no segments. */
export async function readSnapshot(connection: DuckDBConnection): Promise<Snapshot> {
  const segments = (await unlessDamaged(() => readSegments(connection))) ?? [];
  const result = await connection.runAndReadAll(
    'SELECT coalesce(max(id), 0)::DOUBLE, count(*)::DOUBLE FROM stored.logs',
  );
  const [lastId, logs] = v.parse(counts, result.getRowsJS()[0]);
  const covered = segments.at(-1)?.lastId ?? 0;
  const sets = setCache(Math.max(16, Math.floor((8 * cacheBytes) / bitsFor(lastId))));
  const pages = new PageCache(Math.max(cacheBytes, pageBytesOfLog * lastId));
  return {
    segments,
    pages,
    covered,
    lastId,
    logs,
    sets,
    existing: {},
    times: { requests: 0 },
    values: new Map(),
    span: {},
  };
}

/** Returns what searches read of the index, by a connection that sees the state of the snapshot. */
export function readerOf({ segments, pages }: Snapshot, connection: DuckDBConnection): IndexReader {
  return { connection, segments, cache: pages };
}

/** A least-recently-used cache of sets. */
export interface SetCache {
  readonly get: (key: string) => LogSet | undefined;
  readonly set: (key: string, logs: LogSet) => void;
  readonly clear: () => void;
}

function setCache(max: number): SetCache {
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
        if (sets.size < max) break;
        sets.delete(oldest);
      }
      sets.set(key, logs);
    },
    clear: () => sets.clear(),
  };
}

/** Returns the set of all ids. */
export function existingIds(snapshot: Snapshot, connection: DuckDBConnection): Promise<LogSet> {
  return getOrMake(snapshot.existing, () => findExisting(snapshot, connection));
}

async function findExisting({ lastId, logs }: Snapshot, connection: DuckDBConnection): Promise<LogSet> {
  const bits = bitsFor(lastId);
  if (logs === lastId) return setOfBits(idsBetween(1, lastId, bits));
  return setOfBits(await selectIds(connection, { sql: 'SELECT id FROM stored.logs', parameters: [], bits }));
}

/** Number of requests answered by the database: a single one is faster without a column of all logs. */
const minRequests = 3;

/** Above this number, the database sorts and counts: the times would take 120 MB, the values of a field 30 MB. */
const maxIds = 30_000_000;

/** Returns the times of the logs once loading them pays; undefined before, and if there are too many. */
export async function timesOf(
  { times, lastId }: Snapshot,
  connection: DuckDBConnection,
): Promise<Times | undefined> {
  times.requests += 1;
  if (times.requests <= minRequests || maxIds < lastId) return undefined;
  return getOrMake(times, () => loadTimes(connection, lastId));
}

/**
 * Returns the values of an SQL expression by log once loading them pays; undefined before, and if there are too many
 * logs or values.
 */
export async function fieldValuesOf(
  { values, lastId }: Snapshot,
  connection: DuckDBConnection,
  value: string,
): Promise<FieldValues | undefined> {
  const cached = values.get(value) ?? { requests: 0 };
  values.set(value, cached);
  cached.requests += 1;
  if (cached.requests <= minRequests || maxIds < lastId) return undefined;
  return getOrMake(cached, () => loadFieldValues(connection, value, lastId));
}

/** Reports if a range spans at most a quarter of the time of all logs: then scanning the logs in it is fastest. */
export async function isNarrowRange(
  snapshot: Snapshot,
  connection: DuckDBConnection,
  { lower, upper }: RangeFilter,
): Promise<boolean> {
  const { first, last } = await getOrMake(snapshot.span, () => readSpan(connection));
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

/** Cache for a value that is made on first use. */
interface Lazy<T> {
  promise?: Promise<T>;
}

/**
 * Returns the cached value, or makes it. A failure is not cached: the search that started it may have been
 * interrupted, which does not concern others.
 */
export async function getOrMake<T>(cache: Lazy<T>, make: () => Promise<T>): Promise<T> {
  for (let pending = cache.promise; pending; pending = cache.promise) {
    try {
      return await pending;
    } catch {
      if (cache.promise === pending) delete cache.promise;
    }
  }
  cache.promise = make();
  return cache.promise;
}
