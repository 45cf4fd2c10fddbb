import { concatBytes, withFullStart } from './lines.ts';

/** Encoding of a text that says nothing about it, and is no UTF-8. */
export const assumedEncoding = 'Windows-1252';

/** Bytes from the first one beyond ASCII by which an encoding is assumed. */
const sampleLength = 65_536;

/**
 * Converts a text to UTF-8 without a byte order mark. UTF-16 is detected by its mark, or by its zeros; Windows-1252, which
 * has all characters of Latin-1, is assumed where the first bytes beyond ASCII are no UTF-8. `onAssumed` is called then.
 * The outcome does not depend on the chunks.
 */
export async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
  onAssumed: () => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  let convert: ((chunk: Uint8Array) => Uint8Array) | undefined;
  /** Bytes from the first one beyond ASCII. */
  let sample: Uint8Array = new Uint8Array(0);
  const decide = () => {
    const isAssumed = isWindows1252(sample);
    if (isAssumed) onAssumed();
    convert = isAssumed ? fromWindows1252 : unchanged;
    return convert(sample);
  };
  let isStart = true;
  for await (const chunk of withFullStart(chunks, 3)) {
    let rest = chunk;
    if (isStart) {
      isStart = false;
      const encoding = encodingOf(chunk);
      if (encoding !== 'utf-8') convert = fromUtf16(encoding);
      else if (hasUtf8Mark(chunk)) {
        convert = unchanged;
        rest = chunk.subarray(3);
      }
    }
    if (convert) {
      yield convert(rest);
      continue;
    }
    const ascii = sample.length === 0 ? asciiLength(rest) : 0;
    if (0 < ascii) yield rest.subarray(0, ascii);
    sample = concatBytes(sample, rest.subarray(ascii));
    if (sampleLength <= sample.length) yield decide();
  }
  if (!convert && 0 < sample.length) yield decide();
}

const unchanged = (bytes: Uint8Array) => bytes;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

function encodingOf(start: Uint8Array): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  // Without a mark: the first two characters are of ASCII, as those of any log, and no text begins with a zero.
  if (isAscii(start[0]) && start[1] === 0 && isAscii(start[2])) return 'utf-16le';
  if (start[0] === 0 && isAscii(start[1]) && start[2] === 0) return 'utf-16be';
  return 'utf-8';
}

/** Reports if a byte is a character of ASCII that texts have: printable, a tab or the end of a line. */
function isAscii(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (0x20 <= byte && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Returns the number of bytes before a UTF-8 text, by the first three bytes of a file; undefined for UTF-16. */
export function utf8Start(start: Uint8Array): number | undefined {
  if (encodingOf(start) !== 'utf-8') return undefined;
  return hasUtf8Mark(start) ? 3 : 0;
}

function hasUtf8Mark(start: Uint8Array): boolean {
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
}

function fromUtf16(encoding: 'utf-16le' | 'utf-16be'): (chunk: Uint8Array) => Uint8Array {
  // The decoder removes the mark, and holds an incomplete unit for the next chunk.
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  return (chunk) => encoder.encode(decoder.decode(chunk, { stream: true }));
}

/** Returns the number of bytes before the first one beyond ASCII. Four are compared at once: most files have no such byte. */
function asciiLength(bytes: Uint8Array): number {
  const isPlain = (at: number) => (bytes[at] ?? 0x80) < 0x80;
  let at = 0;
  while (((bytes.byteOffset + at) & 3) !== 0 && isPlain(at)) at++;
  if (((bytes.byteOffset + at) & 3) === 0) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, (bytes.length - at) >> 2);
    let word = 0;
    while (word < words.length && ((words[word] ?? 0) & 0x80808080) === 0) word++;
    at += 4 * word;
  }
  while (isPlain(at)) at++;
  return at;
}

/** Characters of the bytes 80 to 9F in Windows-1252 (WHATWG, Encoding); a blank stands for one that has none. */
const upperCharacters =
  '\u20ac \u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152 \u017d  \u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153 \u017e\u0178';

/** Control characters that no text has: archives, images and programs do. */
const isControl = (byte: number) => byte < 0x20 && !(0x08 <= byte && byte <= 0x0d) && byte !== 0x1b;

/** Reports if a byte has no character in Windows-1252, or one that is so rare that other data is likelier. */
const isOdd = (byte: number) => byte === 0xff || upperCharacters[byte - 0x80] === ' ';

/**
 * Reports if bytes are more likely a text in Windows-1252 than in UTF-8: more of the bytes beyond ASCII break the rules of
 * UTF-8 than there are characters that keep them, as a text of the one has by chance and a damaged one of the other.
 */
function isWindows1252(bytes: Uint8Array): boolean {
  let [characters, breaches] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (isControl(byte)) return false;
    const length = lengthOfCharacter(bytes, at);
    // The sample may end within a character.
    if (bytes.length < at + length) break;
    if (length === 0) {
      if (isOdd(byte)) return false;
      breaches++;
    } else if (1 < length) characters++;
    at += length || 1;
  }
  return characters < breaches;
}

/** Returns the length of the character of UTF-8 at an offset, which may go beyond the end; 0 if there is none. */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte < 0x80) return 1;
  if (byte < 0xc2 || 0xf4 < byte) return 0;
  const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  for (let next = at + 1; next < Math.min(at + length, bytes.length); next++)
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

const encoder = new TextEncoder();

/** UTF-8 of each byte of Windows-1252. A byte that has no character there is a control character, as browsers read it. */
const windows1252 = Array.from({ length: 256 }, (_, byte) => {
  const upper = upperCharacters[byte - 0x80] ?? ' ';
  return encoder.encode(upper === ' ' ? String.fromCharCode(byte) : upper);
});

function fromWindows1252(bytes: Uint8Array): Uint8Array {
  const converted = new Uint8Array(3 * bytes.length);
  let length = 0;
  for (const byte of bytes)
    if (byte < 0x80) converted[length++] = byte;
    else for (const unit of windows1252[byte] ?? []) converted[length++] = unit;
  return converted.subarray(0, length);
}
