import type { Clause, Part } from '../../../language/tree.ts';
import type { Need } from './need.ts';

/**
 * Whether clauses, those in their groups included, have nothing in common, so
 * that each of them may match or not, whatever the others do.
 */
export function areIndependent(
  parts: readonly Part[],
  { need: needOf }: { readonly need: (clause: Clause) => Need },
): boolean {
  const taken = new Set<string>();
  return areNew(parts);

  function areNew(list: readonly Part[]): boolean {
    return list.every((part) => {
      if (part.kind === 'Stray') return false;
      if (part.item.kind === 'Group') return areNew(part.item.parts);
      const need = needOf(part);
      if (need.kind === 'nothing' || need.kind === 'unclear') return false;
      if (need.kind === 'value') return isNew(`:${need.field}`);
      return need.terms.every(isNew) && need.values.every((field) => isNew(`:${field}`));
    });
  }

  /** No token begins with a colon, so that fields and words are told apart. */
  function isNew(something: string): boolean {
    const count = taken.size;
    return count < taken.add(something).size;
  }
}
