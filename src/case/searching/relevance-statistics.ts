import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type Field,
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
import { fieldNumber, lookUp, unlessDamaged } from '../../word-index/index.ts';
import type { Case } from '../file/case.ts';
import { readerOf, snapshotOf } from '../index/snapshot.ts';
import { countNearTerms } from './near-terms.ts';
import { withSearch } from './search.ts';
import { termsColumn, tokenCountSql } from './tokens-sql.ts';

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

/** Number of logs with a field, and number of tokens in all of them. */
type FieldLengths = Pick<FieldStatistics, 'documents' | 'tokens'>;

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
async function fieldLengths(
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

/** Numbers of indexed logs with some terms. */
interface IndexedCounts {
  /** Terms that are not in the map are not indexed. */
  readonly counts: ReadonlyMap<TermFilter, number>;
  /** Ids up to this one are indexed. */
  readonly covered: number;
  readonly lastId: number;
}

/**
 * Counts the logs with each term by the dictionaries of the index, without their postings. Undefined if there is no index,
 * or it is damaged.
 */
async function countIndexedTerms(
  from: Case,
  connection: DuckDBConnection,
  terms: readonly TermFilter[],
): Promise<IndexedCounts | undefined> {
  const snapshot = from.tokenIndex === 'ignored' ? undefined : await snapshotOf(from, connection);
  if (!snapshot) return undefined;
  const asked = terms.flatMap((filter) => {
    const field = fieldNumber(filter.field);
    return field === undefined ? [] : [{ filter, field, term: String(filter.term) }];
  });
  const found = await unlessDamaged(() => lookUp(readerOf(snapshot, connection), asked));
  if (!found) return undefined;
  const counts = asked.map(({ filter }, index) => {
    const logs = (found[index] ?? []).reduce((sum, { entry }) => sum + entry.logs, 0);
    return [filter, logs] as const;
  });
  return { counts: new Map(counts), covered: snapshot.covered, lastId: snapshot.lastId };
}
