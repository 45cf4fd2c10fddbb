import { isDeepStrictEqual } from 'node:util';
import {
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBPreparedStatement,
  DuckDBTableFunction,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { startProgram } from '../../database/index.ts';
import {
  entryWords,
  maxInlineBytes,
  type NumberColumn,
  type RowBatch,
  type RowTarget,
  rowBatcher,
  type Texts,
  textAt,
} from './batches.ts';

/**
 * Writes batches of rows, whose numbers and texts are in the order of the columns. The connection
 * is busy until disposal.
 */
export interface RowWriter extends AsyncDisposable {
  /** Writes a batch with the values of its constant columns; resolves when it can take another. */
  readonly write: (batch: RowBatch, constants: readonly (string | number)[]) => Promise<void>;
  /** Resolves when everything is written. */
  readonly finish: () => Promise<void>;
}

/**
 * Opens a writer of rows within the transaction of a connection. DuckDB inserts a batch in its own
 * thread while the next one is prepared.
 */
export async function openRowWriter(connection: DuckDBConnection, target: RowTarget): Promise<RowWriter> {
  const source = openRowSource({ numbers: target.numbers.length, texts: target.texts.length });
  let statement: DuckDBPreparedStatement | undefined;
  let running: Promise<void> = Promise.resolve();

  return { write, finish: () => running, [Symbol.asyncDispose]: dispose };

  async function write(batch: RowBatch, constants: readonly (string | number)[]): Promise<void> {
    await running;
    if (batch.rows === 0) return;
    statement ??= await connection.prepare(insertFrom(source.table, target));
    for (const [index, value] of constants.entries()) bind(statement, index + 1, value);
    source.setBatch(batch);
    running = runBatch(statement, batch.rows);
    // The next await of it throws a failure; no unhandled rejection until then.
    running.catch(() => undefined);
  }

  async function dispose(): Promise<void> {
    // The caller received its failure at write or finish, unless that failed earlier.
    await running.catch(() => undefined);
    statement?.destroySync();
    source[Symbol.dispose]();
  }
}

function bind(statement: DuckDBPreparedStatement, parameter: number, value: string | number): void {
  if (typeof value === 'number') statement.bindInteger(parameter, value);
  else statement.bindVarchar(parameter, value);
}

function insertFrom(rows: string, { table, constants, numbers, texts }: RowTarget): string {
  const columns = [
    ...constants.map(({ name, type }, index) => `$${index + 1}::${type} AS "${name}"`),
    ...sourceColumns({ numbers, texts }).map(({ name, value }) => `${value} AS "${name}"`),
  ];
  return `INSERT INTO ${table} BY NAME SELECT ${columns.join(', ')} FROM ${rows}`;
}

/** A column of a table, and the SQL of its value in the columns of a source. */
export interface SourceColumn {
  readonly name: string;
  readonly value: string;
}

/** Returns the columns of a table that a source of rows provides. */
export function sourceColumns({ numbers, texts }: Pick<RowTarget, 'numbers' | 'texts'>): SourceColumn[] {
  return [
    ...numbers.flatMap(({ name, type }, index) => {
      const low = numbers.findIndex((column) => column.name === name && column.type === 'low bits');
      return index === low ? [] : [{ name, value: `${toNumber(`n${index}`, type)}${lowBits(low)}` }];
    }),
    ...texts.map((name, index) => ({ name, value: `t${index}` })),
  ];
}

function lowBits(index: number): string {
  return index < 0 ? '' : ` + coalesce(n${index}, 0)::BIGINT`;
}

function toNumber(column: string, type: NumberColumn['type']): string {
  return type === 'milliseconds' ? `epoch_ms(${column}::BIGINT)` : `${column}::${type}`;
}

async function runBatch(statement: DuckDBPreparedStatement, expected: number): Promise<void> {
  const { rowsChanged } = await statement.run();
  if (rowsChanged !== expected) throw new Error(`A batch of ${expected} rows became ${rowsChanged}`);
}

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

/** Numbers of numeric and text columns. */
interface RowWidth {
  readonly numbers: number;
  readonly texts: number;
}

/** Writes rows of a batch to chunks of the database: the numeric columns, and then the text columns. */
interface ChunkWriter extends Disposable {
  /** Sets the batch. Chunks with rows of the previous one must have been read. */
  readonly setBatch: (batch: RowBatch) => void;
  /** Writes rows from an index of the batch to a chunk with as many rows. Throws for an inconsistent batch. */
  readonly writeRows: (
    chunk: DuckDBDataChunk,
    range: { readonly from: number; readonly rows: number },
  ) => void;
}

let isRawUsable: boolean | undefined;

/**
 * Opens a writer. It writes the memory of chunks itself, unless the database lays out texts in another
 * way than expected, or the environment variable `LOGQUARRY_ROWS` is `plain`: then it calls the driver
 * for each value, with the same result.
 */
function openChunkWriter(width: RowWidth): ChunkWriter {
  if (process.env.LOGQUARRY_ROWS === 'plain') return openPlainChunkWriter(width);
  isRawUsable ??= isRawLayoutKnown();
  return isRawUsable ? openRawChunkWriter(width) : openPlainChunkWriter(width);
}

/** Opens a writer that sets the values of a chunk by the driver, which knows how the database lays them out. */
function openPlainChunkWriter({ numbers, texts }: RowWidth): ChunkWriter {
  let batch: RowBatch | undefined;
  return {
    setBatch: (next) => {
      batch = next;
    },
    writeRows: (chunk, { from, rows }) => {
      for (let column = 0; column < numbers; column++)
        chunk.setColumnValues(
          column,
          Array.from({ length: rows }, (_, row) => numberOf(from + row, column)),
        );
      for (let column = 0; column < texts; column++)
        chunk.setColumnValues(
          numbers + column,
          Array.from({ length: rows }, (_, row) => textOf(from + row, column)),
        );
    },
    [Symbol.dispose]: () => {
      batch = undefined;
    },
  };

  function numberOf(row: number, column: number): number | null {
    const value = batch?.numbers[row * numbers + column] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  }

  function textOf(row: number, column: number): string | null {
    return batch ? textAt(batch.texts, batch.codes[row * texts + column] ?? 0) : null;
  }
}

/** Texts about the length from which they are not inlined; a row without one is the last. */
const samples = ['a', 'twelve bytes', 'thirteen byte', `ä\0😀${' and more'.repeat(100)}`, ''];

/** Opens a writer of chunks. */
type OpenWriter = (width: RowWidth) => ChunkWriter;

/**
 * Reports if the database lays out values as a writer of their memory does. Layouts are compared first:
 * reading texts of another one could end the process.
 */
export function isRawLayoutKnown(openRaw: OpenWriter = openRawChunkWriter): boolean {
  try {
    const expected = writeSamples(openPlainChunkWriter, layoutOf);
    const isAlike = isDeepStrictEqual(writeSamples(openRaw, layoutOf), expected);
    return (
      isAlike &&
      isDeepStrictEqual(writeSamples(openRaw, valuesOf), [
        samples.map((text, row) => (text === '' ? null : row)),
        samples.map((text) => text || null),
      ])
    );
  } catch {
    return false;
  }
}

/** Writes the samples to a chunk, and returns what is read from it. */
function writeSamples<R>(open: OpenWriter, read: (chunk: DuckDBDataChunk) => R): R {
  using writer = open({ numbers: 1, texts: 1 });
  const chunk = DuckDBDataChunk.create([DOUBLE, VARCHAR], samples.length);
  writer.setBatch(sampleBatch());
  writer.writeRows(chunk, { from: 0, rows: samples.length });
  return read(chunk);
}

function sampleBatch(): RowBatch {
  const batcher = rowBatcher({ numbers: 1, texts: 1 });
  for (const [row, text] of samples.entries()) {
    batcher.addRow();
    if (text !== '') batcher.setNumber(0, row);
    batcher.setText(0, batcher.addText(text));
  }
  return batcher.take();
}

function valuesOf(chunk: DuckDBDataChunk): unknown[][] {
  return [chunk.getColumnValues(0), chunk.getColumnValues(1)];
}

/** Returns the entries of the texts without their addresses. */
function layoutOf(chunk: DuckDBDataChunk): number[][] {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, 1);
  const bytes = duckdb.vector_get_data(vector, samples.length * entryWords * 4);
  return samples.slice(0, -1).map((text, row) => {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset + row * entryWords * 4, entryWords);
    return [...(Buffer.byteLength(text) <= maxInlineBytes ? words : words.subarray(0, 2))];
  });
}

