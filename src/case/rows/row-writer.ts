import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { RowBatch } from './row-batch.ts';
import { openRowSource } from './row-source.ts';

/** Target table of rows, and its columns. */
export interface RowTarget {
  readonly table: string;
  /** Columns that have one value in all rows of a batch. */
  readonly constants: readonly ConstantColumn[];
  readonly numbers: readonly NumberColumn[];
  /** Names of the text columns. */
  readonly texts: readonly string[];
}

/** A column that has one value in all rows of a batch. */
export interface ConstantColumn {
  readonly name: string;
  readonly type: 'INTEGER' | 'VARCHAR';
}

/**
 * A numeric column. Integers are exact up to 2^53; `low bits`, if present, are added to the BIGINT
 * of the same name.
 */
export interface NumberColumn {
  readonly name: string;
  readonly type: 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'milliseconds' | 'low bits';
}

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
      const low = numbers.findIndex((each) => each.name === name && each.type === 'low bits');
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
