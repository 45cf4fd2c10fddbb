import { createHash } from 'node:crypto';
import type { DuckDBBitValue, DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { StoreError } from '../../database/index.ts';
import type { Filter, parse } from '../../language/index.ts';
import { assertRunnable, resolve } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { withCondition } from '../file/column-test.ts';
import { bitParts, bitSql, partIds } from '../index/bit-parts.ts';
import { type Bitmap, bitsFor } from '../index/bitmap.ts';
import { findHits } from '../index/hits.ts';
import { selectIds } from '../index/select-ids.ts';
import { expandFuzzyTerms } from '../searching/expand-fuzzy.ts';

/** Converts a query of the search language to a filter. Throws if it has errors. */
export type ToFilter = (query: string) => Filter | Promise<Filter>;

/** A call of `matches` in SQL. */
interface Call {
  /** Byte offset in the SQL. */
  readonly location: number;
  readonly query: string;
  /** The call names the column with the id of the log. */
  readonly hasId: boolean;
}

const text = v.object({
  class: v.literal('CONSTANT'),
  value: v.object({ type: v.object({ id: v.literal('VARCHAR') }), value: v.string() }),
});

const call = v.object({
  class: v.literal('FUNCTION'),
  function_name: v.pipe(v.string(), v.toLowerCase(), v.literal('matches')),
  query_location: v.number(),
  children: v.array(v.unknown()),
});

/**
 * Enables `matches` in SQL: `matches('msg:timeout')` is true if the query selects the log of the
 * row, `matches('…', l.id)` for the log of an id. Returns the SQL to run instead of the one parsed
 * as `tree`.
 *
 * The logs of each query are looked up first, exactly as in a search. Variables of the connection
 * store a bit for each log of a part of them. With many queries, a table of ids and a join for each
 * would exceed the memory. The text of a query is data throughout.
 */
export async function prepareMatches(
  connection: DuckDBConnection,
  {
    from,
    sql,
    tree,
    toFilter: customToFilter,
  }: {
    readonly from: Case;
    readonly sql: string;
    readonly tree: unknown;
    readonly toFilter?: ToFilter | undefined;
  },
): Promise<string> {
  const calls = findCalls(tree);
  if (calls.length === 0) return sql;
  const toFilter = customToFilter ?? (await usualToFilter());
  const sets = new Map<string, Bitmap>();
  for (const { query } of calls)
    if (!sets.has(query)) sets.set(query, await lookUp(connection, from, await toFilter(query)));
  const bits = Math.max(...[...sets.values()].map(({ words }) => 32 * words.length));
  for (const [query, set] of sets) await setVariables(connection, query, bitParts(set, bits));
  const parts = Array.from(
    { length: Math.ceil(bits / partIds) },
    (_, part) => `getvariable('${variablePrefix}' || md5(asked) || '_${part}')`,
  );
  // Other ids belong to no log.
  const bit = `CASE WHEN log_id BETWEEN 1 AND ${bits - 1} THEN ${bitSql('log_id::INTEGER', parts)} WHEN log_id IS NOT NULL THEN 0 END`;
  const isMatched = `(${bit}) = 1`;
  await connection.run(`CREATE OR REPLACE TEMP MACRO matches(asked, log_id) AS ${isMatched}`);
  await connection.run(`CREATE OR REPLACE TEMP MACRO matched_by(log_id, asked) AS ${isMatched}`);
  // Last call first, so that the offsets of the others stay valid.
  return calls.reduceRight(withId, sql);
}

/**
 * Reads queries by the documented fields. The parser takes longer to load than a case to open, so
 * it is loaded only here.
 */
async function usualToFilter(): Promise<ToFilter> {
  const language = await import('../../language/parse/parse.ts');
  return (query) => filterOf(query, language.parse);
}

function filterOf(query: string, parseQuery: typeof parse): Filter {
  const { query: tree, findings } = parseQuery(query);
  const [first] = findings;
  if (first)
    throw new StoreError(
      'BAD_QUERY',
      `The query "${query}" cannot be run: ${first.message} (at character ${first.from + 1})`,
    );
  return resolve(tree, { now: Date.now() });
}

/** Prefix of the connection variables that hold the logs of queries; the digest of the query and the part follow. */
const variablePrefix = 'matched_';

async function setVariables(
  connection: DuckDBConnection,
  query: string,
  parts: readonly DuckDBBitValue[],
): Promise<void> {
  const name = variablePrefix + createHash('md5').update(query).digest('hex');
  for (const [part, bits] of parts.entries())
    await connection.run(`SET VARIABLE ${name}_${part} = $1::BIT`, [bits]);
}

/** Returns the logs that a filter selects. */
async function lookUp(connection: DuckDBConnection, from: Case, filter: Filter): Promise<Bitmap> {
  assertRunnable(filter);
  const expanded = await expandFuzzyTerms(from, connection, filter);
  const hits = await findHits(from, connection, expanded);
  if (hits) return hits.bitmap();
  return withCondition(expanded, async ({ sql, parameters }) => {
    const result = await connection.runAndReadAll('SELECT coalesce(max(id), 0)::BIGINT FROM stored.logs');
    const bits = bitsFor(Number(v.parse(v.bigint(), result.getRowsJS()[0]?.[0])));
    return selectIds(connection, { sql: `SELECT id FROM stored.logs WHERE ${sql}`, parameters, bits });
  });
}

/** Finds calls in a tree in the order of the text, without recursion: the tree may be deep. */
function findCalls(tree: unknown): readonly Call[] {
  const calls: Call[] = [];
  const nodes: unknown[] = [tree];
  while (0 < nodes.length) {
    const node = nodes.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (v.is(call, node)) calls.push(toCall(v.parse(call, node)));
    for (const child of Object.values(node)) nodes.push(child);
  }
  return calls.sort((first, second) => first.location - second.location);
}

function toCall({ query_location: location, children }: v.InferOutput<typeof call>): Call {
  const [query] = children;
  if ((children.length === 1 || children.length === 2) && v.is(text, query))
    return { location, query: query.value.value, hasId: children.length === 2 };
  throw new StoreError(
    'BAD_SQL',
    `"matches" requires the text of a query, as in matches('msg:timeout'), and the id of a log where that is not the column "id", as in matches('msg:timeout', l.id)`,
  );
}

/**
 * Inserts the id column into a call without one: a macro cannot refer to a column that is not an
 * argument.
 */
function withId(sql: string, { location, hasId }: Call): string {
  if (hasId) return sql;
  const bytes = new TextEncoder().encode(sql);
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, location));
  const name = /^"?matches"?\s*\(/i.exec(sql.slice(before.length));
  if (!name)
    throw new StoreError(
      'BAD_SQL',
      '"matches" requires its bracket right behind it, without a schema before it',
    );
  return `${before}matched_by(id, ${sql.slice(before.length + name[0].length)}`;
}
