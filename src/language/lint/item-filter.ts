import {
  type FieldResolver,
  resolveComparison,
  resolvePhrase,
  resolveRange,
  resolveRegexp,
  resolveWildcard,
  resolveWord,
} from '../meaning/resolve-item.ts';
import type { Item } from '../parse/tree.ts';

/** The filter of an item on a single field. Undefined for a group and for a missing item. */
export function itemFilter(item: Item): FieldResolver | undefined {
  switch (item.kind) {
    case 'Word': {
      const [compared, text] = [resolveComparison(item), resolveWord(item)];
      if (!compared) return text;
      return (field, context) => (context.engine.comparisons ? compared : text)(field, context);
    }
    case 'Phrase':
      return resolvePhrase(item);
    case 'Range':
      return resolveRange(item);
    case 'Wildcard':
      return resolveWildcard(item);
    case 'Regexp':
      return resolveRegexp(item);
    case 'Group':
    case 'Missing':
      return undefined;
  }
}
