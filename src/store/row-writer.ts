import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

/** A table to which rows are written, and its columns. */
export interface RowTarget {
  readonly table: string;
  /** The columns that have one value in all rows, and that value. */
  readonly constants: Readonly<Record<string, string | number>>;
  readonly columns: readonly Column[];
  /** A column that counts the rows, and the number of the first. */
  readonly counter?: { readonly name: string; readonly first: number };
}

/** A column of rows that are written. */
export interface Column {
  readonly name: string;
  /** The type as which DuckDB reads the text of a value. */
  readonly type: 'VARCHAR' | 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'milliseconds';
}

/**
 * Takes rows. Each is a text for every column; an empty one stands for NULL.
 * The connection is busy until the writer is disposed of.
 */
export interface RowWriter extends AsyncDisposable {
  /** Takes a row, and leaves the array to its owner. True when the writer is full: then it is to be flushed. */
  readonly put: (row: readonly string[]) => boolean;
  /** Sends what was put on its way; resolves when there is room for more. */
  readonly flush: () => Promise<void>;
  /** Writes what is left. */
  readonly finish: () => Promise<void>;
}

/** As many rows as a vector of DuckDB holds. Larger batches were no faster and took more memory. */
const batchSize = 2_048;

/**
 * A writer of rows within the transaction of a connection.
 *
 * A value that crosses into the driver costs about a microsecond whatever its
 * size, so a batch crosses as one text for each column, which DuckDB cuts into
 * rows in a thread of its own while the next batch is made here.
 */
export async function openRowWriter(connection: DuckDBConnection, target: RowTarget): Promise<RowWriter> {
  const separator = newSeparator();
  const cut = `cut_${target.table.replace('.', '_')}`;
  // In a table, because DuckDB would cut a text by a known separator while it plans, and slowly.
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${cut} AS SELECT $1 AS separator`, [separator]);
  const insert = insertFrom(cut, target);
  const statements: DuckDBPreparedStatement[] = [];
  const batch: string[][] = target.columns.map(() => []);
  let size = 0;
  let batches = 0;
  let next = target.counter?.first ?? 0;
  let running: Promise<void> = Promise.resolve();

  return { put, flush, finish, [Symbol.asyncDispose]: dispose };

  function put(row: readonly string[]): boolean {
    let column = 0;
    for (const values of batch) values[size] = row[column++] ?? '';
    return ++size === batchSize;
  }

  async function finish(): Promise<void> {
    if (0 < size) await flush();
    await running;
  }

  async function dispose(): Promise<void> {
    // Its failure was met by whoever put a row or finished, unless that failed before.
    await running.catch(() => undefined);
    for (const statement of statements) statement.destroySync();
  }

  /** Waits for the batch before, so that no more than two are held. */
  async function flush(): Promise<void> {
    const statement = await nextStatement();
    for (const [index, values] of batch.entries()) statement.bindVarchar(index + 1, toText(values, size));
    if (target.counter) statement.bindBigInt(batch.length + 1, BigInt(next));
    const expected = size;
    next += size;
    size = 0;
    await running;
    running = runBatch(statement, expected);
    // The next one to await it hears of a failure; nobody has missed it until then.
    running.catch(() => undefined);
  }

  /** The values of a column as one text, and none at all when no row has one. */
  function toText(values: string[], length: number): string {
    if (length < values.length) values.length = length;
    return values.every((value) => value === '') ? '' : values.join(separator);
  }

  /** Two take turns: one is bound while the other runs. */
  async function nextStatement(): Promise<DuckDBPreparedStatement> {
    const turn = batches++ % 2;
    statements[turn] ??= await connection.prepare(insert);
    return statements[turn];
  }
}

function insertFrom(cut: string, { table, constants, columns, counter }: RowTarget): string {
  const values = Object.entries(constants).map(([name, value]) => `${toLiteral(value)} AS "${name}"`);
  const rows = `SELECT ${[...values, ...columns.map(toValue)].join(', ')} FROM ${cut}`;
  if (!counter) return `INSERT INTO ${table} BY NAME ${rows}`;
  // Outside, because a window inside would count the one row that is cut, not the many it becomes.
  const number = `$${columns.length + 1}::BIGINT + row_number() OVER () - 1 AS "${counter.name}"`;
  return `INSERT INTO ${table} BY NAME SELECT *, ${number} FROM (${rows})`;
}

function toLiteral(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

/** A row without a value has an empty piece; where no row has one, the list is shorter and DuckDB fills it up. */
function toValue({ name, type }: Column, index: number): string {
  const piece = `nullif(unnest(string_split($${index + 1}, separator)), '')`;
  const value = type === 'milliseconds' ? `epoch_ms(${piece}::BIGINT)` : `${piece}::${type}`;
  return `${value} AS "${name}"`;
}

async function runBatch(statement: DuckDBPreparedStatement, expected: number): Promise<void> {
  const { rowsChanged } = await statement.run();
  // A value that holds the separator would make more rows. It is random, so that does not happen.
  if (rowsChanged !== expected) throw new Error(`A batch of ${expected} rows became ${rowsChanged}`);
}

/** A text that no value holds: it is made anew each time, out of more than 10^19. */
function newSeparator(): string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `\u001e${Array.from(random, (number) => number.toString(36).padStart(7, '0')).join('')}`;
}
