import type { Item } from '../../language/tree.ts';
import {
  comparison,
  type FieldFilter,
  phrase,
  range,
  regexp,
  wildcard,
  word,
} from '../../meaning/field-filter.ts';

/** The filter of an item on a single field. Undefined for a group and for a missing item. */
export function fieldFilterOf(item: Item): FieldFilter | undefined {
  switch (item.kind) {
    case 'Word': {
      const [compared, text] = [comparison(item), word(item)];
      if (!compared) return text;
      return (field, context) => (context.engine.comparisons ? compared : text)(field, context);
    }
    case 'Phrase':
      return phrase(item);
    case 'Range':
      return range(item);
    case 'Wildcard':
      return wildcard(item);
    case 'Regexp':
      return regexp(item);
    case 'Group':
    case 'Missing':
      return undefined;
  }
}
