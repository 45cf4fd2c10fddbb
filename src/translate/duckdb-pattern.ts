import type { FuzzyFilter, PhraseFilter, RegexpFilter, WildcardFilter } from '../meaning/filter.ts';
import type { TermPattern } from '../meaning/term-test.ts';
import { compileRegexp } from '../patterns/regexp/compile-regexp.ts';
import { parseRegexp } from '../patterns/regexp/parse-regexp.ts';
import { type WildcardPart, wildcardParts } from '../patterns/wildcard.ts';
import { fitsRe2, fuzzyRe2, literalRe2, type Re2, tokenCodePoints, toRe2, valueCodePoints } from './re2.ts';

/** A condition for DuckDB on one column; NULL if the column is. */
export interface PatternSql {
  readonly sql: string;
  /** True if it selects exactly what `match` does. Otherwise it selects more, and `match` must follow. */
  readonly exact: boolean;
}

/** The column, and the function that binds a parameter. */
interface Target {
  readonly column: string;
  readonly bind: (value: string) => string;
  /** True if the column has tokens between blanks, false for one value. */
  readonly hasTokens: boolean;
}

/**
 * Returns the condition for a pattern or a phrase; undefined if none is useful, so that each row
 * must be matched.
 *
 * `column` is SQL: for a text field the column of its tokens, joined and surrounded by single
 * blanks; for any other the column of its values. `bind` stores a parameter and returns its
 * placeholder; text of the user occurs nowhere else.
 */
export function duckdbPattern(
  filter: TermPattern | PhraseFilter,
  column: string,
  bind: (value: string) => string,
): PatternSql | undefined {
  const target: Target = { column, bind, hasTokens: filter.field.type === 'text' };
  switch (filter.kind) {
    case 'prefix':
      return textCondition({ text: filter.prefix, isStart: true, isEnd: false }, target);
    case 'wildcard':
      return wildcardCondition(filter, target);
    case 'regexp':
      return regexpCondition(filter, target);
    case 'fuzzy':
      return fuzzyCondition(filter, target);
    case 'phrase':
      return phraseCondition(filter, target);
  }
}

const neverCondition: PatternSql = { sql: 'false', exact: true };

interface TermText {
  readonly text: string;
  /** True if nothing may precede the text. */
  readonly isStart: boolean;
  /** True if nothing may follow the text. */
  readonly isEnd: boolean;
}

/**
 * The condition that a term contains a text. Comparing texts is several times faster than a
 * regular expression.
 */
function textCondition({ text, isStart, isEnd }: TermText, { column, bind, hasTokens }: Target): PatternSql {
  if (hasTokens) {
    if (text.includes(' ')) return neverCondition;
    const sql = `contains(${column}, ${bind((isStart ? ' ' : '') + text + (isEnd ? ' ' : ''))})`;
    return { sql, exact: true };
  }
  if (isStart && isEnd) return { sql: `${column} = ${bind(text)}`, exact: true };
  const test = isStart ? 'starts_with' : isEnd ? 'ends_with' : 'contains';
  return { sql: `${test}(${column}, ${bind(text)})`, exact: true };
}

function wildcardCondition({ pattern }: WildcardFilter, target: Target): PatternSql | undefined {
  const parts = wildcardParts(pattern);
  const inner = withoutOuterRuns(parts);
  if (inner.every((each) => typeof each === 'number')) {
    const text = inner.map((codePoint) => String.fromCodePoint(codePoint)).join('');
    return textCondition({ text, isStart: parts[0] !== 'run', isEnd: parts.at(-1) !== 'run' }, target);
  }
  const codePoints = codePointsOf(target);
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

function regexpCondition({ pattern }: RegexpFilter, target: Target): PatternSql | undefined {
  // The compiler refuses long expressions before they are parsed: parsing recurses as deep as their groups.
  if ('refusal' in compileRegexp(pattern)) return neverCondition;
  const parsed = parseRegexp(pattern);
  if ('refusal' in parsed) return neverCondition;
  return re2Condition(toRe2(parsed.tree, codePointsOf(target)), target);
}

function fuzzyCondition({ term, edits, expansion }: FuzzyFilter, target: Target): PatternSql | undefined {
  if (expansion) return anyTerm(expansion, target);
  if (edits === 0 || term === '') return textCondition({ text: term, isStart: true, isEnd: true }, target);
  const near = fuzzyRe2(term, edits, codePointsOf(target));
  return near ? re2Condition(near, target) : anyPiece([...term], 2 * edits + 1, target);
}

/** Any of the terms. */
function anyTerm(terms: readonly string[], target: Target): PatternSql {
  if (terms.length === 0) return neverCondition;
  const tests = terms.map((text) => textCondition({ text, isStart: true, isEnd: true }, target).sql);
  return { sql: `(${tests.join(' OR ')})`, exact: true };
}

/**
 * The condition that one of the pieces of a term occurs. An edit changes one piece, or two if it
 * swaps code points at their border: with more pieces than twice the edits, one stays unchanged.
 */
function anyPiece(characters: readonly string[], count: number, { column, bind }: Target): PatternSql {
  const border = (index: number): number => Math.floor((index * characters.length) / count);
  const pieces = Array.from({ length: count }, (_, index) =>
    characters.slice(border(index), border(index + 1)).join(''),
  );
  return {
    sql: `(${pieces.map((piece) => `contains(${column}, ${bind(piece)})`).join(' OR ')})`,
    exact: false,
  };
}

function phraseCondition({ terms, slop }: PhraseFilter, { column, bind }: Target): PatternSql {
  if (slop === 0) return { sql: `contains(${column}, ${bind(` ${terms.join(' ')} `)})`, exact: true };
  const all = [...new Set(terms)].map((term) => `contains(${column}, ${bind(` ${term} `)})`);
  return { sql: `(${all.join(' AND ')})`, exact: false };
}

function codePointsOf({ hasTokens }: Target): typeof valueCodePoints {
  return hasTokens ? tokenCodePoints : valueCodePoints;
}

function re2Condition(expression: Re2, { column, bind, hasTokens }: Target): PatternSql | undefined {
  if (!fitsRe2(expression)) return undefined;
  const { text, exact } = expression;
  const sql = hasTokens
    ? `regexp_matches(${column}, ${bind(` (?:${text}) `)})`
    : `regexp_full_match(${column}, ${bind(text)})`;
  return { sql, exact };
}
