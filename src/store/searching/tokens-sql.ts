import type { Field } from '../../meaning/fields.ts';

/** The column that has the terms of a field: its tokens between single blanks, or its one value. */
export function columnOf({ name, type }: Field): string {
  return `"${(type === 'text' ? `${name}_tokens` : name).replaceAll('"', '""')}"`;
}

/** How many tokens a row has in a field, as SQL; NULL where it has none. */
export function tokenCount(field: Field): string {
  // The blanks around the tokens leave an empty piece at each end.
  if (field.type === 'text') return `len(string_split(${columnOf(field)}, ' ')) - 2`;
  return `CASE WHEN ${columnOf(field)} IS NOT NULL THEN 1 END`;
}

/** The terms in a value of the column of a field. */
export function termsIn({ type }: Field, value: string): readonly string[] {
  if (type !== 'text') return [value];
  return value === '' ? [] : value.slice(1, -1).split(' ');
}
