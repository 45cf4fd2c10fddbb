import { escapeUnsafe } from '../terminal/text.ts';

/** A member of an object; omitted if it has no value. */
export type MemberLine = readonly [name: string, value: string | number | boolean | undefined];

/** Formats members, one a line, with aligned values; each line ends with a line feed. */
export function memberLines(members: readonly MemberLine[]): string {
  const shown = members.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => escapeUnsafe(name).length));
  return shown
    .map(([name, value]) => `${escapeUnsafe(name).padEnd(width)}  ${escapeUnsafe(String(value))}\n`)
    .join('');
}

/** Formats a time in UTC, `2025-03-12 08:24:10`; empty for a missing or invalid time. */
export function formatTimeToSecond(time: number | undefined): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '');
}
