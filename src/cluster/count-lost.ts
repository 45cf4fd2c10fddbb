import * as v from 'valibot';
import type { Cluster, QueryOptions } from './connection.ts';
import { dayExpression, quotedName } from './schema.ts';

/** Numbers of logs by the day of their time: days since the epoch. */
export type LogsOfDays = ReadonlyMap<number, number>;

/** Retention of logs. */
export interface Keeping {
  /** Days after which logs are deleted; absent for never. */
  readonly keepDays?: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const dayLength = 86_400_000;

/** The last day whose logs have their age from their time. */
const lastDay = 49_709;

/**
 * Counts the logs that should be there and are not. A day is left out once logs of it may have been deleted for their
 * age. The age counts from their time, or from `added` if that is no time of a clock.
 */
export function countLost(
  { days, added }: { readonly days: LogsOfDays; readonly added: number },
  found: LogsOfDays,
  keeping: Keeping,
): number {
  let lost = 0;
  for (const [each, logs] of days)
    if (isDayKept(each, added, keeping)) lost += Math.abs(logs - (found.get(each) ?? 0));
  return lost;
}

/** Reports if no log of a day may have been deleted for its age. `added`: milliseconds since the epoch. */
export function isDayKept(at: number, added: number, { keepDays, now }: Keeping): boolean {
  const start = 0 <= at && at <= lastDay ? at * dayLength : added;
  return keepDays === undefined || now < start + keepDays * dayLength;
}

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));
const row = v.tuple([v.string(), number, number]);

/** Counts the stored logs of all loads, or of one, by load and day. */
export async function countByDay(
  cluster: Cluster,
  options: QueryOptions,
  load?: string,
): Promise<ReadonlyMap<string, LogsOfDays>> {
  const where = load === undefined ? '' : `WHERE load = '${load}'`;
  const rows = await cluster.query(
    `SELECT toString(load), ${dayExpression} AS d, count() FROM ${quotedName(cluster.address.database)}.log_rows ${where} GROUP BY load, d`,
    options,
  );
  const counts = new Map<string, Map<number, number>>();
  for (const each of rows) {
    const [of, at, logs] = v.parse(row, each);
    const known = counts.get(of) ?? new Map<number, number>();
    counts.set(of, known.set(at, logs));
  }
  return counts;
}

/** Returns how long a cluster keeps logs, by the latest `--keep`. */
export async function readKeeping(cluster: Cluster, options: QueryOptions): Promise<Keeping> {
  const [found] = await cluster.query(
    `SELECT argMaxIf(keep_days, created, keep_days > 0), toUnixTimestamp64Milli(now64(3)) FROM ${quotedName(cluster.address.database)}.about`,
    options,
  );
  const [keepDays, now] = v.parse(v.tuple([number, number]), found);
  return { now, ...(0 < keepDays && { keepDays }) };
}
