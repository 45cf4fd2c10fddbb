import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBTableFunction,
  INTEGER,
} from '@duckdb/node-api';
import type { RowBatch } from './row-batch.ts';

/** Where the rows come from that an INSERT reads. */
export interface RowSource extends Disposable {
  /** What an INSERT selects from: the columns `n0`, `n1`, … are numbers, `t0`, `t1`, … the numbers of pieces of text. */
  readonly table: string;
  /** Makes a batch what the next INSERT reads. */
  readonly offer: (batch: RowBatch) => void;
}

/** The columns of a source, and how far the batch under way was read. */
interface Source {
  readonly numbers: number;
  readonly texts: number;
  batch: RowBatch | undefined;
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
  const source: Source = { ...width, batch: undefined, next: 0 };
  open.set(number, source);
  return {
    table: `incoming_rows(${number})`,
    offer: (batch) => {
      source.batch = batch;
      source.next = 0;
    },
    [Symbol.dispose]: () => void open.delete(number),
  };
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
      for (let column = 0; column < texts; column++) info.addResultColumn(`t${column}`, INTEGER);
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

/** Gives the next rows of a batch; none when all were given. */
function fill(output: DuckDBDataChunk, source: Source, batch: RowBatch): void {
  const from = source.next;
  const rows = Math.min(vectorLength, batch.rows - from);
  source.next += rows;
  output.rowCount = rows;
  if (rows === 0) return;
  const { numbers, texts } = source;
  for (let column = 0; column < numbers; column++) {
    const vector = output.getColumnVector(column);
    for (let row = 0, at = from * numbers + column; row < rows; row++, at += numbers) {
      const value = batch.numbers[at] ?? Number.NaN;
      vector.setItem(row, Number.isNaN(value) ? null : value);
    }
    vector.flush();
  }
  for (let column = 0; column < texts; column++) {
    const vector = output.getColumnVector(numbers + column);
    for (let row = 0, at = from * texts + column; row < rows; row++, at += texts)
      vector.setItem(row, batch.codes[at] ?? 0);
    vector.flush();
  }
}
