import { printable } from '../terminal/printable.ts';

/** A member of an object for people; one without a value is left out. */
export type Member = readonly [name: string, value: string | number | boolean | undefined];

/** Members in lines of their own, their values in one column; the lines end with a line feed. */
export function memberLines(members: readonly Member[]): string {
  const shown = members.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => printable(name).length));
  return shown
    .map(([name, value]) => `${printable(name).padEnd(width)}  ${printable(String(value))}\n`)
    .join('');
}

/** A time in UTC for people, empty where there is none or the number is no time: `2025-03-12 08:24:10`. */
export function timeText(time: number | undefined): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '');
}
