/** Repeatable random values: the same seed gives the same values in the same order. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  readonly next: () => number;
  /** A whole number from `low` to `high`, both included. */
  readonly integer: (low: number, high: number) => number;
  /** True with this probability, 0 to 1. */
  readonly chance: (probability: number) => boolean;
  /** One of the items, each with a probability in proportion to its `share`. */
  readonly pickByShare: <T extends { readonly share: number }>(items: readonly [T, ...T[]]) => T;
  /** One of the items, all with the same probability. */
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
  /** A positive number whose logarithm is spread evenly around the median, most values within a factor of `spread`. */
  readonly around: (median: number, spread: number) => number;
  /** A UUID of version 4. */
  readonly uuid: () => string;
}

/** The random numbers of a seed: Marsaglia's xorshift generator with 128 bits of state. */
export function createRandom(seed: number): Random {
  const next = xorshift(seed);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[Math.floor(next() * items.length)] ?? items[0];
  return {
    next,
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick,
    pickByShare: (items) => {
      let left = next() * items.reduce((sum, item) => sum + item.share, 0);
      for (const item of items) {
        left -= item.share;
        if (left < 0) return item;
      }
      return items[0];
    },
    around: (median, spread) => median * spread ** (next() + next() - 1),
    uuid: () => toUuid(Array.from({ length: 16 }, () => Math.floor(next() * 256))),
  };
}

function xorshift(seed: number): () => number {
  // The state must not be all zeros; these constants are the ones of the published generator.
  let [x, y, z, w] = [123456789 ^ seed, 362436069, 521288629, 88675123];
  const step = () => {
    const t = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    return (w >>> 0) / 2 ** 32;
  };
  // Seeds that are close together give similar first values.
  for (let warming = 0; warming < 20; warming += 1) step();
  return step;
}

function toUuid(bytes: readonly number[]): string {
  const marked = bytes.map((byte, at) => (at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte));
  const hex = marked.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A time in the story and the circumstances at it. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly random: Random;
  /** Shortage of connections in the pool at a time, 0 (plenty) to 1 (none left). */
  readonly pressureAt: (time: number) => number;
}

/** Seconds as they are logged: with milliseconds. */
export function toSeconds(value: number): number {
  return Math.round(value * 1000) / 1000;
}
