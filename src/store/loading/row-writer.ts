import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { type RowBatch, separator } from './row-batch.ts';
import { openRowSource } from './row-source.ts';

/** A table to which rows are written, and its columns. */
export interface RowTarget {
  readonly table: string;
  /** The columns that have one value in all rows of a batch. */
  readonly constants: readonly ConstantColumn[];
  readonly numbers: readonly NumberColumn[];
  /** The names of the columns that hold texts. */
  readonly texts: readonly string[];
}

/** A column that has one value in all rows of a batch. */
export interface ConstantColumn {
  readonly name: string;
  readonly type: 'INTEGER' | 'VARCHAR';
}

/** A column of numbers. Integers are exact up to 2^53. */
export interface NumberColumn {
  readonly name: string;
  readonly type: 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'milliseconds';
}

/**
 * Takes batches of rows, in which the numbers and texts are in the order of
 * the columns. The connection is busy until the writer is disposed of.
 */
export interface RowWriter extends AsyncDisposable {
  /** Takes a batch, and the values of its constant columns; resolves when there is room for another. */
  readonly write: (batch: RowBatch, constants: readonly (string | number)[]) => Promise<void>;
  /** Resolves when all is written. */
  readonly finish: () => Promise<void>;
}

/**
 * A writer of rows within the transaction of a connection. DuckDB cuts the
 * text of a batch into its pieces and puts the rows together in a thread of
 * its own, while the next batch is made.
 */
export async function openRowWriter(connection: DuckDBConnection, target: RowTarget): Promise<RowWriter> {
  const cut = `cut_${target.table.replace('.', '_')}`;
  // In a table, because DuckDB would cut a text by a known separator while it plans, and slowly.
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${cut} AS SELECT $1 AS separator`, [separator]);
  const source = openRowSource({ numbers: target.numbers.length, texts: target.texts.length });
  let statement: DuckDBPreparedStatement | undefined;
  let running: Promise<void> = Promise.resolve();

  return { write, finish: () => running, [Symbol.asyncDispose]: dispose };

  async function write(batch: RowBatch, constants: readonly (string | number)[]): Promise<void> {
    await running;
    if (batch.rows === 0) return;
    statement ??= await connection.prepare(insertFrom(source.table, cut, target));
    statement.bindVarchar(1, batch.text);
    statement.bindInteger(2, Math.max(1, batch.pieces));
    for (const [index, value] of constants.entries()) bind(statement, index + firstConstant, value);
    source.offer(batch);
    running = runBatch(statement, batch.rows);
    // The next one to await it hears of a failure; nobody has missed it until then.
    running.catch(() => undefined);
  }

  async function dispose(): Promise<void> {
    // Its failure was met by whoever wrote or finished, unless that failed before.
    await running.catch(() => undefined);
    statement?.destroySync();
    source[Symbol.dispose]();
  }
}

/** The parameters before it are the text of a batch and how many pieces it has. */
const firstConstant = 3;

function bind(statement: DuckDBPreparedStatement, parameter: number, value: string | number): void {
  if (typeof value === 'number') statement.bindInteger(parameter, value);
  else statement.bindVarchar(parameter, value);
}

/** The pieces are cut once for a batch. As many as there should be: a text that holds the separator makes more. */
function insertFrom(rows: string, cut: string, { table, constants, numbers, texts }: RowTarget): string {
  const columns = [
    ...constants.map(({ name, type }, index) => `$${index + firstConstant}::${type} AS "${name}"`),
    ...numbers.map(({ name, type }, index) => `${toNumber(`n${index}`, type)} AS "${name}"`),
    // There is no piece 0: it is NULL.
    ...texts.map((name, index) => `pieces[t${index}] AS "${name}"`),
  ];
  return `INSERT INTO ${table} BY NAME SELECT ${columns.join(', ')} FROM ${rows},
    (SELECT pieces FROM (SELECT string_split($1, separator) AS pieces FROM ${cut}) WHERE len(pieces) = $2)`;
}

function toNumber(column: string, type: NumberColumn['type']): string {
  return type === 'milliseconds' ? `epoch_ms(${column}::BIGINT)` : `${column}::${type}`;
}

async function runBatch(statement: DuckDBPreparedStatement, expected: number): Promise<void> {
  const { rowsChanged } = await statement.run();
  // The separator is random, so no text holds it. Were it to happen, nothing would be written.
  if (rowsChanged !== expected) throw new Error(`A batch of ${expected} rows became ${rowsChanged}`);
}
