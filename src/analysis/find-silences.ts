import { type Case, countBySourceSlot, type SourceSlot, timeSpan } from '../case/index.ts';
import type { Filter } from '../language/index.ts';
import { type CoverageGap, coverageGaps, laterLogs, type RequestedInterval } from './coverage.ts';

/** A time without logs of a source that has more logs by its rhythm. Times are milliseconds since the epoch. */
export interface Silence {
  /** Absent for all sources together; empty for logs without a source. */
  readonly source?: string;
  /** The last log before, and the first one after; or the end of what was exported, or of all logs. */
  readonly from: number;
  readonly to: number;
  /** True if no log of the source follows. */
  readonly isOpen: boolean;
  /** Logs that its rhythm lets expect in this time. */
  readonly expected: number;
  /** Other days whose same time is known. With none, a source that rests at these hours looks silent too. */
  readonly otherDays: number;
  /** An upper bound of the probability of such a silence, corrected for all silences that were examined. */
  readonly p: number;
}

/** Silences, and the unknown times. */
export interface FoundSilences {
  readonly silences: readonly Silence[];
  /** Times never exported or capped; empty without exports. */
  readonly notExported: readonly CoverageGap[];
  /** Number of sources. */
  readonly sources: number;
  readonly logs: number;
}

/** Options of `findSilences`. */
export interface FindSilencesOptions {
  readonly filter: Filter;
  /** Intervals requested by exports; empty if there was none. */
  readonly requested: readonly RequestedInterval[];
  /** The shortest silence in milliseconds. Default half an hour. */
  readonly min?: number;
  /** The limit for p-values. Default 0.01. */
  readonly limit?: number;
}

/** Slots of time: none shorter than a minute, and at most this number. */
const [shortestSlot, mostSlots] = [60_000, 20_000];

/**
 * Finds the silences of each source, and those of all together, in order of time. A silence is at least four times
 * the usual pause of the source, and improbable by its rhythm. The rhythm is that just before and after, at the
 * same time on other days, and of the other sources then. Rejects with a `StoreError`.
 *
 * ```ts
 * const requested = (await readCoverage(incident)).flatMap(({ covered }) => covered);
 * const { silences } = await findSilences([incident], { filter, requested });
 * for (const { source, from, to } of silences) console.log(source, to - from);
 * ```
 */
