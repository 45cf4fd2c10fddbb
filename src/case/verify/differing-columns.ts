import type { TextRow } from '../../database/index.ts';

/** Describes each column whose value differs from the expected one; other columns are not compared. */
export function differingColumns(found: TextRow, expected: TextRow): readonly string[] {
  return Object.entries(expected)
    .filter(([column, value]) => (found[column] ?? null) !== value)
    .map(([column, value]) => `${column} is ${show(found[column])}, expected ${show(value)}`);
}

/** Maximum characters of a shown value. */
const longest = 300;

function show(value: string | null | undefined): string {
  if (value === null || value === undefined) return 'nothing';
  if (/^-?\d+$/.test(value)) return value;
  return JSON.stringify(value.length <= longest ? value : `${value.slice(0, longest)}…`);
}
