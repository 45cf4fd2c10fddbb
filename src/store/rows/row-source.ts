import {
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBTableFunction,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { type Columns, type ColumnValues, openColumns } from './columns.ts';
import type { RowBatch } from './row-batch.ts';
import { entryWords, type Texts } from './text-heap.ts';

/** A source of the rows that an INSERT reads. */
export interface RowSource extends Disposable {
  /** Table expression for the INSERT: columns `n0`, `n1`, … are numbers, `t0`, `t1`, … texts. */
  readonly table: string;
  /** Sets the batch for the next INSERT. The previous one must have been read. */
  readonly setBatch: (batch: RowBatch) => void;
}

/** Columns of a source, and the read position in its batch. */
interface Source {
  readonly numbers: number;
  readonly texts: number;
  readonly columns: Columns;
  rows: number;
  next: number;
}

/** Open sources, by their numbers in SQL. */
const open = new Map<number, Source>();

let lastNumber = 0;

/** Rows of a DuckDB vector. */
const vectorLength = 2_048;

/** Converters of closed sources, for reuse: new ones would occupy much memory until collected. */
const spareColumns: Columns[] = [];

/** Opens a source of rows with the given numbers of numeric and text columns. */
export function openRowSource(width: { readonly numbers: number; readonly texts: number }): RowSource {
  // An INTEGER of the database; numbers wrap around long after the first ones are closed.
  lastNumber = (lastNumber % 2 ** 30) + 1;
  const number = lastNumber;
  const columns = spareColumns.pop() ?? openColumns();
  const source: Source = { ...width, columns, rows: 0, next: 0 };
  const holder = DuckDBDataChunk.create([VARCHAR], 1);
  open.set(number, source);
  return {
    table: `incoming_rows(${number})`,
    setBatch: (batch) => {
      columns.setBatch(batch, hold(holder, batch.texts));
      source.rows = batch.rows;
      source.next = 0;
    },
    [Symbol.dispose]: () => {
      open.delete(number);
      holder.reset();
      spareColumns.push(columns);
    },
  };
}

/**
 * Makes the database hold texts, as a string of a chunk until its reset; returns the address of the
 * bytes.
 */
function hold(holder: DuckDBDataChunk, { bytes }: Texts): bigint {
  holder.reset();
  const vector = duckdb.data_chunk_get_vector(holder.chunk, 0);
  duckdb.vector_assign_string_element_len(vector, 0, bytes);
  const held = duckdb.vector_get_data(vector, entryWords * 4).slice().buffer;
  const [length] = new Uint32Array(held);
  if (length !== bytes.length) throw new Error('The texts of a batch are not UTF-8');
  // Few bytes are inlined into the entry: then no text exceeds it either.
  const [, address = 0n] = new BigUint64Array(held);
  return address;
}

/**
 * Registers the function `incoming_rows(number)`, through which a database reads the rows of an
 * open source.
 */
export function registerRowSource(connection: DuckDBConnection): void {
  const added = DuckDBTableFunction.create({
    name: 'incoming_rows',
    parameterTypes: [INTEGER],
    bindFunction: (info) => {
      const number = Number(info.getParameter(0));
      // Only statements of this program know open sources: for others the function is an empty
      // table.
      const { numbers, texts } = open.get(number) ?? { numbers: 1, texts: 0 };
      for (let column = 0; column < numbers; column++) info.addResultColumn(`n${column}`, DOUBLE);
      for (let column = 0; column < texts; column++) info.addResultColumn(`t${column}`, VARCHAR);
      info.setBindData({ number });
    },
    initFunction: () => undefined,
    mainFunction: (info, output) => {
      const bound = info.getBindData();
      const source = bound && 'number' in bound ? open.get(Number(bound.number)) : undefined;
      if (source) fill(output, source);
      else output.rowCount = 0;
    },
  });
  connection.registerTableFunction(added);
}

/** Writes the next rows of a batch to a chunk; none after the last. */
function fill(output: DuckDBDataChunk, source: Source): void {
  const { numbers, texts, columns, next } = source;
  const rows = Math.min(vectorLength, source.rows - next);
  source.next += rows;
  output.rowCount = rows;
  if (rows === 0) return;
  for (let column = 0; column < numbers; column++) {
    const values = columns.takeNumbers({ first: next * numbers + column, step: numbers, rows });
    write(output, column, values, { rows, length: 8 });
  }
  for (let column = 0; column < texts; column++) {
    const values = columns.takeTexts({ first: next * texts + column, step: texts, rows });
    write(output, numbers + column, values, { rows, length: entryWords * 4 });
  }
}

/**
 * Writes a column of a chunk: `rows` values of `length` bytes. A vector without validity bits is
 * entirely valid.
 */
function write(
  output: DuckDBDataChunk,
  column: number,
  { memory, at, validityAt }: ColumnValues,
  { rows, length }: { readonly rows: number; readonly length: number },
): void {
  const vector = duckdb.data_chunk_get_vector(output.chunk, column);
  duckdb.copy_data_to_vector(vector, 0, memory, at, rows * length);
  if (validityAt === undefined) return;
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, memory, validityAt, Math.ceil(rows / 64) * 8);
}
