import type { DuckDBConnection } from '@duckdb/node-api';
import { interruptOn, streamRows, toStoreError } from '../../database/index.ts';
import {
  disMaxFilter,
  type Field,
  type Filter,
  type FuzzyFilter,
  limitedFuzzy,
  nearestTerms,
  type Scored,
  termTest,
  withExpansions,
  wordsSql,
} from '../../language/index.ts';
import {
  type Condition,
  type FirstLogs,
  fieldNumber,
  type Hits,
  readerOf,
  startCondition,
  termsOfPattern,
  unlessDamaged,
  withCondition,
} from '../../word-index/index.ts';
import { beginSnapshot, type Case, type CaseUse, connectToCase } from '../file/case.ts';
import { findHits, snapshotOf } from '../index/snapshot.ts';

/** A running search: the logs that a filter selects in a snapshot of a case. */
export interface LogSearch {
  /** A connection of its own, which sees that snapshot. */
  readonly connection: DuckDBConnection;
  /** Returns the condition of the selected rows. Computed on demand: listing many ids takes time. */
  readonly condition: () => Condition;
  /** The selected logs, if the token index answered. */
  readonly hits?: Hits;
}

/**
 * Starts a search. The caller must call `end()`. The signal interrupts its statements. If only the first logs are wanted,
 * later ones may be missing.
 */
export async function startSearch(
  from: Case,
  filter: Filter,
  signal?: AbortSignal,
  { first, use }: { readonly first?: FirstLogs | undefined; readonly use?: CaseUse } = {},
): Promise<LogSearch & { readonly end: () => void }> {
  const connection = await connectToCase(from, use);
  const release = interruptOn(connection, signal);
  let started: ReturnType<typeof startCondition> | undefined;
  const end = () => {
    release();
    started?.done();
    connection.closeSync();
  };
  try {
    signal?.throwIfAborted();
    // Ids from the index must refer to the same rows that are read later.
    await beginSnapshot(from, connection);
    const expanded = await expandFuzzyTerms(from, connection, filter);
    const hits = await findHits(from, connection, expanded, first);
    if (hits) return { connection, condition: hits.condition, hits, end };
    const condition = startCondition(expanded);
    started = condition;
    return { connection, condition: () => condition, end };
  } catch (error) {
    end();
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  }
}

/**
 * Runs work on a search, and ends it. The signal interrupts its statements: the call rejects with its reason. If only the
 * first logs are wanted, later ones may be missing.
 */
export async function withSearch<T>(
  from: Case,
  filter: Filter,
  work: (search: LogSearch) => Promise<T>,
  signal?: AbortSignal,
  first?: FirstLogs,
): Promise<T> {
  const { end, ...search } = await startSearch(from, filter, signal, { first, use: 'brief' });
  try {
    return await work(search);
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    end();
  }
}

/**
 * Expands the limited fuzzy terms of a filter to the nearest terms of several cases, for a search across them.
 * The search of a single case expands them itself.
 */
export async function expandFuzzy(cases: readonly Case[], scored: Scored): Promise<Scored> {
  const limited = limitedFuzzy(scored.filter);
  if (limited.length === 0) return scored;
  const found = await Promise.all(cases.map((source) => termsOfCase(source, limited)));
  const nearest = limited.map((filter): [FuzzyFilter, readonly string[]] => [
    filter,
    nearestTerms(
      filter,
      found.flatMap((terms) => terms.get(filter) ?? []),
    ),
  ]);
  return withExpansions(scored, new Map(nearest));
}

async function termsOfCase(
  from: Case,
  limited: readonly FuzzyFilter[],
): Promise<ReadonlyMap<FuzzyFilter, readonly string[]>> {
  const connection = await connectToCase(from, 'brief');
  try {
    await beginSnapshot(from, connection);
    return await nearestIn(from, connection, limited);
  } catch (error) {
    throw toStoreError(error, from);
  } finally {
    connection.closeSync();
  }
}

/** Like `expandFuzzy`, for one case as a connection sees it. */
export async function expandFuzzyTerms(
  from: Case,
  connection: DuckDBConnection,
  filter: Filter,
): Promise<Filter> {
  const limited = limitedFuzzy(filter);
  if (limited.length === 0) return filter;
  const nearest = await nearestIn(from, connection, limited);
  return withExpansions({ filter, boosts: new Map() }, nearest).filter;
}

async function nearestIn(
  from: Case,
  connection: DuckDBConnection,
  limited: readonly FuzzyFilter[],
): Promise<ReadonlyMap<FuzzyFilter, readonly string[]>> {
  const nearest = new Map<FuzzyFilter, readonly string[]>();
  for (const filter of limited)
    nearest.set(filter, nearestTerms(filter, await findNearTerms(from, connection, filter)));
  return nearest;
}

/** Returns the terms of all logs that are near to a fuzzy term, from the index and from the logs after it. */
async function findNearTerms(
  from: Case,
  connection: DuckDBConnection,
  fuzzy: FuzzyFilter,
): Promise<readonly string[]> {
  const { field } = fuzzy;
  const snapshot = fieldNumber(field) !== undefined ? await snapshotOf(from, connection) : undefined;
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

/** Returns SQL of the terms of a field: its words between single blanks, or its only value. */
export function termsColumn(field: Field): string {
  return field.type === 'text' ? wordsSql(quotedName(field.name)) : quotedName(field.name);
}

/** Returns SQL of the number of terms in a field; NULL without a value. `terms` is SQL of its `termsColumn`. */
export function tokenCountSql({ type }: Field, terms: string): string {
  // The blanks around the words leave an empty piece at each end.
  if (type === 'text') return `len(string_split(${terms}, ' ')) - 2`;
  return `CASE WHEN ${terms} IS NOT NULL THEN 1 END`;
}

/** Splits a value of `termsColumn` into terms. */
export function termsIn({ type }: Field, value: string): readonly string[] {
  if (type !== 'text') return [value];
  return value === '' ? [] : value.slice(1, -1).split(' ');
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
