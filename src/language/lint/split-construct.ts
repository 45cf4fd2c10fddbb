import type { Schema } from '../meaning/fields.ts';
import type { Part } from '../parse/tree.ts';
import { type BareRange, bareRangesOn } from './bare-ranges.ts';
import { type MissingColon, missingColonsOn } from './missing-colon.ts';
import { type Pasted, pastedOn } from './pasted.ts';
import { type QuotePair, quotePairsOn } from './quote-pairs.ts';

/**
 * Parts that were meant as one construct, but that the parser reads one by one.
 * One rule reports each kind; other rules ignore the parts of it.
 */
export type SplitConstruct = QuotePair | Pasted | MissingColon | BareRange;

/**
 * The split constructs of a level, at the index of each of their parts. Of
 * overlapping ones the first in this order wins: quotes, once mended, protect
 * what is between them.
 */
export function splitConstructsOn(
  parts: readonly Part[],
  schema: Schema,
): readonly (SplitConstruct | undefined)[] {
  const constructs: (SplitConstruct | undefined)[] = [];
  add(quotePairsOn(parts));
  add(pastedOn(parts, schema));
  add(missingColonsOn(parts, schema));
  add(bareRangesOn(parts));
  return constructs;

  function add(found: Iterable<SplitConstruct>): void {
    for (const each of found) {
      const indexes = each.parts.map((_, place) => each.at + place);
      if (indexes.every((index) => constructs[index] === undefined))
        for (const index of indexes) constructs[index] = each;
    }
  }
}
