import * as v from 'valibot';
import type { ExportChanges, StoredWindow, WindowState } from '../../case/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';

/** An interval of time with both ends included, in milliseconds since the epoch. */
export interface Window {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Lower end of a window without a lower bound: the earliest time possible. It is
 * never sent to a deployment.
 */
export const openStart = -8_640_000_000_000_000;

/** No window is cut before this time: no such logs exist, and a deployment may reject such times. */
export const earliestCut = 0;

/** Length of a window in milliseconds. */
export function windowLength({ oldest, newest }: Window): number {
  return newest - oldest + 1;
}

/** Returns whether a window contains a time. */
export function containsTime({ oldest, newest }: Window, time: number): boolean {
  return oldest <= time && time <= newest;
}

/** Subtracts other windows from one; the remaining parts come newest first. */
export function subtractWindows(window: Window, others: readonly Window[]): readonly Window[] {
  let left: readonly Window[] = [window];
  for (const other of others) left = left.flatMap((window) => cut(window, other));
  return [...left].sort((a, b) => b.newest - a.newest);
}

function cut({ oldest, newest }: Window, other: Window): Window[] {
  if (other.newest < oldest || newest < other.oldest) return [{ oldest, newest }];
  return [
    { oldest, newest: other.oldest - 1 },
    { oldest: other.newest + 1, newest },
  ].filter((piece) => piece.oldest <= piece.newest);
}

/** Rounds a time down to a multiple of `step`. */
export function floorTo(time: number, step: number): number {
  return Math.floor(time / step) * step;
}

/** Rounds a time up to a multiple of `step`. */
export function ceilTo(time: number, step: number): number {
  return Math.ceil(time / step) * step;
}

/** Returns whether a window begins and ends at whole steps. */
export function isAligned({ oldest, newest }: Window, step: number): boolean {
  return oldest % step === 0 && (newest + 1) % step === 0;
}

/** Prepares a window for a new run: one that was given up is planned again. */
export function reviveWindow(window: StoredWindow): StoredWindow {
  if (window.state === 'failed') return resetWindow({ ...window, attempts: 0 });
  return window;
}

/** Resets a window to be requested again. */
export function resetWindow({
  window,
  export: exportNumber,
  oldest,
  newest,
  slice,
  expected,
  attempts,
  logs,
  updated,
}: StoredWindow): StoredWindow {
  return {
    window,
    export: exportNumber,
    oldest,
    newest,
    state: 'planned' as const,
    attempts,
    updated,
    // Logs of earlier replies stay in the case and are not added again.
    ...(logs !== undefined && { logs }),
    ...(slice !== undefined && { slice }),
    ...(expected !== undefined && { expected }),
  };
}

/** States of a window whose job is known and whose logs are not in the case yet. */
export const underWayStates: ReadonlySet<WindowState> = new Set(['submitted', 'ready', 'fetched']);

/** Longest halved interval, in milliseconds: a window without a lower bound has no middle. */
const longestHalf = 2 * 86_400_000;

/** Reason for giving up a window, and the number of a new window for its older half. */
export interface GiveUpReason {
  readonly reason: string;
  readonly attempts: number;
  readonly number: number;
}

/** Marks a window as failed for this run. */
export function giveUpWindow(
  window: StoredWindow,
  { reason, attempts }: Omit<GiveUpReason, 'number'>,
): StoredWindow {
  return { ...resetWindow(window), state: 'failed', attempts, reason };
}

/**
 * Halves a window whose zip stays damaged: the newer half is given up, the older
 * one planned, because one damaged zip says nothing about older times. Undefined
 * for a window that cannot be halved.
 */
export function giveUpNewerHalf(
  window: StoredWindow,
  { reason, attempts, number }: GiveUpReason,
): readonly [StoredWindow, StoredWindow] | undefined {
  if (windowLength(window) < 2 || window.slice !== undefined) return undefined;
  const middle = window.newest + 1 - Math.floor(Math.min(windowLength(window), longestHalf) / 2);
  const { expected: _, logs, ...fresh } = resetWindow({ ...window, attempts: 0 });
  return [
    { ...fresh, ...(logs !== undefined && { logs }), oldest: middle, state: 'failed', attempts, reason },
    { ...fresh, window: number, newest: middle - 1 },
  ];
}

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
export function writeSlice(slice: WindowSlice): string {
  return JSON.stringify(slice);
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
    return values.every((value) => /^\d{1,15}$/.test(value)) ? { logCodes: values.map(Number) } : undefined;
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
 * The chosen field is one that all seen logs have, if there is one, and that did
 * not split them before; then the one whose most frequent value is least frequent.
 * A field with one seen value qualifies too: logs that did not come may have
 * others. Undefined when no field is left.
 */
export function splitClauses(
  { clauses }: WindowSlice,
  seen: FieldValueCounts,
  max = mostValues,
): readonly SliceClause[] | undefined {
  const [best] = sliceFields
    .filter((field) => clauses.every((clause) => clause.field !== field || clause.not))
    .map((field) => ({ field, counts: seen.get(field) ?? new Map<string | undefined, number>() }))
    .filter(({ counts }) => [...counts.keys()].some((value) => value !== undefined))
    .map((candidate) => ({ ...candidate, rank: rankOf(candidate.field, candidate.counts) }))
    .sort((a, b) => a.rank - b.rank || Math.max(...a.counts.values()) - Math.max(...b.counts.values()));
  if (!best) return undefined;

  /** Lower for a better field: logs without it would all be in one slice, as would those of unseen values. */
  function rankOf(field: SliceField, counts: ReadonlyMap<string | undefined, number>): number {
    return (clauses.some((clause) => clause.field === field) ? 2 : 0) + (counts.has(undefined) ? 1 : 0);
  }

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
  const origins = new Set(open.flatMap((window) => originOf(window, windows) ?? []));
  return { windows: [...origins].map(resetWindow), removed: open.map(({ window }) => window) };
}

/** The ascending slice that a slice was split from. */
function originOf({ oldest, newest, slice }: StoredWindow, windows: readonly StoredWindow[]) {
  const { clauses } = readSlice(slice);
  const originClauses = JSON.stringify(clauses.slice(0, -1));
  return windows.find((window) => {
    const other = readSlice(window.slice);
    const isSameTime = window.oldest === oldest && window.newest === newest;
    return isSameTime && other.order === 'asc' && JSON.stringify(other.clauses) === originClauses;
  });
}

/** Marks a slice that cannot be requested as loaded without logs. */
export function markUnrequestable(window: StoredWindow, now: number): StoredWindow {
  return {
    ...resetWindow(window),
    state: 'loaded',
    found: 0,
    logs: 0,
    records: 0,
    bytes: 0,
    missing: 1,
    reason: unfiltered,
    updated: now,
  };
}

/** Returns whether the query form can express a slice. */
export function canFilterSlice(slice: string | undefined): boolean {
  return readSlice(slice).clauses.every((clause) => toFormFilter(clause) !== undefined);
}
