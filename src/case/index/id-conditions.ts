import type { DuckDBBitValue } from '@duckdb/node-api';
import type { Condition } from '../file/column-test.ts';
import { bitParts, bitSql } from './bit-parts.ts';
import { addId, bitsFor, emptyBitmap } from './bitmap.ts';
import type { LogSet } from './log-set.ts';

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
export const mostScattered = 25;

/** Up to this distance, logs share so many blocks that a statement may read twice as many of them: 16 row groups. */
const nearIds = 16 * 122_880;

/** Splits ids into lists, each of which one statement can read whole by `idsSql`. */
export function splitIds(ids: readonly number[]): readonly (readonly number[])[] {
  if (areClose(ids)) return [ids];
  const lists: number[][] = [];
  for (const id of Uint32Array.from(ids).sort()) {
    const list = lists.at(-1);
    const [first = id] = list ?? [];
    const most = id - first < nearIds ? 2 * mostScattered : mostScattered;
    if (list && list.length < most) list.push(id);
    else lists.push([id]);
  }
  return lists;
}

/** Fewer logs than this are looked up, wherever they are. */
const leastScanned = 48;

/** Ids for each log of a range that is scanned sooner than its logs are looked up. */
const scannedForLog = 256;

/** SQL condition for some logs: of close ones it scans the range, all others the database looks up in the index of ids. */
export function idsSql(ids: readonly number[]): string {
  return areClose(ids) ? nearIdsSql(ids) : idListSql(ids);
}

function areClose(ids: readonly number[]): boolean {
  return leastScanned <= ids.length && Math.max(...ids) - Math.min(...ids) < scannedForLog * ids.length;
}
