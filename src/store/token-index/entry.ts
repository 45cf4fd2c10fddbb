import {
  DuckDBBlobVector,
  type DuckDBDataChunk,
  DuckDBListVector,
  type DuckDBVector,
} from '@duckdb/node-api';
import { addBytes, addId, type Bitmap } from './bitmap.ts';
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
  /** A bit for each of these ids; empty where they were not asked for. */
  readonly bits: Uint8Array;
}

interface RareLogs {
  /** One for each time that a log has the term, in any order. */
  readonly ids: Uint32Array;
  /** Where it has it then; none where they were not asked for. */
  readonly positions: Uint32Array;
}

/** What `readEntry` reads where nothing is asked for but logs, in its order. Bytes come in with one copy less than bits. */
export const logColumns = 'first, count, ids, bits::BLOB';

/** What it reads where phrases are asked for as well: of each term its set, its positions or both. */
export function entryColumns({ bits, positions }: { readonly [C in 'bits' | 'positions']: boolean }): string {
  const orNull = (isAsked: boolean, column: string, type: string) => (isAsked ? column : `NULL::${type}`);
  return `first, count, ids, ${orNull(bits, 'bits::BLOB', 'BLOB')}, length(bits), ${orNull(positions, 'positions', 'UINTEGER[]')}`;
}

/** The entry of a row of a chunk whose columns are those, behind some others. */
export function readEntry(chunk: DuckDBDataChunk, row: number, others = 0): Entry {
  const column = (index: number) => chunk.getColumnVector(others + index);
  const [first, count] = [Number(column(0).getItem(row)), Number(column(1).getItem(row))];
  const bits = bytesOf(column(3), row);
  const hasPhrases = others + 4 < chunk.columnCount;
  const length = 8 * bits.length || (hasPhrases ? Number(column(4).getItem(row)) : 0);
  const from = firstBit(first);
  if (0 < length) return { first, count, logs: { span: [from, from + length - 1], bits } };
  const positions = hasPhrases ? numbers(column(5), row) : new Uint32Array();
  return { first, count, logs: { ids: numbers(column(2), row), positions } };
}

/** The bytes of a BLOB of a row, none where there is no value. */
export function bytesOf(column: DuckDBVector, row: number): Uint8Array {
  const found = column instanceof DuckDBBlobVector ? column.getItemBytes(row) : null;
  // A few bytes are still where the chunk has them, which is let go of.
  return found && found.length < 16 ? found.slice() : (found ?? new Uint8Array());
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
  if ('bits' in logs) addBytes(made, logs.bits, firstBit(first));
  else for (const id of logs.ids) addId(made, id);
}
