import {
  boolFilter,
  type Filter,
  filterKey,
  matchAllFilter,
  matchNoneFilter,
  type RangeFilter,
} from '../meaning/filter.ts';
import type { FieldValue } from '../meaning/match.ts';
import type { Field } from '../meaning/schema.ts';
import type { NumberValue } from '../meaning/values.ts';
import type { LeafFilter } from './diagram.ts';
import {
  hasMatch,
  type Interval,
  isNeverInText,
  keywordLine,
  numberLine,
  phraseImplies,
  type ValueLine,
} from './theories.ts';

/**
 * Returns a filter that selects the same logs with fewer parts. It has no duplicates, implied
 * parts, contradictions or empty ranges; nested levels are flattened and adjacent number ranges
 * merged. Simplifying twice changes nothing more.
 *
 * The result loses the parts that only change the order of the logs: optional parts beside
 * required ones, and the grouping of one clause over several fields. A search by `bestMatch` must
 * use the original filter.
 *
 * ```ts
 * simplify(resolve(parse('a AND (a OR b)').query)); // the filter of 'a'
 * ```
 */
export function simplify(filter: Filter): Filter {
  let expression = toExpression(filter);
  // The result of one round may allow another; three suffice for most queries that people write.
  for (let round = 0; round < maxRounds; round += 1) {
    const simpler = simplified(expression, []);
    if (simpler.key === expression.key) break;
    expression = simpler;
  }
  return expressionToFilter(expression);
}

const maxRounds = 100;

/** The maximum length of a level whose parts are compared pairwise: the time grows with its square. */
const maxPairs = 300;

/** Simplifies an expression under known literals. */
function simplified(expression: Expression, known: readonly LeafLiteral[]): Expression {
  if (expression.kind === 'literal') return simplifiedLiteral(expression, known);
  const { kind } = expression;
  const [neutral, absorbing] =
    kind === 'and' ? [trueExpression, falseExpression] : [falseExpression, trueExpression];
  const flat = flattened(kind, expression.parts);
  const literals = flat.map((part) => (part.kind === 'literal' ? simplifiedLiteral(part, known) : part));
  if (literals.some(({ key }) => key === absorbing.key)) return absorbing;
  const merged = withRangesMerged(kind, distinct(literals.filter(({ key }) => key !== neutral.key)));
  if (maxPairs < merged.length) return joinExpressions(kind, simplifiedLevels(kind, merged, known));
  if (contradictThemselves(kind, merged)) return absorbing;
  return joinExpressions(kind, simplifiedLevels(kind, withoutNeedless(kind, merged), known));
}

function simplifiedLiteral(literal: LeafLiteral, known: readonly LeafLiteral[]): Expression {
  const { leaf, holds } = literal;
  const [matches, fails] = holds ? [trueExpression, falseExpression] : [falseExpression, trueExpression];
  if (isImpossible(leaf)) return fails;
  const contrary = toLiteral(leaf, !holds);
  const [positive, negative] = holds ? [literal, contrary] : [contrary, literal];
  if (known.some((fact) => ensures(fact, positive))) return matches;
  if (known.some((fact) => ensures(fact, negative))) return fails;
  if (!asksForAny(leaf)) return literal;
  return toLiteral({ kind: 'exists', field: leaf.field }, holds);
}

/** Simplifies the nested levels, each under the facts that its sibling literals imply. */
function simplifiedLevels(
  kind: Connective,
  parts: readonly Expression[],
  known: readonly LeafLiteral[],
): readonly Expression[] {
  const literals = parts.filter((part) => part.kind === 'literal');
  // Beside an alternative that holds the others do not matter, so they may assume that it is false.
  const facts = [
    ...known,
    ...(kind === 'and' ? literals : literals.map(({ leaf, holds }) => toLiteral(leaf, !holds))),
  ];
  const latest = facts.slice(-maxPairs);
  return parts.map((part) => (part.kind === 'literal' ? part : simplified(part, latest)));
}

function flattened(kind: Connective, parts: readonly Expression[]): readonly Expression[] {
  return parts.flatMap((part) => (part.kind === kind ? flattened(kind, part.parts) : [part]));
}

function distinct(parts: readonly Expression[]): readonly Expression[] {
  return [...new Map(parts.map((part) => [part.key, part])).values()];
}

