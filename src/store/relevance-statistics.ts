import type { DuckDBConnection } from '@duckdb/node-api';
import type { Field } from '../meaning/fields.ts';
import { disMax, type Filter } from '../meaning/filter.ts';
import { termTest } from '../meaning/pattern/term-test.ts';
import {
  type FieldNeeds,
  type FieldStatistics,
  needsOf,
  type Statistics,
} from '../meaning/relevance/statistics.ts';
import type { Parameter } from '../translate/duckdb.ts';
import { type Case, reading } from './case.ts';
import { withCondition } from './column-test.ts';
import { columnOf, tokenCount } from './tokens-sql.ts';

/** What is known of all logs of a case that the relevance for a filter depends on. */
export async function relevanceStatistics(from: Case, filter: Filter): Promise<Statistics> {
  const needs = needsOf(filter);
  return reading(from, async (connection) => {
    const lengths = await lengthsOf(from, connection, needs);
    const counts = await countTerms(connection, needs);
    const found = new Map<string, FieldStatistics>();
    for (const [index, need] of needs.entries()) {
      const terms = new Map([...(counts[index] ?? []), ...(await countNear(connection, need))]);
      found.set(need.field.name, { ...(lengths[index] ?? { documents: 0, tokens: 0 }), terms });
    }
    return found;
  });
}

type Lengths = Pick<FieldStatistics, 'documents' | 'tokens'>;

/** The lengths of fields by their columns, as long as the case does not change. */
interface KnownLengths {
  /** The number of the last action: whatever changes the logs notes one. */
  readonly lastAction: number;
  readonly columns: Map<string, Lengths>;
}

const known = new WeakMap<Case, KnownLengths>();

/** How long the fields are in all logs. That takes a look at every text, so it is remembered until logs are added. */
async function lengthsOf(
  from: Case,
  connection: DuckDBConnection,
  needs: readonly FieldNeeds[],
): Promise<readonly Lengths[]> {
  const { columns } = await knownLengths(from, connection);
  const fields = needs.map(({ field }) => field).filter((field) => !columns.has(columnOf(field)));
  const [row = []] = await rowsOf(connection, fields.flatMap(lengthColumns));
  for (const [index, field] of fields.entries())
    columns.set(columnOf(field), { documents: Number(row[2 * index]), tokens: Number(row[2 * index + 1]) });
  return needs.map(({ field }) => columns.get(columnOf(field)) ?? { documents: 0, tokens: 0 });
}

async function knownLengths(from: Case, connection: DuckDBConnection): Promise<KnownLengths> {
  const result = await connection.runAndReadAll('SELECT max(number)::DOUBLE FROM stored.actions');
  const lastAction = Number(result.getRowsJS()[0]?.[0]);
  const before = known.get(from);
  if (before?.lastAction === lastAction) return before;
  const anew = { lastAction, columns: new Map<string, Lengths>() };
  known.set(from, anew);
  return anew;
}

function lengthColumns(field: Field): string[] {
  return [`count(${columnOf(field)})::DOUBLE`, `coalesce(sum(${tokenCount(field)}), 0)::DOUBLE`];
}

/** In how many logs each of the terms is, field by field. */
async function countTerms(
  connection: DuckDBConnection,
  needs: readonly FieldNeeds[],
): Promise<readonly ReadonlyMap<string, number>[]> {
  const parameters: Parameter[] = [];
  const columns = needs.flatMap(({ field, terms }) =>
    [...terms].map((term) => {
      const hasTerm =
        field.type === 'text'
          ? `contains(${columnOf(field)}, $${parameters.push(` ${term} `)})`
          : `${columnOf(field)} = $${parameters.push(term)}`;
      return `count(*) FILTER (WHERE ${hasTerm})::DOUBLE`;
    }),
  );
  const counts = (await rowsOf(connection, columns, parameters))[0]?.values();
  return needs.map(
    ({ terms }) => new Map([...terms].map((term) => [term, Number(counts?.next().value ?? 0)])),
  );
}

/** In how many logs each of the terms is that are near to others. */
async function countNear(
  connection: DuckDBConnection,
  { field, near }: FieldNeeds,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (near.length === 0) return counts;
  const tests = near.map(termTest);
  const terms =
    field.type === 'text'
      ? `unnest(list_distinct(string_split(${columnOf(field)}, ' ')))`
      : `${columnOf(field)}::VARCHAR`;
  await withCondition(disMax(near), async ({ sql, parameters }) => {
    const result = await connection.stream(
      `SELECT term, count(*)::DOUBLE FROM (SELECT ${terms} AS term FROM stored.logs WHERE ${sql}) GROUP BY term`,
      [...parameters],
    );
    // The blanks around the tokens leave an empty piece, which is no term.
    const isTerm = (term: string) =>
      (field.type !== 'text' || term !== '') && tests.some((test) => test(term));
    for await (const rows of result.yieldRowsJs())
      for (const [term, count] of rows)
        if (typeof term === 'string' && isTerm(term)) counts.set(term, Number(count));
  });
  return counts;
}

async function rowsOf(
  connection: DuckDBConnection,
  columns: readonly string[],
  parameters: readonly Parameter[] = [],
) {
  if (columns.length === 0) return [];
  const result = await connection.runAndReadAll(`SELECT ${columns.join(', ')} FROM stored.logs`, [
    ...parameters,
  ]);
  return result.getRowsJS();
}
