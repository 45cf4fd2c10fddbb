import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type FieldNeeds,
  type FieldStatistics,
  type Filter,
  matchAllFilter,
  needsOf,
  type SqlParameter,
  type Statistics,
  type TermFilter,
  termCondition,
} from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { countIndexedTerms } from '../index/count-terms.ts';
import { fieldLengths } from './field-lengths.ts';
import { countNearTerms } from './near-terms.ts';
import { withSearch } from './search.ts';
import { termsColumn } from './tokens-sql.ts';

/** Computes the statistics of all logs of a case on which the relevance for a filter depends. */
export async function relevanceStatistics(from: Case, filter: Filter): Promise<Statistics> {
  const needs = needsOf(filter);
  return withSearch(from, matchAllFilter, async ({ connection }) => {
    const lengths = await fieldLengths(
      from,
      connection,
      needs.map(({ field }) => field),
    );
    const counts = await countTerms(from, connection, needs);
    const found = new Map<string, FieldStatistics>();
    for (const need of needs) {
      const { field } = need;
      const terms = new Map([...(counts.get(field.name) ?? []), ...(await countNearTerms(connection, need))]);
      found.set(field.name, { ...(lengths.get(termsColumn(field)) ?? { documents: 0, tokens: 0 }), terms });
    }
    return found;
  });
}

/** By field name, then by term. */
type Counts = Map<string, Map<string, number>>;

/** Counts the logs that have each of the terms: by the index where it has them, otherwise in the texts. */
async function countTerms(
  from: Case,
  connection: DuckDBConnection,
  needs: readonly FieldNeeds[],
): Promise<Counts> {
  const counts: Counts = new Map(needs.map(({ field }) => [field.name, new Map()]));
  const asked = needs.flatMap(({ field, terms }) =>
    [...terms].map((term): TermFilter => ({ kind: 'term', field, term })),
  );
  const indexed = await countIndexedTerms(from, connection, asked);
  for (const [{ field, term }, count] of indexed?.counts ?? []) counts.get(field.name)?.set(term, count);
  const missing = asked.filter((each) => !indexed?.counts.has(each));
  await countInTexts(connection, counts, { terms: missing });
  if (indexed && indexed.covered < indexed.lastId)
    await countInTexts(connection, counts, {
      terms: [...indexed.counts.keys()],
      rowsSql: `id > ${indexed.covered}`,
    });
  return counts;
}

/** Terms to count by a scan. */
interface ScannedTerms {
  readonly terms: readonly TermFilter[];
  /** SQL condition for the rows to scan; default: all rows. */
  readonly rowsSql?: string;
}

/** Adds the numbers of logs with terms, in one scan of the texts. */
async function countInTexts(
  connection: DuckDBConnection,
  counts: Counts,
  { terms, rowsSql = 'true' }: ScannedTerms,
): Promise<void> {
  if (terms.length === 0) return;
  const parameters: SqlParameter[] = [];
  const bind = (value: SqlParameter) => `$${parameters.push(value)}`;
  const columns = terms.map((each) => `count(*) FILTER (WHERE ${termCondition(each, { bind })})::DOUBLE`);
  const result = await connection.runAndReadAll(
    `SELECT ${columns.join(', ')} FROM stored.logs WHERE ${rowsSql}`,
    parameters,
  );
  const row = result.getRowsJS()[0] ?? [];
  for (const [index, { field, term }] of terms.entries()) {
    const ofField = counts.get(field.name);
    ofField?.set(term, (ofField.get(term) ?? 0) + Number(row[index]));
  }
}
