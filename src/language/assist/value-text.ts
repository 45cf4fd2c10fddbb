import { analyze } from '../analyzer/analyze.ts';
import { parseFieldNumber } from '../meaning/bounds.ts';
import type { FieldValue } from '../meaning/document.ts';
import type { Field, Schema } from '../meaning/fields.ts';
import { match } from '../meaning/match.ts';
import { numberText } from '../meaning/number-value.ts';
import { resolve } from '../meaning/resolve.ts';
import { withEscapes } from '../parse/escape.ts';
import { parse } from '../parse/parse.ts';
import { isPlainValue, quote } from '../parse/quote.ts';

/** The text of a value as it is shown; dates as they are written in a query. */
export function shownValue(field: Field, value: FieldValue): string {
  return typeof value === 'string' ? value : numberText(field.type, value);
}

/** The query text that asks for this value alone, quoted if it has to be or if `quoted` is set. */
export function valueText(field: Field, shown: string, { quoted }: { readonly quoted: boolean }): string {
  return !quoted && isOneWord(field, shown) ? shown : quote(shown);
}

function isOneWord({ type }: Field, shown: string): boolean {
  if (type === 'integer' || type === 'decimal') return /^\d+(\.\d+)?$/.test(shown);
  if (type === 'date' || !isPlainValue(shown)) return false;
  return type === 'keyword' || analyze(shown).length === 1;
}

/** One end of a range as it is written. */
export function boundText(shown: string): string {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.:+-]*$/u.test(shown) && shown !== 'TO' ? shown : quote(shown);
}

/** Returns whether a clause selects the logs that have the value. It does not for `"---"`, which has no token. */
export function findsValue(field: Field, { value, text }: Asked, schema: Schema): boolean {
  const isNumber = field.type !== 'text' && field.type !== 'keyword';
  const has = isNumber && typeof value === 'string' ? parseFieldNumber(field.type, value) : value;
  const clause = parse(`${withEscapes(field.name)}:${text}`).query;
  return match(resolve(clause, { schema }), { [field.name]: has });
}

/** A value, and the query text that asks for it. */
interface Asked {
  readonly value: FieldValue;
  readonly text: string;
}
