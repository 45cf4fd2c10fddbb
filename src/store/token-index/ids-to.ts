import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Bitmap } from './bitmap.ts';
import { toBitmap } from './snapshot.ts';

/** The set, of so many bits, of the ids that a SELECT gives. */
export async function idsTo(
  connection: DuckDBConnection,
  { sql, parameters, bits }: IdQuery,
): Promise<Bitmap> {
  const result = await connection.runAndReadAll(
    `SELECT bitstring_agg(id::INTEGER, 0, ${bits - 1}) FROM (${sql})`,
    [...parameters],
  );
  return toBitmap(result.getRows()[0]?.[0], bits);
}

interface IdQuery {
  readonly sql: string;
  readonly parameters: readonly DuckDBValue[];
  readonly bits: number;
}
