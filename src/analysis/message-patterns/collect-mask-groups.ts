import { type Case, streamGroupBlocks } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
import { type FieldRow, fieldEnd, fieldStart, forEachRow, integerIn } from '../field-rows.ts';
import { type GroupTable, groupTable } from './group-table.ts';
import { type InternedBytes, internBytes } from './interned-bytes.ts';
import { createMasker, type Masker } from './mask-message.ts';

/** The intervals of time in which logs are counted; logs outside are counted in none. */
export interface Buckets {
  /** The begin of the first, and the length of each: milliseconds. */
  readonly start: number;
  readonly length: number;
  readonly count: number;
}

/** A field whose values can be counted. */
export type CountedField = Exclude<LogField, 'time' | 'msg'>;

/** Numbers of masks and values. Collections that share them can be compared. */
export interface MaskTables {
  readonly masks: InternedBytes;
  /** The values of each counted field. */
  readonly values: readonly InternedBytes[];
}

/** The logs of some cases by their masks, the values of some fields, and their buckets of time. */
export interface MaskGroups extends MaskTables {
  readonly fields: readonly CountedField[];
  readonly partitions: readonly Buckets[];
  /** Keys: the mask, the value of each field, and the bucket of each partition, -1 for none. */
  readonly groups: GroupTable;
  /** Times of the first and last log of each mask: milliseconds since the epoch; absent without partitions or times. */
  readonly first: readonly (number | undefined)[];
  readonly last: readonly (number | undefined)[];
}

/** The logs to collect. */
export interface CollectOptions {
  readonly filter: Filter;
  /** The fields whose values are counted. */
  readonly fields: readonly CountedField[];
  /** Partitions of the time. Default: none, and no times. */
  readonly partitions?: readonly Buckets[];
  /** The tables of another collection with the same fields. */
  readonly tables?: MaskTables;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Masks the messages of the selected logs of some cases, and counts the logs of each mask by values and time. One
 * reading answers several questions: reading and masking takes longer than all of them. Logs with equal messages and
 * values come from the database as one row, so that a text is masked once for many logs.
 */
export async function collectMaskGroups(
  cases: readonly Case[],
  { filter, fields, partitions = [], tables = maskTables(fields), signal }: CollectOptions,
): Promise<MaskGroups> {
  const width = 1 + fields.length + partitions.length;
  const [first, last]: [number[], number[]] = [[], []];
  const groups = { ...tables, fields, partitions, groups: groupTable(width), first, last };
  const context = { into: groups, masker: createMasker(), key: new Int32Array(width) };
  const options = { fields: [...fields, 'msg'] as const, intervals: partitions, signal };
  for (const from of cases)
    for await (const block of streamGroupBlocks(from, filter, options))
      forEachRow(block, (row) => addRow(block, row, context));
  return groups;
}

/** Empty tables for masks and the values of some fields. */
export function maskTables(fields: readonly CountedField[]): MaskTables {
  return { masks: internBytes(), values: fields.map(() => internBytes()) };
}

/** Input for adding the rows of a block. The key is overwritten by each row. */
interface Adding {
  readonly into: MaskGroups & { readonly first: number[]; readonly last: number[] };
  readonly masker: Masker;
  readonly key: Int32Array;
}

/** Adds the logs of a row: its fields, the message, their number, times and buckets. */
function addRow(block: Uint8Array, row: FieldRow, { into, masker, key }: Adding): void {
  const { masks, values, partitions, groups } = into;
  const message = values.length;
  const bytes = masker.mask(block, fieldStart(row, message), fieldEnd(row, message));
  const mask = masks.intern(bytes, 0, bytes.length);
  key[0] = mask;
  for (let field = 0; field < message; field++)
    key[1 + field] = values[field]?.intern(block, fieldStart(row, field), fieldEnd(row, field)) ?? 0;
  for (let index = 0; index < partitions.length; index++) {
    const bucket = integerIn(block, row, message + 4 + index) ?? -1;
    key[1 + message + index] = 0 <= bucket && bucket < (partitions[index]?.count ?? 0) ? bucket : -1;
  }
  groups.add(key, integerIn(block, row, message + 1) ?? 0);
  if (0 < partitions.length) addTimes(block, row, { into, mask });
}

function addTimes(
  block: Uint8Array,
  row: FieldRow,
  { into: { first, last, values }, mask }: Pick<Adding, 'into'> & { readonly mask: number },
): void {
  const from = integerIn(block, row, values.length + 2);
  const to = integerIn(block, row, values.length + 3);
  if (from === undefined || to === undefined) return;
  first[mask] = Math.min(first[mask] ?? from, from);
  last[mask] = Math.max(last[mask] ?? to, to);
}
