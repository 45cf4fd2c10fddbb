/** A source of choices, the same ones for the same seed. */
export interface Random {
  /** A whole number from 0 up to, and without, a limit. */
  readonly below: (limit: number) => number;
  readonly oneOf: <T>(items: readonly T[]) => T;
  /** One of some values, each as often as its weight says. */
  readonly weighted: <T>(items: readonly (readonly [weight: number, item: T])[]) => T;
}

/** The generator known as mulberry32: fast, and good enough to mix questions. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  const oneOf = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from');
    return item;
  };
  const weighted = <T>(items: readonly (readonly [weight: number, item: T])[]): T =>
    oneOf(items.flatMap(([weight, item]) => new Array<T>(weight).fill(item)));
  return { below, oneOf, weighted };
}
