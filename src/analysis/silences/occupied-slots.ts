import type { SourceSlot } from '../../case/index.ts';

/** A slot of time with logs of a source. Times are milliseconds since the epoch. */
export interface OccupiedSlot {
  readonly slot: number;
  count: number;
  first: number;
  last: number;
}

/** The slots of a source with logs, in order of time, and sums over them. */
export interface SourceActivity {
  /** Absent for all sources together. */
  readonly source?: string;
  readonly slots: readonly OccupiedSlot[];
  /** Logs in the first n slots at index n. */
  readonly sums: Float64Array;
}

/** Joins the slots of several cases by source, and those of all sources. */
export function activityOf(slots: readonly SourceSlot[]): {
  readonly all: SourceActivity;
  readonly sources: readonly SourceActivity[];
} {
  const bySource = new Map<string, Map<number, OccupiedSlot>>();
  const all = new Map<number, OccupiedSlot>();
  for (const { source, ...slot } of slots) {
    const own = bySource.get(source) ?? new Map<number, OccupiedSlot>();
    bySource.set(source, own);
    addSlot(own, slot);
    addSlot(all, slot);
  }
  return {
    all: toActivity(all),
    sources: [...bySource].map(([source, own]) => ({ source, ...toActivity(own) })),
  };
}

function addSlot(into: Map<number, OccupiedSlot>, slot: OccupiedSlot): void {
  const known = into.get(slot.slot);
  if (!known) into.set(slot.slot, { ...slot });
  else {
    known.count += slot.count;
    known.first = Math.min(known.first, slot.first);
    known.last = Math.max(known.last, slot.last);
  }
}

function toActivity(found: ReadonlyMap<number, OccupiedSlot>): SourceActivity {
  const slots = [...found.values()].sort((first, second) => first.slot - second.slot);
  const sums = new Float64Array(slots.length + 1);
  for (const [index, { count }] of slots.entries()) sums[index + 1] = (sums[index] ?? 0) + count;
  return { slots, sums };
}

/** Logs in slots at this distance or less can be of one event. */
const sameEvent = 3;

/**
 * The share of the slots with logs that begin an event, 0 to 1. It is below 1 if one event, such as a job with a
 * start and an end, has logs in several slots. Estimated from the runs of slots, relative to those of independent
 * ones.
 */
export function arrivalShare({ slots }: SourceActivity): number {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last || first === last) return 1;
  let runs = 0;
  for (const [index, { slot }] of slots.entries())
    if (sameEvent < slot - (slots[index - 1]?.slot ?? Number.NEGATIVE_INFINITY)) runs++;
  const occupancy = slots.length / (last.slot - first.slot + 1);
  return Math.min(1, runs / slots.length / (1 - occupancy) ** sameEvent);
}

/** The slots with logs and their logs between two times. */
export function activityWithin(
  { slots, sums }: SourceActivity,
  from: number,
  to: number,
): { readonly slots: number; readonly logs: number } {
  const [start, end] = [firstAfter(slots, from), firstAfter(slots, to)];
  return { slots: Math.max(0, end - start), logs: Math.max(0, (sums[end] ?? 0) - (sums[start] ?? 0)) };
}

/** The index of the first slot whose last log is at a time or later. */
function firstAfter(slots: readonly OccupiedSlot[], time: number): number {
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slots[middle]?.last ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
