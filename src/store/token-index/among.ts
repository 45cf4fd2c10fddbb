import { DuckDBBitValue } from '@duckdb/node-api';
import type { Condition } from '../case/column-test.ts';
import type { Slice } from '../index-tables/slices.ts';
import { addId, type Bitmap, bitsFor, emptyBitmap, idsOf } from './bitmap.ts';

/** Up to so many ids are named in SQL, so that the rows between them are passed over. */
const fewIds = 1000;

/** The condition that a row is one of a set. */
export function toCondition(bitmap: Bitmap, count: number): Condition {
  const parameters: DuckDBBitValue[] = [];
  const sql = conditionOf(bitmap, count, (value) => `$${parameters.push(value)}`);
  return { sql, parameters };
}

/** That a row is one of a set. */
export function conditionOf(bitmap: Bitmap, count: number, bind: (value: DuckDBBitValue) => string): string {
  if (count === 0) return 'false';
  if (count <= fewIds) return amongIds(idsOf(bitmap));
  const last = 32 * bitmap.words.length - 1;
  // An id that came later lies beyond the bits; none of them is set for it.
  return `(get_bit(${bind(new DuckDBBitValue(bitmap.bit))}::BIT, least("id", ${last})::INTEGER) = 1)`;
}

/** That the id of a row is not above one. */
export function upTo(id: number): string {
  return `id <= ${id}`;
}

/** That the id of a row is in some slices, which are in order, a condition for each: those that touch are one. */
export function amongSlices(slices: readonly Slice[]): readonly string[] {
  const joined: [number, number][] = [];
  for (const { firstId, lastId } of slices) {
    const before = joined.at(-1);
    if (before && firstId <= before[1] + 1) before[1] = Math.max(before[1], lastId);
    else joined.push([firstId, lastId]);
  }
  return joined.map(([first, last]) => `id BETWEEN ${first} AND ${last}`);
}

/** That the id of a row is one of some: the bounds let whole blocks of rows be passed over. */
export function amongIds(ids: readonly number[]): string {
  return among('id', ids);
}

/**
 * That a row is one of some whose ids are near each other: their bits are
 * asked for before other columns of a row are read. They stand in the SQL,
 * since what binds values is planned twice.
 */
export function amongNear(ids: readonly number[]): string {
  if (ids.length === 0) return 'false';
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  const bits = emptyBitmap(bitsFor(last - first));
  for (const id of ids) addId(bits, id - first);
  const bytes = Buffer.from(bits.bit.subarray(1)).toString('hex');
  // Rows beyond the bounds may be tried as well, and there is no bit for them.
  const bit = `greatest(0, least(id - ${first}, ${last - first}))::INTEGER`;
  return `(id BETWEEN ${first} AND ${last} AND get_bit(unhex('${bytes}')::BIT, ${bit}) = 1)`;
}

/** Ids spread over so many or more are found sooner by the numbers of their rows. */
const farApart = 500_000;

/** Whether ids are far from each other. */
export function areFar(ids: readonly number[]): boolean {
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  return farApart <= last - first;
}

/** That a row is one of some by their numbers. */
export function amongRows(rows: readonly number[]): string {
  return among('rowid', rows);
}

function among(column: string, numbers: readonly number[]): string {
  if (numbers.length === 0) return 'false';
  const first = numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY);
  const last = numbers.reduce((greatest, number) => Math.max(greatest, number), 0);
  return `(${column} >= ${first} AND ${column} <= ${last} AND ${column} IN (${numbers.join(', ')}))`;
}
