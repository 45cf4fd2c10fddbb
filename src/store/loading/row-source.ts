import {
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBTableFunction,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { RowBatch } from './row-batch.ts';
import { entryWords, longestWithin, type Texts } from './text-heap.ts';

/** Where the rows come from that an INSERT reads. */
export interface RowSource extends Disposable {
  /** What an INSERT selects from: the columns `n0`, `n1`, … are numbers, `t0`, `t1`, … texts. */
  readonly table: string;
  /** Makes a batch what the next INSERT reads. What was offered before must have been read. */
  readonly offer: (batch: RowBatch) => void;
}

/** The columns of a source, and how far the batch under way was read. */
interface Source {
  readonly numbers: number;
  readonly texts: number;
  batch: RowBatch | undefined;
  /** The entries of its texts, with the addresses at which the database holds them. */
  entries: Uint32Array;
  next: number;
}

/** The sources that are open, by the numbers that SQL has for them. */
const open = new Map<number, Source>();

let lastNumber = 0;

/** As many rows as a vector of DuckDB holds. */
const vectorLength = 2_048;

/** Opens a source of rows with so many columns of numbers and so many of texts. */
export function openRowSource(width: { readonly numbers: number; readonly texts: number }): RowSource {
  // The numbers are INTEGERs of the database; they begin anew long after the first ones are done.
  lastNumber = (lastNumber % 2 ** 30) + 1;
  const number = lastNumber;
  const source: Source = { ...width, batch: undefined, entries: new Uint32Array(0), next: 0 };
  const holder = DuckDBDataChunk.create([VARCHAR], 1);
  open.set(number, source);
  return {
    table: `incoming_rows(${number})`,
    offer: (batch) => {
      source.entries = hold(holder, batch.texts);
      source.batch = batch;
      source.next = 0;
    },
    [Symbol.dispose]: () => {
      open.delete(number);
      holder.reset();
    },
  };
}

/**
 * Lets the database hold texts, as one that a chunk has until it is reset, and
 * gives their entries with addresses in it. An entry beyond them is refused: the
 * database would read what it points to.
 */
function hold(holder: DuckDBDataChunk, { entries, bytes }: Texts): Uint32Array {
  holder.reset();
  const vector = duckdb.data_chunk_get_vector(holder.chunk, 0);
  duckdb.vector_assign_string_element_len(vector, 0, bytes);
  const held = duckdb.vector_get_data(vector, entryWords * 4);
  const [length = 0, , low = 0, high = 0] = new Uint32Array(held.slice().buffer);
  if (length !== bytes.length) throw new Error('The texts of a batch are not UTF-8');
  const addressed = entries.slice();
  for (let at = 0; at < entries.length; at += entryWords) {
    const length = entries[at] ?? 0;
    if (length <= longestWithin) continue;
    const place = entries[at + 2] ?? 0;
    if (bytes.length < place + length) throw new Error('A text of a batch is not among its bytes');
    const address = low + place;
    addressed[at + 2] = address;
    addressed[at + 3] = address < 2 ** 32 ? high : high + 1;
  }
  return addressed;
}

/** Gives a database the function `incoming_rows(number)`, through which it reads the rows of an open source. */
export function addRowSource(connection: DuckDBConnection): void {
  const added = DuckDBTableFunction.create({
    name: 'incoming_rows',
    parameterTypes: [INTEGER],
    bindFunction: (info) => {
      const number = Number(info.getParameter(0));
      // Only statements of this program know an open source: to others the function is an empty table.
      const { numbers, texts } = open.get(number) ?? { numbers: 1, texts: 0 };
      for (let column = 0; column < numbers; column++) info.addResultColumn(`n${column}`, DOUBLE);
      for (let column = 0; column < texts; column++) info.addResultColumn(`t${column}`, VARCHAR);
      info.setBindData({ number });
    },
    initFunction: () => undefined,
    mainFunction: (info, output) => {
      const bound = info.getBindData();
      const source = bound && 'number' in bound ? open.get(Number(bound.number)) : undefined;
      if (source?.batch) fill(output, source, source.batch);
      else output.rowCount = 0;
    },
  });
  connection.registerTableFunction(added);
}

/** The values of a column on their way into a vector, and a bit for each that is there. Used again and again. */
const numbersOut = new Float64Array(vectorLength);
const entriesOut = new Uint32Array(vectorLength * entryWords);
const validity = new Uint8Array(vectorLength / 8);

/** Gives the next rows of a batch; none when all were given. */
function fill(output: DuckDBDataChunk, source: Source, batch: RowBatch): void {
  const from = source.next;
  const rows = Math.min(vectorLength, batch.rows - from);
  source.next += rows;
  output.rowCount = rows;
  if (rows === 0) return;
  const { numbers, texts, entries } = source;
  for (let column = 0; column < numbers; column++) {
    const isWhole = takeNumbers(batch.numbers, { first: from * numbers + column, step: numbers, rows });
    write(output, column, { values: numbersOut.buffer, bytes: rows * 8, rows, isWhole });
  }
  for (let column = 0; column < texts; column++) {
    const isWhole = takeTexts(batch.codes, entries, { first: from * texts + column, step: texts, rows });
    write(output, numbers + column, {
      values: entriesOut.buffer,
      bytes: rows * entryWords * 4,
      rows,
      isWhole,
    });
  }
}

/** Where the values of a column are. */
interface Column {
  readonly first: number;
  readonly step: number;
  readonly rows: number;
}

/** Puts the numbers of a column into `numbersOut`, and gives whether every row has one. */
function takeNumbers(numbers: Float64Array, { first, step, rows }: Column): boolean {
  let isWhole = true;
  for (let row = 0, at = first; row < rows; row++, at += step) {
    const value = numbers[at] ?? Number.NaN;
    numbersOut[row] = value;
    if (Number.isNaN(value)) isWhole = lacks(row, isWhole);
  }
  return isWhole;
}

/** Puts the entries of the texts of a column into `entriesOut`, and gives whether every row has one. */
function takeTexts(codes: Int32Array, entries: Uint32Array, { first, step, rows }: Column): boolean {
  let isWhole = true;
  for (let row = 0, at = first, to = 0; row < rows; row++, at += step, to += entryWords) {
    const code = codes[at] ?? 0;
    const entry = code * entryWords;
    const length = entries[entry];
    if (length === undefined) throw new Error('A row of a batch names a text that it does not have');
    entriesOut[to] = length;
    entriesOut[to + 1] = entries[entry + 1] ?? 0;
    entriesOut[to + 2] = entries[entry + 2] ?? 0;
    entriesOut[to + 3] = entries[entry + 3] ?? 0;
    if (code === 0) isWhole = lacks(row, isWhole);
  }
  return isWhole;
}

/** Notes that a row has no value. Until the first of them nothing was noted. */
function lacks(row: number, isFirst: boolean): false {
  if (isFirst) validity.fill(0xff);
  validity[row >> 3] = (validity[row >> 3] ?? 0) & ~(1 << (row & 7));
  return false;
}

/** What is to be written of a column. */
interface Written {
  readonly values: ArrayBuffer;
  readonly bytes: number;
  readonly rows: number;
  readonly isWhole: boolean;
}

/** Writes a column of a chunk. A vector whose validity was never asked for is whole. */
function write(output: DuckDBDataChunk, column: number, { values, bytes, rows, isWhole }: Written): void {
  const vector = duckdb.data_chunk_get_vector(output.chunk, column);
  duckdb.copy_data_to_vector(vector, 0, values, 0, bytes);
  if (isWhole) return;
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, validity.buffer, 0, Math.ceil(rows / 64) * 8);
}
