/** Which of the ASCII characters are letters or digits. */
const isLetterOrDigit = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
  isLetterOrDigit[character.charCodeAt(0)] = 1;
}

/** Analysis cuts what is longer (section 4 of the language specification). */
const longestToken = 255;

/**
 * Whether a text is nothing but ASCII letters and digits, and so one token, as
 * nearly every word is. Every word is asked about several times, and to look at
 * its characters takes half as long as a regular expression.
 */
export function isPlainText(text: string): boolean {
  if (text.length === 0 || longestToken < text.length) return false;
  for (let at = 0; at < text.length; at += 1) {
    if (isLetterOrDigit[text.charCodeAt(at)] !== 1) return false;
  }
  return true;
}

/** Whether an ASCII letter or digit stands at a place of a text. */
export function isPlainAt(text: string, at: number): boolean {
  return isLetterOrDigit[text.charCodeAt(at)] === 1;
}
