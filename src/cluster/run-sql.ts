import * as v from 'valibot';
import type { SqlColumn, SqlPiece } from '../case/index.ts';
import {
  type ClickhouseParameter,
  type Filter,
  parse,
  problemOfReading,
  resolve,
  skipped,
  sqlWord,
  textLiteral,
  unescaped,
} from '../language/index.ts';
import type { JsonValue } from '../records/index.ts';
import { ClusterError } from './address.ts';
import { conditionOf } from './condition.ts';
import type { Cluster, ClusterRow } from './connection.ts';
import { visibleLogs } from './schema.ts';

/** Options of SQL on a cluster. */
export interface ClusterSqlOptions {
  /** Maximum number of rows. Default: all. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Converts queries in `matches`. Its errors reject the call. */
  readonly toFilter: (query: string) => Promise<Filter>;
}

/**
 * Runs one SELECT of a user on a cluster, and yields the columns, the rows as they come, and the end. It can only
 * read: the server refuses everything else, and functions that reach files or addresses. Of the deployment that the
 * address names, it sees that alone. `matches` is the condition of a query, as in the SQL of a case.
 *
 * Rejects with a `ClusterError`: `CLUSTER_SQL` if the SQL is not valid or refused.
 */
export async function* runClusterSql(
  cluster: Cluster,
  sql: string,
  { limit = Number.POSITIVE_INFINITY, signal, toFilter }: ClusterSqlOptions,
): AsyncGenerator<SqlPiece, void, undefined> {
  const { text, parameters } = await withMatches(cluster, sql, { signal, toFilter });
  const rows = cluster.stream(withoutEnd(text), {
    parameters,
    signal,
    isUserSql: true,
    settings: readOnlySettings(cluster),
  });
  let [columns, count]: [readonly SqlColumn[] | undefined, number] = [undefined, 0];
  let head: readonly ClusterRow[] = [];
  for await (const some of rows) {
    let body = some;
    if (!columns) {
      head = [...head, ...some];
      if (head.length < 2) continue;
      columns = toColumns(head);
      yield { kind: 'columns', columns };
      body = head.slice(2);
    }
    const shown = body.slice(0, limit - count).map((row) => toValues(row, columns ?? []));
    if (0 < shown.length) yield { kind: 'rows', rows: shown };
    count += body.length;
    if (limit < count) break;
  }
  yield { kind: 'end', more: limit < count };
}

/** Reads a query in `matches` by the documented fields. Throws `CLUSTER_SQL` if it has errors. */
export async function documentedFilter(query: string): Promise<Filter> {
  const read = parse(query);
  const [error] = read.findings.filter(({ severity }) => severity === 'error');
  if (error) throw new ClusterError('CLUSTER_SQL', `The query in "matches" has an error: ${error.message}`);
  return resolve(read.query);
}

/** Runs one SELECT of a user. Returns its rows as a Parquet file; rejects as `runClusterSql` does. */
export async function clusterSqlToParquet(
  cluster: Cluster,
  sql: string,
  { signal, toFilter }: Pick<ClusterSqlOptions, 'signal' | 'toFilter'>,
): ReturnType<Cluster['download']> {
  const { text, parameters } = await withMatches(cluster, sql, { signal, toFilter });
  return await cluster.download(withoutEnd(text), {
    parameters,
    signal,
    isUserSql: true,
    settings: readOnlySettings(cluster),
  });
}

function readOnlySettings(cluster: Cluster) {
  // The logs of a subquery are those of all shards.
  return { ...filterSettings(cluster), distributed_product_mode: 'global', readonly: 1 };
}

/** A statement may end in a semicolon. */
function withoutEnd(sql: string): string {
  const text = sql.replace(/[\s;]+$/, '');
  if (text === '') throw new ClusterError('CLUSTER_SQL', 'There is no SQL to run');
  return text;
}

