import type { DefaultOperator, Operators } from './clauses.ts';

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
