const day = 86_400_000;

/**
 * The shift that aligns intervals of `every` milliseconds: they begin at multiples of their length since
 * the epoch, whole weeks on Monday. The epoch was a Thursday.
 */
export function intervalShift(every: number): number {
  return every % (7 * day) === 0 ? 3 * day : 0;
}

/** Start of the interval with a time; both in milliseconds since the epoch. */
export function intervalStart(time: number, every: number): number {
  const shift = intervalShift(every);
  return Math.floor((time + shift) / every) * every - shift;
}
