import type { Part, Query } from '../../../language/tree.ts';
import type { Schema } from '../../fields.ts';
import { type BareRange, bareRangesOn } from './bare-ranges.ts';
import { type Pasted, pastedOn } from './pasted.ts';
import { type QuotePair, quotePairsOn } from './quote-pairs.ts';
import { type Uncolonned, uncolonnedOn } from './uncolonned.ts';

/**
 * Parts that belong together and are read one by one. A rule tells of each
 * kind; what the parts are alone is then not the point.
 */
export type Misread = QuotePair | Pasted | Uncolonned | BareRange;

/** What of a query is misread, by its parts. What is within quotes they will protect. */
export function misreadIn(query: Query, schema: Schema): ReadonlyMap<Part, Misread> {
  const found = new Map<Part, Misread>();
  visit(query.parts);
  return found;

  function visit(parts: readonly Part[]): void {
    add(quotePairsOn(parts));
    add(pastedOn(parts, schema));
    add(uncolonnedOn(parts, schema));
    add(bareRangesOn(parts));
    for (const part of parts) {
      if (part.kind === 'Clause' && part.item.kind === 'Group') visit(part.item.parts);
    }
  }

  function add(misread: Iterable<Misread>): void {
    for (const each of misread) {
      if (each.parts.some((part) => found.has(part))) continue;
      for (const part of each.parts) found.set(part, each);
    }
  }
}
