import * as v from 'valibot';
import type { ExportChanges, StoredWindow } from '../../case/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import { resetWindow } from './window.ts';

/** Fields that tell apart the logs of one millisecond, the most selective first. */
export const sliceFields = ['logLevel', 'logCode', 'source', 'username', 'serviceTypes'] as const;

export type SliceField = (typeof sliceFields)[number];

const clause = v.object({
  field: v.picklist(sliceFields),
  values: v.array(v.string()),
  /** True if the field must have none of the values, false if one of them. */
  not: v.boolean(),
});

/** A condition on one field of the logs of a slice. */
export type SliceClause = v.InferOutput<typeof clause>;

const slice = v.object({
  /** True to request the bounds as they are, without a margin of a millisecond. */
  exact: v.boolean(),
  /** Sort order of the reply, and so the end that a truncated one shows. */
  order: v.picklist(['desc', 'asc']),
  clauses: v.array(clause),
});

/** Restriction of a window beyond its times. */
export type WindowSlice = v.InferOutput<typeof slice>;

/** No restriction. */
export const wholeSlice: WindowSlice = { exact: false, order: 'desc', clauses: [] };

/** Reads the slice of a window from its stored form. */
export function readSlice(text: string | undefined): WindowSlice {
  return text === undefined ? wholeSlice : v.parse(slice, JSON.parse(text));
}

/** Writes a slice in its stored form. */
export function writeSlice(each: WindowSlice): string {
  return JSON.stringify(each);
}

/** Returns whether a slice covers only some of the logs of its times. */
export function isPartialSlice(text: string | undefined): boolean {
  const { order, clauses } = readSlice(text);
  return order === 'asc' || 0 < clauses.length;
}

/** Writes a clause in the search language. */
export function toClauseQuery({ field, values, not }: SliceClause): string {
  const texts = values.map((value) => (field === 'logCode' ? value : `"${value.replace(/["\\]/g, '\\$&')}"`));
  const either = texts.length === 1 ? `${field}:${texts[0]}` : `${field}:(${texts.join(' OR ')})`;
  return not ? `NOT ${either}` : either;
}

/**
 * A clause as a filter of the query form; undefined if the form cannot express
 * it. The form has no NOT and separates values by commas.
 */
export function toFormFilter({ field, values, not }: SliceClause): Partial<ExportRequest> | undefined {
  if (not || values.length === 0) return undefined;
  if (field === 'logCode')
    return values.every((each) => /^\d{1,15}$/.test(each)) ? { logCodes: values.map(Number) } : undefined;
  const [value] = values;
  if (value === undefined || 1 < values.length || value.includes(',')) return undefined;
  switch (field) {
    case 'logLevel':
      return { logLevel: value };
    case 'source':
      return { source: value };
    case 'username':
      return { users: value };
    case 'serviceTypes':
      return { serviceTypes: value };
  }
}

/** Maximum number of values with a slice of their own; all others share one. */
const mostValues = 12;

/** The same for slices by filters, which cannot express "all others". */
export const maxFilterSlices = 40;

/** Number of logs with each value of each field; `undefined` counts the logs without one. */
export type FieldValueCounts = ReadonlyMap<SliceField, ReadonlyMap<string | undefined, number>>;

/**
 * Clauses that split a slice: one for each seen value of a field, and one for
 * all other logs.
 *
 * The chosen field is the one whose most frequent value is least frequent. A
 * field with one seen value qualifies too: logs that did not come may have
 * others. Undefined when no field is left.
 */
export function splitClauses(
  { clauses }: WindowSlice,
  seen: FieldValueCounts,
  max = mostValues,
): readonly SliceClause[] | undefined {
  const [best] = sliceFields
    .filter((field) => clauses.every((each) => each.field !== field || each.not))
    .map((field) => ({ field, counts: seen.get(field) ?? new Map<string | undefined, number>() }))
    .filter(({ counts }) => [...counts.keys()].some((value) => value !== undefined))
    .sort((a, b) => Math.max(...a.counts.values()) - Math.max(...b.counts.values()));
  if (!best) return undefined;
  const values = [...best.counts]
    .sort(([, a], [, b]) => b - a)
    .flatMap(([value]) => value ?? [])
    .slice(0, max);
  const { field } = best;
  return [...values.map((value) => ({ field, values: [value], not: false })), { field, values, not: true }];
}

/** Counts the values of each field. */
export function countFieldValues(logs: Iterable<Log>): FieldValueCounts {
  const seen = new Map<SliceField, Map<string | undefined, number>>();
  for (const log of logs) {
    for (const field of sliceFields) {
      const counts = seen.get(field) ?? new Map<string | undefined, number>();
      const value = log[field] === undefined ? undefined : String(log[field]);
      seen.set(field, counts.set(value, (counts.get(value) ?? 0) + 1));
    }
  }
  return seen;
}

/** Reason for logs that no filter of the query form selects. */
const unfiltered =
  'One millisecond holds more logs than two calls return, and no filter selects those whose values were not seen';

/**
 * Changes to split milliseconds by the query form from now on. It has no NOT, so
 * each seen value gets a slice of its own. Open slices are removed, and the
 * slice they came from is requested again.
 */
export function switchToFilterSlices(windows: readonly StoredWindow[]): ExportChanges {
  const open = windows.filter(
    ({ state, slice }) => state !== 'loaded' && state !== 'split' && 0 < readSlice(slice).clauses.length,
  );
  const origins = new Set(open.flatMap((each) => originOf(each, windows) ?? []));
  return { windows: [...origins].map(resetWindow), removed: open.map(({ window }) => window) };
}

/** The ascending slice that a slice was split from. */
function originOf({ oldest, newest, slice }: StoredWindow, windows: readonly StoredWindow[]) {
  const { clauses } = readSlice(slice);
  const wanted = JSON.stringify(clauses.slice(0, -1));
  return windows.find((each) => {
    const other = readSlice(each.slice);
    const isSameTime = each.oldest === oldest && each.newest === newest;
    return isSameTime && other.order === 'asc' && JSON.stringify(other.clauses) === wanted;
  });
}

/** Marks a slice that cannot be requested as loaded without logs. */
export function markUnrequestable(window: StoredWindow, now: number): StoredWindow {
  return {
    ...resetWindow(window),
    ...{ state: 'loaded', found: 0, logs: 0, records: 0, bytes: 0 },
    ...{ missing: 1, reason: unfiltered, updated: now },
  };
}

/** Returns whether the query form can express a slice. */
export function canFilterSlice(slice: string | undefined): boolean {
  return readSlice(slice).clauses.every((clause) => toFormFilter(clause) !== undefined);
}
