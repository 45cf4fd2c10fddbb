/** Converts UTF-8 or UTF-16 text to UTF-8 without a byte order mark. UTF-16 is detected by its mark. */
export async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let convert: ((chunk: Uint8Array) => Uint8Array) | undefined;
  for await (const chunk of withFullStart(chunks, 3)) {
    if (convert) {
      yield convert(chunk);
      continue;
    }
    const encoding = encodingOf(chunk);
    convert = encoding === 'utf-8' ? (bytes) => bytes : fromUtf16(encoding);
    yield convert(hasUtf8Mark(chunk) ? chunk.subarray(3) : chunk);
  }
}

/** U+FFFD, the replacement for invalid bytes. Logs that lost characters earlier contain it as well. */
export const replacementCharacter = '\uFFFD';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

function encodingOf(start: Uint8Array): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
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

/** Yields the same bytes; the first chunk has at least `length` bytes unless the whole is shorter. */
export async function* withFullStart(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let start: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (!start) {
      yield chunk;
      continue;
    }
    start = concatBytes(start, chunk);
    if (start.length < length) continue;
    yield start;
    start = undefined;
  }
  if (start && 0 < start.length) yield start;
}

/** Concatenates two byte arrays. */
export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
