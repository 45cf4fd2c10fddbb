import { type Case, streamGroupBlocks } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
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

/** Numbers of logs by keys of several whole numbers. */
interface GroupTable {
  /** Adds logs to the group of a key, which is copied. */
  readonly add: (key: Int32Array, logs: number) => void;
  /** The number of groups. */
  readonly size: () => number;
  /** A number of the key of a group. */
  readonly keyAt: (group: number, column: number) => number;
  readonly logsAt: (group: number) => number;
}

/** Creates an empty table whose keys have `width` numbers. They are in one array: as many objects would be slow. */
function groupTable(width: number): GroupTable {
  let [keys, logs] = [new Int32Array(1024 * width), new Float64Array(1024)];
  let size = 0;
  // Open addressing over groups + 1; 0 is free.
  let slots = new Int32Array(4096);

  function isKey(group: number, key: Int32Array): boolean {
    for (let column = 0; column < width; column++)
      if (keys[group * width + column] !== key[column]) return false;
    return true;
  }

  function grow(): void {
    [keys, logs] = [
      enlarged(keys, new Int32Array(2 * keys.length)),
      enlarged(logs, new Float64Array(2 * size)),
    ];
    slots = new Int32Array(2 * slots.length);
    for (let group = 0; group < size; group++) {
      let slot = hashOf(keys.subarray(group * width, (group + 1) * width)) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = group + 1;
    }
  }

  function add(key: Int32Array, more: number): void {
    for (let slot = hashOf(key) & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const group = (slots[slot] ?? 0) - 1;
      if (group === -1) {
        slots[slot] = size + 1;
        keys.set(key, size * width);
        logs[size++] = more;
        if (size === logs.length) grow();
        return;
      }
      if (isKey(group, key)) {
        logs[group] = (logs[group] ?? 0) + more;
        return;
      }
    }
  }

  return {
    add,
    size: () => size,
    keyAt: (group, column) => keys[group * width + column] ?? 0,
    logsAt: (group) => logs[group] ?? 0,
  };
}

/** A hash of 32 bits; the last steps spread small numbers over all bits. */
function hashOf(key: Int32Array): number {
  let hash = 0x811c9dc5;
  for (let column = 0; column < key.length; column++) {
    hash = Math.imul(hash ^ (key[column] ?? 0), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** Copies the items into a longer array. */
function enlarged<A extends Int32Array | Float64Array>(items: A, longer: A): A {
  longer.set(items);
  return longer;
}
