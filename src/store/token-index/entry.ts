import { DuckDBBitVector, type DuckDBDataChunk, DuckDBListVector, type DuckDBVector } from '@duckdb/node-api';
import { addBit, addId, type Bitmap } from './bitmap.ts';
import { firstBit } from './slices.ts';

/** What the index says of a term in the logs of a slice. */
export interface Entry {
  /** The id at which the slice begins. */
  readonly first: number;
  /** How often the logs have the term. */
  readonly count: number;
  readonly logs: FrequentLogs | RareLogs;
}

interface FrequentLogs {
  /** The logs are among those of these ids. */
  readonly span: readonly [firstId: number, lastId: number];
  /** The value of a BIT, whose first bit stands for the first of these ids; empty where it was not asked for. */
  readonly bits: Uint8Array;
}

interface RareLogs {
  /** One for each time that a log has the term, in any order. */
  readonly ids: Uint32Array;
  /** Where it has it then; none where they were not asked for. */
  readonly positions: Uint32Array;
}

/** What `readEntry` reads, in its order: of terms of which it is to tell the sets of logs, the positions or both. */
export function entryColumns({ bits, positions }: { readonly [C in 'bits' | 'positions']: boolean }): string {
  const orNull = (isAsked: boolean, column: string, type: string) =>
    isAsked ? column : `NULL::${type} AS ${column}`;
  return `first, count, length(bits) AS length, ids, ${orNull(bits, 'bits', 'BIT')}, ${orNull(positions, 'positions', 'UINTEGER[]')}`;
}

/** The entry of a row of a chunk whose columns are those, behind some others. */
export function readEntry(chunk: DuckDBDataChunk, row: number, others = 0): Entry {
  const column = (index: number) => chunk.getColumnVector(others + index);
  const [first, count] = [Number(column(0).getItem(row)), Number(column(1).getItem(row))];
  const [length, set] = [Number(column(2).getItem(row)), column(4)];
  // A frequent term has a set, and no other has one.
  if (length === 0)
    return { first, count, logs: { ids: numbers(column(3), row), positions: numbers(column(5), row) } };
  const bits = set instanceof DuckDBBitVector ? set.getItem(row)?.data : undefined;
  const from = firstBit(first);
  return { first, count, logs: { span: [from, from + length - 1], bits: bits ?? new Uint8Array() } };
}

/** A list of numbers without a value of JavaScript's for each. */
function numbers(column: DuckDBVector, row: number): Uint32Array {
  const items = column instanceof DuckDBListVector ? column.getItemVector(row) : null;
  const made = new Uint32Array(items?.itemCount ?? 0);
  for (let at = 0; at < made.length; at++) made[at] = Number(items?.getItem(at));
  return made;
}

/** Puts the logs of an entry into a set. */
export function addEntry(made: Bitmap, { first, logs }: Entry): void {
  if ('bits' in logs) addBit(made, logs.bits, firstBit(first));
  else for (const id of logs.ids) addId(made, id);
}
