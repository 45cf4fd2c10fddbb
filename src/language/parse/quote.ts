/**
 * Query text for exactly this value. On a text field it matches the words of the value next to
 * each other, on a keyword or number field the whole value. Safe for any text, whatever characters
 * or reserved words it holds.
 *
 * ```ts
 * `source:${quote('Roads/Traffic.MapServer')}`; // source:"Roads/Traffic.MapServer"
 * quote('say "hi"'); // "say \"hi\""
 * ```
 *
 * Only a phrase protects everything, including `<` and `>`; in it only the quotation mark and the
 * backslash are escaped (section 3 of the language specification). An empty value gives `""`,
 * which has no terms.
 */
export function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Returns whether a value can stand in a query unquoted: no character or word of it is special. */
export function isPlainValue(value: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.]*$/u.test(value) && !/^(AND|OR|NOT|TO)$/.test(value);
}
