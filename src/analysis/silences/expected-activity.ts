import type { CoverageGap } from '../overview/coverage-gaps.ts';
import { activityWithin, type SourceActivity } from './occupied-slots.ts';
import type { Pause } from './pause.ts';

/** Input for the rhythm of a source. Times are milliseconds since the epoch. */
export interface Rhythm {
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
export function expectedWithin(of: SourceActivity, pause: Pause, rhythm: Rhythm): Expected {
  const ways = [
    ...neighbours(of, pause, rhythm),
    ...otherDays(of, pause, rhythm),
    ...(of.source === undefined ? [] : [ofOthers(of, pause, rhythm)]),
  ];
  const [least = { slots: 0, logs: 0 }] = ways.sort((a, b) => a.slots - b.slots);
  return least;
}

/** The rates just before and after, each over the length of the pause. */
function neighbours(of: SourceActivity, { from, to, isOpen }: Pause, rhythm: Rhythm): readonly Expected[] {
  const length = (to - from) * neighbourhood;
  const windows = [
    { start: from - length, end: from },
    ...(isOpen ? [] : [{ start: to + 1, end: to + 1 + length }]),
  ];
  return windows.flatMap(({ start, end }) => {
    const known = knownPart({ start, end }, rhythm);
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
export function sameTimeOfOtherDays({ from, to }: Pause, rhythm: Rhythm): readonly Window[] {
  const found: Window[] = [];
  const days = Math.ceil((rhythm.last - rhythm.first) / day);
  for (let shift = -days; shift <= days; shift++) {
    const window = { start: from + shift * day, end: to + shift * day };
    const overlaps = window.start < to && from < window.end;
    if (overlaps || window.start < rhythm.first || rhythm.last < window.end) continue;
    if (knownPart(window, rhythm)) found.push(window);
  }
  return found;
}

/** The mean of the same time on other days; none if no other day is known. */
function otherDays(of: SourceActivity, pause: Pause, rhythm: Rhythm): readonly Expected[] {
  const found = sameTimeOfOtherDays(pause, rhythm).map(({ start, end }) => activityWithin(of, start, end));
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
