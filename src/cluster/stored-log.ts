import * as v from 'valibot';
import type { StoredLog } from '../case/index.ts';
import { noTime, toNumberValue } from '../language/index.ts';
import type { Extra } from '../records/index.ts';
import { type Log, textFields } from '../records/index.ts';
import type { ClusterRow } from './read-rows.ts';

/** Columns that `toStoredLog` reads, in its order. */
export const storedLogColumns = [
  'id, part, entry, position, extra, time, `logCode`, elapsed',
  ...textFields.map((field) => `\`${field}\``),
].join(', ');

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));
const whole = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value): bigint => BigInt(value)),
);

const row = v.looseTuple([
  number,
  number,
  v.string(),
  number,
  v.string(),
  whole,
  v.nullable(whole),
  v.nullable(number),
]);

/** Converts a row of `storedLogColumns` to a log. */
export function toStoredLog(cells: ClusterRow): StoredLog {
  const [id, part, entry, position, extra, time, logCode, elapsed, ...texts] = v.parse(row, cells);
  const log: { -readonly [F in keyof Log]: Log[F] } = {};
  if (time !== noTime) log.time = Number(time);
  if (logCode !== null) log.logCode = toNumberValue(logCode);
  if (elapsed !== null) log.elapsed = elapsed;
  for (const [index, field] of textFields.entries()) {
    const text = texts[index];
    if (typeof text === 'string' && text !== '') log[field] = text;
  }
  return {
    ...{ id, part, entry, position, log },
    ...(extra !== '' && { extra: JSON.parse(extra) as Extra }),
  };
}
