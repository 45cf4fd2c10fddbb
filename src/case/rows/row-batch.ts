import { type Texts, textHeap } from './text-heap.ts';

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
