import type { Edits } from '../automata/fuzzy.ts';
import {
  type CodePointRange,
  compileRegexp,
  parseRegexp,
  type RegexpRepetition,
  type RegexpTree,
} from '../automata/regexp.ts';
import { type WildcardPart, wildcardParts } from '../automata/wildcard.ts';
import type { FilterBound, FuzzyFilter, RegexpFilter, WildcardFilter } from '../meaning/filter.ts';
import type { TermPattern } from '../meaning/match.ts';

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
export function patternSql(filter: TermPattern, target: PatternTarget): PatternSql | undefined {
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
  if (inner.every((part) => typeof part === 'number')) {
    const text = inner.map((codePoint) => String.fromCodePoint(codePoint)).join('');
    return exactly(target.contains({ text, isStart: parts[0] !== 'run', isEnd: parts.at(-1) !== 'run' }));
  }
  const { codePoints } = target;
  const text = parts.map((part) => {
    if (part === 'run') return `${codePoints.any}*`;
    return part === 'one' ? codePoints.any : literalRe2(String.fromCodePoint(part), codePoints).text;
  });
  return re2Condition({ text: text.join(''), exact: true, size: parts.length, depth: 1, repeats: 1 }, target);
}

function withoutOuterRuns(parts: readonly WildcardPart[]): readonly WildcardPart[] {
  const isOther = (part: WildcardPart) => part !== 'run';
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

/**
 * A regular expression for RE2. If it is not exact, it matches more: RE2 has no complement and no
 * intersection.
 */
export interface Re2 {
  readonly text: string;
  readonly exact: boolean;
  /** The number of code points in it with all repetitions expanded. */
  readonly size: number;
  /** The nesting depth of its groups. */
  readonly depth: number;
  /** The greatest product of nested repetition counts. */
  readonly repeats: number;
}

/** The code points of a text: all, or all except the blank, which separates tokens. */
interface CodePoints {
  readonly any: string;
  readonly hasBlank: boolean;
}

/** The code points of a value. */
export const valueCodePoints: CodePoints = { any: '(?s:.)', hasBlank: true };

/** The code points of a token that stands between blanks. */
export const tokenCodePoints: CodePoints = { any: '[^ ]', hasBlank: false };

/** RE2's limit on a repetition count, and on the product of nested ones. */
const maxRepeats = 1000;

/** Well below RE2's limits: a depth of 1,000 and about 40,000 code points. */
const limits = { depth: 500, size: 10_000 };

const blank = 0x20;
const maxCodePoint = 0x10ffff;

/** Returns whether RE2 accepts an expression of this size and depth. */
export function fitsRe2({ size, depth }: Pick<Re2, 'size' | 'depth'>): boolean {
  return size <= limits.size && depth <= limits.depth;
}

/** Translates a regular expression of the engine's syntax to RE2. */
export function toRe2(tree: RegexpTree, codePoints: CodePoints): Re2 {
  switch (tree.kind) {
    case 'ranges':
      return leaf(rangesText(tree.ranges, codePoints));
    case 'text':
      return literalRe2(tree.text, codePoints);
    case 'anything':
      return leaf(`${codePoints.any}*`);
    case 'nothing':
      return leaf(rangesText([], codePoints));
    case 'interval':
      return { ...leaf('[0-9]+'), exact: false };
    case 'union':
      return joined(
        tree.parts.map((part) => toRe2(part, codePoints)),
        '|',
      );
    case 'concatenation':
      return joined(
        tree.parts.map((part) => toRe2(part, codePoints)),
        '',
      );
    case 'intersection': {
      const [left, right] = [toRe2(tree.left, codePoints), toRe2(tree.right, codePoints)];
      return { ...(left.exact || !right.exact ? left : right), exact: false };
    }
    case 'complement':
      return { ...leaf(`${codePoints.any}*`), exact: false };
    case 'repetition':
      return repetition(tree, codePoints);
  }
}

/** A literal text; each character is escaped unless it is a letter or a digit, of any script. */
function literalRe2(text: string, codePoints: CodePoints): Re2 {
  const characters = Array.from(text, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return rangesText([[codePoint, codePoint]], codePoints);
  });
  return { ...leaf(characters.join('')), size: characters.length };
}

function leaf(text: string): Re2 {
  return { text, exact: true, size: 1, depth: 1, repeats: 1 };
}

function joined(parts: readonly Re2[], by: string): Re2 {
  return {
    text: `(?:${parts.map(({ text }) => text).join(by)})`,
    exact: parts.every(({ exact }) => exact),
    size: parts.reduce((sum, { size }) => sum + size, 0),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    repeats: Math.max(1, ...parts.map(({ repeats }) => repeats)),
  };
}

