/**
 * Query text that asks for exactly this value: the words of the value next to
 * each other on a text field, the whole value on a keyword or number field.
 * Safe for any text, whatever characters or reserved words it holds.
 *
 * ```ts
 * `source:${quote('Roads/Traffic.MapServer')}`; // source:"Roads/Traffic.MapServer"
 * quote('say "hi"'); // "say \"hi\""
 * ```
 *
 * A phrase is the one form that protects everything, `<` and `>` included; in
 * it only the quotation mark and the backslash are escaped (section 3 of the
 * language specification). An empty value gives `""`, which asks for nothing.
 */
export function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Whether a value can stand in a query as it is: nothing in it means anything but itself. */
export function isPlain(value: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.]*$/u.test(value) && !/^(AND|OR|NOT|TO)$/.test(value);
}
