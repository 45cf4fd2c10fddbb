import { rm } from 'node:fs/promises';
import { ChildEnded, LimitExceeded, runInChild } from '../child/run-in-child.ts';
import { realPath } from '../database/database.ts';
import { StoreError } from '../database/store-error.ts';
import { builtFile } from '../files/built-file.ts';
import { ownSpillFolder, removeStaleSpill } from '../files/spill-folder.ts';
import { removeStale } from '../files/temporary-name.ts';
import type { ToFilter } from './matches.ts';
import type { SqlPiece, SqlTask } from './sql-task.ts';

/** How SQL is run in a process of its own. */
export interface SqlInChildOptions {
  /** At most this many rows; all unless given. */
  readonly limit?: number | undefined;
  /** Milliseconds until it is ended; any time unless given. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal;
  /** What a query in `matches` asks for, instead of reading it by the documented fields. What it throws is what the call rejects with. */
  readonly toFilter?: ToFilter;
}

/** Resident bytes beside those that the database may take: what the database allows itself is 340 MB, of which it misses lists. */
const mostMemory = 760_000_000;

/** What does not fit into memory goes to files beside the case, up to this. */
const mostSpilled = '8GB';

/**
 * Runs one SELECT on a case file as `runSql` does, in a process of its own that is ended by the signal, the timeout, or
 * when it takes more memory than it may, whatever the SQL does. Yields the columns, the rows in batches, and the end.
 *
 * Rejects as `runSql` does, or with `SQL_TIMEOUT` or `SQL_MEMORY`; rows may have come before.
 */
export function runSqlInChild(
  casePath: string,
  sql: string,
  options: SqlInChildOptions = {},
): AsyncGenerator<SqlPiece, void, undefined> {
  return runTask({ casePath, sql, limit: options.limit }, options);
}

/** Writes what one SELECT gives as a Parquet file, as `runSqlInChild` runs it. Gives back how many rows there are. */
export async function writeSqlToParquetInChild(
  casePath: string,
  sql: string,
  { path, ...options }: SqlInChildOptions & { readonly path: string },
): Promise<number> {
  let written = 0;
  try {
    const task = { casePath, sql, limit: options.limit, parquet: path };
    for await (const piece of runTask(task, options)) if (piece.kind === 'written') written = piece.count;
    return written;
  } finally {
    // The process is gone, and with it the right of its unfinished file to stay.
    await removeStale(realPath(path));
  }
}

async function* runTask(
  task: Omit<SqlTask, 'spill' | 'asksForFilters'>,
  { timeout, signal, toFilter }: SqlInChildOptions,
): AsyncGenerator<SqlPiece, void, undefined> {
  await removeStaleSpill(task.casePath);
  const folder = ownSpillFolder(task.casePath);
  const whole: SqlTask = {
    ...task,
    spill: { folder, most: mostSpilled },
    asksForFilters: toFilter !== undefined,
  };
  try {
    const pieces = runInChild({
      program: builtFile('sql-process.js', import.meta.url),
      task: whole,
      limits: { time: timeout, memory: mostMemory },
      signal,
      answer: (query) => toFilter?.(String(query)),
    });
    // What `sql-process.ts` yields.
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
  const message = `"${casePath}": the process of the SQL ended early (${error.by}). A system that lacks memory kills processes so; ${advice.charAt(0).toLowerCase()}${advice.slice(1)}`;
  return new StoreError('STORE_FAILED', message, { cause: error });
}

function toSqlError({ limit, most }: LimitExceeded): StoreError {
  if (limit === 'time')
    return new StoreError(
      'SQL_TIMEOUT',
      `The SQL took longer than ${most / 1000} s and was ended. ${advice}, or give it more time with --timeout`,
    );
  return new StoreError(
    'SQL_MEMORY',
    `The SQL took more than ${Math.round(most / 1e6)} MB of memory and was ended. ${advice}, return fewer columns, or aggregate without lists`,
  );
}
