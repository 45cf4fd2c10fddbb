/** A value of a row; undefined is empty. */
export type Cell = string | number | bigint | boolean | undefined;

/**
 * Formats a row of comma-separated values, quoted by RFC 4180 if necessary, with a final line feed.
 * Text that a spreadsheet would take for a formula gets an apostrophe in front unless `raw`: logs hold
 * text of strangers. Numbers stay unchanged.
 */
export function toCsvRow(row: readonly Cell[], { raw }: { readonly raw: boolean }): string {
  return `${row.map((value) => quoted(raw ? String(value ?? '') : safe(value))).join(',')}\n`;
}

/**
 * Beginning of a possible spreadsheet formula: the signs that OWASP lists under "CSV Injection", also
 * full-width and after blanks and line breaks, which some programs drop.
 */
const formulaStart = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

function safe(value: Cell): string {
  return typeof value === 'string' ? disarmFormula(value) : String(value ?? '');
}

/** Puts an apostrophe in front of a text that a spreadsheet would take for a formula. */
export function disarmFormula(value: string): string {
  return formulaStart.test(value) ? `'${value}` : value;
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
