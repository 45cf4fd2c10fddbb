import { DuckDBBitValue } from '@duckdb/node-api';
import type { Bitmap } from './bitmap.ts';

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
