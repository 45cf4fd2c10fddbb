import { type Texts, textHeap } from './text-heap.ts';

/**
 * Rows on their way into a table. Their texts are in the form in which DuckDB
 * holds them, and rows say by number which of them they mean: a text that comes
 * again and again is there once.
 */
export interface RowBatch {
  readonly rows: number;
  /** Row by row, a number for each numeric column; NaN where a row has none. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Row by row, for each column of texts the number of its text; 0 where a row has none. */
  readonly codes: Int32Array<ArrayBuffer>;
  readonly texts: Texts;
}

/** Makes rows into a batch. */
export interface RowBatcher {
  /** Begins a row, which has no numbers and no texts yet. */
  readonly addRow: () => void;
  /** Gives the row that was added last a number. */
  readonly setNumber: (column: number, value: number) => void;
  /** Notes a text and gives its number. An empty one is none: 0. */
  readonly addText: (text: string) => number;
  /** Gives the row that was added last a text, by its number. */
  readonly setText: (column: number, code: number) => void;
  /** Whether there are as many rows or as much text as a batch should hold. */
  readonly isFull: () => boolean;
  /** What was added since the last call. */
  readonly take: () => RowBatch;
}

/** So many rows make up for what a statement costs by itself. */
const fullRows = 8_192;

/** Bytes of texts. Several batches are held at once. */
const fullText = 4 * 1024 * 1024;

/** Whether so many rows with so many bytes of texts are as much as a batch should hold. */
export function isFullBatch(rows: number, text: number): boolean {
  return fullRows <= rows || fullText <= text;
}

/** A batcher of rows with so many numeric columns and so many of texts. */
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

/** The memory of a batch, which can be handed to another thread with it. */
export function buffersOf({ numbers, codes, texts }: RowBatch): ArrayBuffer[] {
  return [numbers.buffer, codes.buffer, texts.entries.buffer, texts.bytes.buffer];
}
