import { skipped, unescaped, word } from '../language/index.ts';
import { ClusterError } from './cluster-error.ts';

/** A call of `matches` in SQL, with the positions of its text. */
export interface MatchesCall {
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
export function findMatches(sql: string): readonly MatchesCall[] {
  const calls: MatchesCall[] = [];
  for (let at = 0; at < sql.length; ) {
    const call = isInName(sql, at) ? undefined : callAt(sql, at);
    if (call) calls.push(call);
    at = call?.to ?? matchAt(skipped, sql, at)?.end ?? matchAt(word, sql, at)?.end ?? at + 1;
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
    at = number?.end ?? matchAt(skipped, sql, at)?.end ?? matchAt(word, sql, at)?.end ?? at + 1;
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
