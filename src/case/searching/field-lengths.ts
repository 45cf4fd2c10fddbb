import type { DuckDBConnection } from '@duckdb/node-api';
import type { Field, FieldStatistics } from '../../language/index.ts';
import { fieldNumber } from '../../word-index/index.ts';
import type { Case } from '../file/case.ts';
import { snapshotOf } from '../index/snapshot.ts';
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
  const snapshot = of.tokenIndex === 'used' ? await snapshotOf(of, connection) : undefined;
  for (const field of missing) {
    const number = fieldNumber(field);
    const segments = number === undefined ? [] : (snapshot?.segments ?? []);
    const parts: FieldLengths[] = segments.flatMap(({ fields }) => fields[number ?? 0] ?? []);
    const covered = segments.at(-1)?.lastId ?? 0;
    if (covered !== snapshot?.lastId) parts.push(await lengthsAfter(connection, field, covered));
    columns.set(termsColumn(field), parts.reduce(sumOf, none));
  }
  return columns;
}

const none: FieldLengths = { documents: 0, tokens: 0 };

async function cachedLengths(of: Case, connection: DuckDBConnection): Promise<CachedLengths> {
  const cached = cache.get(of);
  // A case opened for reading does not change.
  if (cached && of.access === 'read') return cached;
  const result = await connection.runAndReadAll('SELECT max(number)::DOUBLE FROM stored.actions');
  const lastAction = Number(result.getRowsJS()[0]?.[0]);
  if (cached?.lastAction === lastAction) return cached;
  const fresh = { lastAction, columns: new Map<string, FieldLengths>() };
  cache.set(of, fresh);
  return fresh;
}

function sumOf(one: FieldLengths, other: FieldLengths): FieldLengths {
  return { documents: one.documents + other.documents, tokens: one.tokens + other.tokens };
}

/** Computes the lengths of a field in all logs after an id. */
async function lengthsAfter(connection: DuckDBConnection, field: Field, id: number): Promise<FieldLengths> {
  const result = await connection.runAndReadAll(
    `SELECT count(${termsColumn(field)})::DOUBLE, coalesce(sum(${tokenCountSql(field, termsColumn(field))}), 0)::DOUBLE
     FROM stored.logs WHERE id > ${id}`,
  );
  const [documents, tokens] = result.getRowsJS()[0] ?? [];
  return { documents: Number(documents), tokens: Number(tokens) };
}
