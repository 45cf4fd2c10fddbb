import type { DuckDBConnection } from '@duckdb/node-api';
import { interruptOn, withLowMemory } from '../../database/index.ts';
import {
  type CollectedSegment,
  collectSegments,
  dropIdIndex,
  dropSegmentsFrom,
  makeIdIndex,
  readSegments,
  readTexts,
  type Segment,
  tokensOf,
  unlessDamaged,
  usualThreads,
  writeSegment,
} from '../../word-index/index.ts';
import { type Case, readCase, readCaseSnapshot, writeInSteps, writeToCase } from '../file/case.ts';
import { recordAction } from '../file/chain.ts';
import type { WriteStep } from '../file/transaction.ts';

/** Options of `buildIndex`. */
export interface IndexOptions {
  /** Called after each segment; a promise is waited for. */
  readonly onProgress?: (progress: IndexProgress) => unknown;
  /** Stops building: finished segments stay, the current one is rolled back. */
  readonly signal?: AbortSignal;
  /** Memory that a segment takes while it is made, about. */
  readonly segmentBytes?: number;
  /**
   * Threads beside the calling one, at most two: the second makes the next segment while one is written, and takes
   * memory for it. Default: by the processors and the number of logs. The index is the same.
   */
  readonly threads?: number;
  /**
   * True if the process asks nothing else of the case meanwhile: the database keeps to 128 MB instead of 340 MB, which
   * would be too little for some SQL.
   */
  readonly isAlone?: boolean;
}

/** Progress of building an index. */
export interface IndexProgress {
  /** Logs that are indexed. */
  readonly done: number;
  /** Logs of the case. */
  readonly total: number;
}

/** Coverage of the index of a case. */
export interface IndexState {
  /** Logs of the case. */
  readonly logs: number;
  /** Logs in the index; the others are scanned. */
  readonly indexed: number;
  readonly tokens: number;
  readonly segments: number;
}

/** Memory that a segment takes while it is made. Fewer segments are searched sooner. */
const usualSegmentBytes = 160 * 1024 * 1024;

/** A last segment with fewer bytes than this share of a usual one is made anew together with later logs. */
const smallSegment = 1 / 8;

/** Greater ids do not fit into a set of bits; no case comes close. */
const lastIndexedId = 2 ** 27;

/**
 * Returns the coverage of the index of a case.
 *
 * ```ts
 * const { logs, indexed } = await indexState(incident);
 * if (indexed < logs) await buildIndex(incident);
 * ```
 */
export function indexState(of: Case): Promise<IndexState> {
  return readCaseSnapshot(of, async (connection) => {
    const segments = await soundSegments(connection);
    return { ...sumOf(segments), logs: await numberOf(connection, 'SELECT count(*) FROM stored.logs') };
  });
}

/** Reads the segments of a case; none if the list is damaged, so that all are made anew. */
async function soundSegments(connection: DuckDBConnection): Promise<readonly Segment[]> {
  return (await unlessDamaged(() => readSegments(connection))) ?? [];
}

function sumOf(segments: readonly Segment[]) {
  const sum = (of: (segment: Segment) => number) =>
    segments.reduce((total, segment) => total + of(segment), 0);
  return { indexed: sum(({ logs }) => logs), tokens: sum(({ tokens }) => tokens), segments: segments.length };
}

/**
 * Extends the token index of a case to all its logs. It is built in segments, each in a transaction of its own;
 * a small last segment is made anew together with later logs.
 *
 * Rejects with the signal's reason, or a `StoreError`: `READ_ONLY`, `STORE_FAILED`.
 *
 * ```ts
 * const { logs, indexed } = await buildIndex(incident);
 * ```
 */
export async function buildIndex(into: Case, options: IndexOptions = {}): Promise<IndexState> {
  const { signal } = options;
  const { logs } = await indexState(into);
  signal?.throwIfAborted();
  if (0 < logs) await writeToCase(into, makeIdIndex);
  await writeInSteps(into, (step) =>
    readCase(into, (reader) => {
      const addMissing = async () => {
        const missing = await findMissing(reader, options.segmentBytes ?? usualSegmentBytes);
        if (missing) await addSegments({ reader, step, missing }, options);
      };
      return options.isAlone ? withLowMemory(reader, addMissing) : addMissing();
    }),
  );
  return await indexState(into);
}

