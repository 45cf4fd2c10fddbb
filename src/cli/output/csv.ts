/** A value of a row: text, a number, or nothing. */
export type Cell = string | number | bigint | boolean | undefined;

/**
 * A row as comma-separated values, quoted as RFC 4180 has it where that is
 * needed; ended by a line feed.
 *
 * A text that a spreadsheet would take for a formula gets an apostrophe before
 * it unless it is to be left `raw`: a log can hold what others have written.
 * Numbers are left as they are.
 */
export function toCsvRow(row: readonly Cell[], { raw }: { readonly raw: boolean }): string {
  return `${row.map((value) => quoted(raw ? String(value ?? '') : safe(value))).join(',')}\n`;
}

function safe(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '');
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
