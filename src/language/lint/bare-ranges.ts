import { parseNumber } from '../meaning/bounds.ts';
import { parseDate } from '../meaning/date.ts';
import type { Clause, Part, Span } from '../parse/tree.ts';
import { isPlainWord } from './plain.ts';

/** Two numbers or dates with `TO` between them and no brackets around: `9000 TO 9999`. The span leaves out the field. */
export interface BareRange extends Span {
  readonly kind: 'bare range';
  readonly at: number;
  readonly parts: readonly Part[];
  readonly first: Clause;
  readonly lower: string;
  readonly upper: string;
}

/** The ranges without brackets on a level. */
export function* bareRangesOn(parts: readonly Part[]): Generator<BareRange> {
  for (const [index, to] of parts.entries()) {
    if (!isPlainWord(to) || !/^to$/i.test(to.item.term.text)) continue;
    const range = 0 < index ? rangeFrom(index - 1, parts) : undefined;
    if (range) yield range;
  }
}

function rangeFrom(at: number, all: readonly Part[]): BareRange | undefined {
  const parts = all.slice(at, at + 3);
  const [first, , last] = parts;
  if (first?.kind !== 'Clause' || first.item.kind !== 'Word' || !isPlainWord(last)) return undefined;
  const [lower, upper] = [first.item.term.text, last.item.term.text];
  if (0 < first.item.suffixes.length || !isBound(lower) || !isBound(upper)) return undefined;
  return { kind: 'bare range', at, parts, first, lower, upper, from: first.item.from, to: last.to };
}

/** Returns whether a text is a number or a date. */
export function isBound(text: string): boolean {
  return parseNumber(text) !== undefined || parseDate(text, { roundUp: false, now: 0 }) !== undefined;
}
