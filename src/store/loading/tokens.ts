import { analyze } from '../../meaning/analyzer/analyze.ts';
import { tokenBounds } from '../../meaning/analyzer/scan.ts';

/**
 * What the `_tokens` column of a field holds for a value: its tokens joined
 * and surrounded by single blanks, or an empty text when there are none.
 *
 * ```ts
 * toTokens('Timed out!'); // ' timed out '
 * ```
 */
export function toTokens(text: string): string {
  const tokens = analyze(text);
  return tokens.length === 0 ? '' : ` ${tokens.join(' ')} `;
}

/** Writes the tokens of texts in ASCII, without a text being made of any. */
export interface AsciiTokens {
  /** Where they are written to: good until the next are. */
  readonly bytes: () => Uint8Array;
  /** Writes what `toTokens` gives for the bytes from one place up to another, and gives its length. */
  readonly write: (bytes: Buffer, from: number, to: number) => number;
}

const blank = 0x20;

/** Writes tokens of ASCII texts to one place. */
export function asciiTokens(): AsciiTokens {
  let written = new Uint8Array(4_096);
  return { bytes: () => written, write };

  function write(bytes: Buffer, from: number, to: number): number {
    const bounds = tokenBounds(bytes.toString('latin1', from, to));
    if (bounds.length === 0) return 0;
    // A token has one byte at least, and a blank behind it.
    if (written.length <= 2 * (to - from)) written = new Uint8Array(4 * (to - from));
    let end = 0;
    written[end++] = blank;
    for (let bound = 0; bound < bounds.length; bound += 2) {
      const last = from + (bounds[bound + 1] ?? 0);
      for (let at = from + (bounds[bound] ?? 0); at < last; at++) written[end++] = lower[bytes[at] ?? 0] ?? 0;
      written[end++] = blank;
    }
    return end;
  }
}

/** The bytes of ASCII in lower case. */
const lower = Uint8Array.from({ length: 128 }, (_, code) =>
  0x41 <= code && code <= 0x5a ? code + 0x20 : code,
);

/** Whether the bytes from one place up to another are ASCII. */
export function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (0x7f < (bytes[at] ?? 0)) return false;
  return true;
}
