import * as v from 'valibot';
import { noTime } from '../language/index.ts';
import { textFields } from '../records/index.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { dayExpression, quotedName } from './schema.ts';

/** Rows of a load: their number and digest, by the day of the logs, and of the unreadable records. */
export interface LoadDigests {
  readonly days: ReadonlyMap<number, RowsDigest>;
  readonly unreadable: RowsDigest;
}

/** Number of rows, and the sum modulo 2^64 of the first 64 bits of the SHA-256 of each. */
export interface RowsDigest {
  readonly rows: number;
  readonly digest: bigint;
}

/** The digest of no rows. */
export const noRows: RowsDigest = { rows: 0, digest: 0n };

const netstrings = (terms: readonly string[]) =>
  `concat(${terms.map((term) => `toString(length(${term})), ':', ${term}`).join(", ',', ")})`;

const asText = (column: string) => `ifNull(toString(\`${column}\`), '')`;

const terms: Readonly<Record<'logs' | 'unreadable', readonly string[]>> = {
  logs: [
    ...['entry', 'position', 'byte_offset', 'byte_length'].map(asText),
    `if(time = ${noTime}, '', toString(time))`,
    asText('logCode'),
    `multiIf(isNull(elapsed), '', abs(assumeNotNull(elapsed)) < 9e9, toString(toInt64(floor(assumeNotNull(elapsed) * 1e6))), 'large')`,
    asText('extra'),
    ...textFields.flatMap((field) => [asText(field), `arrayStringConcat(\`${field}_tokens\`, ' ')`]),
  ],
  unreadable: ['entry', 'position', 'code', 'reason', 'raw'].map(asText),
};

const digest = (row: string) =>
  `toString(sum(reinterpretAsUInt64(reverse(substring(SHA256(${row}), 1, 8)))))`;

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));
const digestOfDay = v.tuple([
  v.string(),
  number,
  number,
  v.pipe(
    v.string(),
    v.transform((text): bigint => BigInt(text)),
  ),
]);

/**
 * Computes the digests of the rows of all loads, or of one, by their ids: the same as `digestPart` of the store.
 * Reads every row.
 */
export async function loadDigests(
  cluster: Cluster,
  options: QueryOptions,
  load?: string,
): Promise<ReadonlyMap<string, LoadDigests>> {
  const base = quotedName(cluster.address.database);
  const where = load === undefined ? '' : `WHERE load = '${load}'`;
  const ofLogs = await cluster.query(
    `SELECT toString(load), ${dayExpression} AS d, count(), ${digest(netstrings(terms.logs))} FROM ${base}.log_rows ${where} GROUP BY load, d`,
    options,
  );
  const ofUnreadable = await cluster.query(
    `SELECT toString(load), 0, count(), ${digest(netstrings(terms.unreadable))} FROM ${base}.unreadable_rows ${where} GROUP BY load`,
    options,
  );
  const days = new Map<string, Map<number, RowsDigest>>();
  for (const log of ofLogs) {
    const [of, at, rows, sum] = v.parse(digestOfDay, log);
    days.set(of, (days.get(of) ?? new Map<number, RowsDigest>()).set(at, { rows, digest: sum }));
  }
  const unreadable = new Map(
    ofUnreadable.map((row) => {
      const [of, , rows, sum] = v.parse(digestOfDay, row);
      return [of, { rows, digest: sum }] as const;
    }),
  );
  const loads = new Set([...days.keys(), ...unreadable.keys()]);
  return new Map(
    [...loads].map((of) => [
      of,
      { days: days.get(of) ?? new Map<number, RowsDigest>(), unreadable: unreadable.get(of) ?? noRows },
    ]),
  );
}

/** Rows that a load should have. A digest may be unknown. */
interface ExpectedRows {
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
interface RowDeviations {
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

/** Numbers of logs by the day of their time: days since the epoch. */
type LogsOfDays = ReadonlyMap<number, number>;

/** Retention of logs. */
interface Keeping {
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
  for (const [day, logs] of days)
    if (isDayKept(day, added, keeping)) lost += Math.abs(logs - (found.get(day) ?? 0));
  return lost;
}

/** Reports if no log of a day may have been deleted for its age. `added`: milliseconds since the epoch. */
function isDayKept(at: number, added: number, { keepDays, now }: Keeping): boolean {
  const start = 0 <= at && at <= lastDay ? at * dayLength : added;
  return keepDays === undefined || now < start + keepDays * dayLength;
}

const countOfDay = v.tuple([v.string(), number, number]);

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
  for (const row of rows) {
    const [of, at, logs] = v.parse(countOfDay, row);
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