/** Returns whether two parts of an `and` cannot both hold, or two of an `or` cannot both fail. */
function contradictThemselves(kind: Connective, parts: readonly Expression[]): boolean {
  const keys = new Set(parts.map(({ key }) => key));
  return parts.some((part) => {
    const contrary = negateExpression(part);
    if (keys.has(contrary.key)) return true;
    if (part.kind !== 'literal' || contrary.kind !== 'literal') return false;
    return parts.some((other) => {
      if (other.kind !== 'literal') return false;
      return kind === 'and' ? ensures(other, contrary) : ensures(contrary, other);
    });
  });
}

/** The parts without those that another one implies; of two equivalent ones the first stays. */
function withoutNeedless(kind: Connective, parts: readonly Expression[]): readonly Expression[] {
  // One after the other: a removed part implies nothing any more.
  return parts.reduceRight<readonly Expression[]>(
    (remaining, part) =>
      remaining.some((other) => other !== part && makesNeedless(kind, other, part))
        ? remaining.filter((other) => other !== part)
        : remaining,
    parts,
  );
}

function makesNeedless(kind: Connective, other: Expression, part: Expression): boolean {
  if (other.kind === 'literal' && part.kind === 'literal') {
    return kind === 'and' ? ensures(other, part) : ensures(part, other);
  }
  // A list of alternatives is redundant beside some of them, and so is a list of conditions.
  const inner = oppositeConnective(kind);
  if (part.kind !== inner) return false;
  const keys = new Set(part.parts.map(({ key }) => key));
  return (other.kind === inner ? other.parts : [other]).every(({ key }) => keys.has(key));
}

/** Returns whether every log that fulfils the first literal certainly fulfils the second. */
function ensures(one: LeafLiteral, other: LeafLiteral): boolean {
  if (one.holds) return other.holds ? leafImplies(one.leaf, other.leaf) : leafExcludes(one.leaf, other.leaf);
  return !other.holds && leafImplies(other.leaf, one.leaf);
}

/**
 * A filter as a Boolean expression in which only leaves are negated. An empty `and` is every log,
 * an empty `or` is none. Equal expressions have the same key.
 */
type Expression = LeafLiteral | JoinedExpression;

/** A leaf that must match or must not. */
interface LeafLiteral {
  readonly kind: 'literal';
  readonly leaf: LeafFilter;
  readonly holds: boolean;
  readonly key: string;
}

interface JoinedExpression {
  readonly kind: Connective;
  readonly parts: readonly Expression[];
  readonly key: string;
}

type Connective = 'and' | 'or';

/** The expression that every log fulfils. */
const trueExpression = joinExpressions('and', []);

/** The expression that no log fulfils. */
const falseExpression = joinExpressions('or', []);

function toLiteral(leaf: LeafFilter, holds: boolean): LeafLiteral {
  const { field, ...rest } = leaf;
  return { kind: 'literal', leaf, holds, key: filterKey([holds, field.name, field.type, rest]) };
}

/** Joins expressions; a single one is returned as it is. */
function joinExpressions(kind: Connective, parts: readonly Expression[]): Expression {
  const [first, second] = parts;
  if (first && !second) return first;
  return { kind, parts, key: `${kind}(${parts.map(({ key }) => key).join()})` };
}

/** The expression that all other logs fulfil. */
function negateExpression(expression: Expression): Expression {
  if (expression.kind === 'literal') return toLiteral(expression.leaf, !expression.holds);
  return joinExpressions(oppositeConnective(expression.kind), expression.parts.map(negateExpression));
}

function oppositeConnective(kind: Connective): Connective {
  return kind === 'and' ? 'or' : 'and';
}

/**
 * The condition of a filter, or its negation if it does not hold. Parts that only change the order
 * of the logs are omitted.
 */
function toExpression(filter: Filter, holds = true): Expression {
  switch (filter.kind) {
    case 'all':
      return holds ? trueExpression : falseExpression;
    case 'none':
      return holds ? falseExpression : trueExpression;
    case 'disMax':
      return joinExpressions(
        holds ? 'or' : 'and',
        filter.filters.map((filter) => toExpression(filter, holds)),
      );
    case 'bool': {
      const { must, should, mustNot } = filter;
      const alternatives = should.map((filter) => toExpression(filter, holds));
      const isChoice = must.length === 0 && 0 < should.length;
      return joinExpressions(holds ? 'and' : 'or', [
        ...must.map((filter) => toExpression(filter, holds)),
        ...(isChoice ? [joinExpressions(holds ? 'or' : 'and', alternatives)] : []),
        ...mustNot.map((filter) => toExpression(filter, !holds)),
      ]);
    }
    default:
      return toLiteral(filter, holds);
  }
}

