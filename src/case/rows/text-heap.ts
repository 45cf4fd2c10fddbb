/**
 * Texts in the layout of DuckDB (`duckdb_string_t` in its header duckdb.h): an entry of 16 bytes
 * for each, which begins with its UTF-8 length in bytes. Up to 12 bytes are inlined into the entry.
 * For a longer text the entry has its first four bytes, and then its location: here the offset in
 * `bytes`, in the database an address.
 */
export interface Texts {
  /** Four words for each text. The first entry is the empty text. */
  readonly entries: Uint32Array<ArrayBuffer>;
  /** UTF-8 of the longer texts. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Returns the memory of texts in bytes. */
export function textsBytes({ entries, bytes }: Texts): number {
  return entries.byteLength + bytes.byteLength;
}

/** Words of an entry. */
export const entryWords = 4;

const entryBytes = 16;

/** Maximum bytes that are inlined into an entry, after its length. */
export const maxInlineBytes = 12;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text with a number; null for 0. Throws if there is none, or its bytes are not UTF-8. */
export function textAt({ entries, bytes }: Texts, number: number): string | null {
  if (number === 0) return null;
  const [length, , offset = 0] = entries.subarray(number * entryWords, (number + 1) * entryWords);
  if (length === undefined) throw new Error('A row of a batch refers to a text that does not exist');
  if (length <= maxInlineBytes)
    return decode(new Uint8Array(entries.buffer, number * entryBytes + 4, length));
  if (bytes.length < offset + length) throw new Error('A text of a batch lies outside its bytes');
  return decode(bytes.subarray(offset, offset + length));
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new Error('The texts of a batch are not UTF-8', { cause });
  }
}

/** Collects texts. Each gets a number, from 1; 0 is the empty text. */
export interface TextHeap {
  readonly add: (text: string) => number;
  /** Returns the bytes of the longer texts since the last call of `take`. */
  readonly length: () => number;
  /** Returns the texts since the last call. */
  readonly take: () => Texts;
}

/** Initial capacity in bytes. Many files are small. */
const initialBytes = 4_096;

/** Maximum capacity in bytes that is reused after `take`. */
const maxReusedBytes = 8 * 1024 * 1024;

/** Creates an empty heap. */
export function textHeap(): TextHeap {
  let bytes = Buffer.allocUnsafeSlow(initialBytes);
  let entries = new Uint8Array(initialBytes);
  let words = new Uint32Array(entries.buffer);
  let end = 0;
  let count = 1;
  return { add, length: () => end, take };

  function add(text: string): number {
    if (text === '') return 0;
    // A UTF-16 unit takes at most three bytes.
    ensureCapacity(text.length * 3);
    return addEntry(bytes.write(text, end));
  }

  /** Creates an entry of the bytes at the end. */
  function addEntry(length: number): number {
    if (entries.length < (count + 1) * entryBytes) growEntries();
    const word = count * entryWords;
    words[word] = length;
    const isInline = length <= maxInlineBytes;
    const first = count * entryBytes + 4;
    const shown = isInline ? length : 4;
    for (let at = 0; at < shown; at++) entries[first + at] = bytes[end + at] ?? 0;
    if (!isInline) {
      words[word + 2] = end;
      end += length;
    }
    return count++;
  }

  function ensureCapacity(length: number): void {
    if (end + length <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(end + length, bytes.length * 2));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
  }

  function growEntries(): void {
    const larger = new Uint8Array(entries.length * 2);
    larger.set(entries);
    entries = larger;
    words = new Uint32Array(larger.buffer);
  }

  function take(): Texts {
    const taken = {
      entries: words.slice(0, count * entryWords),
      bytes: new Uint8Array(bytes.subarray(0, end)),
    };
    // Unwritten bytes of an entry are zero.
    entries.fill(0, 0, count * entryBytes);
    if (maxReusedBytes < bytes.length) bytes = Buffer.allocUnsafeSlow(initialBytes);
    if (maxReusedBytes < entries.length) {
      entries = new Uint8Array(initialBytes);
      words = new Uint32Array(entries.buffer);
    }
    end = 0;
    count = 1;
    return taken;
  }
}
