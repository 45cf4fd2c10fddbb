import type { Buckets, CountedField, MaskGroups, MaskTables } from './collect-mask-groups.ts';

/** The logs of one mask. */
export interface MaskCounts {
  logs: number;
  /** Times of the first and the last log: milliseconds since the epoch; infinite without times or buckets. */
  first: number;
  last: number;
  /** For each counted field the logs by the number of their value; the value of a log without one is empty. */
  readonly values: readonly Map<number, number>[];
  readonly buckets: Uint32Array;
}

/** Masks with their counts, and the values of the counted fields. */
export interface CountedMasks extends MaskTables {
  /** The counts of each mask by its number; absent for a mask without logs. */
  readonly counts: readonly (MaskCounts | undefined)[];
}

/** The counts to make. */
export interface CountOptions {
  /** Some of the fields of the groups. */
  readonly fields: readonly CountedField[];
  /** One of the partitions of the groups. Default: none, and no times. */
  readonly buckets?: Buckets | undefined;
  /** Only logs in these buckets of that partition: from one up to, not including, another. */
  readonly within?: { readonly from: number; readonly to: number };
}

/** Counts the logs of each mask. Throws if the groups lack a field or the partition. */
export function countMasks(of: MaskGroups, { fields, buckets, within }: CountOptions): CountedMasks {
  const columns = fields.map((field) => columnOf(of.fields.indexOf(field), 1));
  const time = buckets && columnOf(partitionOf(of, buckets), 1 + of.fields.length);
  const counts: MaskCounts[] = [];
  for (let group = 0; group < of.groups.size(); group++) {
    const bucket = time === undefined ? -1 : of.groups.keyAt(group, time);
    if (within && !(within.from <= bucket && bucket < within.to)) continue;
    const [mask, logs] = [of.groups.keyAt(group, 0), of.groups.logsAt(group)];
    const counted = counts[mask] ?? emptyCounts(columns.length, buckets?.count ?? 0);
    counts[mask] = counted;
    counted.logs += logs;
    for (const [field, column] of columns.entries()) {
      const ofValue = counted.values[field];
      if (ofValue) increment(ofValue, of.groups.keyAt(group, column), logs);
    }
    if (0 <= bucket) counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + logs;
  }
  if (buckets && !within) setTimes(counts, of);
  return { masks: of.masks, values: fields.map((field) => tableOf(of, field)), counts };
}

function columnOf(index: number, firstColumn: number): number {
  if (index === -1) throw new Error('The groups of masks lack a field or a partition');
  return firstColumn + index;
}

function partitionOf({ partitions }: MaskGroups, { start, length, count }: Buckets): number {
  return partitions.findIndex(
    (each) => each.start === start && each.length === length && each.count === count,
  );
}

function tableOf({ fields, values }: MaskGroups, field: CountedField): MaskTables['values'][number] {
  const table = values[fields.indexOf(field)];
  if (!table) throw new Error(`The groups of masks lack the field "${field}"`);
  return table;
}

function setTimes(counts: readonly (MaskCounts | undefined)[], { first, last }: MaskGroups): void {
  for (const [mask, counted] of counts.entries()) {
    if (!counted) continue;
    counted.first = first[mask] ?? Number.POSITIVE_INFINITY;
    counted.last = last[mask] ?? Number.NEGATIVE_INFINITY;
  }
}

function emptyCounts(fields: number, buckets: number): MaskCounts {
  return {
    logs: 0,
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
    values: Array.from({ length: fields }, () => new Map()),
    buckets: new Uint32Array(buckets),
  };
}

/** Adds the counts of one mask to those of others. */
export function addCounts(into: MaskCounts, from: MaskCounts): void {
  into.logs += from.logs;
  into.first = Math.min(into.first, from.first);
  into.last = Math.max(into.last, from.last);
  for (const [field, counts] of into.values.entries())
    for (const [value, logs] of from.values[field] ?? []) increment(counts, value, logs);
  for (const [bucket, logs] of from.buckets.entries())
    into.buckets[bucket] = (into.buckets[bucket] ?? 0) + logs;
}

function increment(counts: Map<number, number>, value: number, by: number): void {
  counts.set(value, (counts.get(value) ?? 0) + by);
}
