import type { Item } from '../../../language/tree.ts';

/**
 * Whether an item is a word, or a phrase of words, of nothing but ASCII letters
 * and digits, and nothing behind it: most items are, and there is little to find
 * about them. A longer word would be cut.
 */
export function isPlainItem(item: Item): boolean {
  if (item.kind !== 'Word' && item.kind !== 'Phrase') return false;
  return item.suffixes.length === 0 && plain.test(item.term.text);
}

const plain = /^(?:[A-Za-z0-9]{1,255}|"[A-Za-z0-9 ]*[A-Za-z0-9][A-Za-z0-9 ]*")$/;
