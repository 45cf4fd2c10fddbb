import {
  addAll,
  addId,
  type Bitmap,
  copyOf,
  countIds,
  emptyBitmap,
  hasId,
  idsOf,
  keepOnly,
  removeAll,
} from './bitmap.ts';

/** An immutable set of logs. */
export interface LogSet {
  readonly count: () => number;
  /** Their ids: not to be modified. */
  readonly bitmap: () => Bitmap;
  /** Their ids in ascending order, made anew. */
  readonly ids: () => number[];
  /** The ids if they are few, possibly with duplicates. */
  readonly few?: Uint32Array;
}

/** Up to this number, ids are kept as a list. */
export const mostListed = 1000;

/** Returns the set of a bitmap, counted once. */
export function setOfBits(bitmap: Bitmap): LogSet {
  let count: number | undefined;
  return {
    count: () => {
      count ??= countIds(bitmap);
      return count;
    },
    bitmap: () => bitmap,
    ids: () => idsOf(bitmap),
  };
}

/**
 * Returns a set of few ids, possibly with duplicates. Its bitmap, as large as the case, is made on demand:
 * counting needs none.
 */
export function setOfFew(ids: Uint32Array, bits: number): LogSet {
  let count: number | undefined;
  let bitmap: Bitmap | undefined;
  return {
    count: () => {
      count ??= new Set(ids).size;
      return count;
    },
    bitmap: () => {
      bitmap ??= withIds(ids, bits);
      return bitmap;
    },
    ids: () => [...new Set(ids)].sort((first, second) => first - second),
    few: ids,
  };
}

/** Returns a set without logs. */
export function emptySet(bits: number): LogSet {
  return setOfFew(new Uint32Array(), bits);
}

/** Returns the logs of any of some sets. No bitmap is made for few of them. */
export function unionOf(sets: readonly LogSet[], bits: number): LogSet {
  const filled = sets.filter(({ few }) => few?.length !== 0);
  const [first, ...others] = filled;
  if (first && others.length === 0) return first;
  const listed = filled.flatMap(({ few }) => few ?? []);
  if (listed.length === filled.length) return setOfFew(concatenated(listed), bits);
  const made = emptyBitmap(bits);
  for (const { few, bitmap } of filled) {
    if (few) for (const id of few) addId(made, id);
    else addAll(made, bitmap());
  }
  return setOfBits(made);
}

/** Returns the logs of all of some sets, at least one, that are in none of others. No bitmap is made for few. */
export function logsInAll(sets: readonly LogSet[], excluded: readonly LogSet[], bits: number): LogSet {
  const [rarest, ...others] = [...sets].sort((first, second) => sizeOf(first) - sizeOf(second));
  if (!rarest) return emptySet(bits);
  if (rarest.few)
    return setOfFew(
      rarest.few.filter(
        (id) =>
          others.every(({ bitmap }) => hasId(bitmap(), id)) &&
          !excluded.some(({ bitmap }) => hasId(bitmap(), id)),
      ),
      bits,
    );
  const made = copyOf(rarest.bitmap());
  for (const { bitmap } of others) keepOnly(made, bitmap());
  for (const { bitmap } of excluded) removeAll(made, bitmap());
  return setOfBits(made);
}

function sizeOf({ few }: LogSet): number {
  return few?.length ?? Number.POSITIVE_INFINITY;
}

function concatenated(lists: readonly Uint32Array[]): Uint32Array {
  const made = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    made.set(list, at);
    at += list.length;
  }
  return made;
}

function withIds(ids: Uint32Array, bits: number): Bitmap {
  const made = emptyBitmap(bits);
  for (const id of ids) addId(made, id);
  return made;
}
