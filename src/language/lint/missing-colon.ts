import type { Schema } from '../meaning/fields.ts';
import type { Clause, Part, Span } from '../parse/tree.ts';
import { isPlainWord } from './plain.ts';

/** A field and a value with a sign between them instead of a colon: `logLevel=SEVERE`, `elapsed > 5`. */
export interface MissingColon extends Span {
  readonly kind: 'missing colon';
  readonly at: number;
  /** One word, or up to three. */
  readonly parts: readonly Part[];
  readonly field: string;
  /** `=`, `==`, `!=`, `<`, `<=`, `>` or `>=`. */
  readonly sign: string;
  /** The written text, with its quotes if it has some. */
  readonly value: string;
}

/** The fields without a colon on a level. */
export function* missingColonsOn(parts: readonly Part[], schema: Schema): Generator<MissingColon> {
  for (const [index, part] of parts.entries()) {
    if (!isPlainWord(part, { conjunction: true }) || !canBegin(part.item.term.text, schema)) continue;
    const missingColon = missingColonIn(part, parts.slice(index, index + 3), schema);
    if (missingColon) yield { at: index, ...missingColon };
  }
}

/** Returns whether a word is the name of a field, or has a sign in it. */
function canBegin(text: string, schema: Schema): boolean {
  return schema.fields.has(text) || /[=<>]/.test(text);
}

function missingColonIn(
  first: Clause,
  parts: readonly Part[],
  schema: Schema,
): Omit<MissingColon, 'at'> | undefined {
  let glued = '';
  for (const [place, part] of parts.entries()) {
    const written = pieceOf(part, place === 0);
    if (written === undefined) return undefined;
    glued += written;
    const [, field = '', sign, value] = /^([\w.]+)(==?|!=|[<>]=?)?(.*)$/s.exec(glued) ?? [];
    if (!schema.fields.has(field)) return undefined;
    if (value) {
      return sign
        ? {
            kind: 'missing colon',
            from: first.item.from,
            to: part.to,
            parts: parts.slice(0, place + 1),
            field,
            sign,
            value,
          }
        : undefined;
    }
  }
  return undefined;
}

/** The text of a part that can continue a comparison. The parser reads the first sign of `!=` as an operator. */
function pieceOf(part: Part, isFirst: boolean): string | undefined {
  if (isFirst || isPlainWord(part) || isPlainPhrase(part)) return termOf(part);
  if (part.kind !== 'Clause' || part.modifier?.text !== '!' || part.conjunction || part.field)
    return undefined;
  const written = termOf(part);
  return part.item.kind === 'Word' && written?.startsWith('=') ? `!${written}` : undefined;
}

function termOf(part: Part): string | undefined {
  return part.kind === 'Clause' && 'term' in part.item ? part.item.term.text : undefined;
}

function isPlainPhrase(part: Part): boolean {
  if (part.kind !== 'Clause' || part.conjunction || part.modifier || part.field) return false;
  return part.item.kind === 'Phrase' && part.item.suffixes.length === 0;
}
