import {
  type Extra,
  type LogRecord,
  type Position,
  replacementCharacter,
  textFields,
  type UnreadableRecord,
} from '../../records/index.ts';

/** A record to be inserted. */
type NewRecord = NewLog | NewUnreadable;

/** An unreadable record to be inserted, or a refused entry as a whole. */
interface NewUnreadable extends Pick<UnreadableRecord, 'kind' | 'reason' | 'raw' | 'position'> {
  readonly code: string;
}

/** Records to be inserted, as rows of the tables of a case. */
export interface RecordBatch {
  readonly logs: RowBatch;
  readonly unreadable: RowBatch;
}

/** Columns of a batch of unreadable records, in its order. */
export const unreadableColumns: {
  readonly numbers: readonly NumberColumn[];
  readonly texts: readonly string[];
} = {
  numbers: [
    { name: 'position', type: 'INTEGER' },
    { name: 'byte_offset', type: 'BIGINT' },
    { name: 'byte_length', type: 'BIGINT' },
  ],
  texts: ['code', 'reason', 'raw'],
};

/** Collects records into batches. */
interface RecordBatcher {
  readonly add: (record: NewRecord) => void;
  readonly isFull: () => boolean;
  /** Returns the records since the last call. The logs have no ids yet. */
  readonly take: () => RecordBatch;
}

/**
 * Creates a batcher of records, which get their ids from `renumberRecords`. `logRows` collects the
 * rows of logs.
 */
export function recordBatcher(logRows: RowBatcher = logRowBatcher()): RecordBatcher {
  const logs = logBatcher(logRows);
  const unreadable = rowBatcher({ numbers: 3, texts: 3 });
  /** Last text of each column in this batch, and its number. Unreadable records are mostly alike. */
  let last: { readonly text: string; readonly code: number }[] = [];
  return {
    add: (record) => (record.kind === 'log' ? logs.add(record) : addUnreadable(record)),
    isFull: () => logs.isFull() || unreadable.isFull(),
    take,
  };

  function take(): RecordBatch {
    last = [];
    return { logs: logs.take(), unreadable: unreadable.take() };
  }

  function addUnreadable({ code, reason, raw, position }: NewUnreadable): void {
    unreadable.addRow();
    for (const [column, value] of [position.number, position.offset, position.length].entries())
      unreadable.setNumber(column, value);
    for (const [column, text] of [code, reason, raw].entries()) {
      if (last[column]?.text !== text) last[column] = { text, code: unreadable.addText(text) };
      unreadable.setText(column, last[column]?.code ?? 0);
    }
  }
}

/**
 * Assigns consecutive ids to the logs of a batch, and shifts the positions of all its records by
 * `before`.
 */
export function renumberRecords(
  { logs, unreadable }: RecordBatch,
  by: { readonly firstId: number; readonly before: number },
): void {
  renumberLogs(logs, by);
  const width = unreadableColumns.numbers.length;
  for (let row = 0; row < unreadable.rows; row++)
    unreadable.numbers[row * width] = (unreadable.numbers[row * width] ?? 0) + by.before;
}

