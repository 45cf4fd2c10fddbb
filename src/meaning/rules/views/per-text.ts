import type { Token } from '../../../language/token.ts';
import type { Clause, Item } from '../../../language/tree.ts';
import type { Targets } from '../../targets.ts';

/**
 * Works something out about clauses that are no groups, once for all that are
 * written alike and search the same.
 */
export function perText<T>(
  targetsOf: (clause: Clause) => Targets,
  work: (clause: Clause) => T,
): (clause: Clause) => T {
  const known = new Map<Targets, Map<string, T>>();
  return (clause) => {
    const targets = targetsOf(clause);
    const text = written(clause.item);
    let ofTargets = known.get(targets);
    if (!ofTargets) {
      ofTargets = new Map();
      known.set(targets, ofTargets);
    }
    const before = ofTargets.get(text);
    if (before !== undefined) return before;
    const found = work(clause);
    ofTargets.set(text, found);
    return found;
  };
}

/** The text of an item, without the white space in it. No kind of item has a text that another kind can have. */
function written(item: Item): string {
  switch (item.kind) {
    case 'Range':
      return `${item.open.text}${item.lower?.term.text} ${item.upper?.term.text}${item.close?.text}`;
    case 'Group':
    case 'Missing':
      return '';
    default:
      return item.suffixes.length === 0 ? item.term.text : withSuffixes(item.term, item.suffixes);
  }
}

function withSuffixes(term: Token, suffixes: readonly Token[]): string {
  return term.text + suffixes.map(({ text }) => text).join('');
}
