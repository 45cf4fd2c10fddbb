import { compileRegexp } from '../automata/compile-regexp.ts';
import { parseRegexp } from '../automata/parse-regexp.ts';
import { type WildcardPart, wildcardParts } from '../automata/wildcard.ts';
import type { FuzzyFilter, RegexpFilter, WildcardFilter } from '../meaning/filter.ts';
import type { TermPattern } from '../meaning/term-test.ts';
import { type CodePoints, fitsRe2, fuzzyRe2, literalRe2, type Re2, toRe2 } from './re2.ts';

/** A condition on the terms of one column. */
export interface PatternSql {
  readonly sql: string;
  /** True if it selects exactly what `match` does. Otherwise it selects more, and `match` must follow. */
  readonly exact: boolean;
}

/** A text that a term contains. */
export interface TermText {
  readonly text: string;
  /** True if nothing may precede the text. */
  readonly isStart: boolean;
  /** True if nothing may follow the text. */
  readonly isEnd: boolean;
}

/** A database: its tests of a term. */
export interface PatternTarget {
  /** The code points of a term, as RE2. */
  readonly codePoints: CodePoints;
  /** The SQL that a term contains a text. Comparing texts is several times faster than a regular expression. */
  readonly contains: (text: TermText) => string;
  /** The SQL that a regular expression for RE2 matches a whole term. */
  readonly matches: (expression: string) => string;
}

/** Returns the condition for a pattern; undefined if none is useful, so that each term must be tested. */
export function patternCondition(filter: TermPattern, target: PatternTarget): PatternSql | undefined {
  switch (filter.kind) {
    case 'prefix':
      return exactly(target.contains({ text: filter.prefix, isStart: true, isEnd: false }));
    case 'wildcard':
      return wildcardCondition(filter, target);
    case 'regexp':
      return regexpCondition(filter, target);
    case 'fuzzy':
      return fuzzyCondition(filter, target);
  }
}

function exactly(sql: string): PatternSql {
  return { sql, exact: true };
}

const neverCondition = exactly('false');

function wildcardCondition({ pattern }: WildcardFilter, target: PatternTarget): PatternSql | undefined {
  const parts = wildcardParts(pattern);
  const inner = withoutOuterRuns(parts);
  if (inner.every((each) => typeof each === 'number')) {
    const text = inner.map((codePoint) => String.fromCodePoint(codePoint)).join('');
    return exactly(target.contains({ text, isStart: parts[0] !== 'run', isEnd: parts.at(-1) !== 'run' }));
  }
  const { codePoints } = target;
  const text = parts.map((each) => {
    if (each === 'run') return `${codePoints.any}*`;
    return each === 'one' ? codePoints.any : literalRe2(String.fromCodePoint(each), codePoints).text;
  });
  return re2Condition({ text: text.join(''), exact: true, size: parts.length, depth: 1, repeats: 1 }, target);
}

function withoutOuterRuns(parts: readonly WildcardPart[]): readonly WildcardPart[] {
  const isOther = (each: WildcardPart) => each !== 'run';
  // For runs alone both indices are -1, and nothing remains.
  return parts.slice(parts.findIndex(isOther), 1 + parts.findLastIndex(isOther));
}

function regexpCondition({ pattern }: RegexpFilter, target: PatternTarget): PatternSql | undefined {
  // The compiler refuses long expressions before they are parsed: parsing recurses as deep as their groups.
  if ('refusal' in compileRegexp(pattern)) return neverCondition;
  const parsed = parseRegexp(pattern);
  if ('refusal' in parsed) return neverCondition;
  return re2Condition(toRe2(parsed.tree, target.codePoints), target);
}

function fuzzyCondition({ term, edits, expansion }: FuzzyFilter, target: PatternTarget): PatternSql {
  if (expansion) return anyTerm(expansion, target);
  if (edits === 0 || term === '') return exactly(target.contains({ text: term, isStart: true, isEnd: true }));
  const near = fuzzyRe2(term, edits, target.codePoints);
  return (near && re2Condition(near, target)) ?? anyPiece([...term], 2 * edits + 1, target);
}

/** Any of the terms. */
function anyTerm(terms: readonly string[], { contains }: PatternTarget): PatternSql {
  if (terms.length === 0) return neverCondition;
  return exactly(`(${terms.map((text) => contains({ text, isStart: true, isEnd: true })).join(' OR ')})`);
}

/**
 * The condition that one of the pieces of a term occurs. An edit changes one piece, or two if it
 * swaps code points at their border: with more pieces than twice the edits, one stays unchanged.
 */
function anyPiece(characters: readonly string[], count: number, { contains }: PatternTarget): PatternSql {
  const border = (index: number): number => Math.floor((index * characters.length) / count);
  const pieces = Array.from({ length: count }, (_, index) =>
    characters.slice(border(index), border(index + 1)).join(''),
  );
  return {
    sql: `(${pieces.map((text) => contains({ text, isStart: false, isEnd: false })).join(' OR ')})`,
    exact: false,
  };
}

function re2Condition(expression: Re2, { matches }: PatternTarget): PatternSql | undefined {
  if (!fitsRe2(expression)) return undefined;
  return { sql: matches(expression.text), exact: expression.exact };
}
