import { DuckDBBitValue } from '@duckdb/node-api';
import type { Condition } from '../case/column-test.ts';
import { addId, type Bitmap, bitsFor, emptyBitmap, idsOf } from './bitmap.ts';

/** Up to this number, ids are listed in SQL, so that DuckDB skips the rows between them. */
const maxListedIds = 1000;

/** Returns the condition that a row is in a set of ids. */
export function bitmapCondition(bitmap: Bitmap, count: number): Condition {
  const parameters: DuckDBBitValue[] = [];
  const sql = bitmapSql(bitmap, count, (value) => `$${parameters.push(value)}`);
  return { sql, parameters };
}

/** SQL condition that a row is in a set of ids. */
export function bitmapSql(bitmap: Bitmap, count: number, bind: (value: DuckDBBitValue) => string): string {
  if (count === 0) return 'false';
  if (count <= maxListedIds) return idListSql(idsOf(bitmap));
  const last = 32 * bitmap.words.length - 1;
  // A later id is beyond the bits; the last bit is not set for it.
  return `(get_bit(${bind(new DuckDBBitValue(bitmap.bit))}::BIT, least("id", ${last})::INTEGER) = 1)`;
}

/** SQL condition that the id of a row is at most this one. */
export function idsUpToSql(id: number): string {
  return `id <= ${id}`;
}

/** SQL condition that the id of a row is in a list. The bounds let DuckDB skip whole row groups. */
export function idListSql(ids: readonly number[]): string {
  return numbersSql('id', ids);
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

/** Ids over a range of at least this size are found sooner by row number. */
const minFarRange = 500_000;

/** Reports if ids spread over a large range. */
export function areFarApart(ids: readonly number[]): boolean {
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  return minFarRange <= last - first;
}

/** SQL condition that the number of a row is in a list. */
export function rowNumbersSql(rows: readonly number[]): string {
  return numbersSql('rowid', rows);
}

function numbersSql(column: string, numbers: readonly number[]): string {
  if (numbers.length === 0) return 'false';
  const first = numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY);
  const last = numbers.reduce((greatest, number) => Math.max(greatest, number), 0);
  return `(${column} >= ${first} AND ${column} <= ${last} AND ${column} IN (${numbers.join(', ')}))`;
}
