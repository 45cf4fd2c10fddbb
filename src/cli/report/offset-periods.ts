import { changeBetween, type TimeZone, zoneDatabaseYears } from '../../records/index.ts';

/** A time from which an offset from UTC holds, and that offset; both in milliseconds. */
export type OffsetPeriod = readonly [from: number, offset: number];

const day = 86_400_000;

/** Returns the offsets of a zone within a span, in the order of time. The first one holds before it, too. */
export function offsetPeriods(
  { offsetAt }: TimeZone,
  { first, last }: { readonly first: number; readonly last: number },
): readonly OffsetPeriod[] {
  const { first: from, last: to } = zoneDatabaseYears;
  const end = Math.min(last, to);
  let time = Math.min(Math.max(first, from), to);
  const periods: OffsetPeriod[] = [[time, offsetAt(time)]];
  for (; time < end; time += day) {
    const next = offsetAt(time + day);
    if (next !== periods.at(-1)?.[1]) periods.push([changeBetween(offsetAt, time, time + day), next]);
  }
  return periods;
}
