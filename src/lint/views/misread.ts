import type { Part } from '../../language/tree.ts';
import type { Schema } from '../../meaning/fields.ts';
import { type BareRange, bareRangesOn } from './bare-ranges.ts';
import { type Pasted, pastedOn } from './pasted.ts';
import { isPlainText } from './plain-text.ts';
import { type QuotePair, quotePairsOn } from './quote-pairs.ts';
import { type Uncolonned, uncolonnedOn } from './uncolonned.ts';

/**
 * Parts that belong together and are read one by one. A rule tells of each
 * kind; what the parts are alone is then not the point.
 */
export type Misread = QuotePair | Pasted | Uncolonned | BareRange;

const none: readonly undefined[] = [];

/** What of a level is misread, at the places of its parts. What is within quotes they will protect. */
export function misreadsOn(parts: readonly Part[], schema: Schema): readonly (Misread | undefined)[] {
  if (!isAnySuspect(parts, schema)) return none;
  const misreads = new Array<Misread | undefined>(parts.length);
  add(quotePairsOn(parts));
  add(pastedOn(parts, schema));
  add(uncolonnedOn(parts, schema));
  add(bareRangesOn(parts));
  return misreads;

  function add(found: Iterable<Misread>): void {
    for (const each of found) {
      const end = each.at + each.parts.length;
      if (misreads.slice(each.at, end).every((other) => other === undefined))
        misreads.fill(each, each.at, end);
    }
  }
}

function isAnySuspect(parts: readonly Part[], schema: Schema): boolean {
  for (const part of parts) if (isSuspect(part, schema)) return true;
  return false;
}

/** Whether a part could be the first piece of something misread, or the `TO` of a range: nearly none could. */
function isSuspect(part: Part, schema: Schema): boolean {
  if (part.kind === 'Stray' || part.item.kind === 'Regexp') return true;
  const { field, item } = part;
  if (field && !schema.fields.has(field.name.text)) return true;
  if (item.kind !== 'Word') return false;
  const { text } = item.term;
  if (schema.fields.has(text) || (text.length === 2 && /^to$/i.test(text))) return true;
  return !isPlainText(text) && !/^[\p{L}\p{N}_][^=<>]*$/u.test(text);
}
