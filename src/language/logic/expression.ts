import { boolFilter, type Filter, matchAllFilter, matchNoneFilter } from '../meaning/filter.ts';
import type { LeafFilter } from './boolean-logic.ts';
import { filterKey } from './filter-key.ts';

/**
 * A filter as a Boolean expression in which only leaves are negated. An empty `and` is every log,
 * an empty `or` is none. Equal expressions have the same key.
 */
export type Expression = LeafLiteral | JoinedExpression;

/** A leaf that must match or must not. */
export interface LeafLiteral {
  readonly kind: 'literal';
  readonly leaf: LeafFilter;
  readonly holds: boolean;
  readonly key: string;
}

export interface JoinedExpression {
  readonly kind: Connective;
  readonly parts: readonly Expression[];
  readonly key: string;
}

export type Connective = 'and' | 'or';

/** The expression that every log fulfils. */
export const trueExpression = joinExpressions('and', []);

/** The expression that no log fulfils. */
export const falseExpression = joinExpressions('or', []);

export function toLiteral(leaf: LeafFilter, holds: boolean): LeafLiteral {
  const { field, ...rest } = leaf;
  return { kind: 'literal', leaf, holds, key: filterKey([holds, field.name, field.type, rest]) };
}

/** Joins expressions; a single one is returned as it is. */
export function joinExpressions(kind: Connective, parts: readonly Expression[]): Expression {
  const [first, second] = parts;
  if (first && !second) return first;
  return { kind, parts, key: `${kind}(${parts.map(({ key }) => key).join()})` };
}

/** The expression that all other logs fulfil. */
export function negateExpression(expression: Expression): Expression {
  if (expression.kind === 'literal') return toLiteral(expression.leaf, !expression.holds);
  return joinExpressions(oppositeConnective(expression.kind), expression.parts.map(negateExpression));
}

export function oppositeConnective(kind: Connective): Connective {
  return kind === 'and' ? 'or' : 'and';
}

/**
 * The condition of a filter, or its negation if it does not hold. Parts that only change the order
 * of the logs are omitted.
 */
export function toExpression(filter: Filter, holds = true): Expression {
  switch (filter.kind) {
    case 'all':
      return holds ? trueExpression : falseExpression;
    case 'none':
      return holds ? falseExpression : trueExpression;
    case 'disMax':
      return joinExpressions(
        holds ? 'or' : 'and',
        filter.filters.map((each) => toExpression(each, holds)),
      );
    case 'bool': {
      const { must, should, mustNot } = filter;
      const alternatives = should.map((each) => toExpression(each, holds));
      const isChoice = must.length === 0 && 0 < should.length;
      return joinExpressions(holds ? 'and' : 'or', [
        ...must.map((each) => toExpression(each, holds)),
        ...(isChoice ? [joinExpressions(holds ? 'or' : 'and', alternatives)] : []),
        ...mustNot.map((each) => toExpression(each, !holds)),
      ]);
    }
    default:
      return toLiteral(filter, holds);
  }
}

/** The filter of an expression. */
export function expressionToFilter(expression: Expression): Filter {
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
  const wanted = parts.filter((part) => !isNegative(part));
  const mustNot = parts.filter(isNegative).map(({ leaf }) => leaf);
  const [first, second] = wanted;
  const isChoice = first?.kind === 'or' && !second && !first.parts.every(isNegative);
  if (isChoice) return boolFilter({ should: first.parts.map(expressionToFilter), mustNot });
  return boolFilter({ must: wanted.map(expressionToFilter), mustNot });
}

function isNegative(expression: Expression): expression is LeafLiteral {
  return expression.kind === 'literal' && !expression.holds;
}
