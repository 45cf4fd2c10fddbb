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

/** What `readEntry` reads where nothing is asked for but logs, in its order. */
export const logColumns = 'first, count, ids, bits';

/** What it reads where phrases are asked for as well: of each term its set, its positions or both. */
export function entryColumns({ bits, positions }: { readonly [C in 'bits' | 'positions']: boolean }): string {
  const orNull = (isAsked: boolean, column: string, type: string) =>
    isAsked ? column : `NULL::${type} AS ${column}`;
  return `first, count, ids, ${orNull(bits, 'bits', 'BIT')}, length(bits) AS length, ${orNull(positions, 'positions', 'UINTEGER[]')}`;
}

/** The entry of a row of a chunk whose columns are those, behind some others. */
export function readEntry(chunk: DuckDBDataChunk, row: number, others = 0): Entry {
  const column = (index: number) => chunk.getColumnVector(others + index);
  const [first, count] = [Number(column(0).getItem(row)), Number(column(1).getItem(row))];
  const set = column(3);
  const bits = set instanceof DuckDBBitVector ? set.getItem(row)?.data : undefined;
  const hasPhrases = others + 4 < chunk.columnCount;
  // A byte that says how many bits pad it stands before the bits.
  const length = bits ? 8 * (bits.length - 1) : hasPhrases ? Number(column(4).getItem(row)) : 0;
  const from = firstBit(first);
  if (0 < length)
    return { first, count, logs: { span: [from, from + length - 1], bits: bits ?? new Uint8Array() } };
  const positions = hasPhrases ? numbers(column(5), row) : new Uint32Array();
  return { first, count, logs: { ids: numbers(column(2), row), positions } };
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
