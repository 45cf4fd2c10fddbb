import { addId, type Bitmap, countIds, emptyBitmap } from './bitmap.ts';

/** A set of logs, which nobody changes. */
export interface LogSet {
  readonly count: () => number;
  /** Their ids: not to be changed. */
  readonly bitmap: () => Bitmap;
}

/** The set of some bits, which are counted once. */
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
 * The set of few ids, any of which may be there several times. The bits, one for each log of the case, are made once they
 * are asked for: who only counts needs none.
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
