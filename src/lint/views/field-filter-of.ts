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

/**
 * What an item asks of a field that it is on alone. Undefined for a group and
 * where something is missing: they ask nothing themselves.
 */
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
