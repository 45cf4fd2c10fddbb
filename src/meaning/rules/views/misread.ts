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

const none: ReadonlyMap<Part, Misread> = new Map();

/** What of a query is misread, by its parts. What is within quotes they will protect. */
export function misreadIn(query: Query, schema: Schema): ReadonlyMap<Part, Misread> {
  let found: Map<Part, Misread> | undefined;
  visit(query.parts);
  return found ?? none;

  function visit(parts: readonly Part[]): void {
    if (parts.some((part) => isSuspect(part, schema))) {
      add(quotePairsOn(parts));
      add(pastedOn(parts, schema));
      add(uncolonnedOn(parts, schema));
      add(bareRangesOn(parts));
    }
    for (const part of parts) {
      if (part.kind === 'Clause' && part.item.kind === 'Group') visit(part.item.parts);
    }
  }

  function add(misread: Iterable<Misread>): void {
    found ??= new Map();
    for (const each of misread) {
      if (each.parts.some((part) => found?.has(part))) continue;
      for (const part of each.parts) found.set(part, each);
    }
  }
}

/** Whether a part could be the first piece of something misread, or the `TO` of a range: nearly none could. */
function isSuspect(part: Part, schema: Schema): boolean {
  if (part.kind === 'Stray' || part.item.kind === 'Regexp') return true;
  const { field, item } = part;
  if (field && !schema.fields.has(field.name.text)) return true;
  if (item.kind !== 'Word') return false;
  const { text } = item.term;
  if (/^[A-Za-z0-9]+$/.test(text)) return schema.fields.has(text) || /^to$/i.test(text);
  return schema.fields.has(text) || !/^[\p{L}\p{N}_][^=<>]*$/u.test(text) || /^to$/i.test(text);
}
