import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { Field } from '../../meaning/fields.ts';
import type { FieldStatistics } from '../../meaning/relevance/statistics.ts';
import type { Case } from '../case/case.ts';
import { fieldNumber } from '../index-tables/indexed-fields.ts';
import { readRuns, termsTable } from '../index-tables/runs.ts';
import { columnOf, tokenCount } from './tokens-sql.ts';

/** How many logs have a field, and how many tokens it has in all of them. */
export type Lengths = Pick<FieldStatistics, 'documents' | 'tokens'>;

/** The lengths of fields by their columns, as long as the case does not change. */
interface KnownLengths {
  /** The number of the last action: whatever changes the logs notes one. */
  readonly lastAction: number;
  readonly columns: Map<string, Lengths>;
}

const known = new WeakMap<Case, KnownLengths>();

/**
 * How long fields are in all logs of a case, by their columns. It takes a look
 * at every text that is in no index, so it is remembered.
 */
export async function fieldLengths(
  of: Case,
  connection: DuckDBConnection,
  fields: readonly Field[],
): Promise<ReadonlyMap<string, Lengths>> {
  const { columns } = await knownLengths(of, connection);
  const missing = fields.filter((field) => !columns.has(columnOf(field)));
  if (missing.length === 0) return columns;
  const indexed = await tokensInIndex(of, connection);
  for (const field of missing) {
    const number = fieldNumber(field);
    const covered = number === undefined ? 0 : indexed.covered;
    const documents = await numberOf(connection, `count(${columnOf(field)})`);
    const behind = await numberOf(connection, `coalesce(sum(${tokenCount(field)}), 0)`, covered);
    const tokens = behind + ((number !== undefined && indexed.tokens.get(number)) || 0);
    columns.set(columnOf(field), { documents, tokens });
  }
  return columns;
}

async function knownLengths(of: Case, connection: DuckDBConnection): Promise<KnownLengths> {
  const result = await connection.runAndReadAll('SELECT max(number)::DOUBLE FROM stored.actions');
  const lastAction = Number(result.getRowsJS()[0]?.[0]);
  const before = known.get(of);
  if (before?.lastAction === lastAction) return before;
  const anew = { lastAction, columns: new Map<string, Lengths>() };
  known.set(of, anew);
  return anew;
}

const sums = v.array(v.tuple([v.number(), v.number()]));

/** How many tokens each indexed field has in the logs up to the last that is indexed. */
async function tokensInIndex(of: Case, connection: DuckDBConnection) {
  const tokens = new Map<number, number>();
  const runs = of.tokenIndex === 'ignored' ? [] : await readRuns(connection);
  for (const { run } of runs) {
    const result = await connection.runAndReadAll(
      `SELECT field::DOUBLE, sum(count)::DOUBLE FROM ${termsTable(run)} GROUP BY field`,
    );
    for (const [field, count] of v.parse(sums, result.getRowsJS()))
      tokens.set(field, (tokens.get(field) ?? 0) + count);
  }
  return { covered: runs.at(-1)?.lastId ?? 0, tokens };
}

/** A number over all logs behind an id. */
async function numberOf(connection: DuckDBConnection, aggregate: string, behind = 0): Promise<number> {
  const result = await connection.runAndReadAll(
    `SELECT (${aggregate})::DOUBLE FROM stored.logs WHERE id > ${behind}`,
  );
  return Number(result.getRowsJS()[0]?.[0]);
}
