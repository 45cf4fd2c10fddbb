import type { DuckDBConnection } from '@duckdb/node-api';
import { streamRows } from '../../database/index.ts';
import type { Field } from '../../language/index.ts';
import { disMaxFilter, type FuzzyFilter, termTest } from '../../language/index.ts';
import { fieldNumber, unlessDamaged } from '../../word-index/index.ts';
import type { Case } from '../file/case.ts';
import { withCondition } from '../file/column-test.ts';
import { termsOfPattern } from '../index/pattern.ts';
import { readerOf, snapshotOf } from '../index/snapshot.ts';
import { termsColumn } from './tokens-sql.ts';

/** Returns the terms of all logs that are near to a fuzzy term, from the index and from the logs after it. */
export async function findNearTerms(
  from: Case,
  connection: DuckDBConnection,
  fuzzy: FuzzyFilter,
): Promise<readonly string[]> {
  const { field } = fuzzy;
  const isIndexed = from.tokenIndex !== 'ignored' && fieldNumber(field) !== undefined;
  const snapshot = isIndexed ? await snapshotOf(from, connection) : undefined;
  const indexed =
    snapshot && (await unlessDamaged(() => termsOfPattern(readerOf(snapshot, connection), fuzzy)));
  if (!snapshot || !indexed) return [...(await countNearTerms(connection, { field, near: [fuzzy] })).keys()];
  if (snapshot.covered === snapshot.lastId) return indexed;
  const rowsSql = `id > ${snapshot.covered}`;
  return [...indexed, ...(await countNearTerms(connection, { field, near: [fuzzy], rowsSql })).keys()];
}

/** Fuzzy terms of one field. */
interface NearTo {
  readonly field: Field;
  readonly near: readonly FuzzyFilter[];
  /** SQL condition for the rows to scan; default: all rows. */
  readonly rowsSql?: string;
}

/** Counts the logs with a term near to one of these, by term, in a scan of the texts. */
export async function countNearTerms(
  connection: DuckDBConnection,
  { field, near, rowsSql = 'true' }: NearTo,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (near.length === 0) return counts;
  const tests = near.map(termTest);
  const terms =
    field.type === 'text'
      ? `unnest(list_distinct(string_split(${termsColumn(field)}, ' ')))`
      : `${termsColumn(field)}::VARCHAR`;
  await withCondition(disMaxFilter(near), async ({ sql, parameters }) => {
    const rows = `SELECT ${terms} AS term FROM stored.logs WHERE ${rowsSql} AND ${sql}`;
    const result = await streamRows(connection, {
      sql: `SELECT term, count(*)::DOUBLE FROM (${rows}) GROUP BY term`,
      parameters,
    });
    // The blanks around the tokens leave an empty piece, which is no term.
    const isTerm = (term: string) =>
      (field.type !== 'text' || term !== '') && tests.some((test) => test(term));
    for await (const some of result.yieldRowsJs())
      for (const [term, count] of some)
        if (typeof term === 'string' && isTerm(term)) counts.set(term, Number(count));
  });
  return counts;
}
