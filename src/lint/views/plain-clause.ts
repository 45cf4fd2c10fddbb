import type { Clause, Item } from '../../language/tree.ts';
import { isPlainText } from './plain-text.ts';
import { operatorMeantBy } from './plain-word.ts';
import type { Sought } from './target-lookup.ts';

/**
 * Whether there is nothing odd about a clause, as about most of them: no
 * operators but AND, OR and NOT, no name but that of a field, and a plain item.
 */
export function isPlainClause({ conjunction, modifier, field, item }: Clause, sought: Sought): boolean {
  if (conjunction && !isWord(conjunction.text)) return false;
  if (modifier && !isWord(modifier.text)) return false;
  return (!field || sought.isPlainName) && isPlainItem(item);
}

/** Whether an operator is not one of the signs. */
function isWord(operator: string): boolean {
  return 'A' <= operator && operator < 'Z';
}

/**
 * Whether an item is a word of nothing but ASCII letters and digits which looks
 * like no operator, a phrase with at least one of them and no backslash, or a
 * group, and nothing is behind it. A longer word would be cut.
 */
export function isPlainItem(item: Item): boolean {
  switch (item.kind) {
    case 'Word':
      return item.suffixes.length === 0 && isPlainWordText(item.term.text);
    case 'Phrase':
      return item.suffixes.length === 0 && plainPhrase.test(item.term.text);
    case 'Group':
      return item.boost === undefined;
    default:
      return false;
  }
}

function isPlainWordText(text: string): boolean {
  return isPlainText(text) && operatorMeantBy(text) === undefined;
}

const plainPhrase = /^"[^\\A-Za-z0-9]*[A-Za-z0-9][^\\]*"$/;
