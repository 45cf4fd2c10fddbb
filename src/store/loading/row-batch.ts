/**
 * Rows on their way into a table, as columns. A value that crosses into the
 * driver by itself costs about a microsecond whatever its size, so all texts of
 * a batch cross as one, and rows say by number which piece of it they mean:
 * a text that comes again and again crosses once.
 */
export interface RowBatch {
  readonly rows: number;
  /** Row by row, a number for each numeric column; NaN where a row has none. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Row by row, for each column of texts the number of its piece, from 1; 0 where a row has none. */
  readonly codes: Int32Array<ArrayBuffer>;
  /** The pieces, with the separator between them. */
  readonly text: string;
  readonly pieces: number;
}

/** Makes rows into a batch. */
export interface RowBatcher {
  /** Begins a row with its numbers; it has no texts yet. */
  readonly addRow: (numbers: readonly (number | undefined)[]) => void;
  /** Notes a text and gives its number. An empty one is none: 0. */
  readonly addPiece: (text: string) => number;
  /** Gives the row that was added last a text, by its number. */
  readonly setText: (column: number, code: number) => void;
  /** Whether there are as many rows or as much text as a batch should hold. */
  readonly isFull: () => boolean;
  /** What was added since the last call, with the separator that its texts are to have between them. */
  readonly take: (separator: string) => RowBatch;
}

/** So many rows make up for what a statement costs by itself. */
const fullRows = 8_192;

/** UTF-16 units. DuckDB holds several copies of the text of a batch. */
const fullText = 4 * 1024 * 1024;

/** A batcher of rows with so many numeric columns and so many of texts. */
export function rowBatcher(width: { readonly numbers: number; readonly texts: number }): RowBatcher {
  let numbers = new Float64Array(0);
  let codes = new Int32Array(0);
  let pieces: string[] = [];
  let rows = 0;
  let length = 0;
  return { addRow, addPiece, setText, isFull, take };

  function addRow(values: readonly (number | undefined)[]): void {
    if (numbers.length < (rows + 1) * width.numbers) grow();
    let at = rows * width.numbers;
    for (const value of values) numbers[at++] = value ?? Number.NaN;
    rows++;
  }

  function grow(): void {
    const capacity = Math.max(512, rows * 2);
    const [oldNumbers, oldCodes] = [numbers, codes];
    numbers = new Float64Array(capacity * width.numbers);
    numbers.set(oldNumbers);
    codes = new Int32Array(capacity * width.texts);
    codes.set(oldCodes);
  }

  function addPiece(text: string): number {
    if (text === '') return 0;
    length += text.length;
    return pieces.push(text);
  }

  function setText(column: number, code: number): void {
    codes[(rows - 1) * width.texts + column] = code;
  }

  function isFull(): boolean {
    return fullRows <= rows || fullText <= length;
  }

  function take(separator: string): RowBatch {
    const batch = {
      rows,
      numbers: numbers.slice(0, rows * width.numbers),
      codes: codes.slice(0, rows * width.texts),
      text: pieces.join(separator),
      pieces: pieces.length,
    };
    codes.fill(0, 0, rows * width.texts);
    pieces = [];
    rows = 0;
    length = 0;
    return batch;
  }
}

/** A text that no value holds: it is made anew in each process, out of more than 10^19. */
function newSeparator(): string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `\u001e${Array.from(random, (number) => number.toString(36).padStart(7, '0')).join('')}`;
}

/** What stands between the texts of all batches of this process that go into a case. */
export const separator = newSeparator();
