import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { blobBytes, chunksOf } from '../../database/index.ts';
import { addBytes, type Bitmap, emptyBitmap } from './bitmap.ts';

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
  const made = emptyBitmap(bits);
  const [chunk] = chunksOf(result);
  if (chunk) addBytes(made, blobBytes(chunk.getColumnVector(0), 0), 0);
  return made;
}
