/** Classes of bytes as masking sees them, one bit each. */
export const byteClass = {
  digit: 1,
  letter: 2,
  /** Hexadecimal digits that are letters. */
  hexLetter: 4,
  blank: 8,
  /** Ends a chunk: brackets, separators of lists, and `=`. */
  delimiter: 16,
  quote: 32,
  /** Sentence punctuation: it ends a chunk where a blank or nothing follows. */
  punctuation: 64,
} as const;

/** The class bits of each byte. Bytes of UTF-8 sequences count as letters. */
export const classOfByte: Uint8Array = new Uint8Array(256).map((_, byte) => {
  const text = String.fromCharCode(byte);
  if (byte >= 0x80) return byteClass.letter;
  if (byte <= 0x20 || byte === 0x7f) return byteClass.blank;
  if (/\d/.test(text)) return byteClass.digit;
  if (/[a-f]/i.test(text)) return byteClass.letter | byteClass.hexLetter;
  if (/[a-z_]/i.test(text)) return byteClass.letter;
  if (/["'`]/.test(text)) return byteClass.quote;
  if (/[()[\]{}<>,;|=]/.test(text)) return byteClass.delimiter;
  return /[.:!?]/.test(text) ? byteClass.punctuation : 0;
});
