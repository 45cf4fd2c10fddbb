import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api';
import * as v from 'valibot';
import { toStoreError } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { startSearch } from './search.ts';

/** A statement, and how much it reads at a time. */
export interface StatementOptions {
  /** Returns the statement for a condition of the selected rows. */
  readonly statement: (condition: string) => string;
  /** Number of ids that are asked for at a time: what is found among them is in memory together. */
  readonly ids: number;
  /** Ends the stream: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Streams the results of a statement over the logs that a filter selects, for some ids at a time. The database works
 * on the next ids while the caller works on a result.
 */
export async function* streamStatements(
  from: Case,
  filter: Filter,
  { statement, ids, signal }: StatementOptions,
): AsyncGenerator<DuckDBMaterializedResult, void, undefined> {
  const { connection, condition, end } = await startSearch(from, filter, signal);
  // The statement under way: the connection must not be closed while it runs.
  let reading: Promise<DuckDBMaterializedResult> | undefined;
  try {
    const { sql, parameters } = condition();
    const starts = await startsOfStatements(connection, ids);
    const read = (id: number) =>
      connection.run(statement(`id BETWEEN ${id} AND ${id + ids - 1} AND (${sql})`), [...parameters]);
    let next = starts.next();
    reading = next.done ? undefined : read(next.value);
    while (reading !== undefined) {
      const found = await reading;
      signal?.throwIfAborted();
      next = starts.next();
      reading = next.done ? undefined : read(next.value);
      reading?.catch(() => undefined);
      yield found;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    await reading?.catch(() => undefined);
    end();
  }
}

const ends = v.tuple([v.nullable(v.number()), v.nullable(v.number()), v.number()]);
const firstIds = v.array(v.tuple([v.number()]));

/** Returns the first id of each statement. Ids of copied logs have wide gaps: statements for gaps are left out. */
async function startsOfStatements(
  connection: DuckDBConnection,
  ids: number,
): Promise<Iterator<number, undefined>> {
  const result = await connection.runAndReadAll(
    'SELECT min(id)::DOUBLE, max(id)::DOUBLE, count(*)::DOUBLE FROM stored.logs',
  );
  const [first, last, count] = v.parse(ends, result.getRowsJS()[0]);
  if (first === null || last === null) return [].values();
  if (last - first < 2 * count + ids) return everyFrom({ first, last, ids });
  const blocks = await connection.runAndReadAll(
    `SELECT DISTINCT (id // ${ids} * ${ids})::DOUBLE AS first FROM stored.logs ORDER BY first`,
  );
  return v.parse(firstIds, blocks.getRowsJS()).flat().values();
}

function* everyFrom({
  first,
  last,
  ids,
}: {
  readonly first: number;
  readonly last: number;
  readonly ids: number;
}): Generator<number, undefined> {
  for (let id = first; id <= last; id += ids) yield id;
}
