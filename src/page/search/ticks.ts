import { formatTime } from '../format/times.ts';

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
  const shift = shiftOf(from, zone);
  const ticks: Tick[] = [];
  for (let time = Math.ceil((from + shift) / step) * step - shift; time <= to; time += step)
    ticks.push({ time, label: labelOf(formatTime(time, zone), step) });
  return ticks;
}

/** The distance of the clock of a zone from UTC, in milliseconds. */
function shiftOf(time: number, zone: string): number {
  return Math.round(Date.parse(`${formatTime(time, zone).replace(' ', 'T')}Z`) - time) || 0;
}

function labelOf(text: string, step: number): string {
  if (day <= step) return text.slice(0, 10);
  const clock = text.slice(11);
  if (clock.startsWith('00:00:00.000')) return text.slice(5, 10);
  if (step < second) return clock;
  return step < minute ? clock.slice(0, 8) : clock.slice(0, 5);
}
