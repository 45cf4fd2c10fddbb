/** Entry point of a child process that runs SQL for `sql-in-child.ts`. */

import { memoryLimit, serveTask, type TaskContext } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import { openCase, readCase } from '../file/case.ts';
import { streamSqlOn, writeSqlToParquetOn } from './run-sql.ts';
import type { SqlPiece, SqlTask } from './sql-in-child.ts';

// The task comes from `sql-in-child.ts`.
serveTask((task, serving) => runTask(task as SqlTask, serving));

async function* runTask(task: SqlTask, serving: TaskContext): AsyncGenerator<SqlPiece, void, undefined> {
  const { casePath, sql, limit, spill, parquet, asksForFilters } = task;
  await using opened = await openCase(casePath, { access: 'read', spill });
  serving.reportMemory(await readCase(opened, memoryLimit));
  const options = {
    ...(limit !== undefined && { limit }),
    signal: serving.signal,
    ...(asksForFilters && { toFilter: async (query: string) => (await serving.ask(query)) as Filter }),
  };
  if (parquet !== undefined)
    yield { kind: 'written', count: await writeSqlToParquetOn(opened, sql, { ...options, path: parquet }) };
  else yield* streamSqlOn(opened, sql, options);
}
