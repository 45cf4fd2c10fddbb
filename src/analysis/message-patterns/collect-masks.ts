import type { Filter } from '../../meaning/filter.ts';
import type { LogField } from '../../records/log.ts';
import { type Case, streamFieldBlocks } from '../../store/index.ts';
import { decimalAt, type FieldRow, fieldRange, forEachRow } from '../field-rows.ts';
import { type InternedBytes, internBytes } from './interned-bytes.ts';
import { createMasker, type Masker } from './mask-message.ts';

/** The intervals of time in which logs are counted; logs outside are counted in none. */
export interface Buckets {
  /** The begin of the first, and the length of each: milliseconds. */
  readonly start: number;
  readonly length: number;
  readonly count: number;
}

/** The logs of one mask. */
export interface MaskCounts {
  logs: number;
  /** Times of the first and the last log: milliseconds since the epoch; infinite where none has a time. */
  first: number;
  last: number;
  /** For each counted field the logs by the number of their value; the value of a log without one is empty. */
  readonly values: readonly Map<number, number>[];
  readonly buckets: Uint32Array;
}

/** Numbers of masks and values. Collections that share them can be compared. */
export interface MaskTables {
  readonly masks: InternedBytes;
  /** The values of each counted field. */
  readonly values: readonly InternedBytes[];
}

/** All masks of some logs, and the values of the counted fields. */
export interface CollectedMasks extends MaskTables {
  /** The counts of each mask by its number; absent for a mask of another collection with the same tables. */
  readonly counts: readonly (MaskCounts | undefined)[];
}

/** The logs to collect masks of. */
export interface CollectOptions {
  readonly filter: Filter;
  readonly buckets: Buckets;
  /** The fields whose values are counted. */
  readonly fields: readonly CountedField[];
  /** The tables of another collection with the same fields. */
  readonly tables?: MaskTables;
  readonly signal?: AbortSignal | undefined;
}

/** A field whose values can be counted. */
export type CountedField = Exclude<LogField, 'time' | 'msg'>;

/** Masks the messages of the selected logs of some cases, and counts the logs of each mask. */
export async function collectMasks(
  cases: readonly Case[],
  { filter, buckets, fields, tables = maskTables(fields), signal }: CollectOptions,
): Promise<CollectedMasks> {
  const collected = { ...tables, counts: [] as (MaskCounts | undefined)[] };
  const masker = createMasker();
  const columns = ['time', ...fields, 'msg'] as const;
  for (const from of cases)
    for await (const block of streamFieldBlocks(from, filter, { fields: columns, signal }))
      forEachRow(block, (row) => countRow(block, row, { collected, masker, buckets }));
  return collected;
}

/** Empty tables for masks and the values of some fields. */
export function maskTables(fields: readonly CountedField[]): MaskTables {
  return { masks: internBytes(), values: fields.map(() => internBytes()) };
}

/** Input for counting the rows of a block. */
interface Counting {
  readonly collected: CollectedMasks & { readonly counts: (MaskCounts | undefined)[] };
  readonly masker: Masker;
  readonly buckets: Buckets;
}

function countRow(
  block: Uint8Array,
  row: FieldRow,
  { collected: { masks, values, counts }, masker, buckets }: Counting,
): void {
  const [message = row.end] = fieldRange(row, values.length + 1);
  const mask = masker.mask(block, message, row.end);
  const number = masks.intern(mask, 0, mask.length);
  const counted = counts[number] ?? emptyCounts(values.length, buckets.count);
  counts[number] = counted;
  counted.logs++;
  for (const [field, table] of values.entries()) {
    const value = table.intern(block, ...fieldRange(row, field + 1));
    const logs = counted.values[field];
    if (logs) increment(logs, value);
  }
  countTime(counted, decimalAt(block, ...fieldRange(row, 0)), buckets);
}

function countTime(counted: MaskCounts, time: number | undefined, buckets: Buckets): void {
  if (time === undefined) return;
  if (time < counted.first) counted.first = time;
  if (counted.last < time) counted.last = time;
  const bucket = Math.floor((time - buckets.start) / buckets.length);
  if (0 <= bucket && bucket < buckets.count) counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + 1;
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

function increment(counts: Map<number, number>, value: number, by = 1): void {
  counts.set(value, (counts.get(value) ?? 0) + by);
}