/**
 * Removes the index of a case.
 *
 * ```ts
 * await removeIndex(incident);
 * ```
 */
export function removeIndex(from: Case): Promise<void> {
  return writeToCase(from, async (connection) => {
    await dropSegmentsFrom(connection, 0);
    await dropIdIndex(connection);
    await recordAction(connection, 'remove index', {});
  });
}

/** Logs that the index of a case lacks. */
interface Missing {
  readonly firstId: number;
  readonly lastId: number;
  /** Number of the next segment. */
  readonly segment: number;
  /** Logs before the first id, which are indexed, and of the case. */
  readonly done: number;
  readonly total: number;
}

/** Finds what the index lacks, with the logs of a small last segment; undefined if it has all logs. */
async function findMissing(connection: DuckDBConnection, segmentBytes: number): Promise<Missing | undefined> {
  const all = await soundSegments(connection);
  const lastId = await numberOf(
    connection,
    `SELECT coalesce(max(id), 0) FROM stored.logs WHERE id <= ${lastIndexedId}`,
  );
  if (lastId <= (all.at(-1)?.lastId ?? 0)) return undefined;
  const kept = isSmall(all, segmentBytes) ? all.slice(0, -1) : all;
  return {
    firstId: (kept.at(-1)?.lastId ?? 0) + 1,
    lastId,
    segment: 1 + Math.max(0, ...all.map((segment) => segment.segment)),
    done: sumOf(kept).indexed,
    total: await numberOf(connection, 'SELECT count(*) FROM stored.logs'),
  };
}

interface Building {
  /** Connection that reads the logs, while steps write. */
  readonly reader: DuckDBConnection;
  readonly step: WriteStep;
  readonly missing: Missing;
}

/** Adds segments of all logs that have none, each in a transaction of its own. */
async function addSegments(
  { reader, step, missing }: Building,
  { onProgress, signal, segmentBytes = usualSegmentBytes, threads }: IndexOptions,
): Promise<void> {
  let { segment, done } = missing;
  const release = interruptOn(reader, signal);
  try {
    const options = { maxBytes: segmentBytes, threads: threads ?? usualThreads(missing.total - done) };
    for await (const collected of collectSegments(readTexts(reader, missing), { ...missing, ...options })) {
      signal?.throwIfAborted();
      done += await step((connection) => addSegment(connection, { segment, collected, signal }));
      segment++;
      await onProgress?.({ done, total: missing.total });
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    release();
  }
}

interface AddedSegment {
  readonly segment: number;
  readonly collected: CollectedSegment;
  readonly signal: AbortSignal | undefined;
}

/** Adds a segment in the transaction of the caller, in place of those of the same logs. Returns the number of its logs. */
async function addSegment(
  connection: DuckDBConnection,
  { segment, collected, signal }: AddedSegment,
): Promise<number> {
  const release = interruptOn(connection, signal);
  try {
    const { firstId } = collected;
    await dropSegmentsFrom(connection, firstId);
    const facts = await writeSegment(connection, { segment, collected });
    const { lastId, logs } = facts;
    await recordAction(connection, 'index logs', { firstId, lastId, logs, tokens: tokensOf(facts) });
    return logs;
  } finally {
    release();
  }
}

/** Reports if the last segment is far from a full one. */
function isSmall(segments: readonly Segment[], segmentBytes: number): boolean {
  const last = segments.at(-1)?.fields.at(-1);
  return last !== undefined && last.positions.at + last.positions.length < smallSegment * segmentBytes;
}

async function numberOf(connection: DuckDBConnection, sql: string): Promise<number> {
  const result = await connection.runAndReadAll(`SELECT (${sql})::DOUBLE`);
  return Number(result.getRowsJS()[0]?.[0]);
}