/** Replaces each call of `matches` by the ids that its query selects. Throws `CLUSTER_SQL` for a number that is too large, and `CLUSTER_REFUSED`. */
async function withMatches(
  cluster: Cluster,
  sql: string,
  { signal, toFilter }: Pick<ClusterSqlOptions, 'signal' | 'toFilter'>,
): Promise<{ readonly text: string; readonly parameters: readonly ClickhouseParameter[] }> {
  const problem = problemOfReading(sql);
  if (problem !== undefined) throw new ClusterError('CLUSTER_REFUSED', problem);
  checkNumbers(sql);
  const parameters: ClickhouseParameter[] = [];
  let [text, at] = ['', 0];
  for (const [index, { from, to, query, id }] of findMatches(sql).entries()) {
    const condition = await conditionOf(cluster, await toFilter(query), { signal });
    const named = (name: string) => `matches${index}${name}`;
    // The SQL has no text of the query: every brace belongs to a parameter.
    const own = condition.sql.replaceAll(/\{(\w+):/g, (_, name: string) => `{${named(name)}:`);
    parameters.push(
      ...condition.parameters.map((parameter) => ({ ...parameter, name: named(parameter.name) })),
    );
    const ids = `SELECT id FROM ${visibleLogs(cluster.address.database)} AND ${own}`;
    text += `${sql.slice(at, from)}(${id} GLOBAL IN (${ids}))`;
    at = to;
  }
  return { text: text + sql.slice(at), parameters };
}

/** Settings that leave out the rows of other deployments. */
function filterSettings({ address: { database, deployment } }: Cluster): Readonly<Record<string, string>> {
  if (deployment === undefined) return {};
  const condition = `deployment = ${textLiteral(deployment)}`;
  // Of several shards, each has tables of its own under the distributed ones.
  const names = ['log_rows', 'unreadable_rows', 'loads', 'coverages'].flatMap((name) => [
    name,
    `${name}_local`,
  ]);
  const tables = names.map((table) => `${textLiteral(`${database}.${table}`)}: ${textLiteral(condition)}`);
  return { additional_table_filters: `{${tables.join(', ')}}` };
}

const texts = v.array(v.string());

function toColumns([names, types]: readonly ClusterRow[]): readonly SqlColumn[] {
  const typeNames = v.parse(texts, types);
  return v.parse(texts, names).map((name, index) => ({ name, type: typeNames[index] ?? '' }));
}

const wideInteger = /^(Nullable\(|LowCardinality\()*U?Int(64|128|256)\b/;

/** A time with a fraction of a second, which the server writes with its zeros. */
const preciseTime = /^(Nullable\()?DateTime64\(/;

function toValues(row: ClusterRow, columns: readonly SqlColumn[]): readonly JsonValue[] {
  return row.map((value, index) => {
    if (typeof value === 'string' && wideInteger.test(columns[index]?.type ?? '')) {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : value;
    }
    if (typeof value === 'string' && preciseTime.test(columns[index]?.type ?? ''))
      return value.replace(/\.0+$|(\.\d*[1-9])0+$/, '$1');
    return value as JsonValue;
  });
}

/** A call of `matches` in SQL, with the positions of its text. */
interface MatchesCall {
  readonly from: number;
  readonly to: number;
  readonly query: string;
  /** SQL of the id; the column `id` unless the call names another. */
  readonly id: string;
}

const begin = /matches\s*\(\s*/iy;

const literal = /'((?:[^'\\]|\\.|'')*)'\s*/sy;

/** A name of a column such as `l.id`. */
const name =
  /,\s*((?:(?:[\p{L}_][\p{L}\p{N}_]*|`[^`\\]*`|"[^"\\]*")\.){0,2}(?:[\p{L}_][\p{L}\p{N}_]*|`[^`\\]*`|"[^"\\]*"))\s*/uy;

const end = /\)/y;

/**
 * Finds the calls of `matches` in SQL of ClickHouse, in their order, outside of literals, quoted names and comments.
 * Throws `CLUSTER_SQL` for one without the text of a query.
 */
function findMatches(sql: string): readonly MatchesCall[] {
  const calls: MatchesCall[] = [];
  for (let at = 0; at < sql.length; ) {
    const call = isInName(sql, at) ? undefined : callAt(sql, at);
    if (call) calls.push(call);
    at = call?.to ?? matchAt(skipped, sql, at)?.end ?? matchAt(sqlWord, sql, at)?.end ?? at + 1;
  }
  return calls;
}

/** A number with an exponent. */
const scientific = /(\d[\d.]*e\+?\d+)(?![\p{L}\p{N}_$])/iuy;

/** Throws `CLUSTER_SQL` for a number beyond 64-bit floats: the server would call the text after it wrong. */
export function checkNumbers(sql: string): void {
  for (let at = 0; at < sql.length; ) {
    const number = isInName(sql, at) ? undefined : matchAt(scientific, sql, at);
    if (number && Number(number.group) === Number.POSITIVE_INFINITY)
      throw new ClusterError(
        'CLUSTER_SQL',
        `The number ${number.group} is too large: the largest is 1.7e308`,
      );
    at = number?.end ?? matchAt(skipped, sql, at)?.end ?? matchAt(sqlWord, sql, at)?.end ?? at + 1;
  }
}

/** Returns whether the position is behind a dot or a letter, where a function of this name does not begin. */
function isInName(sql: string, at: number): boolean {
  return /[\p{L}\p{N}_$.]/u.test(sql.slice(Math.max(0, at - 1), at));
}

function callAt(sql: string, from: number): MatchesCall | undefined {
  const opened = matchAt(begin, sql, from);
  if (!opened) return undefined;
  const text = matchAt(literal, sql, opened.end);
  const id = text && matchAt(name, sql, text.end);
  const closed = text && matchAt(end, sql, id?.end ?? text.end);
  if (!closed)
    throw new ClusterError(
      'CLUSTER_SQL',
      `"matches" requires the text of a query, as in matches('msg:timeout'), and the id of a log where that is not the column "id", as in matches('msg:timeout', l.id)`,
    );
  return { from, to: closed.end, query: unescaped(text.group), id: id?.group ?? 'id' };
}

function matchAt(
  pattern: RegExp,
  sql: string,
  at: number,
): { readonly end: number; readonly group: string } | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(sql);
  return found ? { end: pattern.lastIndex, group: found[1] ?? '' } : undefined;
}
