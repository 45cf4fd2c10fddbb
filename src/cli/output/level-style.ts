import type { Style } from '../terminal/style.ts';

const styles: ReadonlyMap<string, keyof Style> = new Map([
  ['SEVERE', 'red'],
  ['WARNING', 'yellow'],
  ['FINE', 'dim'],
  ['VERBOSE', 'dim'],
  ['DEBUG', 'dim'],
]);

/** The style of a level; undefined for INFO and unknown levels. */
export function levelStyle(level: string): keyof Style | undefined {
  return styles.get(level.toUpperCase());
}
