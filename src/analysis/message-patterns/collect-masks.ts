import type { Filter } from '../../meaning/filter.ts';
import type { LogField } from '../../records/log.ts';
import { type Case, streamGroupBlocks } from '../../store/index.ts';
import { type FieldRow, fieldEnd, fieldStart, forEachRow, integerIn } from '../field-rows.ts';
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
  /** Times of the first and the last log: milliseconds since the epoch; infinite without times or buckets. */
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
  /** Default: none, and no times. */
  readonly buckets?: Buckets;
  /** The fields whose values are counted. */
  readonly fields: readonly CountedField[];
  /** The tables of another collection with the same fields. */
  readonly tables?: MaskTables;
  readonly signal?: AbortSignal | undefined;
}

/** A field whose values can be counted. */
export type CountedField = Exclude<LogField, 'time' | 'msg'>;

/**
 * Masks the messages of the selected logs of some cases, and counts the logs of each mask. Logs with equal messages and
 * values come from the database as one row, so that a text is masked once for many logs.
 */
export async function collectMasks(
  cases: readonly Case[],
  { filter, buckets, fields, tables = maskTables(fields), signal }: CollectOptions,
): Promise<CollectedMasks> {
  const collected = { ...tables, counts: [] as (MaskCounts | undefined)[] };
  const masker = createMasker();
  const options = { fields: [...fields, 'msg'] as const, interval: buckets, signal };
  for (const from of cases)
    for await (const block of streamGroupBlocks(from, filter, options))
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
  readonly buckets: Buckets | undefined;
}

/** Counts the logs of a row: its fields, the message, and their number. */
function countRow(
  block: Uint8Array,
  row: FieldRow,
  { collected: { masks, values, counts }, masker, buckets }: Counting,
): void {
  const message = values.length;
  const mask = masker.mask(block, fieldStart(row, message), fieldEnd(row, message));
  const number = masks.intern(mask, 0, mask.length);
  const counted = counts[number] ?? emptyCounts(values.length, buckets?.count ?? 0);
  counts[number] = counted;
  const logs = integerIn(block, row, message + 1) ?? 0;
  counted.logs += logs;
  for (const [field, table] of values.entries()) {
    const logsOfValue = counted.values[field];
    const value = table.intern(block, fieldStart(row, field), fieldEnd(row, field));
    if (logsOfValue) increment(logsOfValue, value, logs);
  }
  if (buckets) countTimes(counted, logs, timesAt(block, row, message + 2));
}

/** First and last time of the logs of a row, and their bucket. */
interface RowTimes {
  readonly first: number;
  readonly last: number;
  readonly bucket: number;
}

function timesAt(block: Uint8Array, row: FieldRow, field: number): RowTimes | undefined {
  const first = integerIn(block, row, field);
  const last = integerIn(block, row, field + 1);
  const bucket = integerIn(block, row, field + 2);
  return first === undefined || last === undefined || bucket === undefined
    ? undefined
    : { first, last, bucket };
}

function countTimes(counted: MaskCounts, logs: number, times: RowTimes | undefined): void {
  if (!times) return;
  counted.first = Math.min(counted.first, times.first);
  counted.last = Math.max(counted.last, times.last);
  const { buckets } = counted;
  if (0 <= times.bucket && times.bucket < buckets.length)
    buckets[times.bucket] = (buckets[times.bucket] ?? 0) + logs;
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
