import type { Field } from '../../language/index.ts';
import { wordsSql } from '../../language/index.ts';

/** Returns SQL of the terms of a field: its words between single blanks, or its only value. */
export function termsColumn(field: Field): string {
  return field.type === 'text' ? wordsSql(quotedName(field.name)) : quotedName(field.name);
}

/** Returns SQL of the number of terms in a field; NULL without a value. `terms` is SQL of its `termsColumn`. */
export function tokenCountSql({ type }: Field, terms: string): string {
  // The blanks around the words leave an empty piece at each end.
  if (type === 'text') return `len(string_split(${terms}, ' ')) - 2`;
  return `CASE WHEN ${terms} IS NOT NULL THEN 1 END`;
}

/** Splits a value of `termsColumn` into terms. */
export function termsIn({ type }: Field, value: string): readonly string[] {
  if (type !== 'text') return [value];
  return value === '' ? [] : value.slice(1, -1).split(' ');
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
