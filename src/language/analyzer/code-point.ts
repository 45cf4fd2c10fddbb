/** The code point at `at`, which must lie in the text. An unpaired surrogate is its own code point. */
export function codePointAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return isHighSurrogate(unit) ? (text.codePointAt(at) ?? unit) : unit;
}

/** Returns whether a UTF-16 unit is the first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

/** The number of UTF-16 units of a code point. */
export function codePointWidth(code: number): 1 | 2 {
  return code > 0xffff ? 2 : 1;
}
