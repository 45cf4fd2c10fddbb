import type { DuckDBConnection, JS } from '@duckdb/node-api';
import { streamRows, toStoreError } from '../../database/index.ts';
import {
  boolFilter,
  type CountedLeaf,
  disMaxFilter,
  type Field,
  type FieldNeeds,
  type FieldStatistics,
  type Filter,
  frequencyOf,
  type Counts as LeafCounts,
  matchAllFilter,
  needsOf,
  type PhraseFilter,
  type Scored,
  type ScoreLeaf,
  type Scorer,
  type SqlParameter,
  type Statistics,
  type TermFilter,
  termCondition,
  toScorer,
  withoutProhibited,
} from '../../language/index.ts';
import { compareCursors, type LogCursor } from '../../records/index.ts';
import {
  afterCursorSql,
  bestScores,
  type Condition,
  fieldNumber,
  idListSql,
  lookUp,
  orderBySql,
  readerOf,
  selectsLogs,
  shiftPlaceholders,
  startCondition,
  unlessDamaged,
} from '../../word-index/index.ts';
import type { Case } from '../file/case.ts';
import { snapshotOf } from '../index/snapshot.ts';
import { cursorOf, limitClause, toSqlCount } from './find-logs.ts';
import {
  countNearTerms,
  type LogSearch,
  startSearch,
  termsColumn,
  termsIn,
  tokenCountSql,
  withSearch,
} from './search.ts';
import { readStoredLogs, type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** A log with its relevance. */
export interface ScoredLog extends StoredLog {
  /** From 0 on; comparable with other scores of the same query only. */
  readonly score: number;
}

/** A position in the order by relevance. */
export interface ScoredCursor extends LogCursor {
  readonly score: number;
}

/** Options of a stream by relevance. */
export interface BestOptions {
  /** Selects the logs to score; default: those that the scored query selects. */
  readonly filter?: Filter;
  readonly limit?: number;
  /** Number of logs to skip. */
  readonly offset?: number;
  /** Only logs after this cursor, which is stable as long as no logs are added. */
  readonly after?: ScoredCursor;
  /** Statistics of all searched logs; default: those of the case. */
  readonly statistics?: Statistics;
  /** Ends the stream at any time: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Streams the logs that a filter selects, the most relevant first. Equally relevant ones are ordered by time,
 * the newest first, then by id.
 */
export async function* streamBest(
  from: Case,
  scored: Scored,
  options: BestOptions = {},
): AsyncGenerator<ScoredLog, void, undefined> {
  const { filter = scored.filter, signal } = options;
  signal?.throwIfAborted();
  const rated = withoutProhibited(scored);
  const statistics = options.statistics ?? (await relevanceStatistics(from, rated.filter));
  const scorer = toScorer(rated, statistics);
  const areSelected = rated.filter === filter && selectsLogs(scorer);
  const page = await readPage(from, { scorer, filter: areSelected ? undefined : filter }, options);
  if (page) return yield* page;
  const { connection, condition, end } = await startSearch(from, filter, signal);
  try {
    await storeCandidates(connection, condition(), scorer);
    signal?.throwIfAborted();
    await storeBest(connection, options);
    const sql = await selectBest(connection);
    const result = await streamRows(connection, { sql, signal });
    for await (const rows of result.yieldRowsJs()) {
      signal?.throwIfAborted();
      for (const [score, ...row] of rows) yield { ...toStoredLog(row), score: Number(score) };
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    end();
  }
}

/**
 * Returns the most relevant logs in the order of `streamBest`.
 *
 * ```ts
 * const best = await findBest(incident, resolveScored(parse('timeout').query), { limit: 10 });
 * ```
 */
export async function findBest(
  from: Case,
  scored: Scored,
  options: BestOptions & { readonly limit: number },
): Promise<readonly ScoredLog[]> {
  const found: ScoredLog[] = [];
  for await (const log of streamBest(from, scored, options)) found.push(log);
  return found;
}

/** Up to this number of logs, the best ones are picked here. Above it, the database sorts all selected logs. */
const maxPicked = 1000;

/** A scorer, and the logs to score: those that match it if no filter selects them. */
interface Rating {
  readonly scorer: Scorer;
  readonly filter: Filter | undefined;
}

/** Returns the best logs in their order by the index alone; undefined if it cannot score them, or if they are too many. */
async function readPage(
  from: Case,
  { scorer, filter }: Rating,
  { limit, offset = 0, after, signal }: BestOptions,
): Promise<readonly ScoredLog[] | undefined> {
  const count = offset + (limit ?? Number.POSITIVE_INFINITY);
  if (count <= 0 || maxPicked < count) return undefined;
  const read = async ({ connection, hits }: LogSearch) => {
    if (filter && !hits) return undefined;
    const logs = filter && hits?.bitmap();
    const snapshot = await snapshotOf(from, connection);
    const scores = snapshot && (await bestScores({ snapshot, connection, scorer, logs }, { count, after }));
    return scores && (await readBest({ from, connection }, scores, offset));
  };
  return withSearch(from, filter ?? matchAllFilter, read, signal);
}

/** Reads the logs with these scores, in their order. */
async function readBest(
  { from, connection }: { readonly from: Case; readonly connection: DuckDBConnection },
  scores: ReadonlyMap<number, number>,
  offset: number,
): Promise<readonly ScoredLog[]> {
  const logs = await readStoredLogs(from, connection, [...scores.keys()]);
  const found = logs.map((log): ScoredLog => ({ ...log, score: scores.get(log.id) ?? 0 }));
  const order = (first: ScoredLog, second: ScoredLog) =>
    second.score - first.score || compareCursors(cursorOf(first), cursorOf(second), 'newest');
  return found.sort(order).slice(offset);
}

/** Stores scoring inputs of the selected logs, and their scores, in temporary tables of the connection. */
async function storeCandidates(
  connection: DuckDBConnection,
  condition: Condition,
  scorer: Scorer,
): Promise<void> {
  const leaves = startLeafColumns(scorer.leaves);
  const where = shiftPlaceholders(condition.sql, leaves.parameters.length);
  const names = leaves.columns.map((_, index) => `leaf_${index}`);
  const columns = leaves.columns.map(({ sql, type }, index) => `(${sql})::${type} AS ${names[index]}`);
  try {
    await connection.run(
      `CREATE TEMP TABLE candidates AS SELECT id, "time", ${columns.join(', ')}
       FROM (SELECT ${['*', ...leaves.inner].join(', ')} FROM stored.logs WHERE ${where})`,
      [...leaves.parameters, ...condition.parameters],
    );
  } finally {
    leaves.done();
  }
  await connection.run(
    `CREATE TEMP TABLE kinds AS
     SELECT (row_number() OVER ())::INTEGER AS kind, * FROM (SELECT DISTINCT ${names.join(', ')} FROM temp.candidates)`,
  );
  await connection.run('CREATE TEMP TABLE scores (kind INTEGER, score FLOAT)');
  await storeScores(connection, leaves, scorer);
}

/** Kinds in one page: they may include long texts. */
const kindsInPage = 10_000;

/** Scores each distinct combination of scoring inputs once. */
async function storeScores(connection: DuckDBConnection, leaves: LeafColumns, scorer: Scorer): Promise<void> {
  const appender = await connection.createAppender('scores', undefined, 'temp');
  for (let first = 1; ; first += kindsInPage) {
    const last = first + kindsInPage - 1;
    const result = await connection.runAndReadAll(
      `SELECT * FROM temp.kinds WHERE kind BETWEEN ${first} AND ${last}`,
    );
    for (const [kind, ...values] of result.getRowsJS()) {
      appender.appendInteger(Number(kind));
      // A log added after the statistics were computed may have terms missing in them.
      appender.appendFloat(scorer.score(leaves.read(values)) ?? 0);
      appender.endRow();
    }
    if (result.currentRowCount < kindsInPage) break;
  }
  appender.closeSync();
}

const order = `score DESC, ${orderBySql.newest}`;

/** Stores the requested candidates in a temporary table. */
async function storeBest(
  connection: DuckDBConnection,
  { limit, offset = 0, after }: BestOptions,
): Promise<void> {
  const rest = after && afterCursorSql(after, 'newest', 2);
  const where = rest ? `WHERE score < $1::FLOAT OR (score = $1::FLOAT AND ${rest.sql})` : '';
  await connection.run(
    `CREATE TEMP TABLE best AS
     SELECT id, score FROM temp.candidates NATURAL JOIN temp.kinds JOIN temp.scores USING (kind) ${where}
     ORDER BY ${order} ${limitClause(limit)} OFFSET ${toSqlCount(offset)}`,
    rest && after ? [after.score, ...rest.parameters] : [],
  );
}

/** Up to this number, ids are listed in the SELECT, so that DuckDB skips the rows between them. */
const maxListedIds = 1000;

async function selectBest(connection: DuckDBConnection): Promise<string> {
  const result = await connection.runAndReadAll(`SELECT id::DOUBLE FROM temp.best LIMIT ${maxListedIds + 1}`);
  const ids = result.getRowsJS().map(([id]) => Number(id));
  const idsSql = ids.length <= maxListedIds ? idListSql(ids) : 'true';
  return `SELECT score::DOUBLE, ${storedLogColumns} FROM (SELECT * FROM stored.logs WHERE ${idsSql})
    JOIN temp.best USING (id) ORDER BY ${order}`;
}

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
  const filters = needs.flatMap(({ field, terms }) =>
    [...terms].map((term): TermFilter => ({ kind: 'term', field, term })),
  );
  const indexed = await countIndexedTerms(from, connection, filters);
  for (const [{ field, term }, count] of indexed?.counts ?? []) counts.get(field.name)?.set(term, count);
  const missing = filters.filter((filter) => !indexed?.counts.has(filter));
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
  const columns = terms.map((term) => `count(*) FILTER (WHERE ${termCondition(term, { bind })})::DOUBLE`);
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
  const snapshot = await snapshotOf(of, connection);
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
  const snapshot = await snapshotOf(from, connection);
  if (!snapshot) return undefined;
  const filters = terms.flatMap((filter) => {
    const field = fieldNumber(filter.field);
    return field === undefined ? [] : [{ filter, field, term: String(filter.term) }];
  });
  const found = await unlessDamaged(() => lookUp(readerOf(snapshot, connection), filters));
  if (!found) return undefined;
  const counts = filters.map(({ filter }, index) => {
    const logs = (found[index] ?? []).reduce((sum, { entry }) => sum + entry.logs, 0);
    return [filter, logs] as const;
  });
  return { counts: new Map(counts), covered: snapshot.covered, lastId: snapshot.lastId };
}

/** Columns with the scoring inputs of a row. */
interface LeafColumns {
  /** Each is SQL of a number or text, never NULL; at least one. */
  readonly columns: readonly LeafColumn[];
  readonly parameters: readonly SqlParameter[];
  /** SQL of columns that the others read: behind `*` in a SELECT from `stored.logs`. */
  readonly inner: readonly string[];
  /** Derives the counts from the values of the columns. */
  readonly read: (values: readonly JS[]) => LeafCounts;
  /** Call it when no statement is running any more. */
  readonly done: () => void;
}

/** One of the columns. */
interface LeafColumn {
  readonly sql: string;
  readonly type: 'INTEGER' | 'VARCHAR';
}

/** Derives the counts of one leaf from the values of a row. */
interface Reading {
  readonly frequency: (values: readonly JS[]) => number;
  readonly length: (values: readonly JS[]) => number;
}

interface Writer {
  readonly bind: (value: SqlParameter) => string;
  readonly condition: (filter: ScoreLeaf['filter']) => string;
  /** Adds a column and returns its index. */
  readonly add: (column: LeafColumn) => number;
  /** Returns the inner column with the terms of a field, so that each text is cut once. */
  readonly termsOf: (field: Field) => string;
}

/**
 * Returns the columns for the leaves of a scorer. The database counts terms and plain phrases. If it cannot, or
 * there are too many to count in one text, the column has the text. Equal rows are scored once, so columns with
 * few distinct values make scoring fast.
 */
function startLeafColumns(leaves: readonly ScoreLeaf[]): LeafColumns {
  const parameters: SqlParameter[] = [];
  const columns: LeafColumn[] = [];
  const inner = new Map<string, string>();
  const started: { readonly done: () => void }[] = [];
  const writer: Writer = {
    bind: (value) => `$${parameters.push(value)}`,
    add: (column) => columns.push(column) - 1,
    termsOf: (field) => {
      const sql = termsColumn(field);
      const name = inner.get(sql) ?? `terms_${inner.size}`;
      inner.set(sql, name);
      return name;
    },
    condition: (filter) => {
      const condition = startCondition(filter);
      started.push(condition);
      const sql = shiftPlaceholders(condition.sql, parameters.length);
      parameters.push(...condition.parameters);
      return `coalesce(${sql}, false)`;
    },
  };
  const readings = toReadings(leaves, writer);
  if (columns.length === 0) writer.add({ sql: '0', type: 'INTEGER' });
  return {
    columns,
    parameters,
    inner: [...inner].map(([sql, name]) => `${sql} AS ${name}`),
    read: (values) => ({
      frequency: (leaf) => readings.get(leaves[leaf])?.frequency(values) ?? 0,
      length: (leaf) => readings.get(leaves[leaf])?.length(values) ?? 0,
    }),
    done: () => {
      for (const condition of started) condition.done();
    },
  };
}

function toReadings(
  leaves: readonly ScoreLeaf[],
  writer: Writer,
): ReadonlyMap<ScoreLeaf | undefined, Reading> {
  const readings = new Map<ScoreLeaf | undefined, Reading>();
  const byField = new Map<string, CountedLeaf[]>();
  for (const leaf of leaves) {
    if (leaf.kind === 'counted') {
      const { name } = leaf.filter.field;
      byField.set(name, [...(byField.get(name) ?? []), leaf]);
      continue;
    }
    const index = writer.add({ sql: `${writer.condition(leaf.filter)}::INTEGER`, type: 'INTEGER' });
    readings.set(leaf, { frequency: (values) => Number(values[index]), length: () => 0 });
  }
  for (const counted of byField.values()) {
    const read = counted.length <= maxCounts && counted.every(canCount) ? countedColumns : textColumn;
    for (const [leaf, reading] of read(counted, writer)) readings.set(leaf, reading);
  }
  return readings;
}

/** Maximum number of counts that the database makes in one text. */
const maxCounts = 64;

/** Reports if the database can count a leaf: two occurrences in a text share at most a blank. */
function canCount({ filter }: CountedLeaf): boolean {
  if (filter.kind === 'term') return true;
  const { terms, slop } = filter;
  const overlaps = terms.some(
    (_, start) => 0 < start && terms.slice(start).every((term, index) => term === terms[index]),
  );
  return slop === 0 && !overlaps;
}

type Readings = readonly (readonly [CountedLeaf, Reading])[];

/** One column for each leaf of a field, and one for the length. */
function countedColumns(leaves: readonly CountedLeaf[], writer: Writer): Readings {
  const [first] = leaves;
  if (!first) return [];
  const { field } = first.filter;
  const counts = leaves.map(({ filter }) => countOf(filter, writer));
  const any = counts.map(({ isThere }) => isThere).join(' OR ');
  const length = writer.add({
    sql: `CASE WHEN ${any} THEN ${tokenCountSql(field, writer.termsOf(field))} ELSE 0 END`,
    type: 'INTEGER',
  });
  return leaves.map((leaf, index) => {
    const column = writer.add({ sql: counts[index]?.count ?? '0', type: 'INTEGER' });
    const reading = {
      frequency: (values: readonly JS[]) => Number(values[column]),
      length: (values: readonly JS[]) => Number(values[length]),
    };
    return [leaf, reading];
  });
}

/** SQL that counts a term or phrase in a text. If two occurrences share a blank, the blanks are doubled first. */
function countOf(
  filter: TermFilter | PhraseFilter,
  { bind, termsOf }: Writer,
): { readonly isThere: string; readonly count: string } {
  const column = termsOf(filter.field);
  if (filter.field.type !== 'text') {
    const isThere = `coalesce(${column} = ${bind(filter.kind === 'term' ? filter.term : '')}, false)`;
    return { isThere, count: `${isThere}::INTEGER` };
  }
  const terms = filter.kind === 'term' ? [filter.term] : filter.terms;
  const once = bind(` ${terms.join(' ')} `);
  const twice = bind(` ${[...terms, ...terms].join(' ')} `);
  const apart = bind(` ${terms.join('  ')} `);
  const isThere = `coalesce(contains(${column}, ${once}), false)`;
  const count = `CASE WHEN NOT ${isThere} THEN 0
    WHEN contains(${column}, ${twice}) THEN len(string_split(replace(${column}, ' ', '  '), ${apart})) - 1
    ELSE len(string_split(${column}, ${once})) - 1 END`;
  return { isThere, count };
}

/** One column with the text of a field, whose leaves are counted here. */
function textColumn(leaves: readonly CountedLeaf[], writer: Writer): Readings {
  const [first] = leaves;
  if (!first) return [];
  const { field } = first.filter;
  const isThere = writer.condition(
    disMaxFilter([...new Set(leaves.map(({ condition: within }) => withoutPositions(within)))]),
  );
  const sql = `CASE WHEN ${isThere} THEN ${writer.termsOf(field)}::VARCHAR ELSE '' END`;
  const index = writer.add({ sql, type: 'VARCHAR' });
  const tokens = lastTokens(field);
  return leaves.map((leaf) => {
    const reading = {
      frequency: (values: readonly JS[]) => frequencyOf(leaf.filter, tokens(String(values[index]))),
      length: (values: readonly JS[]) => tokens(String(values[index])).length,
    };
    return [leaf, reading];
  });
}

/** Returns a filter for the rows that may have a leaf, without positions. */
function withoutPositions(filter: Filter): Filter {
  if (filter.kind !== 'phrase') return filter;
  const { field, terms } = filter;
  return boolFilter({ must: [...new Set(terms)].map((term) => ({ kind: 'term', field, term })) });
}

/** Splits a text into tokens. Caches the last text, which many leaves ask for. */
function lastTokens(field: Field): (value: string) => readonly string[] {
  let [last, tokens]: [string, readonly string[]] = ['', []];
  return (value) => {
    if (value !== last) [last, tokens] = [value, termsIn(field, value)];
    return tokens;
  };
}
