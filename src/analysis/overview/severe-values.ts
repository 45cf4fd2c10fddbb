import type { SevereValue, TimedLog } from '../../case/index.ts';
import type { Log, LogField } from '../../records/index.ts';
import { type Asked, countSevereBy, readLog } from '../log-source.ts';

/** A severe log of one of the cases. */
export interface SevereLog extends TimedLog {
  /** Index of its case, from 0. */
  readonly ofCase: number;
}

/** A value of a field with the number of its logs. */
export interface RankedValue extends Omit<SevereValue, 'firstSevere' | 'lastSevere'> {
  /** First and last severe log; absent if no severe log has a time. */
  readonly firstSevere?: SevereLog;
  readonly lastSevere?: SevereLog;
}

/** The first values of a field. */
export interface RankedValues {
  /** Ordered by severe logs, then by all logs, the most first. Logs without a value are left out. */
  readonly values: readonly RankedValue[];
  /** True if there are more values. */
  readonly hasMore: boolean;
}

/** Ranks the values of a field in some cases by their severe logs. */
export async function rankValues(
  cases: readonly Asked[],
  field: LogField,
  limit: number,
): Promise<RankedValues> {
  // One for the logs without a value, one to notice more values. Each of several cases can have others first.
  const most = cases.length === 1 ? limit + 2 : Number.POSITIVE_INFINITY;
  const found = await Promise.all(cases.map((each) => countSevereBy(each, field, { limit: most })));
  const merged = new Map<SevereValue['value'], RankedValue>();
  for (const [ofCase, values] of found.entries())
    for (const each of values) merged.set(each.value, merge(merged.get(each.value), withCase(each, ofCase)));
  merged.delete(undefined);
  const ranked = [...merged.values()];
  if (1 < cases.length) ranked.sort(compareRanks);
  return { values: ranked.slice(0, limit), hasMore: limit < ranked.length };
}

function withCase({ firstSevere, lastSevere, ...value }: SevereValue, ofCase: number): RankedValue {
  return {
    ...value,
    ...(firstSevere && { firstSevere: { ...firstSevere, ofCase } }),
    ...(lastSevere && { lastSevere: { ...lastSevere, ofCase } }),
  };
}

function merge(first: RankedValue | undefined, second: RankedValue): RankedValue {
  if (!first) return second;
  const firstSevere = earlier(first.firstSevere, second.firstSevere);
  const lastSevere = earlier(second.lastSevere, first.lastSevere);
  return {
    ...(second.value !== undefined && { value: second.value }),
    count: first.count + second.count,
    severe: first.severe + second.severe,
    ...(firstSevere && { firstSevere: firstSevere.log }),
    ...(lastSevere && { lastSevere: lastSevere.other }),
  };
}

/** Orders two logs by time; one alone is both. */
function earlier(
  first: SevereLog | undefined,
  second: SevereLog | undefined,
): { readonly log: SevereLog; readonly other: SevereLog } | undefined {
  if (!first || !second) {
    const only = first ?? second;
    return only && { log: only, other: only };
  }
  return second.time < first.time ? { log: second, other: first } : { log: first, other: second };
}

function compareRanks(first: RankedValue, second: RankedValue): number {
  const byCounts = second.severe - first.severe || second.count - first.count;
  if (byCounts !== 0 || first.value === undefined || second.value === undefined) return byCounts;
  return first.value < second.value ? -1 : 1;
}

/** Reads a log of one of the cases. */
export async function readSevereLog(
  cases: readonly Asked[],
  { ofCase, id }: SevereLog,
): Promise<Log | undefined> {
  const from = cases[ofCase];
  return from && (await readLog(from, id))?.log;
}
