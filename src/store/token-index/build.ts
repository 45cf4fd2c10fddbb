import type { DuckDBConnection } from '@duckdb/node-api';
import { type Case, hasIndexTables, readCaseSnapshot, writeToCase } from '../case/case.ts';
import { recordAction } from '../chain/actions.ts';
import { interruptOn } from '../database/interrupt-on.ts';
import { dropIdIndex, makeIdIndex } from '../segments/id-index.ts';
import { indexLogs } from '../segments/index-logs.ts';
import {
  dropSegmentsFrom,
  readSegments,
  type Segment,
  unlessDamaged,
  writeSegment,
} from '../segments/stored-segments.ts';

/** Options of `buildIndex`. */
export interface IndexOptions {
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Stops building: finished segments stay, the current one is rolled back. */
  readonly signal?: AbortSignal;
  /** Memory that a segment takes while it is made, about. */
  readonly segmentBytes?: number;
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
    const segments = hasIndexTables(of) ? await soundSegments(connection) : [];
    return { ...sumOf(segments), logs: await numberOf(connection, 'SELECT count(*) FROM stored.logs') };
  });
}

/** Reads the segments of a case; none if the list is damaged, so that all are made anew. */
async function soundSegments(connection: DuckDBConnection): Promise<readonly Segment[]> {
  return (await unlessDamaged(() => readSegments(connection))) ?? [];
}

function sumOf(segments: readonly Segment[]) {
  const sum = (of: (segment: Segment) => number) => segments.reduce((total, each) => total + of(each), 0);
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
  const { onProgress, signal, segmentBytes = usualSegmentBytes } = options;
  const { logs: total } = await indexState(into);
  signal?.throwIfAborted();
  if (0 < total) await writeToCase(into, makeIdIndex);
  for (let isFirst = true; ; isFirst = false) {
    signal?.throwIfAborted();
    const done = await writeToCase(into, (connection) =>
      addSegment(connection, { segmentBytes, signal, mayGrow: isFirst }),
    );
    if (done === undefined) return await indexState(into);
    onProgress?.({ done, total });
  }
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

interface SegmentOptions {
  readonly segmentBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Makes a small last segment anew. */
  readonly mayGrow: boolean;
}

/**
 * Adds a segment of the first logs that have none, in the transaction of the caller. Returns the number of indexed
 * logs after it; undefined if all are.
 */
async function addSegment(
  connection: DuckDBConnection,
  { segmentBytes, signal, mayGrow }: SegmentOptions,
): Promise<number | undefined> {
  const all = await soundSegments(connection);
  const covered = all.at(-1)?.lastId ?? 0;
  const lastId = await numberOf(
    connection,
    `SELECT coalesce(max(id), 0) FROM stored.logs WHERE id <= ${lastIndexedId}`,
  );
  if (lastId <= covered) return undefined;
  const kept = mayGrow && isSmall(all, segmentBytes) ? all.slice(0, -1) : all;
  const firstId = (kept.at(-1)?.lastId ?? 0) + 1;
  const segment = 1 + Math.max(0, ...all.map((each) => each.segment));
  const release = interruptOn(connection, signal);
  try {
    const made = await indexLogs(connection, { firstId, lastId }, segmentBytes);
    await dropSegmentsFrom(connection, firstId);
    const facts = { firstId, lastId: made.lastId, logs: made.logs };
    await writeSegment(connection, { segment, ...facts }, made.fields);
    const tokens = made.fields.reduce((sum, field) => sum + field.tokens, 0);
    await recordAction(connection, 'index logs', { ...facts, tokens });
    return sumOf(kept).indexed + made.logs;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
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
