/**
 * The code point that starts at `at`, which lies in the text. Half of a
 * surrogate pair without the other stands for itself.
 */
export function codePointAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return isHighSurrogate(unit) ? (text.codePointAt(at) ?? unit) : unit;
}

/** Whether a UTF-16 unit is the first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

/** How many UTF-16 units a code point takes. */
export function codePointWidth(code: number): 1 | 2 {
  return code > 0xffff ? 2 : 1;
}
