import { ExactNumber } from './exact-number.ts';

/**
 * Writes a value of `readExactJson`, or one of plain arrays and objects, like `JSON.stringify`,
 * with each `ExactNumber` unchanged. With `indent` each member has its own line, indented by that
 * number of spaces.
 *
 * ```ts
 * writeExactJson(readExactJson('{"id":9007199254740993}'));
 * ```
 */
export function writeExactJson(value: unknown, indent = 0): string {
  return write(value, indent, indent === 0 ? '' : '\n') ?? 'null';
}

/** Undefined for a value that JSON cannot express, for example `undefined`. */
function write(value: unknown, indent: number, lineBreak: string): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = lineBreak === '' ? '' : lineBreak + ' '.repeat(indent);
  if (Array.isArray(value)) {
    const items = value.map((item) => inner + (write(item, indent, inner) ?? 'null'));
    return items.length === 0 ? '[]' : `[${items.join(',')}${lineBreak}]`;
  }
  const colon = indent === 0 ? ':' : ': ';
  const members = Object.entries(value).flatMap(([key, member]) => {
    const written = write(member, indent, inner);
    return written === undefined ? [] : [`${inner}${JSON.stringify(key)}${colon}${written}`];
  });
  return members.length === 0 ? '{}' : `{${members.join(',')}${lineBreak}}`;
}
