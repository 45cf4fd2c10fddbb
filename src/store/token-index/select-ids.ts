import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { chunksOf } from '../database/chunks-of.ts';
import { firstBit, type IndexSlice, setBounds } from '../index-tables/slices.ts';
import { addBytes, type Bitmap, emptyBitmap } from './bitmap.ts';
import { blobBytes } from './term-entry.ts';

/** A SELECT of ids. */
interface IdQuery {
  readonly sql: string;
  readonly parameters: readonly DuckDBValue[];
  /** Size of the set. */
  readonly bits: number;
  /** Range that includes all ids, if known: limits the size of the set in the database. */
  readonly within?: IndexSlice | undefined;
}

/** Returns the ids of a SELECT as a set. */
export async function selectIds(
  connection: DuckDBConnection,
  { sql, parameters, bits, within = { firstId: 0, lastId: bits - 1 } }: IdQuery,
): Promise<Bitmap> {
  const result = await connection.run(
    `SELECT bitstring_agg(id::INTEGER, ${setBounds(within)})::BLOB FROM (${sql})`,
    [...parameters],
  );
  const made = emptyBitmap(bits);
  const [chunk] = chunksOf(result);
  if (chunk) addBytes(made, blobBytes(chunk.getColumnVector(0), 0), firstBit(within.firstId));
  return made;
}