/** Returns the memory of a batch in bytes. */
export function recordBatchBytes({ logs, unreadable }: RecordBatch): number {
  return [...buffersOf(logs), ...buffersOf(unreadable)].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Low bits of a 64-bit integer, which a double does not hold. */
const lowBits = 0x7ffn;

/** A log to be inserted. Without an original, its position is only a number. */
interface NewLog extends Pick<LogRecord, 'kind' | 'log' | 'extra'> {
  readonly position: Pick<Position, 'number'> & Partial<Position>;
}

/** Columns of a batch of logs, in its order. */
export const logBatchColumns: {
  readonly numbers: readonly NumberColumn[];
  readonly texts: readonly string[];
} = {
  numbers: [
    { name: 'id', type: 'BIGINT' },
    { name: 'position', type: 'INTEGER' },
    { name: 'byte_offset', type: 'BIGINT' },
    { name: 'byte_length', type: 'INTEGER' },
    { name: 'logCode', type: 'low bits' },
    { name: 'time', type: 'milliseconds' },
    { name: 'logCode', type: 'BIGINT' },
    { name: 'elapsed', type: 'DOUBLE' },
  ],
  texts: ['extra', ...textFields],
};

/** Collects logs into batches. */
interface LogBatcher {
  readonly add: (log: NewLog) => void;
  readonly isFull: () => boolean;
  /** Returns the logs since the last call. They have no ids yet. */
  readonly take: () => RowBatch;
}

/** Maximum length of cached texts, in UTF-16 units: longer ones rarely repeat within a batch. */
const longestRepeated = 200;

/** Creates a batcher of rows for logs. */
function logRowBatcher(): RowBatcher {
  return rowBatcher({ numbers: logBatchColumns.numbers.length, texts: logBatchColumns.texts.length });
}

/** Creates a batcher of logs, which adds rows to `batch`. They get their ids from `renumberLogs`. */
export function logBatcher(batch: RowBatcher): LogBatcher {
  /** Numbers of repeatable texts of this batch. */
  let codes = new Map<string, number>();
  return { add, isFull: batch.isFull, take };

  function add({ log, extra, position }: NewLog): void {
    batch.addRow();
    addPosition(position);
    if (log.time !== undefined) batch.setNumber(5, log.time);
    if (log.logCode !== undefined) addCode(log.logCode);
    if (log.elapsed !== undefined) batch.setNumber(7, log.elapsed);
    if (extra) batch.setText(0, batch.addText(toWellFormedJson(extra)));
    for (const [index, field] of textFields.entries()) {
      const value = log[field];
      if (value !== undefined) batch.setText(1 + index, codeOf(value));
    }
  }

  function addPosition({ number, offset, length }: NewLog['position']): void {
    batch.setNumber(1, number);
    if (offset !== undefined) batch.setNumber(2, offset);
    if (length !== undefined) batch.setNumber(3, length);
  }

  /** A double holds 53 of 64 bits: the lower bits of a larger code are stored beside it. */
  function addCode(code: number | bigint): void {
    const low = typeof code === 'bigint' ? code & lowBits : 0n;
    batch.setNumber(6, typeof code === 'bigint' ? Number(code - low) : code);
    if (low !== 0n) batch.setNumber(4, Number(low));
  }

  function codeOf(value: string): number {
    if (longestRepeated < value.length) return batch.addText(value);
    const known = codes.get(value);
    if (known !== undefined) return known;
    const added = batch.addText(value);
    codes.set(value, added);
    return added;
  }

  function take(): RowBatch {
    codes = new Map();
    return batch.take();
  }
}

/** Returns the bytes that the logs of a batch take in their original. NaN if one has no original. */
export function recordBytes({ rows, numbers }: RowBatch): number {
  const width = logBatchColumns.numbers.length;
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += numbers[row * width + 3] ?? 0;
  return sum;
}

/** Assigns consecutive ids to the logs of a batch, and shifts their positions by `before`. */
function renumberLogs(
  { rows, numbers }: RowBatch,
  { firstId, before }: { readonly firstId: number; readonly before: number },
): void {
  const width = logBatchColumns.numbers.length;
  for (let row = 0; row < rows; row++) {
    numbers[row * width] = firstId + row;
    numbers[row * width + 1] = (numbers[row * width + 1] ?? 0) + before;
  }
}

/** Target table of rows, and its columns. */
export interface RowTarget {
  readonly table: string;
  /** Columns that have one value in all rows of a batch. */
  readonly constants: readonly ConstantColumn[];
  readonly numbers: readonly NumberColumn[];
  /** Names of the text columns. */
  readonly texts: readonly string[];
}

/** A column that has one value in all rows of a batch. */
interface ConstantColumn {
  readonly name: string;
  readonly type: 'INTEGER' | 'VARCHAR';
}

/**
 * A numeric column. Integers are exact up to 2^53; `low bits`, if present, are added to the BIGINT
 * of the same name.
 */
export interface NumberColumn {
  readonly name: string;
  readonly type: 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'milliseconds' | 'low bits';
}

/**
 * Rows to be inserted into a table. Their texts have the layout of DuckDB, and rows refer to them
 * by number, so that a repeated text is stored once.
 */
export interface RowBatch {
  readonly rows: number;
  /** Row by row, a number for each numeric column; NaN for NULL. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Row by row, for each text column the number of its text; 0 for NULL. */
  readonly codes: Int32Array<ArrayBuffer>;
  readonly texts: Texts;
}

/** Collects rows into a batch. */
export interface RowBatcher {
  /** Adds a row without numbers and texts. */
  readonly addRow: () => void;
  /** Sets a number of the last row. */
  readonly setNumber: (column: number, value: number) => void;
  /** Adds a text and returns its number; 0 for an empty one. */
  readonly addText: (text: string) => number;
  /** Sets a text of the last row, by its number. */
  readonly setText: (column: number, code: number) => void;
  /** Reports if the batch has its maximum rows or text. */
  readonly isFull: () => boolean;
  /** Returns the rows since the last call. */
  readonly take: () => RowBatch;
}

/** Rows of a full batch, which outweigh the cost of a statement. */
const fullRows = 8_192;

/** Bytes of the texts of a full batch. Several batches are held at once. */
const fullText = 4 * 1024 * 1024;

/** Reports if a batch of this many rows and text bytes is full. */
export function isFullBatch(rows: number, text: number): boolean {
  return fullRows <= rows || fullText <= text;
}

/** Creates a batcher of rows with the given numbers of numeric and text columns. */
export function rowBatcher(width: { readonly numbers: number; readonly texts: number }): RowBatcher {
  const heap = textHeap();
  let numbers = new Float64Array(0);
  let codes = new Int32Array(0);
  let rows = 0;
  let capacity = 0;
  return { addRow, setNumber, addText: heap.add, setText, isFull, take };

  function addRow(): void {
    if (capacity === rows) grow();
    rows++;
  }

  function grow(): void {
    capacity = Math.max(512, rows * 2);
    const [oldNumbers, oldCodes] = [numbers, codes];
    numbers = new Float64Array(capacity * width.numbers).fill(Number.NaN);
    numbers.set(oldNumbers);
    codes = new Int32Array(capacity * width.texts);
    codes.set(oldCodes);
  }

  function setNumber(column: number, value: number): void {
    numbers[(rows - 1) * width.numbers + column] = value;
  }

  function setText(column: number, code: number): void {
    codes[(rows - 1) * width.texts + column] = code;
  }

  function isFull(): boolean {
    return isFullBatch(rows, heap.length());
  }

  function take(): RowBatch {
    const batch = {
      rows,
      numbers: numbers.slice(0, rows * width.numbers),
      codes: codes.slice(0, rows * width.texts),
      texts: heap.take(),
    };
    numbers.fill(Number.NaN, 0, rows * width.numbers);
    codes.fill(0, 0, rows * width.texts);
    rows = 0;
    return batch;
  }
}

/** Returns the buffers of a batch, which can be transferred to another thread. */
export function buffersOf({ numbers, codes, texts }: RowBatch): ArrayBuffer[] {
  return [numbers.buffer, codes.buffer, texts.entries.buffer, texts.bytes.buffer];
}

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
interface TextHeap {
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

/** A batch of rows, and one number and one text that hold for all of them. */
export interface TaggedBatch {
  readonly batch: RowBatch;
  readonly number: number;
  /** Not empty: an empty text would be NULL. */
  readonly text: string;
}

/** Returns the target of joined batches: the part and its entry are columns behind the others. */
export function joinedTarget({ table, numbers, texts }: RowTarget): RowTarget {
  const part = { name: 'part', type: 'INTEGER' } as const;
  return { table, constants: [], numbers: [...numbers, part], texts: [...texts, 'entry'] };
}

/**
 * Joins batches with the same columns into one, in order. Each row has its number and its text in
 * two more columns, behind the others.
 */
export function joinBatches(
  tagged: readonly TaggedBatch[],
  width: { readonly numbers: number; readonly texts: number },
): RowBatch {
  const rows = tagged.reduce((sum, { batch }) => sum + batch.rows, 0);
  const numbers = new Float64Array(rows * (width.numbers + 1));
  const codes = new Int32Array(rows * (width.texts + 1));
  const tags = textHeap();
  const tagCodes = tagged.map(({ text }) => tags.add(text));
  const texts = [tags.take(), ...tagged.map(({ batch }) => batch.texts)];
  const firstCodes = firstCodesOf(texts);
  let row = 0;
  for (const [index, { batch, number }] of tagged.entries()) {
    const offset = firstCodes[index + 1] ?? 0;
    for (let batchRow = 0; batchRow < batch.rows; batchRow++, row++) {
      for (let column = 0; column < width.numbers; column++)
        numbers[row * (width.numbers + 1) + column] = batch.numbers[batchRow * width.numbers + column] ?? 0;
      numbers[row * (width.numbers + 1) + width.numbers] = number;
      for (let column = 0; column < width.texts; column++) {
        const code = batch.codes[batchRow * width.texts + column] ?? 0;
        codes[row * (width.texts + 1) + column] = code === 0 ? 0 : code + offset;
      }
      codes[row * (width.texts + 1) + width.texts] = tagCodes[index] ?? 0;
    }
  }
  return { rows, numbers, codes, texts: joinTexts(texts) };
}

/** Returns what to add to the codes of each of several texts: the empty text is common to all. */
function firstCodesOf(texts: readonly Texts[]): readonly number[] {
  let count = 0;
  return texts.map(({ entries }) => {
    const first = count;
    count += entries.length / entryWords - 1;
    return first;
  });
}

/** Joins texts. Their first entry, the empty text, is there once. */
function joinTexts(all: readonly Texts[]): Texts {
  const wordCount = all.reduce((sum, { entries }) => sum + entries.length - entryWords, entryWords);
  const entries = new Uint32Array(wordCount);
  const bytes = new Uint8Array(all.reduce((sum, texts) => sum + texts.bytes.length, 0));
  let [word, end] = [entryWords, 0];
  for (const texts of all) {
    entries.set(texts.entries.subarray(entryWords), word);
    for (const last = word + texts.entries.length - entryWords; word < last; word += entryWords)
      if (maxInlineBytes < (entries[word] ?? 0)) entries[word + 2] = (entries[word + 2] ?? 0) + end;
    bytes.set(texts.bytes, end);
    end += texts.bytes.length;
  }
  return { entries, bytes };
}

/** The JSON of members. A half of a character, which the database refuses in JSON, is U+FFFD as in texts. */
function toWellFormedJson(extra: Extra): string {
  const json = JSON.stringify(extra);
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (sequence) =>
    sequence.startsWith('\\ud') ? replacementCharacter : sequence,
  );
}
