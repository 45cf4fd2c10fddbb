import { isDayKept, type Keeping } from './count-lost.ts';
import { type LoadDigests, noRows } from './row-digests.ts';

/** Rows that a load should have. A digest is unknown for loads of version 1 of the tables. */
export interface ExpectedRows {
  readonly days: ReadonlyMap<number, ExpectedCount>;
  readonly unreadable: ExpectedCount;
  /** Time of the load: milliseconds since the epoch. */
  readonly added: number;
}

interface ExpectedCount {
  readonly rows: number;
  readonly digest?: bigint | undefined;
}

/** Differences of the rows of a load. */
export interface RowDeviations {
  /** Rows that are missing or too many. */
  readonly miscounted: number;
  /** Days of which as many logs are there as should be, but others; the unreadable records count as a day. */
  readonly alteredDays: number;
}

/**
 * Compares the rows of a load with those that it should have. Days are left out once logs of them may have been
 * deleted for their age.
 */
export function deviatingRows(
  { days, unreadable, added }: ExpectedRows,
  found: LoadDigests | undefined,
  keeping: Keeping,
): RowDeviations {
  const pairs = [[unreadable, found?.unreadable ?? noRows] as const];
  for (const day of new Set([...days.keys(), ...(found?.days.keys() ?? [])]))
    if (isDayKept(day, added, keeping))
      pairs.push([days.get(day) ?? noRows, found?.days.get(day) ?? noRows] as const);
  return {
    miscounted: pairs.reduce((sum, [expected, { rows }]) => sum + Math.abs(expected.rows - rows), 0),
    alteredDays: pairs.filter(
      ([expected, { rows, digest }]) =>
        expected.rows === rows && expected.digest !== undefined && expected.digest !== digest,
    ).length,
  };
}
