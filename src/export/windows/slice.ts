import * as v from 'valibot';
import type { ExportRequest } from '../../protocol/index.ts';
import type { Log } from '../../records/log.ts';

/** The fields by which the logs of one millisecond are told apart, the most telling first. */
export const sliceFields = ['logLevel', 'logCode', 'source', 'username', 'serviceTypes'] as const;

export type SliceField = (typeof sliceFields)[number];

const clause = v.object({
  field: v.picklist(sliceFields),
  values: v.array(v.string()),
  /** Whether the field must have none of the values, instead of one of them. */
  not: v.boolean(),
});

/** What a log must hold to be in a slice. */
export type SliceClause = v.InferOutput<typeof clause>;

const slice = v.object({
  /** Whether its bounds are asked for as they are, without the millisecond around. */
  exact: v.boolean(),
  /** Which end of the order its logs come from. */
  order: v.picklist(['desc', 'asc']),
  clauses: v.array(clause),
});

/** What narrows a window besides its times. */
export type Slice = v.InferOutput<typeof slice>;

/** No narrowing. */
export const wholeSlice: Slice = { exact: false, order: 'desc', clauses: [] };

/** The slice of a window as the case keeps it. */
export function readSlice(text: string | undefined): Slice {
  return text === undefined ? wholeSlice : v.parse(slice, JSON.parse(text));
}

/** A slice as the case keeps it. */
export function writeSlice(each: Slice): string {
  return JSON.stringify(each);
}

/** Whether a window with this slice is for some of the logs of its times only. */
export function isPart(text: string | undefined): boolean {
  const { order, clauses } = readSlice(text);
  return order === 'asc' || 0 < clauses.length;
}

/** A clause in the search language. */
export function toQuery({ field, values, not }: SliceClause): string {
  const texts = values.map((value) => (field === 'logCode' ? value : `"${value.replace(/["\\]/g, '\\$&')}"`));
  const either = texts.length === 1 ? `${field}:${texts[0]}` : `${field}:(${texts.join(' OR ')})`;
  return not ? `NOT ${either}` : either;
}

/** A clause as a filter of the query form, which has no NOT and separates values by commas; undefined where it cannot say it. */
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

/** Values of a field that get a slice of their own at most; all others share one. */
const mostValues = 12;

/** The same where slices are asked for by filters, which cannot say "all others". */
export const mostFiltered = 40;

/** How often each value of each field was seen; `undefined` counts the logs without one. */
export type SeenValues = ReadonlyMap<SliceField, ReadonlyMap<string | undefined, number>>;

/**
 * The clauses that part the logs of a slice: one for each value of a field that
 * was seen, and one for all that have none of them, so that no log is in none.
 * The field is the one whose most frequent value is the least frequent: also
 * where only one was seen, others may be among the logs that did not come.
 * Undefined when no field is left.
 */
export function partingClauses(
  { clauses }: Slice,
  seen: SeenValues,
  most = mostValues,
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
    .slice(0, most);
  const { field } = best;
  return [...values.map((value) => ({ field, values: [value], not: false })), { field, values, not: true }];
}

/** How often each value of each field occurs. */
export function seenValues(logs: Iterable<Log>): SeenValues {
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
