import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containsTime, type Window } from '../../src/export/decide/window.ts';
import { findOldestTime, type ProbeTimes } from '../../src/export/run/sampling.ts';
import { rounds } from '../effort.ts';

const window = { oldest: 1_000_000, newest: 9_000_000_000 };

/** Answers as a deployment with logs of these times, which may sort in one order only; counts the calls. */
function deploymentOf(times: readonly number[], { sorts = true } = {}) {
  const asked: Window[] = [];
  const look: ProbeTimes = async (within, { num, order }) => {
    asked.push(within);
    const found = times.filter((time) => containsTime(within, time)).sort((a, b) => b - a);
    return (sorts && order === 'asc' ? found.reverse() : found).slice(0, num);
  };
  return { look, asked };
}

describe('the beginning of the logs', () => {
  test('is that of the oldest, where the deployment sorts', async () => {
    const { look, asked } = deploymentOf([5_000_000, 2_000_000, 7_000_000_000]);
    expect(await findOldestTime(window, look)).toBe(2_000_000);
    expect(asked).toEqual([window, { oldest: window.oldest, newest: 1_999_999 }]);
  });

  test('is unknown where there are none', async () => {
    expect(await findOldestTime(window, deploymentOf([999_999]).look)).toBeUndefined();
  });

  test('is that of the window where a log is of its very beginning, or of no time that was asked for', async () => {
    const { look, asked } = deploymentOf([window.oldest, 2_000_000]);
    expect(await findOldestTime(window, look)).toBe(window.oldest);
    expect(asked.length).toBe(1);
    for (const time of [window.oldest - 1, window.newest + 1])
      expect(await findOldestTime(window, async () => [time])).toBe(window.oldest);
  });

  test('is narrowed down where it does not sort: no log is before it, and it is not far before the first', async () => {
    const time = fc.integer({ min: window.oldest, max: window.newest });
    await fc.assert(
      fc.asyncProperty(fc.array(time, { minLength: 1, maxLength: 10 }), async (times) => {
        const { look, asked } = deploymentOf(times, { sorts: false });
        const begins = (await findOldestTime(window, look)) ?? 0;
        const [first, last] = [Math.min(...times), Math.max(...times)];
        expect(begins).toBeLessThanOrEqual(first);
        expect(begins).toBeGreaterThanOrEqual(window.oldest);
        // The step back in time doubles, so that few calls suffice.
        expect(first - begins).toBeLessThanOrEqual(0.05 * (last - first) + 1);
        expect(asked.length).toBeLessThan(60);
      }),
      { numRuns: rounds(300) },
    );
  });

  test('is looked for an hour back, then two', async () => {
    const newest = 8_000_000_000;
    const { look, asked } = deploymentOf([newest, newest - 1000, newest - 20_000_000], { sorts: false });
    await findOldestTime(window, look);
    expect(asked.slice(0, 5).map((each) => each.newest)).toEqual([
      window.newest,
      newest - 1,
      newest - 1000 - 3_600_000,
      newest - 20_000_000 - 7_200_000,
      // Nothing is there: from here on the time between is halved.
      Math.floor((newest - 27_200_000 + newest - 20_000_000) / 2),
    ]);
  });
});
