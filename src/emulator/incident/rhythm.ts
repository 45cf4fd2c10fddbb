/** Load and shortage of connections over the hours of the incident. */

/** Length of the story in milliseconds: 36 hours, from midnight to noon of the next day. */
export const incidentDuration = 36 * 3_600_000;

/**
 * Milliseconds after the beginning of the story, from a text such as `2 08:24:10`: day, hours, minutes,
 * seconds.
 */
export function storyOffset(moment: string): number {
  const [day = 0, hours = 0, minutes = 0, seconds = 0] = moment.split(/[ :]/).map(Number);
  return (((day - 1) * 24 + hours) * 3600 + minutes * 60 + seconds) * 1000;
}

/** Load in each hour of a working day, relative to the quietest. */
const loadByHour = [1, 1, 1, 1, 1, 1.5, 3, 6, 10, 12, 12, 11, 9, 10, 11, 10, 8, 6, 4, 3, 2.5, 2, 1.5, 1];

/** Load at an offset (milliseconds after the beginning), relative to the quietest hour. */
export function loadAt(offset: number): number {
  const hours = offset / 3_600_000;
  return between(
    loadByHour[Math.floor(hours) % 24] ?? 1,
    loadByHour[Math.floor(hours + 1) % 24] ?? 1,
    hours % 1,
  );
}

/**
 * Shortage of connections: 0 is plenty, 1 is none left. The pool empties as the requests of the morning meet
 * the remaining old connections. It is still short while the restarted pods fill their caches, and then
 * recovers.
 */
const pressures: readonly (readonly [offset: number, pressure: number])[] = [
  [storyOffset('2 06:30:00'), 0],
  [storyOffset('2 07:30:00'), 0.25],
  [storyOffset('2 08:00:00'), 0.5],
  [storyOffset('2 08:24:00'), 0.8],
  [storyOffset('2 09:00:00'), 1],
  [storyOffset('2 10:04:00'), 1],
  [storyOffset('2 10:08:00'), 0.45],
  [storyOffset('2 10:20:00'), 0.15],
  [storyOffset('2 10:45:00'), 0],
];

/** Shortage of connections at an offset, 0 to 1. */
export function pressureAt(offset: number): number {
  const after = pressures.findIndex(([at]) => offset < at);
  const [from, to] = [pressures[after - 1], pressures[after]];
  if (!from || !to) return 0;
  return between(from[1], to[1], (offset - from[0]) / (to[0] - from[0]));
}

function between(first: number, second: number, share: number): number {
  return first + (second - first) * share;
}
