import type { LogRow } from './use-pages.ts';

/** All columns that the table can have. */
export const allColumns = [
  ...['time', 'logLevel', 'logCode', 'source', 'msg', 'username', 'requestID', 'elapsed', 'className'],
  ...['methodName', 'serviceTypes', 'machine', 'process', 'thread', 'stackTraces'],
] as const;

const titles: Readonly<Record<string, string>> = {
  logLevel: 'level',
  logCode: 'code',
  msg: 'message',
  username: 'user',
  requestID: 'request',
};

/** The title of a column. */
export function titleOf(column: string): string {
  return titles[column] ?? column;
}

const widths: Readonly<Record<string, number>> = {
  time: 188,
  logLevel: 78,
  logCode: 74,
  source: 190,
  msg: 560,
  elapsed: 70,
  username: 110,
  requestID: 150,
};

const key = 'logquarry-widths';

/** The widths of columns in pixels: those that the user chose before the usual ones. */
export function readWidths(): Readonly<Record<string, number>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    const chosen = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
    return { ...widths, ...Object.fromEntries(chosen.filter(([, width]) => typeof width === 'number')) };
  } catch {
    return widths;
  }
}

/** Keeps the widths of columns. */
export function writeWidths(chosen: Readonly<Record<string, number>>): void {
  try {
    localStorage.setItem(key, JSON.stringify(chosen));
  } catch {
    // A browser without storage forgets them.
  }
}

/** Least width of the last column, in pixels. */
const leastLast = 320;

/** The columns of a grid in CSS; the last takes what is left. */
export function gridOf(columns: readonly string[], chosen: Readonly<Record<string, number>>): string {
  return columns
    .map((column, index) => {
      const width = chosen[column] ?? 140;
      return index === columns.length - 1 ? `minmax(${Math.min(width, leastLast)}px, 1fr)` : `${width}px`;
    })
    .join(' ');
}

/** The text of a field of a log; empty if it has none. */
export function columnText(log: LogRow['log'], column: string): string {
  const value = Object.entries(log).find(([name]) => name === column)?.[1];
  return value === undefined ? '' : String(value);
}
