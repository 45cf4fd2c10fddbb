import { parseDate } from './date.ts';
import type { Field, FieldType } from './fields.ts';
import { type Bound, type Filter, none, type Range } from './filter.ts';

/** A bound of a range as written; an open end is undefined. */
export type WrittenBound = Bound<string> | undefined;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that a text says, or undefined: digits with a fraction and an exponent where wanted, nothing else. */
export function parseNumber(text: string): number | undefined {
  // Most texts begin with a letter, and no number does.
  if ('A' <= text) return undefined;
  const number = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/**
 * The number that a text says to a number field. The engine takes a decimal
 * with blanks around it and a type behind it, as Java writes `1.5d`, and an
 * integer of up to 64 bits (section 5 of the language specification).
 */
function numberFor(type: FieldType, text: string): number | undefined {
  const number = parseNumber(text);
  if (type === 'decimal') return number ?? parseNumber(text.replace(/^[\0- ]+|[dDfF]?[\0- ]+$|[dDfF]$/g, ''));
  return number === undefined || 2 ** 63 < Math.abs(number) ? undefined : number;
}

/**
 * The filter for one value of a number or date field. Text that is none
 * selects nothing, and so does a fraction on an integer field; a date without
 * its time is the whole day (sections 5 and 7.5 of the language specification).
 */
export function equalTo(field: Field, text: string, now: number): Filter {
  const bound: Bound<string> = { value: text, inclusive: true };
  if (field.type === 'date') return numberRange(field, { lower: bound, upper: bound, now });
  const value = numberFor(field.type, text);
  if (value === undefined) return none;
  return { kind: 'range', field, lower: { value, inclusive: true }, upper: { value, inclusive: true } };
}

/** The filter for a range over a number or date field; a bound that is no number or date selects nothing. */
export function numberRange(
  field: Field,
  { lower, upper, now }: { lower: WrittenBound; upper: WrittenBound; now: number },
): Filter {
  const from = lower && toBound(field, lower, { roundUp: !lower.inclusive, now });
  const to = upper && toBound(field, upper, { roundUp: upper.inclusive, now });
  if ((lower && !from) || (upper && !to)) return none;
  const range: Range = { kind: 'range', field, ...(from && { lower: from }), ...(to && { upper: to }) };
  return range;
}

function toBound(
  field: Field,
  { value, inclusive }: Bound<string>,
  rounding: { roundUp: boolean; now: number },
): Bound<number> | undefined {
  const number = field.type === 'date' ? parseDate(value, rounding) : numberFor(field.type, value);
  if (number === undefined) return undefined;
  const isRelative = field.type === 'date' && value.startsWith('now');
  return { value: number, inclusive, ...(isRelative && { relative: value }) };
}
