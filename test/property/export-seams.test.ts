import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import { readCoverage } from '../../src/export/run/open-export.ts';
import { rounds } from '../effort.ts';
import { sortedTexts, startWindows, textsOf } from '../export/exporting-windows.ts';

const begin = 1_700_000_000_000;

/** Few messages and few milliseconds, so that many logs are equal and many lie at the seams of windows. */
const log = fc.record({
  time: fc.integer({ min: begin, max: begin + 40 }),
  logLevel: fc.constantFrom('SEVERE', 'INFO'),
  logCode: fc.constantFrom(9000, 9003),
  msg: fc.constantFrom('again', 'and again', 'once more'),
});

test('each log comes as often as it is there, however many are equal and wherever windows meet', async () => {
  const exports = fc.record({
    bounds: fc.constantFrom('included' as const, 'excluded' as const),
    order: fc.constantFrom('sorted' as const, 'cut first' as const, 'unsorted' as const),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(log, { minLength: 1, maxLength: 120 }),
      fc.integer({ min: 12, max: 40 }),
      fc.integer({ min: 1, max: 3 }),
      exports,
      async (logs, cap, jobs, rules) => {
        await using setting = await startWindows({ logs, cap, exports: rules });
        const order = setting.order();
        const result = await exportWindows({ ...setting, order, jobs });
        const texts = await textsOf(setting.into);
        const expected = sortedTexts(logs);
        if (result.complete) expect(texts).toEqual(expected);
        // Missing logs are missing in the milliseconds that are named, and nothing is there twice.
        const named = new Set(result.gaps.map(({ oldest }) => oldest));
        const isOutside = (text: string) => !named.has(Number(/"time",(\d+)/.exec(text)?.[1]));
        expect(texts.filter(isOutside)).toEqual(expected.filter(isOutside));
        expect(texts.length).toBeLessThanOrEqual(expected.length);
        // No time falls between two windows, and what is capped is what is named.
        const [{ covered = [] } = {}] = await readCoverage(setting.into);
        expect([covered[0]?.oldest, covered.at(-1)?.newest]).toEqual([order.oldest, order.newest]);
        for (const [index, { oldest }] of covered.slice(1).entries())
          expect(oldest).toBe((covered[index]?.newest ?? 0) + 1);
        const capped = covered.filter(({ state }) => state !== 'complete');
        for (const { oldest, newest } of capped)
          for (let time = oldest; time <= newest; time += 1) expect(named).toContain(time);
        expect(named.size).toBe(capped.reduce((sum, { oldest, newest }) => sum + newest - oldest + 1, 0));
      },
    ),
    { numRuns: rounds(25, 5) },
  );
});
