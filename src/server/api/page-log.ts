import type { LogOfCase } from '../../analysis/index.ts';
import type { StoredLog } from '../../case/index.ts';
import type { Log } from '../../records/index.ts';

/** A log as a row of a list: long texts are cut. */
export interface PageLog {
  readonly id: number;
  /** Index of its case. */
  readonly ofCase: number;
  readonly log: Log;
}

/** Longest text in a list, in UTF-16 units; an opened log has its whole texts. */
const longest = 2000;

/** Returns a log for a list. */
export function toPageLog({ id, ofCase, log }: LogOfCase<StoredLog>): PageLog {
  const entries = Object.entries(log).map(([name, value]) => [
    name,
    typeof value === 'string' && longest < value.length ? `${value.slice(0, longest)}…` : value,
  ]);
  return { id, ofCase, log: Object.fromEntries(entries) };
}
