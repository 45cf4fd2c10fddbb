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

/** A time in which a source, or all together, log a quarter of what they do by their rhythm, or less. */
export interface Lull extends Silence {
  /** Logs in this time: at least one. */
  readonly count: number;
}

/** Silences and lulls, and the unknown times. */
export interface FoundSilences {
  readonly silences: readonly Silence[];
  readonly lulls: readonly Lull[];
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
  { filter, requested, min, limit }: FindSilencesOptions,
): Promise<FoundSilences> {
  const spans = await Promise.all(cases.map((from) => timeSpan(from, filter)));
  const first = Math.min(...spans.map((span) => span.first ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...spans.map((span) => span.last ?? Number.NEGATIVE_INFINITY));
  const logs = spans.reduce((sum, span) => sum + span.count + span.timeless, 0);
  if (last < first) return { silences: [], lulls: [], notExported: [], sources: 0, logs };
  const length = Math.max(shortestSlot, Math.ceil((last - first) / mostSlots));
  const slots = await Promise.all(cases.map((from) => countBySourceSlot(from, filter, { length })));
  const later = requested.length === 0 ? undefined : laterLogs(requested, last);
  const notExported = [...coverageGaps(requested, first), ...(later ? [later] : [])];
  const found = silencesOf(slots.flat(), { length, first, last, holes: notExported, min, limit });
  return { ...found, notExported, logs };
}

/** The slots of `silencesOf`, and what counts as a silence. Times are milliseconds since the epoch. */
export interface SilenceOptions {
  /** The length of a slot in milliseconds. */
  readonly length: number;
  /** The first and the last log. */
  readonly first: number;
  readonly last: number;
  /** Times whose logs are not known as a whole. */
  readonly holes?: readonly CoverageGap[];
  /** The shortest silence in milliseconds. Default half an hour. */
  readonly min?: number | undefined;
  /** The limit for p-values. Default 0.01. */
  readonly limit?: number | undefined;
}

/**
 * Finds the silences and the lulls of each source and of all together in slots with their logs, in order of time. A lull
 * is a silence of the busy slots, of several lengths. It is left out where the same logs are silent for half of it.
 */
export function silencesOf(
  slots: readonly SourceSlot[],
  { length, first, last, holes = [], min = 1_800_000, limit = 0.01 }: SilenceOptions,
): Pick<FoundSilences, 'silences' | 'lulls' | 'sources'> {
  const { all, sources } = activityOf(slots);
  const span = { first, last, holes, min };
  const silences = longPauses(all, sources, { ...span, limit: limit / 2 });
  const levels = [all, ...sources].map((of) => busySlots(of, { first, last, length }));
  const lulls = longerSlots.flatMap((_, level) => {
    const [busyAll, ...busy] = levels.flatMap((slotsOf) => slotsOf[level] ?? []);
    if (!busyAll) return [];
    const pauses = longPauses(busyAll, busy, { ...span, limit: limit / 2 / longerSlots.length });
    return pauses.flatMap((pause): readonly Lull[] => {
      const isOf = ({ source }: SourceActivity) => source === pause.source;
      const [of, size] = [[all, ...sources].find(isOf), [busyAll, ...busy].find(isOf)?.size];
      const lull = of && size && toLull(pause, of, { size, holes });
      const isLull = lull && lull.count <= lull.expected * maxOfLull && !isRest(lull, { ...span, all });
      return isLull && !silences.some(isHalfOf(lull)) ? [lull] : [];
    });
  });
  return { silences, lulls: withoutParts(lulls), sources: sources.length };
}

/** A night or a weekend is longer than this: milliseconds. */
const shortestRest = 3 * 3_600_000;

/** Returns if a lull may be a night, as no other day is known at its time, or a weekend, as no other week is. */
function isRest(lull: Lull, schedule: Rhythm): boolean {
  const length = lull.to - lull.from;
  if (length <= shortestRest) return false;
  return sameTimeOfOtherDays(lull, schedule, length < day ? day : week).length === 0;
}

/** Returns if a silence is of the same logs or of all, and covers half of a lull. */
function isHalfOf(lull: Lull): (silence: Silence) => boolean {
  return (silence) =>
    (silence.source === undefined || silence.source === lull.source) &&
    (lull.to - lull.from) / 2 <= sharedTime(silence, lull);
}

/**
 * The pauses that their rhythm does not explain, in order of time. Those of all together and those of single sources have
 * a half of the probability of an error each.
 */
function longPauses(
  all: SourceActivity,
  sources: readonly SourceActivity[],
  { min, limit, ...span }: Omit<Rhythm, 'all'> & { readonly min: number; readonly limit: number },
): readonly Silence[] {
  const found = [[all], sources].flatMap((activities) => {
    // Any pause of any of them could have been a long one.
    const pauses = activities.reduce((sum, of) => sum + of.slots.length, 0);
    return activities.flatMap((of) =>
      pausesOf(of, { ...span, min }).flatMap((pause): readonly Silence[] => {
        const schedule = { ...span, all };
        const { slots: expectedSlots, logs: expected } = expectedWithin(of, pause, schedule);
        const share = arrivalShare(of);
        const chance = noneByChance(expectedSlots * share, of.slots.length * share);
        const p = Math.min(1, 2 * pauses * chance);
        const name = of.source === undefined ? {} : { source: of.source };
        const otherDays = sameTimeOfOtherDays(pause, schedule, day).length;
        return p < limit ? [{ ...name, ...pause, expected, otherDays, p }] : [];
      }),
    );
  });
  return found
    .filter((silence) => silence.source === undefined || !isWithinAll(silence, found))
    .sort((first, second) => first.from - second.from);
}

/** A lull has at most this part of the logs that the rhythm lets expect. */
const maxOfLull = 1 / 4;

/** A busy slot has this part of the logs of a usual one, or more; a usual one this number, or more. */
const [busyPart, minUsual] = [1 / 3, 8];

/** Slots are as short as a usual one has enough logs, and these times as long: few logs by chance end no long lull. */
const longerSlots = [1, 4, 16] as const;

/** Fewer slots than these show no rhythm. */
const minSlots = 40;

/** Slots in which a source is busy. */
interface BusySlots extends SourceActivity {
  /** The length of a slot in milliseconds. */
  readonly size?: number;
}

/**
 * The slots of a source in which it is busy, of each length. Three of four slots have no more logs than a usual one, as
 * nights and weekends are most of the time. None for a source with too few logs.
 */
function busySlots(
  { slots, sums, ...of }: SourceActivity,
  { first, last, length }: { readonly first: number; readonly last: number; readonly length: number },
): readonly BusySlots[] {
  const begin = Math.floor(first / length);
  const all = Math.floor(last / length) - begin + 1;
  const usualOf = (longer: readonly OccupiedSlot[], size: number) => {
    const counts = Float64Array.from(longer, ({ count }) => count).sort();
    return counts[counts.length - Math.ceil(all / size / 4)] ?? 0;
  };
  // A quarter of the slots have as many logs as a usual one, so that in shorter ones no slot has enough.
  let size = Math.ceil((minUsual * all) / (4 * Math.max(1, sums.at(-1) ?? 0)));
  if (all < size * minSlots) return longerSlots.map(() => ({ ...of, ...emptyActivity }));
  let shortest = joinSlots(slots, { begin, size });
  for (; size * minSlots <= all && usualOf(shortest, size) < minUsual; size *= 2)
    shortest = joinSlots(shortest, { begin: 0, size: 2 });
  return longerSlots.map((factor): BusySlots => {
    if (all < size * factor * minSlots) return { ...of, ...emptyActivity };
    const longer = joinSlots(shortest, { begin: 0, size: factor });
    const min = usualOf(longer, size * factor) * busyPart;
    return {
      ...of,
      ...toActivity(longer.filter(({ count }) => min <= count)),
      size: size * factor * length,
    };
  });
}

/** Joins a number of successive slots to one, from the slot `begin` on. */
function joinSlots(
  slots: readonly OccupiedSlot[],
  { begin, size }: { readonly begin: number; readonly size: number },
): readonly OccupiedSlot[] {
  const longer: OccupiedSlot[] = [];
  for (const { slot: shorter, count, first, last } of slots) {
    const slot = Math.floor((shorter - begin) / size);
    const known = longer.at(-1);
    if (known?.slot !== slot) longer.push({ slot, count, first, last });
    else {
      known.count += count;
      known.last = last;
    }
  }
  return longer;
}

/** A lull from a pause of busy slots: its ends are where the rates before and within explain the logs best. */
function toLull(
  pause: Silence,
  of: SourceActivity,
  { size, holes }: { readonly size: number; readonly holes: readonly CoverageGap[] },
): Lull | undefined {
  const within = activityWithin(of, pause.from + 1, pause.to).logs;
  const { from, to, isOpen } = pause;
  const [usual, few] = [pause.expected, Math.max(0.5, within)].map((logs) => logs / (to - from));
  if (usual === undefined || few === undefined || usual <= few) return undefined;
  const gain = (start: number, end: number) =>
    activityWithin(of, start, end).logs * Math.log(usual / few) - (usual - few) * (end - start);
  // The number of logs says nothing where they are not known as a whole.
  const isKnown = (time: number) =>
    !holes.some(({ oldest, newest }) => oldest < time + size && time - size < newest);
  const begin = isKnown(from) ? bestTime(from - size, from + size, (time) => gain(from - size, time)) : from;
  const end = isOpen || !isKnown(to) ? to : bestTime(to - size, to + size, (time) => gain(time, to + size));
  const last = of.slots[firstAfter(of.slots, begin) - 1]?.last ?? begin;
  const next = isOpen ? to : (of.slots[firstAfter(of.slots, end)]?.first ?? to);
  const count = activityWithin(of, last + 1, next).logs;
  return count === 0 || next <= last ? undefined : { ...pause, from: last, to: next, count };
}

/** The time of some between two with the greatest gain. */
function bestTime(from: number, to: number, gainAt: (time: number) => number): number {
  const times = Array.from({ length: 65 }, (_, at) => from + ((to - from) * at) / 64);
  return times.reduce((best, time) => (gainAt(best) < gainAt(time) ? time : best), from);
}

/** The longest of lulls of the same logs that overlap, in order of time. */
function withoutParts(lulls: readonly Lull[]): readonly Lull[] {
  const longest = lulls.toSorted((first, second) => second.to - second.from - (first.to - first.from));
  return longest
    .filter(
      (lull, index) =>
        !longest.slice(0, index).some((other) => other.source === lull.source && 0 < sharedTime(other, lull)),
    )
    .sort((first, second) => first.from - second.from);
}

/**
 * The probability that a number of arrivals all fall outside of a time, given how many the rest of the time lets expect
 * within: that of a Poisson process of unknown rate. A single arrival proves no rhythm, however much time follows.
 */
function noneByChance(expected: number, arrivals: number): number {
  return arrivals <= 0 ? 1 : (1 + expected / arrivals) ** -arrivals;
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
  return found.some(
    (silence) => silence.source === undefined && 0.8 * (to - from) <= sharedTime(silence, { from, to }),
  );
}

function sharedTime(one: Pick<Pause, 'from' | 'to'>, other: Pick<Pause, 'from' | 'to'>): number {
  return Math.min(one.to, other.to) - Math.max(one.from, other.from);
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

const emptyActivity: SourceActivity = { slots: [], sums: new Float64Array(1) };

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
    all: toActivity(inOrder(all)),
    sources: [...bySource].map(([source, own]) => ({ source, ...toActivity(inOrder(own)) })),
  };
}

