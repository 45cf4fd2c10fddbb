import type { LogField } from '../../records/index.ts';
import { intervalShift } from '../../records/index.ts';

/** Codes of logs about the time of a request (ranges and meanings: documentation of the deployment's logs). */
export const timingCodes = {
  /** A service has worked on a request. */
  service: 100_004,
  /** The deployment has answered a request: contains the time of the service. */
  full: 9999,
  /** A request has waited for a service. */
  wait: 7615,
  /** A job has ended. */
  job: 7718,
  /** A SOAP request has been answered. */
  soap: 9526,
  /** A request has arrived. */
  arrival: 9029,
} as const;

const { service, full, wait, job, soap } = timingCodes;

/**
 * Seconds in `elapsed`, NULL where nothing was measured: zero means that. Records of code 9999 at level INFO
 * have milliseconds; those of `<Msg>` elements are stored in seconds, and so are logs made by this program.
 */
const elapsedSql = `CASE WHEN isfinite(elapsed) AND 0 < elapsed THEN
    CASE WHEN "logCode" = ${full} AND upper("logLevel") = 'INFO'
      AND part NOT IN (SELECT part FROM stored.parts WHERE format IN ('xml', 'program'))
    THEN elapsed / 1000 ELSE elapsed END
  WHEN "logCode" = ${job} THEN ${millisecondsIn("Elapsed time '?([0-9]+(?:[.,][0-9]+)?)'? ms")} END`;

/** Seconds of waiting: the number in the message, else `elapsed`. */
const waitSql = `CASE WHEN "logCode" = ${wait} THEN
  coalesce(${millisecondsIn('is ([0-9]+(?:[.,][0-9]+)?) milliseconds')},
    CASE WHEN isfinite(elapsed) AND 0 < elapsed THEN elapsed END) END`;

/** A number of milliseconds in the message, in seconds; NULL where there is none. */
function millisecondsIn(pattern: string): string {
  const text = `'${pattern.replaceAll("'", "''")}'`;
  return `try_cast(replace(nullif(regexp_extract(left(msg, 4096), ${text}, 1), ''), ',', '.') AS DOUBLE) / 1000`;
}

/** Logs of requests, unlike those of health checks, backups and starts of services. */
const ofRequestSql = `("requestID" IS NOT NULL OR coalesce("logCode" IN (${[service, full, job, soap].join(', ')}), false))`;

/** True for all rows that have a measured time, and few others: the rest takes most of the work. */
export const mayBeTimed = `("elapsed" > 0 OR "logCode" = ${job})`;

/**
 * The start of a statement: `timed` are the rows of a condition with their level in capitals, `took` and `waited`
 * in seconds, and `background`: measured time of no request. A request counts once: where a service logged its
 * time, the full time of the same request has no `took`. With `mayBeTimed` as a part of the condition, rows without a
 * time are left out.
 */
export function withTimedRows(condition: string): string {
  return `WITH chosen AS MATERIALIZED (
      SELECT id, "time", upper("logLevel") AS level, "logCode", "requestID", source, username, "methodName",
        "serviceTypes", machine, ${elapsedSql} AS elapsed, ${waitSql} AS waited, ${ofRequestSql} AS is_request
      FROM stored.logs WHERE ${condition}),
    counted AS (SELECT DISTINCT "requestID" FROM chosen
      WHERE "logCode" = ${service} AND elapsed IS NOT NULL AND "requestID" IS NOT NULL),
    timed AS (SELECT chosen.*,
        CASE WHEN is_request AND waited IS NULL AND "logCode" IS DISTINCT FROM ${wait}
          AND counted."requestID" IS NULL THEN elapsed END AS took,
        elapsed IS NOT NULL AND NOT is_request AND waited IS NULL AS background
      FROM chosen LEFT JOIN counted
        ON CASE WHEN chosen."logCode" = ${full} THEN chosen."requestID" END = counted."requestID")`;
}

/** A property of logs by which requests can be grouped. */
export type TimingKey =
  | 'service'
  | 'user'
  | 'method'
  | 'code'
  | 'type'
  | 'machine'
  | 'minute'
  | 'hour'
  | 'day';

const fieldOfKey: { readonly [K in TimingKey]?: LogField } = {
  service: 'source',
  user: 'username',
  method: 'methodName',
  code: 'logCode',
  type: 'serviceTypes',
  machine: 'machine',
};

/** Lengths of the intervals of keys in milliseconds. */
export const timingIntervals: { readonly [K in TimingKey]?: number } = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/**
 * A key as SQL: a text, a number, or the start of an interval in milliseconds since the epoch. Intervals have at
 * most the length `longest` in milliseconds.
 */
export function timingKeySql(key: TimingKey, longest: number): string {
  const field = fieldOfKey[key];
  if (field !== undefined) return `"${field}"`;
  const length = Math.min(timingIntervals[key] ?? 1, longest);
  const shift = intervalShift(length);
  return `floor((epoch_ms("time")::DOUBLE + ${shift}) / ${length}) * ${length} - ${shift}`;
}
