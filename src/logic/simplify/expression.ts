import { all, bool, type Filter, none } from '../../meaning/filter.ts';
import { filterKey } from '../compare/filter-key.ts';
import type { Leaf } from '../compare/logic.ts';

/**
 * A filter as a Boolean expression in which only leaves are negated. An `and`
 * of nothing is every log, an `or` of nothing is none. Equal expressions have
 * the same key.
 */
export type Expression = Literal | Level;

/** A leaf that has to match, or must not. */
export interface Literal {
  readonly kind: 'literal';
  readonly leaf: Leaf;
  readonly holds: boolean;
  readonly key: string;
}

export interface Level {
  readonly kind: Joint;
  readonly parts: readonly Expression[];
  readonly key: string;
}

export type Joint = 'and' | 'or';

/** The expression that every log fits. */
export const everything = join('and', []);

/** The expression that no log fits. */
export const nothing = join('or', []);

export function literal(leaf: Leaf, holds: boolean): Literal {
  const { field, ...rest } = leaf;
  return { kind: 'literal', leaf, holds, key: filterKey([holds, field.name, field.type, rest]) };
}

/** Expressions joined as they are; one alone is itself. */
export function join(kind: Joint, parts: readonly Expression[]): Expression {
  const [first, second] = parts;
  if (first && !second) return first;
  return { kind, parts, key: `${kind}(${parts.map(({ key }) => key).join()})` };
}

/** The expression that the other logs fit. */
export function negated(expression: Expression): Expression {
  if (expression.kind === 'literal') return literal(expression.leaf, !expression.holds);
  return join(opposite(expression.kind), expression.parts.map(negated));
}

export function opposite(kind: Joint): Joint {
  return kind === 'and' ? 'or' : 'and';
}

/**
 * What a filter says about which logs match, or, where it does not hold, about
 * which do not. What only changes the order of the logs is left out.
 */
export function toExpression(filter: Filter, holds = true): Expression {
  switch (filter.kind) {
    case 'all':
      return holds ? everything : nothing;
    case 'none':
      return holds ? nothing : everything;
    case 'disMax':
      return join(
        holds ? 'or' : 'and',
        filter.filters.map((each) => toExpression(each, holds)),
      );
    case 'bool': {
      const { must, should, mustNot } = filter;
      const alternatives = should.map((each) => toExpression(each, holds));
      const isChoice = must.length === 0 && 0 < should.length;
      return join(holds ? 'and' : 'or', [
        ...must.map((each) => toExpression(each, holds)),
        ...(isChoice ? [join(holds ? 'or' : 'and', alternatives)] : []),
        ...mustNot.map((each) => toExpression(each, !holds)),
      ]);
    }
    default:
      return literal(filter, holds);
  }
}

/** The filter of an expression. */
export function toFilter(expression: Expression): Filter {
  if (expression.kind === 'literal') {
    return expression.holds ? expression.leaf : bool({ mustNot: [expression.leaf] });
  }
  const { kind, parts } = expression;
  if (kind === 'and') return parts.length === 0 ? all : conjunction(parts);
  if (parts.length === 0) return none;
  // What is left of a negated list is said as one.
  if (parts.every(isNegative)) return bool({ mustNot: [toFilter(negated(expression))] });
  return bool({ should: parts.map(toFilter) });
}

function conjunction(parts: readonly Expression[]): Filter {
  const wanted = parts.filter((part) => !isNegative(part));
  const mustNot = parts.filter(isNegative).map(({ leaf }) => leaf);
  const [first, second] = wanted;
  const isChoice = first?.kind === 'or' && !second && !first.parts.every(isNegative);
  if (isChoice) return bool({ should: first.parts.map(toFilter), mustNot });
  return bool({ must: wanted.map(toFilter), mustNot });
}

function isNegative(expression: Expression): expression is Literal {
  return expression.kind === 'literal' && !expression.holds;
}
