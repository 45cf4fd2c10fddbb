import type { DefaultOperator, Operators } from './clauses.ts';
import { bool, type Filter } from './filter.ts';

/** A clause of a level: its operators, and its filter unless analysis left nothing of it. */
export interface Operand extends Operators {
  readonly filter: Filter | undefined;
}

/**
 * The clauses of a level joined as a person reads them: NOT binds before AND,
 * AND before OR. Words side by side are joined by the default operator, but
 * before a NOT always by AND (section 2.1 of the language specification).
 */
export function combineOrdinarily(
  operands: readonly Operand[],
  defaultOperator: DefaultOperator,
): Filter | undefined {
  const alternatives: Filter[][] = [];
  for (const operand of operands) {
    const { filter } = operand;
    const last = alternatives.at(-1);
    const joined = last && joinsByAnd(operand, defaultOperator) ? last : [];
    if (joined !== last) alternatives.push(joined);
    if (filter) joined.push(operand.modifier === 'not' ? bool({ mustNot: [filter] }) : filter);
  }
  const filters = alternatives.filter((alternative) => 0 < alternative.length).map(conjunction);
  return 1 < filters.length ? bool({ should: filters }) : filters[0];
}

function joinsByAnd({ conjunction, modifier }: Operators, defaultOperator: DefaultOperator): boolean {
  if (conjunction) return conjunction === 'and';
  return modifier === 'not' || defaultOperator === 'and';
}

function conjunction(filters: readonly Filter[]): Filter {
  const [first, second] = filters;
  return first && !second ? first : bool({ must: filters });
}
