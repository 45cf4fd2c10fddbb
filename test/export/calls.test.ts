import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../effort.ts';
import { generator } from './exporting-windows.ts';
import { simulateExport } from './simulated-export.ts';

/** Density of the logs of a deployment: by a log-normal factor that changes after a number of logs. */
interface Rhythm {
  readonly seed: number;
  readonly spread: number;
  readonly every: number;
}

function burstyTimes(count: number, { seed, spread, every }: Rhythm): Float64Array {
  const random = generator(seed);
  const times = new Float64Array(count);
  let time = 1_700_000_000_000;
  let pause = 40;
  for (let index = 0; index < count; index += 1) {
    if (index % every === 0) {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      // At least one: a millisecond with more logs than one call returns is parted by what is not simulated here.
      pause = Math.max(1, 40 * Math.exp(spread * normal));
    }
    // One in ten is of the very millisecond of the one before.
    if (random() < 0.9) time += Math.floor(random() * 2 * pause + 0.6);
    times[index] = time;
  }
  return times;
}

test('a million logs in bursts of any kind take at most one and a half times the least number of calls', () => {
  const rhythm = fc.record({
    seed: fc.nat(),
    spread: fc.double({ min: 0, max: 2, noNaN: true }),
    every: fc.integer({ min: 100, max: 100_000 }),
  });
  fc.assert(
    fc.property(rhythm, fc.integer({ min: 1, max: 4 }), (each, jobs) => {
      const times = burstyTimes(1_000_000, each);
      const { calls, windows } = simulateExport(times, { cap: 10_000, jobs, random: generator(each.seed) });
      const loaded = windows.filter(({ state }) => state === 'loaded');
      expect(loaded.reduce((sum, { logs = 0 }) => sum + logs, 0)).toBe(times.length);
      expect(calls).toBeLessThanOrEqual(150);
    }),
    { numRuns: rounds(20, 2) },
  );
});
