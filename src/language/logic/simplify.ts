import type { Filter } from '../meaning/filter.ts';
import {
  type Connective,
  type Expression,
  expressionToFilter,
  falseExpression,
  joinExpressions,
  type LeafLiteral,
  negateExpression,
  oppositeConnective,
  toExpression,
  toLiteral,
  trueExpression,
} from './expression.ts';
import { withRangesMerged } from './ranges.ts';
import { asksForAny, isImpossible, leafExcludes, leafImplies } from './relations.ts';

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

function simplifiedLiteral(written: LeafLiteral, known: readonly LeafLiteral[]): Expression {
  const { leaf, holds } = written;
  const [matches, fails] = holds ? [trueExpression, falseExpression] : [falseExpression, trueExpression];
  if (isImpossible(leaf)) return fails;
  const contrary = toLiteral(leaf, !holds);
  const [positive, negative] = holds ? [written, contrary] : [contrary, written];
  if (known.some((fact) => ensures(fact, positive))) return matches;
  if (known.some((fact) => ensures(fact, negative))) return fails;
  if (!asksForAny(leaf)) return written;
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
