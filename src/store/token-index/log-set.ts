import { addId, type Bitmap, countIds, emptyBitmap } from './bitmap.ts';

/** An immutable set of logs. */
export interface LogSet {
  readonly count: () => number;
  /** Their ids: not to be modified. */
  readonly bitmap: () => Bitmap;
}

/** Returns the set of a bitmap, counted once. */
export function setOfBits(bitmap: Bitmap): LogSet {
  let count: number | undefined;
  return {
    count: () => {
      count ??= countIds(bitmap);
      return count;
    },
    bitmap: () => bitmap,
  };
}

/**
 * Returns a set of few ids, possibly with duplicates. Its bitmap, as large as the case, is made on demand:
 * counting needs none.
 */
export function setOfFew(ids: Uint32Array, bits: number): LogSet {
  const count = new Set(ids).size;
  let bitmap: Bitmap | undefined;
  return {
    count: () => count,
    bitmap: () => {
      bitmap ??= withIds(ids, bits);
      return bitmap;
    },
  };
}

function withIds(ids: Uint32Array, bits: number): Bitmap {
  const made = emptyBitmap(bits);
  for (const id of ids) addId(made, id);
  return made;
}
