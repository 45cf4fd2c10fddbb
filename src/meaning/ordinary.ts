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
  const filters = alternativesOf(operands, defaultOperator)
    .map((alternative) => alternative.map(filterOf).filter((filter) => filter !== undefined))
    .filter((alternative) => 0 < alternative.length)
    .map(conjunction);
  return 1 < filters.length ? bool({ should: filters }) : filters[0];
}

/** The clauses of a level in the lists of those that AND joins, as a person reads them; OR joins the lists. */
export function alternativesOf<O extends Operators>(
  operands: readonly O[],
  defaultOperator: DefaultOperator,
): O[][] {
  const alternatives: O[][] = [];
  for (const operand of operands) {
    const last = alternatives.at(-1);
    if (last && joinsByAnd(operand, defaultOperator)) last.push(operand);
    else alternatives.push([operand]);
  }
  return alternatives;
}

/** Whether a person takes a clause together with the one before it, and not as an alternative to it. */
export function joinsByAnd({ conjunction, modifier }: Operators, defaultOperator: DefaultOperator): boolean {
  if (conjunction) return conjunction === 'and';
  return modifier === 'not' || defaultOperator === 'and';
}

function filterOf({ modifier, filter }: Operand): Filter | undefined {
  return filter && modifier === 'not' ? bool({ mustNot: [filter] }) : filter;
}

function conjunction(filters: readonly Filter[]): Filter {
  const [first, second] = filters;
  return first && !second ? first : bool({ must: filters });
}
