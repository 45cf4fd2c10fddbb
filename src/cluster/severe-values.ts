import * as v from 'valibot';
import type { SevereValue } from '../case/index.ts';
import { noTime } from '../language/index.ts';

const severe = "upperUTF8(toString(`logLevel`)) = 'SEVERE'";
const timed = `${severe} AND time != ${noTime}`;

/** SQL of the values of logs with their numbers, and the first and last severe log of each, the most severe first. */
export function severeSql(value: string, logs: string, limit: number): string {
  return `SELECT ${value} AS value, count() AS logs, countIf(${severe}) AS severe, countIf(${timed}) AS timed,
      minIf((time, id), ${timed}) AS first, maxIf((time, id), ${timed}) AS last
    FROM ${logs} GROUP BY value ORDER BY severe DESC, logs DESC, value ASC NULLS LAST
    ${Number.isFinite(limit) ? `LIMIT ${Math.max(0, Math.trunc(limit))}` : ''}`;
}

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.safeInteger());

const log = v.pipe(
  v.tuple([v.union([v.string(), v.number()]), v.union([v.string(), v.number()])]),
  v.transform(([time, id]) => ({ id: Number(id), time: Number(time) })),
);

const row = v.tuple([number, number, number, log, log]);

/** Reads a row of `severeSql` behind its value. */
export function toSevere(cells: readonly unknown[]): Omit<SevereValue, 'value'> {
  const [count, severeCount, timedCount, firstSevere, lastSevere] = v.parse(row, cells);
  return { count, severe: severeCount, ...(0 < timedCount && { firstSevere, lastSevere }) };
}
