import {
  BOOLEAN,
  DuckDBBitValue,
  type DuckDBConnection,
  DuckDBScalarFunction,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import { blobBytes, chunksOf } from '../database/index.ts';
import {
  type ColumnTest,
  type DuckdbCondition,
  type DuckdbOptions,
  type Filter,
  toDuckdb,
} from '../language/index.ts';
import type { LogCursor, LogOrder } from '../records/index.ts';
import { addBytes, addId, type Bitmap, bitsFor, emptyBitmap, type LogSet } from './log-set.ts';

/** Up to this number, ids are listed in SQL, so that DuckDB skips the rows between them. */
const maxListedIds = 1000;

/** Returns the condition that a row is in a set. */
export function setCondition(set: LogSet): Condition {
  const parameters: DuckDBBitValue[] = [];
  const sql = setSql(set, (value) => `$${parameters.push(value)}`);
  return { sql, parameters };
}

/** SQL condition that a row is in a set. */
export function setSql(set: LogSet, bind: (value: DuckDBBitValue) => string): string {
  if (set.count() <= maxListedIds) return idListSql(set.ids());
  const bitmap = set.bitmap();
  const bits = 32 * bitmap.words.length;
  const parts = bitParts(bitmap, bits).map((part) => `${bind(part)}::BIT`);
  // The database may test the bit of a later id, which is beyond the bits.
  return `("id" < ${bits} AND ${bitSql(`least("id", ${bits - 1})::INTEGER`, parts)} = 1)`;
}

/** SQL condition that the id of a row is at most this one. */
export function idsUpToSql(id: number): string {
  return `id <= ${id}`;
}

/**
 * SQL condition that the id of a row is in a list. No log has the first id: the database would make a range of
 * consecutive ones, and scan it.
 */
export function idListSql(ids: readonly number[]): string {
  return ids.length === 0 ? 'false' : `id IN (-1, ${ids.join(', ')})`;
}

/**
 * SQL condition that the id of a row is in a list of close ids. DuckDB tests their bits before it reads other
 * columns. The bits are part of the SQL: a statement with parameters is planned twice.
 */
export function nearIdsSql(ids: readonly number[]): string {
  if (ids.length === 0) return 'false';
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  const bits = emptyBitmap(bitsFor(last - first));
  for (const id of ids) addId(bits, id - first);
  const bytes = Buffer.from(bits.bit.subarray(1)).toString('hex');
  // DuckDB may evaluate this for ids beyond the bounds as well, which have no bit.
  const bit = `greatest(0, least(id - ${first}, ${last - first}))::INTEGER`;
  return `(id BETWEEN ${first} AND ${last} AND get_bit(unhex('${bytes}')::BIT, ${bit}) = 1)`;
}

/** SQL condition that the id of a row is in a list, for which the index of ids is not asked. */
export function scannedIdsSql(ids: readonly number[]): string {
  return `list_contains([${ids.join(', ')}]::BIGINT[], id)`;
}

/** Scattered logs that one statement reads whole, in a quarter of the memory of the database: two may run side by side. */
export const maxScattered = 25;

/** Up to this distance, logs share so many blocks that a statement may read twice as many of them: 16 row groups. */
const nearIds = 16 * 122_880;

/** Splits ids into lists, each of which one statement can read whole by `idsSql`. */
export function splitIds(ids: readonly number[]): readonly (readonly number[])[] {
  if (areClose(ids)) return [ids];
  const lists: number[][] = [];
  for (const id of Uint32Array.from(ids).sort()) {
    const list = lists.at(-1);
    const [first = id] = list ?? [];
    const max = id - first < nearIds ? 2 * maxScattered : maxScattered;
    if (list && list.length < max) list.push(id);
    else lists.push([id]);
  }
  return lists;
}

/** Fewer logs than this are looked up, wherever they are. */
const minScanned = 48;

/** Ids for each log of a range that is scanned sooner than its logs are looked up. */
const scannedForLog = 256;

/** SQL condition for some logs: of close ones it scans the range, all others the database looks up in the index of ids. */
export function idsSql(ids: readonly number[]): string {
  return areClose(ids) ? nearIdsSql(ids) : idListSql(ids);
}

function areClose(ids: readonly number[]): boolean {
  return minScanned <= ids.length && Math.max(...ids) - Math.min(...ids) < scannedForLog * ids.length;
}

/** Tests of the running conditions, by the number in their SQL. */
const running = new Map<number, ColumnTest>();

let lastNumber = 0;

/** Registers the function `column_test(number, value)`, by which SQL calls tests that DuckDB cannot express. */
export function addColumnTest(connection: DuckDBConnection): void {
  const added = DuckDBScalarFunction.create({
    name: 'column_test',
    parameterTypes: [INTEGER, VARCHAR],
    returnType: BOOLEAN,
    // The meaning of a number changes from query to query.
    volatile: true,
    mainFunction: (_info, input, output) => {
      const [numbers, values] = [input.getColumnVector(0), input.getColumnVector(1)];
      for (let row = 0; row < input.rowCount; row += 1) {
        const value = values.getItem(row);
        const test = running.get(Number(numbers.getItem(row)));
        output.setItem(row, test !== undefined && typeof value === 'string' && test(value));
      }
      output.flush();
    },
  });
  connection.registerScalarFunction(added);
}

/** A condition whose tests are callable. A set of ids is a parameter as well. */
export type Condition<P = DuckDBBitValue> = Pick<DuckdbCondition<P>, 'sql' | 'parameters'>;

/** Runs work with the condition of a filter. Its tests are callable until the work ends. */
export async function withCondition<T>(
  filter: Filter,
  work: (condition: Condition) => Promise<T>,
  known?: DuckdbOptions<DuckDBBitValue>['known'],
): Promise<T> {
  const { done, ...condition } = startCondition<DuckDBBitValue>(filter, known);
  try {
    return await work(condition);
  } finally {
    done();
  }
}

/** Returns the condition of a filter, whose tests are callable until `done` is called. */
export function startCondition<P = never>(
  filter: Filter,
  known?: DuckdbOptions<P>['known'],
): Condition<P> & { readonly done: () => void } {
  const options = { firstTest: lastNumber + 1, ...(known && { known }) };
  const { sql, parameters, tests } = toDuckdb<P>(filter, options);
  for (const [number, test] of tests) running.set(number, test);
  lastNumber = (lastNumber + tests.size) % largestNumber;
  const done = () => {
    for (const number of tests.keys()) running.delete(number);
  };
  return { sql, parameters, done };
}

/** Numbers are INTEGERs of the database; they wrap around long after the first ones are done. */
const largestNumber = 2 ** 30;

/**
 * Renumbers the placeholders of a condition to follow `count` others. It has no text of the user, so every `$`
 * is a placeholder.
 */
export function shiftPlaceholders(sql: string, count: number): string {
  return sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + count}`);
}

/** Ids of a part of a set. A case with fewer has one part. */
export const partIds = 2 ** 20;

/**
 * Returns the parts of a set of `bits` ids as values of the database. It copies a constant for each vector of 2,048 rows
 * that it tests: that of 25 million logs has 3 MB, a part 128 KB.
 */
export function bitParts({ bit }: Bitmap, bits: number): readonly DuckDBBitValue[] {
  return Array.from({ length: Math.ceil(bits / partIds) }, (_, part) => {
    const first = 1 + (part * partIds) / 8;
    // The byte before the bits is the number of padding bits.
    const value = new Uint8Array(1 + Math.min(partIds, bits - part * partIds) / 8);
    value.set(bit.subarray(first, first + value.length - 1), 1);
    return new DuckDBBitValue(value);
  });
}

/** SQL expression for the bit of an id in a set with these parts: `id` is an INTEGER within them. */
export function bitSql(id: string, parts: readonly string[], first = 0): string {
  if (parts.length <= 1) return `get_bit(${parts[0]}, ${first === 0 ? id : `${id} - ${first}`})`;
  // Rows of a vector are mostly in one part: the database evaluates no others.
  const half = Math.ceil(parts.length / 2);
  const middle = first + half * partIds;
  const [lower, upper] = [bitSql(id, parts.slice(0, half), first), bitSql(id, parts.slice(half), middle)];
  return `CASE WHEN ${id} < ${middle} THEN ${lower} ELSE ${upper} END`;
}

/** A SELECT of ids. */
interface IdQuery {
  readonly sql: string;
  readonly parameters: readonly DuckDBValue[];
  /** Size of the set. */
  readonly bits: number;
}

/** Returns the ids of a SELECT as a set. */
export async function selectIds(
  connection: DuckDBConnection,
  { sql, parameters, bits }: IdQuery,
): Promise<Bitmap> {
  const result = await connection.run(
    `SELECT bitstring_agg(id::INTEGER, 0, ${bits - 1})::BLOB FROM (${sql})`,
    [...parameters],
  );
  const bitmap = emptyBitmap(bits);
  const [chunk] = chunksOf(result);
  if (chunk) addBytes(bitmap, blobBytes(chunk.getColumnVector(0), 0), 0);
  return bitmap;
}

/** The ORDER BY expressions. */
export const orderBySql: { readonly [O in LogOrder]: string } = {
  newest: '"time" DESC NULLS LAST, id DESC',
  oldest: '"time" ASC NULLS LAST, id ASC',
};

/** The first logs of an order, at most `count`, after a cursor if given. */
export interface FirstLogs {
  readonly order: LogOrder;
  readonly count: number;
  readonly after?: LogCursor | undefined;
}

/** SQL condition for the logs after a cursor. Its parameters are numbered from `first` on. */
export function afterCursorSql(
  { time, id }: LogCursor,
  order: LogOrder,
  first: number,
): { readonly sql: string; readonly parameters: readonly number[] } {
  const sign = order === 'newest' ? '<' : '>';
  if (time === undefined)
    return { sql: `("time" IS NULL AND id ${sign} $${first}::BIGINT)`, parameters: [id] };
  const timeSql = `epoch_ms($${first}::BIGINT)`;
  const sql = `("time" ${sign} ${timeSql} OR ("time" = ${timeSql} AND id ${sign} $${first + 1}::BIGINT) OR "time" IS NULL)`;
  return { sql, parameters: [time, id] };
}

/** SQL condition for the logs up to a cursor, inclusive. Its parameters are numbered from `first` on. */
export function upToCursorSql(
  { time, id }: LogCursor,
  order: LogOrder,
  first: number,
): { readonly sql: string; readonly parameters: readonly number[] } {
  const sign = order === 'newest' ? '>' : '<';
  if (time === undefined)
    return { sql: `("time" IS NOT NULL OR id ${sign}= $${first}::BIGINT)`, parameters: [id] };
  const timeSql = `epoch_ms($${first}::BIGINT)`;
  const sql = `("time" ${sign}= ${timeSql} AND ("time" ${sign} ${timeSql} OR id ${sign}= $${first + 1}::BIGINT))`;
  return { sql, parameters: [time, id] };
}
