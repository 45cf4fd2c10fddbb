import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { joinBatches, joinedTarget, type TaggedBatch } from '../rows/join-batches.ts';
import { orderRows, type RowRange } from '../rows/order-rows.ts';
import type { RowBatch } from '../rows/row-batch.ts';
import { openRowSource, type RowSource } from '../rows/row-source.ts';
import { type RowTarget, type SourceColumn, sourceColumns } from '../rows/row-writer.ts';

/**
 * Tests batches of records for equality with the rows of a table, value by value. The connection is busy until
 * disposal.
 */
export interface EqualityTest extends AsyncDisposable {
  /**
   * Starts to test batches, in ascending order of their rows, against the selected rows; resolves when it can take
   * others. It calls `onDifference` if the table has other rows.
   */
  readonly start: (
    batches: readonly TaggedBatch[],
    selection: Selection,
    onDifference: () => void,
  ) => Promise<void>;
  /** Resolves when everything is tested. */
  readonly finish: () => Promise<void>;
}

/** Stored rows to compare: all rows of the parts of the batches, or those at the positions of their records. */
export type Selection = 'parts' | 'positions';

/** Opens a test for rows of a table. Columns in `ignored` are not compared; a number that is NaN in `id` is not either. */
export function openEqualityTest(
  connection: DuckDBConnection,
  target: RowTarget,
  ignored: readonly string[] = [],
): EqualityTest {
  const width = { numbers: target.numbers.length, texts: target.texts.length };
  const joined = joinedTarget(target);
  const source = openRowSource({ numbers: joined.numbers.length, texts: joined.texts.length });
  const columns = sourceColumns(joined).filter(({ name }) => !ignored.includes(name));
  const position = target.numbers.findIndex(({ name }) => name === 'position');
  let running: Promise<void> = Promise.resolve();
  return { start, finish: () => running, [Symbol.asyncDispose]: dispose };

  async function start(
    batches: readonly TaggedBatch[],
    selection: Selection,
    onDifference: () => void,
  ): Promise<void> {
    await running;
    if (batches.length === 0) return;
    running = test(batches, selection).then((areEqual) => {
      if (!areEqual) onDifference();
    });
    // The next await of it throws a failure; no unhandled rejection until then.
    running.catch(() => undefined);
  }

  async function test(batches: readonly TaggedBatch[], selection: Selection): Promise<boolean> {
    const rows = positionedRows(joinBatches(batches, width), { position, part: width.numbers });
    const stored = `${target.table} WHERE ${conditionOf(rows, selection)}`;
    const order = await storedOrder(connection, stored, rows);
    return order !== undefined && (await equalsStored(orderRows(rows.batch, order), stored));
  }

  async function equalsStored(batch: RowBatch, stored: string): Promise<boolean> {
    source.setBatch(batch);
    const result = await connection.runAndReadAll(differencesSql(source, columns, stored));
    return result.getRowsJS()[0]?.[0] === 0;
  }

  async function dispose(): Promise<void> {
    // The caller received its failure at start or finish, unless that failed earlier.
    await running.catch(() => undefined);
    source[Symbol.dispose]();
  }
}

/** Counts the rows that differ. The rows of the longer side are beside NULLs, which differ from every part. */
function differencesSql({ table }: RowSource, columns: readonly SourceColumn[], stored: string): string {
  const differ = columns.map(({ name, value }) => {
    const differs = `s."${name}" IS DISTINCT FROM ${value}`;
    return name === 'id' ? `(n0 IS NOT NULL AND ${differs})` : differs;
  });
  return `SELECT count(*)::DOUBLE FROM ${table} r POSITIONAL JOIN (FROM ${stored}) s WHERE ${differ.join(' OR ')}`;
}

/** Rows of parts in ascending order, with the range of each part. */
interface PositionedRows {
  readonly batch: RowBatch;
  readonly ranges: ReadonlyMap<number, RowRange>;
  readonly positionOf: (row: number) => number;
}

/** Locates the parts of a batch, by the indices of the numeric columns of position and part. */
function positionedRows(
  batch: RowBatch,
  columns: { readonly position: number; readonly part: number },
): PositionedRows {
  const width = batch.numbers.length / batch.rows;
  const numberAt = (row: number, column: number) => batch.numbers[row * width + column] ?? Number.NaN;
  const ranges = new Map<number, RowRange>();
  for (let from = 0, row = 1; row <= batch.rows; row++) {
    const part = numberAt(from, columns.part);
    if (row < batch.rows && numberAt(row, columns.part) === part) continue;
    ranges.set(part, { from, rows: row - from });
    from = row;
  }
  return { batch, ranges, positionOf: (row) => numberAt(row, columns.position) };
}

/** SQL condition on the stored rows. The bounds of parts and positions let the database skip row groups. */
function conditionOf({ batch, ranges, positionOf }: PositionedRows, selection: Selection): string {
  const parts = [...ranges.keys()];
  const [first, last] = [Math.min(...parts), Math.max(...parts)];
  const isBetween = `part BETWEEN ${first} AND ${last}`;
  if (selection === 'positions')
    return `${isBetween} AND position BETWEEN ${positionOf(0)} AND ${positionOf(batch.rows - 1)}`;
  return parts.length === last - first + 1 ? isBetween : `${isBetween} AND part IN (${parts.join(', ')})`;
}

const runs = v.array(v.tuple([v.number(), v.nullable(v.number()), v.number()]));

/**
 * Returns the order of rows in which the table has their positions: several connections wrote them. Undefined if
 * the table has other positions.
 */
async function storedOrder(
  connection: DuckDBConnection,
  stored: string,
  rows: PositionedRows,
): Promise<readonly RowRange[] | undefined> {
  // Windows without an order are streamed, and see rows in the order of the table.
  const result = await connection.runAndReadAll(
    `SELECT part::DOUBLE, position::DOUBLE, number::DOUBLE
     FROM (SELECT part, position, row_number() OVER () AS number, lag(part) OVER () AS part_before,
         lag(position) OVER () AS position_before FROM ${stored})
     WHERE part IS DISTINCT FROM part_before OR position IS DISTINCT FROM position_before + 1`,
  );
  const found = v.parse(runs, result.getRowsJS());
  const order: RowRange[] = [];
  for (const [index, [part, position, number]] of found.entries()) {
    const from = rowAt(rows, part, position ?? Number.NaN);
    if (from === undefined) return undefined;
    const next = found[index + 1]?.[2] ?? rows.batch.rows + 1;
    order.push({ from, rows: next - number });
  }
  return coversOnce(order, rows.batch.rows) ? order : undefined;
}

/** Finds the row of a part at a position. */
function rowAt({ ranges, positionOf }: PositionedRows, part: number, position: number): number | undefined {
  const range = ranges.get(part);
  if (!range) return undefined;
  let [low, high] = [range.from, range.from + range.rows];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (positionOf(middle) < position) low = middle + 1;
    else high = middle;
  }
  return positionOf(low) === position ? low : undefined;
}

/** Reports if ranges cover all rows of a batch, each once. */
function coversOnce(ranges: readonly RowRange[], rows: number): boolean {
  let next = 0;
  for (const { from, rows: count } of ranges.toSorted((one, other) => one.from - other.from)) {
    if (from !== next) return false;
    next += count;
  }
  return next === rows;
}
