import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBTableFunction,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import type { ChunkWriter, RowWidth } from './chunk-writer.ts';
import { openChunkWriter } from './open-chunk-writer.ts';
import type { RowBatch } from './row-batch.ts';

/** A source of the rows that an INSERT reads. */
export interface RowSource extends Disposable {
  /** Table expression for the INSERT: columns `n0`, `n1`, … are numbers, `t0`, `t1`, … texts. */
  readonly table: string;
  /** Sets the batch for the next INSERT. The previous one must have been read. */
  readonly setBatch: (batch: RowBatch) => void;
}

/** Columns of a source, and the read position in its batch. */
interface Source extends RowWidth {
  readonly writer: ChunkWriter;
  rows: number;
  next: number;
}

/** Open sources, by their numbers in SQL. */
const open = new Map<number, Source>();

let lastNumber = 0;

/** Rows of a DuckDB vector. */
const vectorLength = 2_048;

/** Opens a source of rows with the given numbers of numeric and text columns. */
export function openRowSource(width: RowWidth): RowSource {
  // An INTEGER of the database; numbers wrap around long after the first ones are closed.
  lastNumber = (lastNumber % 2 ** 30) + 1;
  const number = lastNumber;
  const writer = openChunkWriter(width);
  const source: Source = { ...width, writer, rows: 0, next: 0 };
  open.set(number, source);
  return {
    table: `incoming_rows(${number})`,
    setBatch: (batch) => {
      writer.setBatch(batch);
      source.rows = batch.rows;
      source.next = 0;
    },
    [Symbol.dispose]: () => {
      open.delete(number);
      writer[Symbol.dispose]();
    },
  };
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
  const from = source.next;
  const rows = Math.min(vectorLength, source.rows - from);
  source.next += rows;
  output.rowCount = rows;
  if (0 < rows) source.writer.writeRows(output, { from, rows });
}
