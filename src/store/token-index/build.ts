import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { noteAction } from '../actions.ts';
import { type Case, reading, writing } from '../case.ts';
import { indexedFields } from './indexed-fields.ts';
import { termHashSql } from './look-up.ts';
import { dropRunsFrom, postingsTable, readRuns, type TokenRun, termsTable } from './runs.ts';
import { makeSets } from './sets.ts';

/** How an index is built. */
export interface IndexOptions {
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Ends the building: finished runs stay, the one under way leaves nothing. */
  readonly signal?: AbortSignal;
  /** So many bytes of tokens make a run, about: the default keeps its building within the memory of the database. */
  readonly runBytes?: number;
}

/** How far the building of an index has come. */
export interface IndexProgress {
  /** Logs that are indexed by now. */
  readonly done: number;
  /** Logs of the case. */
  readonly total: number;
}

/** What the index of a case covers. */
export interface IndexState {
  /** Logs of the case. */
  readonly logs: number;
  /** Those of them that are in the index; the others are looked through one by one. */
  readonly indexed: number;
  readonly tokens: number;
  readonly runs: number;
}

/** Sorting the tokens of so many bytes takes most of the 600 MB that the database has: some million logs. */
const usualRunBytes = 128 * 1024 * 1024;

/** Ids from here on fit in no set of bits; no case is near it. */
const lastIndexedId = 2 ** 27;

