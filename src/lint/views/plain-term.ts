import type { Item } from '../../language/tree.ts';
import { isPlainText } from './plain-text.ts';
import type { Sought } from './target-lookup.ts';

/**
 * The one token that an item asks for, as a word mostly does; undefined where
 * it may ask for more, or for something else, so that one has to look closer.
 */
export function plainTermOf(item: Item, { hasText, hasKeyword, hasNumbers }: Sought): string | undefined {
  if (item.kind !== 'Word' || 0 < item.suffixes.length || !hasText || hasKeyword) return undefined;
  const { text } = item.term;
  const mayBeNumber = hasNumbers && beginsWithDigit(text);
  return isPlainText(text) && !mayBeNumber ? text.toLowerCase() : undefined;
}

function beginsWithDigit(text: string): boolean {
  return text < ':';
}
