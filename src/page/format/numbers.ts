const whole = new Intl.NumberFormat('en');

/** A number with its thousands apart. */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** A number with its noun: `1 log`, `2,000 logs`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** An amount of bytes: `3.4 MB`. */
export function formatBytes(bytes: number): string {
  const steps = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(steps.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const scaled = bytes / 1000 ** step;
  return `${step === 0 || 100 <= scaled ? Math.round(scaled) : scaled.toFixed(1)} ${steps[step]}`;
}