/** What the index of a case covers. */
export function indexState(of: Case): Promise<IndexState> {
  return reading(of, async (connection) => {
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
 * Brings the index of the tokens of a case up to all of its logs. It is built
 * in runs, each in a transaction of its own; a last run that is not full is
 * built anew with what has come since.
 *
 * Rejects with the signal's reason, or a `StoreError`: `READ_ONLY`, `STORE_FAILED`.
 */
export async function buildIndex(into: Case, options: IndexOptions = {}): Promise<IndexState> {
  const { onProgress, signal, runBytes = usualRunBytes } = options;
  const { logs: total } = await indexState(into);
  for (const span of await planRuns(into, runBytes)) {
    signal?.throwIfAborted();
    const done = await writing(into, (connection) => buildRun(connection, { ...span, signal }));
    if (done === undefined) break;
    onProgress?.({ done, total });
  }
  return indexState(into);
}

/** Takes the index out of a case. */
export function removeIndex(from: Case): Promise<void> {
  return writing(from, async (connection) => {
    await dropRunsFrom(connection, 0);
    await noteAction(connection, 'remove index', {});
  });
}

/** The ids of a run that is to be built. */
interface Span {
  readonly firstId: number;
  readonly lastId: number;
}

/** Ids are told apart by so many when a run is cut off. */
const blockBits = 11;

const blocks = v.array(v.tuple([v.number(), v.number()]));

/** The runs that are missing, and the last one that is there when it is less than half full. */
function planRuns(of: Case, runBytes: number): Promise<readonly Span[]> {
  return reading(of, async (connection) => {
    const runs = await readRuns(connection);
    const from = (await firstMissing(connection, runs)) ?? Number.POSITIVE_INFINITY;
    const last = runs.at(-1);
    const covered = last?.lastId ?? 0;
    if (from === Number.POSITIVE_INFINITY) return [];
    const bytes = indexedFields.map((field) => `coalesce(strlen("${field}_tokens"), 0)`).join(' + ');
    const blocksFrom = (id: number) =>
      connection.runAndReadAll(
        `SELECT max(id)::DOUBLE, sum(${bytes})::DOUBLE FROM stored.logs WHERE id BETWEEN $1::BIGINT AND ${lastIndexedId}
         GROUP BY id >> ${blockBits} ORDER BY 1`,
        [id],
      );
    const ofLast = last && last.tokens * tokenBytes < runBytes / 2 ? last.firstId : covered + 1;
    const found = v.parse(blocks, (await blocksFrom(ofLast)).getRowsJS());
    return toSpans(found, { firstId: ofLast, runBytes });
  });
}

/** About so many bytes are in a token and the blank behind it. */
const tokenBytes = 8;

/** The id of the first log that is in no run. */
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

function toSpans(
  found: readonly (readonly [lastId: number, bytes: number])[],
  { firstId, runBytes }: { readonly firstId: number; readonly runBytes: number },
): readonly Span[] {
  const spans: Span[] = [];
  let [first, sum] = [firstId, 0];
  for (const [index, [lastId, bytes]] of found.entries()) {
    sum += bytes;
    if (sum < runBytes && index < found.length - 1) continue;
    spans.push({ firstId: first, lastId });
    [first, sum] = [lastId + 1, 0];
  }
  return spans;
}

/**
 * Builds a run in a transaction. Gives back how many logs are indexed by then,
 * undefined when the case has changed so that the run does not fit any more.
 */
async function buildRun(
  connection: DuckDBConnection,
  { signal, ...span }: Span & { readonly signal: AbortSignal | undefined },
): Promise<number | undefined> {
  await dropRunsFrom(connection, span.firstId);
  const before = await readRuns(connection);
  if ((before.at(-1)?.lastId ?? 0) + 1 !== span.firstId) return undefined;
  const run = 1 + Math.max(0, ...before.map((each) => each.run));
  const interrupt = () => connection.interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    const { firstId, lastId, logs, tokens } = await makeRun(connection, run, span);
    await noteAction(connection, 'index logs', { firstId, lastId, logs, tokens });
    return sumOf(before).indexed + logs;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

async function makeRun(
  connection: DuckDBConnection,
  run: number,
  { firstId, lastId }: Span,
): Promise<TokenRun> {
  const [terms, postings] = [termsTable(run), postingsTable(run)];
  const tokens = tokensOf({ firstId, lastId });
  // Named codecs: a look-up decodes one vector, and zstd finds it without the rest of its block.
  await connection.run(`CREATE TABLE ${terms} (
    hash UINTEGER, field UTINYINT, term VARCHAR USING COMPRESSION zstd, first BIGINT, count BIGINT)`);
  await connection.run(`INSERT INTO ${terms}
    SELECT ${termHashSql('term')}, field, term, (sum(count) OVER (ORDER BY field, term) - count)::BIGINT, count
    FROM (SELECT field, term, count(*) AS count FROM (${tokens}) GROUP BY field, term) ORDER BY field, term`);
  await connection.run(`CREATE TABLE ${postings} (number BIGINT, id UINTEGER, position UINTEGER)`);
  await connection.run(`INSERT INTO ${postings}
    SELECT row_number() OVER () - 1, id, position FROM (
      SELECT t.id, t.position FROM (${tokens}) t JOIN ${terms} USING (field, term) ORDER BY first, id, position)`);
  const counted = await connection.runAndReadAll(
    `SELECT (SELECT count(*) FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId})::DOUBLE, (SELECT count(*) FROM ${postings})::DOUBLE`,
  );
  const [logs, tokenCount] = v.parse(v.tuple([v.number(), v.number()]), counted.getRowsJS()[0]);
  const made = { run, firstId, lastId, logs, tokens: tokenCount };
  await makeSets(connection, made);
  await connection.run(
    'INSERT INTO stored.token_runs VALUES ($1::INTEGER, $2::BIGINT, $3::BIGINT, $4::BIGINT, $5::BIGINT)',
    [run, firstId, lastId, logs, tokenCount],
  );
  return made;
}

/** The tokens of the logs of some ids: field, id, term and position. Positions follow on; where they begin does not matter. */
export function tokensOf({ firstId, lastId }: Span): string {
  return indexedFields
    .map((name, number) => {
      const pieces = `string_split("${name}_tokens", ' ')`;
      // The blanks around the tokens leave an empty piece at each end.
      return `SELECT ${number}::UTINYINT AS field, id, term, position FROM (
        SELECT id::UINTEGER AS id, unnest(${pieces}) AS term, generate_subscripts(${pieces}, 1)::UINTEGER AS position
        FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId} AND "${name}_tokens" IS NOT NULL) WHERE term <> ''`;
    })
    .join(' UNION ALL ');
}
