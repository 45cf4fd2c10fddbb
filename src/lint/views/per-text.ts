import type { Clause, Item } from '../../language/tree.ts';
import type { Sought } from './target-lookup.ts';

/**
 * Works something out about clauses that are no groups, once for all that are
 * written alike and search the same.
 */
export function perText<T>(
  work: (clause: Clause, sought: Sought) => T,
): (clause: Clause, sought: Sought) => T {
  let known: Map<Sought, Map<string, T>> | undefined;
  return (clause, sought) => {
    const text = written(clause.item);
    known ??= new Map();
    let onSame = known.get(sought);
    if (!onSame) {
      onSame = new Map();
      known.set(sought, onSame);
    }
    const before = onSame.get(text);
    if (before !== undefined) return before;
    const found = work(clause, sought);
    onSame.set(text, found);
    return found;
  };
}

/** The text of an item, without the white space in it. No kind of item has a text that another kind can have. */
function written(item: Item): string {
  if (item.kind === 'Range')
    return `${item.open.text}${item.lower?.term.text} ${item.upper?.term.text}${item.close?.text}`;
  return 'term' in item ? item.term.text + item.suffixes.map(({ text }) => text).join('') : '';
}
