import {
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBTableFunction,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { type Columns, openColumns, type Values } from './columns.ts';
import type { RowBatch } from './row-batch.ts';
import { entryWords, type Texts } from './text-heap.ts';

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
  readonly columns: Columns;
  rows: number;
  next: number;
}

/** The sources that are open, by the numbers that SQL has for them. */
const open = new Map<number, Source>();

let lastNumber = 0;

/** As many rows as a vector of DuckDB holds. */
const vectorLength = 2_048;

/** Those of sources that are closed. To begin anew with all of them would keep much memory until it is collected. */
const spareColumns: Columns[] = [];

/** Opens a source of rows with so many columns of numbers and so many of texts. */
export function openRowSource(width: { readonly numbers: number; readonly texts: number }): RowSource {
  // The numbers are INTEGERs of the database; they begin anew long after the first ones are done.
  lastNumber = (lastNumber % 2 ** 30) + 1;
  const number = lastNumber;
  const columns = spareColumns.pop() ?? openColumns();
  const source: Source = { ...width, columns, rows: 0, next: 0 };
  const holder = DuckDBDataChunk.create([VARCHAR], 1);
  open.set(number, source);
  return {
    table: `incoming_rows(${number})`,
    offer: (batch) => {
      columns.begin(batch, hold(holder, batch.texts));
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

/** Lets the database hold texts, as one that a chunk has until it is reset, and gives the address of their bytes. */
function hold(holder: DuckDBDataChunk, { bytes }: Texts): bigint {
  holder.reset();
  const vector = duckdb.data_chunk_get_vector(holder.chunk, 0);
  duckdb.vector_assign_string_element_len(vector, 0, bytes);
  const held = duckdb.vector_get_data(vector, entryWords * 4).slice().buffer;
  const [length] = new Uint32Array(held);
  if (length !== bytes.length) throw new Error('The texts of a batch are not UTF-8');
  // Few bytes stand in the entry itself: then no text is longer either.
  const [, address = 0n] = new BigUint64Array(held);
  return address;
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
      if (source) fill(output, source);
      else output.rowCount = 0;
    },
  });
  connection.registerTableFunction(added);
}

/** Gives the next rows of a batch; none when all were given. */
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

/** Writes a column of a chunk: so many values of so many bytes. A vector whose validity was never asked for is whole. */
function write(
  output: DuckDBDataChunk,
  column: number,
  { memory, at, validityAt }: Values,
  { rows, length }: { readonly rows: number; readonly length: number },
): void {
  const vector = duckdb.data_chunk_get_vector(output.chunk, column);
  duckdb.copy_data_to_vector(vector, 0, memory, at, rows * length);
  if (validityAt === undefined) return;
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, memory, validityAt, Math.ceil(rows / 64) * 8);
}
