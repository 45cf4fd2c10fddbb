const whole = new Intl.NumberFormat('en');

/** A number with its thousands apart. */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** A number with its noun: `1 log`, `2,000 logs`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