/** Converters of closed writers, for reuse: new ones would occupy much memory until collected. */
const spareColumns: Columns[] = [];

/**
 * Opens a writer that writes the memory of chunks, so that texts are neither converted nor copied. The
 * database reads them where it holds the texts of the batch.
 */
export function openRawChunkWriter({ numbers, texts }: RowWidth): ChunkWriter {
  const columns = spareColumns.pop() ?? openColumns();
  const holder = DuckDBDataChunk.create([VARCHAR], 1);
  return {
    setBatch: (batch) => columns.setBatch(batch, hold(holder, batch.texts)),
    writeRows: (chunk, { from, rows }) => {
      for (let column = 0; column < numbers; column++) {
        const values = columns.takeNumbers({ first: from * numbers + column, step: numbers, rows });
        write(chunk, column, values, { rows, length: 8 });
      }
      for (let column = 0; column < texts; column++) {
        const values = columns.takeTexts({ first: from * texts + column, step: texts, rows });
        write(chunk, numbers + column, values, { rows, length: entryWords * 4 });
      }
    },
    [Symbol.dispose]: () => {
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

/** Converts batches of rows to columns in the vector layout of DuckDB. */
interface Columns {
  /** Sets the current batch, whose texts the database holds at an address. */
  readonly setBatch: (batch: RowBatch, address: bigint) => void;
  /** Returns the values of a numeric column: DOUBLEs. */
  readonly takeNumbers: (column: ColumnLayout) => ColumnValues;
  /** Returns the values of a text column: `duckdb_string_t`s. */
  readonly takeTexts: (column: ColumnLayout) => ColumnValues;
}

/**
 * Location of a column in the values of a batch: index of its first value, step to the next, and
 * number of rows.
 */
interface ColumnLayout {
  readonly first: number;
  readonly step: number;
  readonly rows: number;
}

/** Consecutive values, and the address of their validity bits. Valid until the next column is taken. */
interface ColumnValues {
  readonly memory: ArrayBuffer;
  readonly at: number;
  /** Undefined if no value is NULL. */
  readonly validityAt: number | undefined;
}

/** Exports of `assembly/columns.ts`: addresses are in its memory. */
interface Program {
  readonly memory: WebAssembly.Memory;
  readonly layOutBatch: (texts: number, numbers: number, codes: number) => void;
  readonly setAddresses: (address: bigint, length: bigint) => number;
  readonly takeNumbers: (first: number, step: number, rows: number) => number;
  readonly takeTexts: (first: number, step: number, rows: number) => number;
  readonly valuesAt: () => number;
  readonly validityAt: () => number;
  readonly entriesAt: () => number;
  readonly numbersAt: () => number;
  readonly codesAt: () => number;
}

const exportedFunctions = [
  ...(['layOutBatch', 'setAddresses', 'takeNumbers', 'takeTexts'] as const),
  ...(['valuesAt', 'validityAt', 'entriesAt', 'numbersAt', 'codesAt'] as const),
];

/**
 * Results of `takeNumbers` and `takeTexts`: every row has a value; a row names a text that does not
 * exist.
 */
const allValid = 1;
const invalidCode = -1;

/**
 * Opens a converter of successive batches. It refuses inconsistent batches: the database would read
 * arbitrary addresses.
 */
function openColumns(): Columns {
  const program = startProgram<Program>('columns', exportedFunctions);
  return {
    setBatch,
    takeNumbers: ({ first, step, rows }) => columnValues(program.takeNumbers(first, step, rows)),
    takeTexts: ({ first, step, rows }) => columnValues(program.takeTexts(first, step, rows)),
  };

  function setBatch({ numbers, codes, texts: { entries, bytes } }: RowBatch, address: bigint): void {
    program.layOutBatch(entries.length / entryWords, numbers.length, codes.length);
    const { buffer } = program.memory;
    new Uint32Array(buffer, program.entriesAt(), entries.length).set(entries);
    new Float64Array(buffer, program.numbersAt(), numbers.length).set(numbers);
    new Int32Array(buffer, program.codesAt(), codes.length).set(codes);
    if (program.setAddresses(address, BigInt(bytes.length)) === 0)
      throw new Error('A text of a batch lies outside its bytes');
  }

  function columnValues(result: number): ColumnValues {
    if (result === invalidCode) throw new Error('A row of a batch refers to a text that does not exist');
    const validityAt = result === allValid ? undefined : program.validityAt();
    return { memory: program.memory.buffer, at: program.valuesAt(), validityAt };
  }
}

/** Number of rows that DuckDB compresses at a time, in the thread that appends them. */
export const rowGroupSize = 122_880;