function repetition(tree: RegexpRepetition, codePoints: CodePoints): Re2 {
  // For the engine, a repetition of nothing matches nothing, not even the empty text.
  if (isEmpty(tree)) return leaf(rangesText([], codePoints));
  const { min, max } = tree;
  const part = toRe2(tree.part, codePoints);
  const depth = part.depth + 1;
  if (max === 0) return leaf('(?:)');
  const count = Math.max(1, max ?? min);
  const repeats = count * part.repeats;
  if (maxRepeats < repeats) return { ...part, text: `(?:${part.text})*`, exact: false, depth };
  const text = `(?:${part.text}){${min},${max ?? ''}}`;
  return { text, exact: part.exact, size: count * part.size, depth, repeats };
}

/** Returns whether a tree obviously accepts no text at all. */
function isEmpty(tree: RegexpTree): boolean {
  switch (tree.kind) {
    case 'nothing':
      return true;
    case 'ranges':
      return tree.ranges.length === 0;
    case 'union':
      return tree.parts.every(isEmpty);
    case 'concatenation':
      return tree.parts.some(isEmpty);
    case 'repetition':
      if (tree.optional) return false;
      if (tree.max !== undefined && tree.max < tree.min) return true;
      return (tree.max === undefined || 0 < tree.min) && isEmpty(tree.part);
    default:
      return false;
  }
}

function rangesText(ranges: readonly CodePointRange[], { any, hasBlank }: CodePoints): string {
  const [whole] = ranges;
  if (whole?.[0] === 0 && whole[1] === maxCodePoint) return any;
  const parts = hasBlank ? ranges : ranges.flatMap(withoutBlank);
  const [first, second] = parts;
  if (!first) return `[^${rangeText([0, maxCodePoint])}]`;
  if (!second && first[0] === first[1]) return codePointText(first[0]);
  return `[${parts.map(rangeText).join('')}]`;
}

function withoutBlank([min, max]: CodePointRange): CodePointRange[] {
  if (blank < min || max < blank) return [[min, max]];
  const parts: CodePointRange[] = [
    [min, blank - 1],
    [blank + 1, max],
  ];
  return parts.filter(([min, greatest]) => min <= greatest);
}

function rangeText([min, max]: CodePointRange): string {
  return min === max ? codePointText(min) : `${codePointText(min)}-${codePointText(max)}`;
}

function codePointText(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /[\p{L}\p{N}]/u.test(character) ? character : `\\x{${codePoint.toString(16)}}`;
}

/**
 * A regular expression for RE2 that matches texts at most `edits` away from a term. A swap of
 * two neighbours is one edit. Undefined if it would be too large. Its size grows with the square
 * of the term's length for one edit, with the cube for two.
 */
export function fuzzyRe2(term: string, edits: Edits, codePoints: CodePoints): Re2 | undefined {
  const characters = [...term];
  const size = 2 * (characters.length + 1) ** (edits + 1);
  const depth = characters.length + edits + 1;
  if (!fitsRe2({ size, depth })) return undefined;
  return { text: near(characters, edits, codePoints), exact: true, size, depth, repeats: edits };
}

/** The texts near the rest of the characters from each index on are written once for each number of edits. */
function near(characters: readonly string[], edits: number, { any, hasBlank }: CodePoints): string {
  const literals = characters.map((character) => literalRe2(character, { any, hasBlank }).text);
  let fewer = literals.map((_, index) => literals.slice(index).join('')).concat('');
  for (let left = 1; left <= edits; left += 1) {
    const own = literals.map(() => '').concat(`${any}{0,${left}}`);
    for (let index = literals.length - 1; 0 <= index; index -= 1) {
      const [first = '', second] = literals.slice(index, index + 2);
      const ways = [
        first + own[index + 1],
        // Either another code point is here, or none.
        `${any}?${fewer[index + 1]}`,
        any + fewer[index],
        ...(second === undefined ? [] : [second + first + fewer[index + 2]]),
      ];
      own[index] = `(?:${ways.join('|')})`;
    }
    fewer = own;
  }
  return fewer[0] ?? '';
}

/** Ends of a range; an absent one is open. */
export interface Ends<V> {
  readonly lower?: FilterBound<V>;
  readonly upper?: FilterBound<V>;
}

/** A condition in SQL on both ends of a range; empty without any. `placeholder` returns the text for a bound value. */
export function boundsCondition<V>(
  subject: string,
  { lower, upper }: Ends<V>,
  placeholder: (value: V) => string,
): string {
  const from = lower && `${subject} ${lower.inclusive ? '>=' : '>'} ${placeholder(lower.value)}`;
  const to = upper && `${subject} ${upper.inclusive ? '<=' : '<'} ${placeholder(upper.value)}`;
  return [from, to].filter((part) => part !== undefined).join(' AND ');
}
