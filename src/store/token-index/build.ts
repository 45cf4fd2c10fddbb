import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { type Case, readCaseSnapshot, writeToCase } from '../case/case.ts';
import { recordAction } from '../chain/actions.ts';
import { interruptOn } from '../database/interrupt-on.ts';
import { StoreError } from '../database/store-error.ts';
import { indexedFields } from '../index-tables/indexed-fields.ts';
import { makeRun } from '../index-tables/make-run.ts';
import { dropRunsFrom, readRuns, type TokenRun } from '../index-tables/runs.ts';
import { type IndexSlice, maxSliceIds } from '../index-tables/slices.ts';

/** Options of `buildIndex`. */
export interface IndexOptions {
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Stops building: finished runs stay, the current one is rolled back. */
  readonly signal?: AbortSignal;
  /** Approximate bytes of tokens in a run; a sixteenth of it is grouped by terms at a time. */
  readonly runBytes?: number;
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
  readonly runs: number;
}

/** Some million logs: few runs are searched quickly. */
const usualRunBytes = 768 * 1024 * 1024;

/** Approximate number of slices in a run. Grouping a usual slice of 48 MB fits into the memory of the database. */
const slicesOfRun = 16;

/** A last run with fewer bytes of tokens than this share of a run is built again together with later logs. */
const smallRun = 1 / 16;

/** Below this size, a run fits into memory even if every token is another term. */
const leastRunBytes = 32 * 1024 * 1024;

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
    const runs = await readRuns(connection);
    const result = await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM stored.logs');
    return { ...sumOf(runs), logs: Number(result.getRowsJS()[0]?.[0]) };
  });
}

function sumOf(runs: readonly TokenRun[]) {
  const sum = (of: (run: TokenRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  return { indexed: sum(({ logs }) => logs), tokens: sum(({ tokens }) => tokens), runs: runs.length };
}

/**
 * Extends the token index of a case to all its logs. It is built in runs, each in a transaction of its own; a
 * small last run is built again together with later logs.
 *
 * Rejects with the signal's reason, or a `StoreError`: `READ_ONLY`, `STORE_FAILED`.
 *
 * ```ts
 * const { logs, indexed } = await buildIndex(incident);
 * ```
 */
export async function buildIndex(into: Case, options: IndexOptions = {}): Promise<IndexState> {
  for (let runBytes = options.runBytes ?? usualRunBytes; ; runBytes /= 4) {
    try {
      await buildRuns(into, { ...options, runBytes });
      return await indexState(into);
    } catch (error) {
      // Many terms that occur in one log only take more memory than their bytes.
      if (!isOutOfMemory(error) || runBytes < leastRunBytes) throw error;
    }
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof StoreError && /Out of Memory/.test(error.message);
}

async function buildRuns(
  into: Case,
  { onProgress, signal, runBytes }: IndexOptions & { readonly runBytes: number },
): Promise<void> {
  const { logs: total } = await indexState(into);
  for (const slices of await planRuns(into, runBytes)) {
    signal?.throwIfAborted();
    const done = await writeToCase(into, (connection) => buildRun(connection, slices, signal));
    if (done === undefined) break;
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
    await dropRunsFrom(connection, 0);
    await recordAction(connection, 'remove index', {});
  });
}

/** Slices end at multiples of this many bits of the id. */
const blockBits = 11;

const blocks = v.array(v.tuple([v.number(), v.number()]));

/** Plans the slices of missing runs, including a small last run. */
function planRuns(of: Case, runBytes: number): Promise<readonly (readonly IndexSlice[])[]> {
  return readCaseSnapshot(of, async (connection) => {
    const runs = await readRuns(connection);
    if ((await firstMissing(connection, runs)) === undefined) return [];
    const last = runs.at(-1);
    const isSmall = last && last.tokens * tokenBytes < runBytes * smallRun;
    const firstId = isSmall ? last.firstId : (last?.lastId ?? 0) + 1;
    const bytes = indexedFields.map((field) => `coalesce(strlen("${field}_tokens"), 0)`).join(' + ');
    const found = await connection.runAndReadAll(
      `SELECT max(id)::DOUBLE, sum(${bytes})::DOUBLE FROM stored.logs WHERE id BETWEEN $1::BIGINT AND ${lastIndexedId}
       GROUP BY id >> ${blockBits} ORDER BY 1`,
      [firstId],
    );
    return toRuns(toSlices(v.parse(blocks, found.getRowsJS()), firstId, runBytes / slicesOfRun), runBytes);
  });
}

/** Approximate bytes of a token with its blank. */
const tokenBytes = 8;

/** Returns the first id that is in no run. */
async function firstMissing(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
): Promise<number | undefined> {
  const result = await connection.runAndReadAll(
    `SELECT min(id)::DOUBLE FROM stored.logs WHERE id > $1::BIGINT AND id <= ${lastIndexedId}`,
    [runs.at(-1)?.lastId ?? 0],
  );
  const first = result.getRowsJS()[0]?.[0];
  return typeof first === 'number' ? first : undefined;
}

interface SizedSlice extends IndexSlice {
  readonly bytes: number;
}

/** Merges consecutive blocks into slices of at least this many bytes. */
function toSlices(
  found: readonly (readonly [lastId: number, bytes: number])[],
  firstId: number,
  sliceBytes: number,
): readonly SizedSlice[] {
  const slices: SizedSlice[] = [];
  let [first, sum] = [firstId, 0];
  for (const [index, [lastId, bytes]] of found.entries()) {
    sum += bytes;
    const [nextId = Number.POSITIVE_INFINITY] = found[index + 1] ?? [];
    if (sum < sliceBytes && nextId - first < maxSliceIds) continue;
    slices.push({ firstId: first, lastId, bytes: sum });
    [first, sum] = [lastId + 1, 0];
  }
  return slices;
}

function toRuns(slices: readonly SizedSlice[], runBytes: number): readonly (readonly IndexSlice[])[] {
  const runs: IndexSlice[][] = [[]];
  let sum = 0;
  for (const slice of slices) {
    if (runBytes <= sum) {
      runs.push([]);
      sum = 0;
    }
    runs.at(-1)?.push(slice);
    sum += slice.bytes;
  }
  return runs;
}

/**
 * Builds a run in a transaction. Returns the number of indexed logs after it; undefined if the case has changed
 * so that the run does not fit any more.
 */
async function buildRun(
  connection: DuckDBConnection,
  slices: readonly IndexSlice[],
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const next = slices[0]?.firstId ?? 0;
  await dropRunsFrom(connection, next);
  const before = await readRuns(connection);
  if ((before.at(-1)?.lastId ?? 0) + 1 !== next) return undefined;
  const run = 1 + Math.max(0, ...before.map((each) => each.run));
  const release = interruptOn(connection, signal);
  try {
    const { firstId, lastId, logs, tokens } = await makeRun(connection, run, slices);
    await recordAction(connection, 'index logs', { firstId, lastId, logs, tokens });
    return sumOf(before).indexed + logs;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    release();
  }
}
