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

/**
 * How a text begins that a spreadsheet may take for a formula: the signs that OWASP names under "CSV Injection", full-width
 * ones included, also behind blanks and line breaks, which some programs drop.
 */
const formulaStart = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

function safe(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '');
  return formulaStart.test(value) ? `'${value}` : value;
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
