import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { parse } from '../../language/parse.ts';
import type { Filter } from '../../meaning/filter.ts';
import { resolve } from '../../meaning/resolve.ts';
import type { Case } from '../case.ts';
import { type Condition, withCondition } from '../column-test.ts';
import { StoreError } from '../store-error.ts';
import { findHits } from '../token-index/hits.ts';

/** What a query of the search language asks for. Throws when it has errors. */
export type ToFilter = (query: string) => Filter;

/** A call of `matches` in SQL. */
interface Call {
  /** Where it stands: bytes from the beginning of the SQL. */
  readonly location: number;
  readonly query: string;
  /** Whether it names the column with the id of the log. */
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
 * Lets SQL ask which logs a query of the search language selects:
 * `matches('msg:timeout')` is true for the log of the row, `matches('…', l.id)`
 * for the log of an id. Gives back the SQL to run in place of the one that was
 * parsed as `tree`.
 *
 * The logs of each query are looked up first, exactly as a search does, and
 * kept in a table of the connection; the text of the query is data throughout.
 */
export async function prepareMatches(
  connection: DuckDBConnection,
  {
    from,
    sql,
    tree,
    toFilter: given,
  }: {
    readonly from: Case;
    readonly sql: string;
    readonly tree: unknown;
    readonly toFilter?: ToFilter | undefined;
  },
): Promise<string> {
  const calls = findCalls(tree);
  if (calls.length === 0) return sql;
  const toFilter = given ?? (await usualToFilter());
  await connection.run('CREATE OR REPLACE TEMP TABLE matched (query VARCHAR, id BIGINT)');
  for (const query of new Set(calls.map((each) => each.query)))
    await lookUp(connection, { from, query, filter: toFilter(query) });
  const isMatched = 'log_id IN (SELECT m.id FROM temp.matched m WHERE m.query = asked)';
  await connection.run(`CREATE OR REPLACE TEMP MACRO matches(asked, log_id) AS ${isMatched}`);
  await connection.run(`CREATE OR REPLACE TEMP MACRO matched_by(log_id, asked) AS ${isMatched}`);
  // The last one first, so that the places of the others stay true.
  return calls.reduceRight(withId, sql);
}

/** Reads queries by the documented fields. The parser takes longer to load than a case to open, so it is loaded only here. */
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

async function lookUp(
  connection: DuckDBConnection,
  { from, query, filter }: { readonly from: Case; readonly query: string; readonly filter: Filter },
): Promise<void> {
  const insert = ({ sql, parameters }: Condition) =>
    connection.run(
      `INSERT INTO temp.matched SELECT $${parameters.length + 1}, id FROM stored.logs WHERE ${sql}`,
      [...parameters, query],
    );
  const hits = await findHits(from, connection, filter);
  await (hits ? insert(hits.condition()) : withCondition(filter, insert));
}

/** The calls in a tree in the order of the text, without recursion: it may be deep. */
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

/** The SQL in which a call names the id of its log; a macro cannot know a column that it is not given. */
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
