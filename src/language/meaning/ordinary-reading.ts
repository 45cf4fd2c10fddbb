import type { DefaultOperator, Operators } from './clauses.ts';

/** Groups the clauses of a level in the ordinary reading: AND joins those of a list, OR joins the lists. */
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

/**
 * Returns whether the ordinary reading joins a clause with the one before it, instead of taking it
 * as an alternative.
 */
export function joinsByAnd({ conjunction, modifier }: Operators, defaultOperator: DefaultOperator): boolean {
  if (conjunction) return conjunction === 'and';
  return modifier === 'not' || defaultOperator === 'and';
}
