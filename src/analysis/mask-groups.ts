import { type Case, streamGroupBlocks } from '../case/index.ts';
import type { Filter } from '../language/index.ts';
import type { LogField } from '../records/index.ts';
import {
  type FieldRow,
  fieldEnd,
  fieldStart,
  forEachRow,
  type InternedBytes,
  integerIn,
  internBytes,
} from './group-blocks.ts';
import { createMasker, isAction, type Masker } from './mask-message.ts';

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
  /** Receives what was collected so far, and its number of logs, now and then. It grows on: to be read at once. */
  readonly onRead?: ((groups: MaskGroups, logs: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Masks the messages of the selected logs of some cases, and counts the logs of each mask by values and time. One
 * reading answers several questions: reading and masking takes longer than all of them. Logs with equal messages and
 * values come from the database as one row, so that a text is masked once for many logs.
 */
export async function collectMaskGroups(
  cases: readonly Case[],
  { filter, fields, partitions = [], tables = maskTables(fields), onRead, signal }: CollectOptions,
): Promise<MaskGroups> {
  const width = 1 + fields.length + partitions.length;
  const [first, last]: [number[], number[]] = [[], []];
  const groups = { ...tables, fields, partitions, groups: groupTable(width), first, last };
  const context = { into: groups, masker: createMasker(), key: new Int32Array(width) };
  const options = { fields: [...fields, 'msg'] as const, intervals: partitions, signal };
  let logs = 0;
  for (const from of cases)
    for await (const block of streamGroupBlocks(from, filter, options)) {
      forEachRow(block, (row) => {
        logs += addRow(block, row, context);
      });
      onRead?.(groups, logs);
    }
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

/** Adds the logs of a row: its fields, the message, their number, times and buckets. Returns their number. */
function addRow(block: Uint8Array, row: FieldRow, { into, masker, key }: Adding): number {
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
  const logs = integerIn(block, row, message + 1) ?? 0;
  groups.add(key, logs);
  if (0 < partitions.length) addTimes(block, row, { into, mask });
  return logs;
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
interface CountOptions {
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
    (partition) => partition.start === start && partition.length === length && partition.count === count,
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

/** The token of a template at which the merged masks differ. */
export const maskWildcard = '<*>';

/** Masks that were merged, and what they have in common. */
interface Merged {
  /** The text of each template: a mask, with `<*>` at each place where merged masks differ. */
  readonly templates: readonly string[];
  /** The template of each mask, by their indexes. */
  readonly templateOf: Int32Array;
}

/** A template under construction: its tokens and the masks that belong to it. */
interface Cluster {
  tokens: readonly string[];
  /** The sum of the hashes of its tokens, each with its position. */
  hash: number;
  readonly masks: number[];
}

/** Number of different words that makes a position a variable; fewer may be a choice that matters, as `started` and `stopped`. */
const fewestVariants = 6;

/** Names of operations and classes, as `GetFolders`, are values even where few are seen. */
const fewestIdentifiers = 2;

/** A word of several parts in camel case. The name of an exception tells kinds of failures apart, and is none. */
const identifier = /^(?!.*(?:Exception|Error)\b)[A-Z]?[a-z\d]+(?:[A-Z]+[a-z\d]+)+[.,;]?$/;

/** A variable first word is rarer: a name in front of what it did. */
const fewestFirstVariants = 12;

/** The share of a template that has to stay literal, as in Drain (He et al., 2017). */
const leastLiteral = 0.4;

/** Masks with two variable words are merged word by word; more rounds find nothing new in practice. */
const rounds = 4;

/**
 * Merges masks of equal length that differ in one word, where many different
 * words are seen there. Deterministic: the result depends on the set of masks
 * alone, not on their order or number.
 */
export function mergeMasks(masks: readonly string[]): Merged {
  const byForm = new Map<string, number[]>();
  for (const [index, mask] of masks.entries()) {
    const form = formOf(mask);
    const known = byForm.get(form) ?? [];
    byForm.set(form, known);
    known.push(index);
  }
  const clusters = [...byForm].map(([form, indexes]): Cluster => toCluster(maskTokens(form), indexes));
  const byLength = new Map<number, Cluster[]>();
  for (const cluster of clusters) listIn(byLength, cluster.tokens.length).push(cluster);
  const merged = [...byLength.values()].flatMap(mergeRounds);
  const templateOf = new Int32Array(masks.length);
  for (const [template, cluster] of merged.entries())
    for (const mask of cluster.masks) templateOf[mask] = template;
  return { templates: merged.map((cluster) => templateOfCluster(cluster, masks)), templateOf };
}

/** The sign for a value of any kind: kinds such as `<number>` and `<hex>` differ by chance, and tell no messages apart. */
const anyValue = '<_>';

const valueMask = /<(?:\*|uuid|url|email|date|time|ip|hex|host|path|id|number|text)>/g;

/** A mask without the kinds of its values; the mask itself if it has no word. */
function formOf(mask: string): string {
  const form = mask.replace(valueMask, anyValue);
  return /\p{L}/u.test(form.replaceAll(anyValue, '')) ? form : mask;
}

/** The template of a cluster: its words, with the kinds of the values in which all its masks agree. */
function templateOfCluster({ tokens, masks: indexes }: Cluster, masks: readonly string[]): string {
  const shown: (string | undefined)[] = [...tokens];
  for (const [at, index] of indexes.entries())
    for (const [position, token] of maskTokens(masks[index] ?? '').entries()) {
      if (tokens[position] === maskWildcard) continue;
      if (at === 0) shown[position] = token;
      else if (shown[position] !== token)
        shown[position] = tokens[position]?.replaceAll(anyValue, maskWildcard);
    }
  return shown.join(' ');
}

/** The form of a template, by which it is the same in every case: all its values are of any kind. */
export function templateForm(template: string): string {
  return template.replace(valueMask, maskWildcard);
}

/** A value behind a label and in front of another one, as in `user: Anonymous user, Service: a/b`, or a word. */
const token = /(?<=[^ ]: )[^ ,:][^,:]*,(?= [^ ]+:(?: |$))|[^ ]+/g;

/** Splits a mask or a template into its words; a value between two labels is one, whatever blanks it has. */
export function maskTokens(mask: string): readonly string[] {
  return mask.match(token) ?? [''];
}

function toCluster(tokens: readonly string[], masks: number[]): Cluster {
  return {
    tokens,
    hash: tokens.reduce((sum, token, position) => add(sum, hashAt(token, position)), 0),
    masks,
  };
}

/** Merges the clusters of one length until nothing more is merged. */
function mergeRounds(all: readonly Cluster[]): readonly Cluster[] {
  let clusters = all;
  for (let round = 0; round < rounds; round++) {
    const next = mergeOnce(clusters);
    if (next.length === clusters.length) return next;
    clusters = next;
  }
  return clusters;
}

function mergeOnce(clusters: readonly Cluster[]): readonly Cluster[] {
  const length = clusters[0]?.tokens.length ?? 0;
  if (length < 2 || clusters.length < 2) return clusters;
  const candidates = Array.from({ length }, (_, position) => groupsAt(clusters, position)).flat();
  candidates.sort(
    (first, second) => second.members.length - first.members.length || compare(first.key, second.key),
  );
  const taken = new Set<Cluster>();
  const merged: Cluster[] = [];
  for (const { position, members } of candidates) {
    const free = members.filter((member) => !taken.has(member));
    if (!isVariable(free, position)) continue;
    for (const member of free) taken.add(member);
    merged.push(join(free, position));
  }
  return [...clusters.filter((cluster) => !taken.has(cluster)), ...merged];
}

/** Clusters that are equal but for one position. */
interface Group {
  readonly position: number;
  /** Their tokens with the wildcard at the position. */
  readonly key: string;
  readonly members: readonly Cluster[];
}

function groupsAt(clusters: readonly Cluster[], position: number): readonly Group[] {
  const byRest = new Map<number, Cluster[]>();
  for (const cluster of clusters) {
    if (isKind(cluster.tokens[position] ?? '')) continue;
    const rest = add(cluster.hash, modulus - hashAt(cluster.tokens[position] ?? '', position));
    listIn(byRest, rest).push(cluster);
  }
  return [...byRest.values()]
    .filter((members) => isVariable(members, position))
    .map((members) => ({ position, key: keyOf(members[0], position), members }));
}

function keyOf(cluster: Cluster | undefined, position: number): string {
  return cluster ? cluster.tokens.with(position, maskWildcard).join(' ') : '';
}

function isVariable(members: readonly Cluster[], position: number): boolean {
  const [first] = members;
  if (!first || members.length < 2) return false;
  const literal = first.tokens.filter((token, index) => index !== position && token !== maskWildcard).length;
  if (literal < leastLiteral * first.tokens.length || !isSameRest(members, position)) return false;
  const variants = new Set(members.map(({ tokens }) => tokens[position]));
  return variants.has(maskWildcard) || fewestAt(first.tokens, position, [...variants]) <= variants.size;
}

/** Answers of `isAction` by word: the same words come with every template. */
const kinds = new Map<string, boolean>();

/** Returns if a word is one for an act or a state, which is never a variable. */
function isKind(word: string): boolean {
  const known = kinds.get(word);
  if (known !== undefined) return known;
  // Enough for the words of any deployment.
  if (100_000 < kinds.size) kinds.clear();
  const is = isAction(word);
  kinds.set(word, is);
  return is;
}

/** Returns how many different words make a place variable. */
function fewestAt(
  tokens: readonly string[],
  position: number,
  variants: readonly (string | undefined)[],
): number {
  if (variants.every((word = '') => valueOnly.test(withoutKey(word))) && haveOneKey(variants)) return 2;
  if (position === 0) return fewestFirstVariants;
  if (isNamed(tokens, position)) return 2;
  if (variants.every((word = '') => nameWithNumber.test(word))) return fewestNumbered;
  return variants.every((word = '') => identifier.test(word)) ? fewestIdentifiers : fewestVariants;
}

/** A word of masks and signs alone, or one for nothing: it says nothing about the kind of a message. */
const valueOnly = /^(?:[^\p{L}\p{N}]*<[a-z*_]+>)+[^\p{L}\p{N}]*$|^(?:\(\)|-|\(?null\)?|\(?none\)?)[,;.]?$/u;

/** A name in front of its value, as in `uid=<number>`. */
const keyOfValue = /^[\w.-]+=/;

function withoutKey(word: string): string {
  return word.replace(keyOfValue, '');
}

function haveOneKey(words: readonly (string | undefined)[]): boolean {
  return new Set(words.map((word = '') => keyOfValue.exec(word)?.[0])).size === 1;
}

/** A name with a number in it, as in `node_A<number>`. */
const nameWithNumber = /\p{L}.*<_>/u;
const fewestNumbered = 3;

/** Returns if the words before a position announce a name: `for user ann`, `user: ann,`. */
function isNamed(tokens: readonly string[], position: number): boolean {
  const [before = '', last = ''] = [tokens[position - 2], tokens[position - 1]];
  return /^(?:for|by|of|from|to)$/i.test(before) ? /^(?:users?|host|account)$/i.test(last) : label.test(last);
}

const label = /^(?:user|username|account|owner|service|source|host|machine|item|layer|folder|file):$/i;

/** Guards against equal hashes of different texts. */
function isSameRest(members: readonly Cluster[], position: number): boolean {
  const [first] = members;
  return members.every(({ tokens }) =>
    tokens.every((token, index) => index === position || token === first?.tokens[index]),
  );
}

function join(members: readonly Cluster[], position: number): Cluster {
  const tokens = (members[0]?.tokens ?? []).with(position, maskWildcard);
  return toCluster(
    tokens,
    members.flatMap(({ masks }) => masks),
  );
}

/** Hashes are added below this, so that one can be taken out again. */
const modulus = 2 ** 48;

function add(first: number, second: number): number {
  return (first + second) % modulus;
}

/** A hash of 48 bits of a token and its position. */
function hashAt(token: string, position: number): number {
  let [high, low] = [0x811c9dc5 ^ position, 0x1b873593 + position];
  for (let index = 0; index < token.length; index++) {
    const code = token.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 13);
  }
  return (high >>> 0) * 2 ** 16 + (low >>> 16);
}

function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

function listIn<K>(map: Map<K, Cluster[]>, key: K): Cluster[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
