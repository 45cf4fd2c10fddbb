import { parse } from '../language/parse.ts';
import type { TokenKind } from '../language/token.ts';
import type { Query } from '../language/tree.ts';
import { tokensOf } from '../language/walk.ts';
import type { Filter } from '../meaning/filter.ts';
import { resolveScored, type Scored } from '../meaning/relevance/scored.ts';
import type { Failure } from '../protocol/index.ts';

/**
 * What a `searchQuery` asks for, or the words with which the deployment refuses
 * it. What the engine cannot read is refused, and so are the characters
 * `? * ^ +` outside quotes without a backslash: wildcards are no supported
 * search values (field notes).
 */
export function readSearch(text: string, now: number): { search: Scored } | { failure: Failure } {
  const { query, findings } = parse(text);
  const message = `Failed to parse query [${beginningOf(text)}]`;
  const refused =
    0 < findings.length
      ? findings.map(({ from, message }) => `Character ${from + 1}: ${message}`)
      : wildcards(query);
  if (0 < refused.length) {
    return { failure: { code: 400, message, details: refused.slice(0, mostDetails) } };
  }
  const search = resolveScored(query, { now });
  const clauses = countClauses(search.filter);
  if (clauses <= mostClauses) return { search };
  const rule = `A search requires at most ${mostClauses} clauses, not ${clauses}; a word without a field is one for each default field`;
  return { failure: { code: 400, message, details: [rule] } };
}

/** As many as the engine joins in one search (section 7.8 of the language specification). */
export const mostClauses = 1024;

function countClauses(filter: Filter): number {
  switch (filter.kind) {
    case 'bool':
      return sum([...filter.must, ...filter.should, ...filter.mustNot].map(countClauses));
    case 'disMax':
      return sum(filter.filters.map(countClauses));
    default:
      return 1;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

// A text may be a megabyte of mistakes; its first ones are told, and its beginning says which text it was.
const mostDetails = 10;

function beginningOf(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 500)}…`;
}

// The star of an open range is no wildcard, and in quotes nothing is.
const plain: ReadonlySet<TokenKind> = new Set(['Quoted', 'RangeBound', 'RangeQuoted']);

function wildcards(query: Query): string[] {
  return tokensOf(query)
    .filter(({ kind, text }) => !plain.has(kind) && /[?*^+]/.test(text.replace(/\\./gs, '')))
    .map(
      ({ text, from }) =>
        `Character ${from + 1}: "${text}" holds ? * ^ or +, which are no supported search values`,
    );
}
