import { rm } from 'node:fs/promises';
import {
  builtFile,
  ChildEnded,
  LimitExceeded,
  newSpillFolder,
  realPath,
  removeStaleFiles,
  removeStaleSpill,
  runInChild,
  type Spill,
  StoreError,
} from '../../database/index.ts';
import type { ResultPiece, ToFilter } from './run-sql.ts';

/** Options of running SQL in a child process. */
export interface SqlInChildOptions {
  /** Maximum number of rows. Default: all. */
  readonly limit?: number | undefined;
  /** Time limit in milliseconds. Default: none. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal;
  /** Converts queries in `matches`. Default: by the documented fields. Its errors reject the call. */
  readonly toFilter?: ToFilter;
}

/**
 * Resident bytes in addition to the memory limit of the database: its own overhead is 340 MB, which
 * excludes lists.
 */
const maxMemory = 760_000_000;

/** Maximum size of the files beside the case for data that exceeds the memory. */
const maxSpilled = '8GB';

/**
 * Runs one SELECT on a case file as `runSql` does, in a child process. The signal, the timeout or
 * excessive memory end the process, whatever the SQL does. Yields the columns, the rows in batches,
 * and the end.
 *
 * Rejects as `runSql` does, or with `SQL_TIMEOUT` or `SQL_MEMORY`; rows may have arrived before.
 *
 * ```ts
 * for await (const piece of runSqlInChild('incident.duckdb', 'SELECT source, count(*) FROM logs GROUP BY source')) console.log(piece);
 * ```
 */
export function runSqlInChild(
  casePath: string,
  sql: string,
  options: SqlInChildOptions = {},
): AsyncGenerator<SqlPiece, void, undefined> {
  return runTask({ casePath, sql, limit: options.limit }, options);
}

/**
 * Writes the result of one SELECT as a Parquet file, as `runSqlInChild` runs it. Returns the number
 * of rows.
 *
 * ```ts
 * await writeSqlToParquetInChild('incident.duckdb', 'SELECT time, msg FROM logs', { path: 'logs.parquet' });
 * ```
 */
export async function writeSqlToParquetInChild(
  casePath: string,
  sql: string,
  { path, ...options }: SqlInChildOptions & { readonly path: string },
): Promise<number> {
  let rowCount = 0;
  try {
    const task = { casePath, sql, limit: options.limit, parquet: path };
    for await (const piece of runTask(task, options)) if (piece.kind === 'written') rowCount = piece.count;
    return rowCount;
  } finally {
    // The process is gone, and nothing else removes its unfinished file.
    await removeStaleFiles(realPath(path));
  }
}

async function* runTask(
  task: Omit<SqlTask, 'spill' | 'asksForFilters'>,
  { timeout, signal, toFilter }: SqlInChildOptions,
): AsyncGenerator<SqlPiece, void, undefined> {
  await removeStaleSpill(task.casePath);
  const folder = newSpillFolder(task.casePath);
  const whole: SqlTask = {
    ...task,
    spill: { folder, maxSize: maxSpilled },
    asksForFilters: toFilter !== undefined,
  };
  try {
    const pieces = runInChild({
      program: builtFile('sql-process.js', import.meta.url),
      task: whole,
      limits: { time: timeout, memory: maxMemory },
      signal,
      answer: (query) => toFilter?.(String(query)),
    });
    // The pieces that `sql-process.ts` yields.
    yield* pieces as AsyncGenerator<SqlPiece, void, undefined>;
  } catch (error) {
    if (error instanceof LimitExceeded) throw toSqlError(error);
    if (error instanceof ChildEnded) throw endedEarly(task.casePath, error);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

const advice = 'Narrow it, for instance by a range of "time"';

function endedEarly(casePath: string, error: ChildEnded): StoreError {
  const message = `"${casePath}": the process of the SQL ended early (${error.reason}). A system that lacks memory kills processes so; ${advice.charAt(0).toLowerCase()}${advice.slice(1)}`;
  return new StoreError('STORE_FAILED', message, { cause: error });
}

function toSqlError({ limit, maximum: max }: LimitExceeded): StoreError {
  if (limit === 'time')
    return new StoreError(
      'SQL_TIMEOUT',
      `The SQL took longer than ${max / 1000} s and was ended. ${advice}, or give it more time with --timeout`,
    );
  return new StoreError(
    'SQL_MEMORY',
    `The SQL took more than ${Math.round(max / 1e6)} MB of memory and was ended. ${advice}, return fewer columns, or aggregate without lists`,
  );
}

/** A task of a child process that runs SQL. */
export interface SqlTask {
  readonly casePath: string;
  readonly sql: string;
  /** Maximum number of rows. */
  readonly limit: number | undefined;
  readonly spill: Spill;
  /** Path of a Parquet file for the rows, which are then not returned. */
  readonly parquet?: string;
  /** Asks the parent process to convert queries in `matches`. */
  readonly asksForFilters: boolean;
}

/** A piece of the result of SQL in a child process. */
export type SqlPiece =
  | ResultPiece
  /** Number of rows of a Parquet file. */
  | { readonly kind: 'written'; readonly count: number };
