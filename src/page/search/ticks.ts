import { instantsOf } from '../../records/index.ts';
import { formatTime, zoneOf } from '../format/times.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Usual distances between the ticks of a time axis, in milliseconds. */
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 91, 364].map((count) => count * day),
];

/** A tick of a time axis. */
export interface Tick {
  readonly time: number;
  readonly label: string;
}

/** At most `most` ticks between two times, on the clock of a zone. */
export function ticksOf(
  { from, to, zone }: { readonly from: number; readonly to: number; readonly zone: string },
  most: number,
): readonly Tick[] {
  const step = steps.find((each) => (to - from) / each <= most) ?? (to - from) / most;
  const { offsetAt } = zoneOf(zone);
  const times = new Set<number>();
  // One more at either end, as clocks may be set forward or back meanwhile.
  const begin = Math.floor((from + offsetAt(from)) / step - 1) * step;
  for (let reading = begin; reading <= to + offsetAt(to) + step; reading += step) {
    const { earliest, latest } = instantsOf(zoneOf(zone), reading);
    times.add(earliest);
    // An hour that the clock shows twice has its ticks twice; longer units begin once.
    if (earliest < latest && step <= hour) times.add(latest);
  }
  return [...times]
    .filter((time) => from <= time && time <= to)
    .sort((first, second) => first - second)
    .map((time) => ({ time, label: labelOf(formatTime(time, zone), step) }));
}

function labelOf(text: string, step: number): string {
  if (day <= step) return text.slice(0, 10);
  const clock = text.slice(11, 23);
  if (clock.startsWith('00:00:00.000')) return text.slice(5, 10);
  if (step < second) return clock;
  return step < minute ? clock.slice(0, 8) : clock.slice(0, 5);
}
