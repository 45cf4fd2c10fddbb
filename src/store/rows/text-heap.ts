/**
 * Texts in the form in which DuckDB holds them (`duckdb_string_t` in its header
 * duckdb.h): an entry of 16 bytes for each, which begins with the length of its
 * UTF-8 in bytes. Up to 12 bytes stand in the entry itself. Of a longer text it has
 * the first four bytes, and then where all of them are: here their place among
 * `bytes`, in the database an address.
 */
export interface Texts {
  /** Four words for each text. The first entry is the empty text. */
  readonly entries: Uint32Array<ArrayBuffer>;
  /** The UTF-8 of the longer texts. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How much memory texts take. Bytes. */
export function bytesOf({ entries, bytes }: Texts): number {
  return entries.byteLength + bytes.byteLength;
}

/** Words of an entry. */
export const entryWords = 4;

const entryBytes = 16;

/** So many bytes stand in the entry, behind its length. */
export const longestWithin = 12;

/** Gathers texts. Each gets a number, from 1; 0 is the number of an empty one. */
export interface TextHeap {
  readonly add: (text: string) => number;
  /** Bytes of the longer texts that were added since the last call of `take`. */
  readonly length: () => number;
  /** What was added since the last call. */
  readonly take: () => Texts;
}

/** Room to begin with. Many files are small. */
const fewBytes = 4_096;

/** Room beyond this is given up when what filled it is taken. Bytes. */
const mostKept = 8 * 1024 * 1024;

/** An empty heap. */
export function textHeap(): TextHeap {
  let bytes = Buffer.allocUnsafeSlow(fewBytes);
  let entries = new Uint8Array(fewBytes);
  let words = new Uint32Array(entries.buffer);
  let end = 0;
  let count = 1;
  return { add, length: () => end, take };

  function add(text: string): number {
    if (text === '') return 0;
    // A unit of UTF-16 comes to three bytes at most.
    makeRoom(text.length * 3);
    return note(bytes.write(text, end));
  }

  /** Makes an entry of the bytes that stand at the end. */
  function note(length: number): number {
    if (entries.length < (count + 1) * entryBytes) growEntries();
    const word = count * entryWords;
    words[word] = length;
    const isWithin = length <= longestWithin;
    const first = count * entryBytes + 4;
    const shown = isWithin ? length : 4;
    for (let at = 0; at < shown; at++) entries[first + at] = bytes[end + at] ?? 0;
    if (!isWithin) {
      words[word + 2] = end;
      end += length;
    }
    return count++;
  }

  function makeRoom(length: number): void {
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
    // What is not written of an entry is zero.
    entries.fill(0, 0, count * entryBytes);
    if (mostKept < bytes.length) bytes = Buffer.allocUnsafeSlow(fewBytes);
    if (mostKept < entries.length) {
      entries = new Uint8Array(fewBytes);
      words = new Uint32Array(entries.buffer);
    }
    end = 0;
    count = 1;
    return taken;
  }
}