/** The filter of an expression. */
function expressionToFilter(expression: Expression): Filter {
  if (expression.kind === 'literal') {
    return expression.holds ? expression.leaf : boolFilter({ mustNot: [expression.leaf] });
  }
  const { kind, parts } = expression;
  if (kind === 'and') return parts.length === 0 ? matchAllFilter : conjunction(parts);
  if (parts.length === 0) return matchNoneFilter;
  // The rest of a negated list is written as one negation.
  if (parts.every(isNegative))
    return boolFilter({ mustNot: [expressionToFilter(negateExpression(expression))] });
  return boolFilter({ should: parts.map(expressionToFilter) });
}

function conjunction(parts: readonly Expression[]): Filter {
  const positives = parts.filter((part) => !isNegative(part));
  const mustNot = parts.filter(isNegative).map(({ leaf }) => leaf);
  const [first, second] = positives;
  const isChoice = first?.kind === 'or' && !second && !first.parts.every(isNegative);
  if (isChoice) return boolFilter({ should: first.parts.map(expressionToFilter), mustNot });
  return boolFilter({ must: positives.map(expressionToFilter), mustNot });
}

function isNegative(expression: Expression): expression is LeafLiteral {
  return expression.kind === 'literal' && !expression.holds;
}

/**
 * Merges the ranges of a level over each number field: for `and` into their intersection, for `or`
 * into the union of each run of ranges without gaps.
 */
function withRangesMerged(kind: Connective, parts: readonly Expression[]): readonly Expression[] {
  const replaced = new Map<RangeFilter, readonly RangeFilter[]>();
  for (const ranges of rangesByField(parts)) {
    const [first, second] = ranges;
    if (!first || !second) continue;
    for (const range of ranges) replaced.set(range, []);
    replaced.set(first, kind === 'and' ? [intersection(ranges)] : union(ranges));
  }
  if (replaced.size === 0) return parts;
  return parts.flatMap((part) => {
    const ranges = isRange(part) ? replaced.get(part.leaf) : undefined;
    return ranges ? ranges.map((range) => toLiteral(range, true)) : [part];
  });
}

function rangesByField(parts: readonly Expression[]): Iterable<readonly RangeFilter[]> {
  const found = new Map<string, RangeFilter[]>();
  for (const part of parts) {
    if (!isRange(part)) continue;
    const { name, type } = part.leaf.field;
    const key = `${type} ${name}`;
    if (!found.get(key)?.push(part.leaf)) found.set(key, [part.leaf]);
  }
  return found.values();
}

function isRange(part: Expression): part is Extract<Expression, { kind: 'literal' }> & { leaf: RangeFilter } {
  return part.kind === 'literal' && part.holds && part.leaf.kind === 'range';
}

/** The intersection of ranges, which may be empty. */
function intersection(ranges: readonly RangeFilter[]): RangeFilter {
  return ranges.reduce((a, b) => {
    const lower = fromOf(a) < fromOf(b) ? b.lower : a.lower;
    const upper = toOf(b) < toOf(a) ? b.upper : a.upper;
    return { kind: 'range', field: a.field, ...(lower && { lower }), ...(upper && { upper }) };
  });
}

/** The ranges in order; those that overlap or touch are merged. */
function union(ranges: readonly RangeFilter[]): RangeFilter[] {
  const merged: RangeFilter[] = [];
  for (const range of ranges.toSorted((a, b) => (fromOf(a) < fromOf(b) ? -1 : 1))) {
    const last = merged.at(-1);
    if (!last || toOf(last) < fromOf(range)) merged.push(range);
    else if (toOf(last) < toOf(range)) merged.splice(-1, 1, upTo(last, range));
  }
  return merged;
}

function upTo({ field, lower }: RangeFilter, { upper }: RangeFilter): RangeFilter {
  return { kind: 'range', field, ...(lower && { lower }), ...(upper && { upper }) };
}

