import type { NumberValue } from '../meaning/number-value.ts';

/** The types of parameters. */
export type ParameterType = 'String' | 'Int64' | 'Float64' | 'Array(String)';

/** A parameter of a query. */
export interface ClickhouseParameter {
  readonly name: string;
  readonly type: ParameterType;
  /** A number as text: a double, or an integer of 64 bits. */
  readonly value: string | readonly string[];
}

/** Returns a parameter; half of a surrogate pair, which is no text to a database, is U+FFFD. */
export function toParameter(
  name: string,
  type: ParameterType,
  value: NumberValue | string | readonly string[],
): ClickhouseParameter {
  if (typeof value === 'object') return { name, type, value: value.map((each) => each.toWellFormed()) };
  return { name, type, value: typeof value === 'string' ? value.toWellFormed() : String(value) };
}

/**
 * Writes the value of a parameter as ClickHouse reads it: escaped as in a file of tab-separated values, an array
 * with quotes around its texts. It has no control characters, which neither a terminal nor an address takes.
 */
export function parameterText({ value }: ClickhouseParameter): string {
  if (typeof value === 'string') return escapeText(value);
  return `[${value.map((each) => `'${escapeText(each).replaceAll("'", "\\'")}'`).join(',')}]`;
}

/** Writes a text as a literal of SQL. */
export function textLiteral(text: string): string {
  return `'${escapeText(text).replaceAll("'", "\\'")}'`;
}

/** Escapes the backslash, and control characters and invisible ones by their bytes in UTF-8. */
function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
      [...new TextEncoder().encode(character)]
        .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
        .join(''),
    );
}
