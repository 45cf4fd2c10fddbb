/**
 * Converts a text to lower case, code point by code point, like the engine's filter; the length
 * stays the same. `toLowerCase` alone depends on the context of a capital sigma, and makes two
 * code points of İ. Letters newer than Unicode 9.0 depend on the host, but occur in no token.
 */
export function lowerCase(text: string): string {
  return text.replace(/[\u0130\u03a3]/g, (capital) => (capital === '\u0130' ? 'i' : '\u03c3')).toLowerCase();
}