/** The first number of a range. */
function fromOf(range: RangeFilter): NumberValue {
  return intervalOf(range).from ?? Number.NEGATIVE_INFINITY;
}

/** The first number after a range. */
function toOf(range: RangeFilter): NumberValue {
  return intervalOf(range).to ?? Number.POSITIVE_INFINITY;
}

function intervalOf(range: RangeFilter): Interval<NumberValue> {
  const { type } = range.field;
  const line = type === 'text' || type === 'keyword' ? undefined : numberLine(type);
  // A range over text is always empty, and was removed before ranges are merged.
  return line?.interval(range) ?? { from: undefined, to: undefined };
}

/** Returns whether certainly no log matches a leaf. */
function isImpossible(leaf: LeafFilter): boolean {
  if (leaf.field.type === 'text' && isNeverInText(leaf)) return true;
  return (leaf.kind === 'range' || leaf.kind === 'termRange') && isEmpty(leaf);
}

/** Returns whether a leaf only requires that its field has a value, or a token. */
function asksForAny(leaf: LeafFilter): boolean {
  return onLine(leaf.field, (line) => {
    const interval = line.interval(leaf);
    return interval !== undefined && interval.from === undefined && interval.to === undefined;
  });
}

/** Returns whether every log that matches the first leaf certainly matches the second. */
function leafImplies(leaf: LeafFilter, other: LeafFilter): boolean {
  if (leaf.field.name !== other.field.name || leaf.field.type !== other.field.type) return false;
  // A text may have a value without any token.
  if (other.kind === 'exists') return !(leaf.kind === 'exists' && leaf.byNorms && !other.byNorms);
  const { type } = leaf.field;
  if (leaf.kind === 'phrase') {
    if (other.kind === 'phrase') return phraseImplies(leaf, other);
    return leaf.terms.some((term) => hasMatch(other, [term]));
  }
  if (leaf.kind === 'term' && (type === 'text' || type === 'keyword')) return hasMatch(other, [leaf.term]);
  return isWithin(leaf, other);
}

/** Returns whether certainly no log matches both leaves. Never true of text, which can have any tokens. */
function leafExcludes(leaf: LeafFilter, other: LeafFilter): boolean {
  if (leaf.field.name !== other.field.name || leaf.field.type !== other.field.type) return false;
  if (leaf.field.type === 'text') return false;
  if (leaf.field.type === 'keyword') {
    if (leaf.kind === 'term') return !hasMatch(other, [leaf.term]);
    if (other.kind === 'term') return !hasMatch(leaf, [other.term]);
  }
  return isApart(leaf, other);
}

function isEmpty(leaf: LeafFilter): boolean {
  return onLine(leaf.field, (line) => {
    const interval = line.interval(leaf);
    return interval !== undefined && hasNone(interval, line);
  });
}

function hasNone<V extends FieldValue>({ from, to }: Interval<V>, line: ValueLine<V>): boolean {
  if (to === '') return true;
  if (from !== undefined && to !== undefined) return 0 <= line.compare(from, to);
  return typeof (from ?? to ?? '') !== 'string' && line.valuesIn({ from, to }).length === 0;
}

function isWithin(leaf: LeafFilter, other: LeafFilter): boolean {
  return onLine(leaf.field, (line) => {
    const [inner, outer] = [line.interval(leaf), line.interval(other)];
    if (!inner || !outer) return false;
    const startsWithin = outer.from === undefined || isBefore(outer.from, inner.from, line);
    return startsWithin && (outer.to === undefined || isBefore(inner.to, outer.to, line));
  });
}

function isApart(leaf: LeafFilter, other: LeafFilter): boolean {
  return onLine(leaf.field, (line) => {
    const [one, another] = [line.interval(leaf), line.interval(other)];
    if (!one || !another) return false;
    return isBefore(one.to, another.from, line) || isBefore(another.to, one.from, line);
  });
}

/** Returns whether both ends exist and the first does not exceed the second. */
function isBefore<V>(end: V | undefined, other: V | undefined, line: ValueLine<V>): boolean {
  return end !== undefined && other !== undefined && line.compare(end, other) <= 0;
}

/** Terms of text have the same order as the values of a keyword field. */
function onLine<T>({ type }: Field, use: <V extends FieldValue>(line: ValueLine<V>) => T): T {
  return type === 'text' || type === 'keyword' ? use(keywordLine) : use(numberLine(type));
}
