import { ExactNumber } from './exact-number.ts';

/**
 * The JSON of a value that `readExactJson` gave or that is made of plain lists and
 * objects, as `JSON.stringify` writes it, with every `ExactNumber` as it stood.
 * With `indent` each member has a line of its own, indented by so many spaces.
 */
export function writeExactJson(value: unknown, indent = 0): string {
  return write(value, indent, indent === 0 ? '' : '\n') ?? 'null';
}

/** Undefined for what JSON has no form for, as `undefined` itself. */
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
