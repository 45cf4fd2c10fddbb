import type { DuckDBConnection } from '@duckdb/node-api';
import type { Field } from '../../meaning/fields.ts';
import type { FieldStatistics } from '../../meaning/relevance/statistics.ts';
import { existsCondition } from '../../translate/duckdb.ts';
import type { Case } from '../case/case.ts';
import { fieldNumber } from '../segments/indexed-fields.ts';
import { readSegments, unlessDamaged } from '../segments/stored-segments.ts';
import { termsColumn, tokenCountSql } from './tokens-sql.ts';

/** Number of logs with a field, and number of tokens in all of them. */
export type FieldLengths = Pick<FieldStatistics, 'documents' | 'tokens'>;

/** Cached lengths of fields by their columns, valid until the case changes. */
interface CachedLengths {
  /** Number of the last action: every change of the logs records one. */
  readonly lastAction: number;
  readonly columns: Map<string, FieldLengths>;
}

const cache = new WeakMap<Case, CachedLengths>();

/**
 * Returns the lengths of fields in all logs of a case, by their columns. Reads every text that is not indexed,
 * so the results are cached.
 */
export async function fieldLengths(
  of: Case,
  connection: DuckDBConnection,
  fields: readonly Field[],
): Promise<ReadonlyMap<string, FieldLengths>> {
  const { columns } = await cachedLengths(of, connection);
  const missing = fields.filter((field) => !columns.has(termsColumn(field)));
  if (missing.length === 0) return columns;
  const indexed = await tokensInIndex(of, connection);
  for (const field of missing) {
    const number = fieldNumber(field);
    const covered = number === undefined ? 0 : indexed.covered;
    const documents = await aggregateAfter(
      connection,
      `count(*) FILTER (WHERE ${existsCondition({ field })})`,
    );
    const length = tokenCountSql(field, termsColumn(field));
    const behind = await aggregateAfter(connection, `coalesce(sum(${length}), 0)`, covered);
    const tokens = behind + ((number !== undefined && indexed.tokens.get(number)) || 0);
    columns.set(termsColumn(field), { documents, tokens });
  }
  return columns;
}

async function cachedLengths(of: Case, connection: DuckDBConnection): Promise<CachedLengths> {
  const result = await connection.runAndReadAll('SELECT max(number)::DOUBLE FROM stored.actions');
  const lastAction = Number(result.getRowsJS()[0]?.[0]);
  const cached = cache.get(of);
  if (cached?.lastAction === lastAction) return cached;
  const fresh = { lastAction, columns: new Map<string, FieldLengths>() };
  cache.set(of, fresh);
  return fresh;
}

/** Counts the tokens of each indexed field, and returns the last indexed id. */
async function tokensInIndex(of: Case, connection: DuckDBConnection) {
  const tokens = new Map<number, number>();
  const isUsed = of.tokenIndex === 'used';
  const segments = (isUsed && (await unlessDamaged(() => readSegments(connection)))) || [];
  for (const { fields } of segments)
    for (const [number, field] of fields.entries())
      tokens.set(number, (tokens.get(number) ?? 0) + field.tokens);
  return { covered: segments.at(-1)?.lastId ?? 0, tokens };
}

/** Computes an aggregate over all logs after an id. */
async function aggregateAfter(connection: DuckDBConnection, aggregate: string, behind = 0): Promise<number> {
  const result = await connection.runAndReadAll(
    `SELECT (${aggregate})::DOUBLE FROM stored.logs WHERE id > ${behind}`,
  );
  return Number(result.getRowsJS()[0]?.[0]);
}