function inOrder(slots: ReadonlyMap<number, OccupiedSlot>): readonly OccupiedSlot[] {
  return [...slots.values()].sort((first, second) => first.slot - second.slot);
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

/** An activity of slots in order of time. */
function toActivity(slots: readonly OccupiedSlot[]): Omit<SourceActivity, 'source'> {
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

const [day, week] = [86_400_000, 7 * 86_400_000];

/** Just before and after is this part of the length of a pause: the edge of a night is as quiet as it. */
const neighbourhood = 1 / 4;

/**
 * The least expected activity of a source in a pause, by four estimates. They are its rate just before and
 * after, its mean at the same time of other days and of other weeks, and its share of other sources' logs.
 */
function expectedWithin(of: SourceActivity, pause: Pause, schedule: Rhythm): Expected {
  const ways = [
    ...neighbours(of, pause, schedule),
    ...otherTimes(of, pause, schedule, day),
    ...otherTimes(of, pause, schedule, week),
    ...(of.source === undefined ? [] : [ofOthers(of, pause, schedule)]),
  ];
  const [lowest = { slots: 0, logs: 0 }] = ways.sort((a, b) => a.slots - b.slots);
  return lowest;
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

/** The time of a pause on other days or weeks within the logs, as far as it is known. */
function sameTimeOfOtherDays({ from, to }: Pause, schedule: Rhythm, period: number): readonly Window[] {
  const found: Window[] = [];
  const periods = Math.ceil((schedule.last - schedule.first) / period);
  for (let shift = -periods; shift <= periods; shift++) {
    const window = { start: from + shift * period, end: to + shift * period };
    const overlaps = window.start < to && from < window.end;
    if (overlaps || window.start < schedule.first || schedule.last < window.end) continue;
    if (knownPart(window, schedule)) found.push(window);
  }
  return found;
}

/** The mean of the same time on other days or weeks; none if no other one is known. */
function otherTimes(of: SourceActivity, pause: Pause, schedule: Rhythm, period: number): readonly Expected[] {
  const found = sameTimeOfOtherDays(pause, schedule, period).map(({ start, end }) =>
    activityWithin(of, start, end),
  );
  if (found.length === 0) return [];
  const mean = (value: (activity: Expected) => number) =>
    found.reduce((sum, activity) => sum + value(activity), 0) / found.length;
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