export async function findSilences(
  cases: readonly Case[],
  { filter, requested, min = 1_800_000, limit = 0.01 }: FindSilencesOptions,
): Promise<FoundSilences> {
  const spans = await Promise.all(cases.map((from) => timeSpan(from, filter)));
  const first = Math.min(...spans.map((span) => span.first ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...spans.map((span) => span.last ?? Number.NEGATIVE_INFINITY));
  const logs = spans.reduce((sum, span) => sum + span.count + span.timeless, 0);
  if (last < first) return { silences: [], notExported: [], sources: 0, logs };
  const length = Math.max(shortestSlot, Math.ceil((last - first) / mostSlots));
  const slots = await Promise.all(cases.map((from) => countBySourceSlot(from, filter, { length })));
  const { all, sources } = activityOf(slots.flat());
  const later = requested.length === 0 ? undefined : laterLogs(requested, last);
  const notExported = [...coverageGaps(requested, first), ...(later ? [later] : [])];
  const schedule = { all, first, last, holes: notExported };
  const candidates = [all, ...sources].flatMap((of) =>
    pausesOf(of, { last, min, holes: notExported }).map((pause) => ({ of, pause })),
  );
  // Any pause of any source could have been a long one.
  const pauses = [all, ...sources].reduce((sum, of) => sum + of.slots.length, 0);
  const found = candidates.flatMap(({ of, pause }): Silence[] => {
    const { slots: expectedSlots, logs: expected } = expectedWithin(of, pause, schedule);
    const p = Math.min(1, pauses * Math.exp(-expectedSlots * arrivalShare(of)));
    const name = of.source === undefined ? {} : { source: of.source };
    const otherDays = sameTimeOfOtherDays(pause, schedule).length;
    return p < limit ? [{ ...name, ...pause, expected, otherDays, p }] : [];
  });
  const silences = found.filter((silence) => silence.source === undefined || !isWithinAll(silence, found));
  return { silences: silences.sort((a, b) => a.from - b.from), notExported, sources: sources.length, logs };
}

/** Least length of a silence, in usual pauses. */
const leastPauses = 4;

/** Long pauses of a source outside of all holes of the exports. */
function pausesOf(
  { slots }: SourceActivity,
  {
    last,
    min,
    holes,
  }: { readonly last: number; readonly min: number; readonly holes: readonly CoverageGap[] },
): readonly Pause[] {
  const all = slots.map(({ last: from }, index): Pause => {
    const next = slots[index + 1];
    return { from, to: next?.first ?? last, isOpen: next === undefined };
  });
  const lengths = all
    .slice(0, -1)
    .map(({ from, to }) => to - from)
    .sort((a, b) => a - b);
  const shortest = Math.max(min, leastPauses * (lengths[lengths.length >> 1] ?? 0));
  return all.flatMap((pause) => withoutHoles(pause, holes)).filter(({ from, to }) => shortest <= to - from);
}

/** The pieces of a pause outside of holes. */
function withoutHoles(pause: Pause, holes: readonly CoverageGap[]): readonly Pause[] {
  const pieces: Pause[] = [];
  let from = pause.from;
  for (const { oldest, newest } of holes) {
    if (newest < from || pause.to < oldest) continue;
    if (from < oldest) pieces.push({ from, to: oldest - 1, isOpen: false });
    from = newest + 1;
  }
  return from < pause.to ? [...pieces, { ...pause, from }] : pieces;
}

/** True if all sources are silent at that time too. */
function isWithinAll({ from, to }: Silence, found: readonly Silence[]): boolean {
  return found.some((silence) => {
    const shared = Math.min(to, silence.to) - Math.max(from, silence.from);
    return silence.source === undefined && 0.8 * (to - from) <= shared;
  });
}

/** A slot of time with logs of a source. Times are milliseconds since the epoch. */
interface OccupiedSlot {
  readonly slot: number;
  count: number;
  first: number;
  last: number;
}

/** The slots of a source with logs, in order of time, and sums over them. */
interface SourceActivity {
  /** Absent for all sources together. */
  readonly source?: string;
  readonly slots: readonly OccupiedSlot[];
  /** Logs in the first n slots at index n. */
  readonly sums: Float64Array;
}

/** Joins the slots of several cases by source, and those of all sources. */
function activityOf(slots: readonly SourceSlot[]): {
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
function arrivalShare({ slots }: SourceActivity): number {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last || first === last) return 1;
  let runs = 0;
  for (const [index, { slot }] of slots.entries())
    if (sameEvent < slot - (slots[index - 1]?.slot ?? Number.NEGATIVE_INFINITY)) runs++;
  const occupancy = slots.length / (last.slot - first.slot + 1);
  return Math.min(1, runs / slots.length / (1 - occupancy) ** sameEvent);
}

/** The slots with logs and their logs between two times. */
function activityWithin(
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

/** Input for the rhythm of a source. Times are milliseconds since the epoch. */
interface Rhythm {
  /** All sources together. */
  readonly all: SourceActivity;
  readonly first: number;
  readonly last: number;
  readonly holes: readonly CoverageGap[];
}

/** Slots with logs, and logs. */
interface Expected {
  readonly slots: number;
  readonly logs: number;
}

const day = 86_400_000;

/** Just before and after is this part of the length of a pause: the edge of a night is as quiet as it. */
const neighbourhood = 1 / 4;

/**
 * The least expected activity of a source in a pause, by three estimates. They are its rate just before and
 * after, its mean at the same time of other days, and its share of other sources' logs.
 */
function expectedWithin(of: SourceActivity, pause: Pause, schedule: Rhythm): Expected {
  const ways = [
    ...neighbours(of, pause, schedule),
    ...otherDays(of, pause, schedule),
    ...(of.source === undefined ? [] : [ofOthers(of, pause, schedule)]),
  ];
  const [least = { slots: 0, logs: 0 }] = ways.sort((a, b) => a.slots - b.slots);
  return least;
}

/** The rates just before and after, each over the length of the pause. */
function neighbours(of: SourceActivity, { from, to, isOpen }: Pause, schedule: Rhythm): readonly Expected[] {
  const length = (to - from) * neighbourhood;
  const windows = [
    { start: from - length, end: from },
    ...(isOpen ? [] : [{ start: to + 1, end: to + 1 + length }]),
  ];
  return windows.flatMap(({ start, end }) => {
    const known = knownPart({ start, end }, schedule);
    if (known === undefined) return [];
    const { slots, logs } = activityWithin(of, known.start, known.end);
    const factor = (to - from) / (known.end - known.start);
    return [{ slots: slots * factor, logs: logs * factor }];
  });
}

/** An interval of time: milliseconds since the epoch. */
interface Window {
  readonly start: number;
  readonly end: number;
}

/** The window if at least half of it lies within the logs, and none of it in a hole. */
function knownPart({ start, end }: Window, { first, last, holes }: Rhythm): Window | undefined {
  const part = { start: Math.max(start, first), end: Math.min(end, last) };
  const isHole = holes.some(({ oldest, newest }) => oldest < part.end && part.start < newest);
  return isHole || part.end - part.start < (end - start) / 2 ? undefined : part;
}

/** The time of a pause on other days within the logs, as far as it is known. */
function sameTimeOfOtherDays({ from, to }: Pause, schedule: Rhythm): readonly Window[] {
  const found: Window[] = [];
  const days = Math.ceil((schedule.last - schedule.first) / day);
  for (let shift = -days; shift <= days; shift++) {
    const window = { start: from + shift * day, end: to + shift * day };
    const overlaps = window.start < to && from < window.end;
    if (overlaps || window.start < schedule.first || schedule.last < window.end) continue;
    if (knownPart(window, schedule)) found.push(window);
  }
  return found;
}

/** The mean of the same time on other days; none if no other day is known. */
function otherDays(of: SourceActivity, pause: Pause, schedule: Rhythm): readonly Expected[] {
  const found = sameTimeOfOtherDays(pause, schedule).map(({ start, end }) => activityWithin(of, start, end));
  if (found.length === 0) return [];
  const mean = (value: (each: Expected) => number) =>
    found.reduce((sum, each) => sum + value(each), 0) / found.length;
  return [{ slots: mean(({ slots }) => slots), logs: mean(({ logs }) => logs) }];
}

/** The share of the source at other times in what the other sources log now. */
function ofOthers(of: SourceActivity, { from, to }: Pause, { all, first, last }: Rhythm): Expected {
  const [own, others] = [activityWithin(of, first, last + 1), activityWithin(all, first, last + 1)];
  const now = activityWithin(all, from + 1, to);
  const share = now.logs / Math.max(1, others.logs - own.logs - now.logs);
  return { slots: own.slots * share, logs: own.logs * share };
}

/** A time without logs of a source. */
interface Pause {
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
}
