import { createHash } from 'node:crypto';
import { DuckDBBitValue, type DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { parse } from '../../language/parse.ts';
import type { Filter } from '../../meaning/filter.ts';
import { resolve } from '../../meaning/resolve.ts';
import { assertRunnable } from '../../meaning/runnable.ts';
import type { Case } from '../case/case.ts';
import { type Condition, withCondition } from '../case/column-test.ts';
import { StoreError } from '../database/store-error.ts';
import { expandFuzzyTerms } from '../searching/expand-fuzzy.ts';
import { findHits } from '../token-index/hits.ts';

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
 * The logs of each query are looked up first, exactly as in a search. A variable of the connection
 * stores a bit for each log. With many queries, a table of ids and a join for each would exceed
 * the memory. The text of a query is data throughout.
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
  for (const query of new Set(calls.map((each) => each.query)))
    await lookUp(connection, { from, query, filter: await toFilter(query) });
  const bits = `getvariable('${variablePrefix}' || md5(asked))`;
  // Other ids belong to no log: bit 0 is never set.
  const id = `CASE WHEN log_id BETWEEN 1 AND bit_length(${bits}) - 1 THEN log_id WHEN log_id IS NOT NULL THEN 0 END`;
  const isMatched = `get_bit(${bits}, (${id})::INTEGER) = 1`;
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
  const language = await import('../../language/parse.ts');
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

/** Prefix of the connection variables that hold the logs of queries; the digest of the query follows. */
const variablePrefix = 'matched_';

async function lookUp(
  connection: DuckDBConnection,
  { from, query, filter }: { readonly from: Case; readonly query: string; readonly filter: Filter },
): Promise<void> {
  assertRunnable(filter);
  const name = variablePrefix + createHash('md5').update(query).digest('hex');
  const expanded = await expandFuzzyTerms(from, connection, filter);
  const hits = await findHits(from, connection, expanded);
  if (hits) await connection.run(`SET VARIABLE ${name} = $1::BIT`, [new DuckDBBitValue(hits.bitmap().bit)]);
  else await withCondition(expanded, (condition) => scanInto(connection, name, condition));
}

/** Sets a variable to the bits of the logs that a condition selects. */
async function scanInto(
  connection: DuckDBConnection,
  name: string,
  { sql, parameters }: Condition,
): Promise<void> {
  const result = await connection.runAndReadAll('SELECT coalesce(max(id), 0)::BIGINT FROM stored.logs');
  const last = v.parse(v.bigint(), result.getRowsJS()[0]?.[0]);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE matched AS
       SELECT bitstring_agg(id, 0::BIGINT, ${last}::BIGINT) AS bits FROM stored.logs WHERE ${sql}`,
    [...parameters],
  );
  await connection.run(
    `SET VARIABLE ${name} = (SELECT coalesce(bits, repeat('0', 8)::BIT) FROM temp.matched)`,
  );
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
