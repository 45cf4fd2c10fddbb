import type { Field } from '../../meaning/fields.ts';

/** Returns the column with the terms of a field: its tokens between single blanks, or its only value. */
export function termsColumn({ name, type }: Field): string {
  return `"${(type === 'text' ? `${name}_tokens` : name).replaceAll('"', '""')}"`;
}

/** SQL of the number of tokens in a field; NULL without a value. */
export function tokenCountSql(field: Field): string {
  // The blanks around the tokens leave an empty piece at each end.
  if (field.type === 'text') return `len(string_split(${termsColumn(field)}, ' ')) - 2`;
  return `CASE WHEN ${termsColumn(field)} IS NOT NULL THEN 1 END`;
}

/** Splits a value of `termsColumn` into terms. */
export function termsIn({ type }: Field, value: string): readonly string[] {
  if (type !== 'text') return [value];
  return value === '' ? [] : value.slice(1, -1).split(' ');
}
