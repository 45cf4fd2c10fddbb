import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import {
  containsTime,
  subtractWindows,
  type Window,
  wholeSlice,
  windowLength,
  writeSlice,
} from '../../src/export/decide/window.ts';
import {
  type CoverageState,
  type CoveredInterval,
  joinCoverage,
  mergeCoverage,
} from '../../src/export/run/open-export.ts';

/** Few times, so that windows overlap, touch, hold each other and are one millisecond long. */
const times = Array.from({ length: 12 }, (_, time) => time);

const window: fc.Arbitrary<Window> = fc
  .tuple(fc.constantFrom(...times), fc.integer({ min: 0, max: 4 }))
  .map(([oldest, more]) => ({ oldest, newest: Math.min(oldest + more, times.length - 1) }));

/** Long enough for others to leave several parts of it. */
const wide: fc.Arbitrary<Window> = fc.record({
  oldest: fc.constantFrom(0, 1, 2),
  newest: fc.constantFrom(9, 10, 11),
});

const part = writeSlice({ ...wholeSlice, order: 'asc' });

const stored: fc.Arbitrary<StoredWindow> = fc
  .tuple(
    window,
    fc.record(
      {
        state: fc.constantFrom('loaded', 'loaded', 'planned', 'failed', 'split'),
        missing: fc.constantFrom(0, 1),
        slice: fc.constant(part),
      },
      { requiredKeys: ['state'] },
    ),
  )
  .map(([each, more]) => ({ ...each, ...more, window: 1, export: 1, attempts: 0, updated: 0 }));

/** State of one time by the windows that cover it: an incomplete part first, then a whole window, then any incomplete one. */
function stateAt(time: number, windows: readonly StoredWindow[]): CoverageState | undefined {
  const own = windows.filter((each) => each.state !== 'split' && containsTime(each, time));
  const states = own.map(({ state, missing = 0, slice }) => ({
    state: state !== 'loaded' ? ('open' as const) : 0 < missing ? ('capped' as const) : ('complete' as const),
    isPart: slice !== undefined,
  }));
  const lacking = states.filter(({ state }) => state !== 'complete');
  const lackingPart = lacking.find(({ isPart }) => isPart);
  if (lackingPart) return lackingPart.state;
  if (states.some(({ state, isPart }) => state === 'complete' && !isPart)) return 'complete';
  return lacking[0]?.state;
}

test('coverage states what is known of each time, in the longest possible intervals', () => {
  fc.assert(
    fc.property(fc.array(stored, { maxLength: 6 }), (windows) => {
      const covered = mergeCoverage(windows);
      for (const time of times) {
        const known = covered.filter((each) => containsTime(each, time)).map(({ state }) => state);
        expect(known).toEqual([stateAt(time, windows)].filter((state) => state !== undefined));
      }
      for (const [index, { oldest, state }] of covered.slice(1).entries()) {
        const before = covered[index];
        expect(before?.newest).toBeLessThan(oldest);
        if (before?.newest === oldest - 1) expect(before.state).not.toBe(state);
      }
    }),
    { numRuns: 1000 },
  );
});

test('what is left of a window are the times that no other one holds, the newest first', () => {
  fc.assert(
    fc.property(fc.oneof(window, wide), fc.array(window, { maxLength: 4 }), (whole, others) => {
      const left = subtractWindows(whole, others);
      const expected = times.filter(
        (time) => containsTime(whole, time) && !others.some((other) => containsTime(other, time)),
      );
      const held = left.flatMap((each) => times.filter((time) => containsTime(each, time)));
      expect(held.sort((a, b) => a - b)).toEqual(expected);
      expect(left.reduce((sum, each) => sum + windowLength(each), 0)).toBe(expected.length);
      expect(left).toEqual([...left].sort((a, b) => b.newest - a.newest));
    }),
    { numRuns: 1000 },
  );
});

const interval: fc.Arbitrary<CoveredInterval> = fc
  .tuple(window, fc.constantFrom<CoverageState>('complete', 'capped', 'open'))
  .map(([each, state]) => ({ ...each, state }));

test('several cases cover a time as the best of them does', () => {
  const ofCase = fc.record({
    deployment: fc.constantFrom('https://a', 'https://b'),
    filters: fc.constantFrom({}, { level: 'SEVERE', users: 'x' }, { users: 'x', level: 'SEVERE' }),
    exports: fc.constantFrom([1], [2, 1]),
    covered: fc.array(interval, { maxLength: 4 }),
    doubts: fc.constantFrom([], [{ export: 1, code: 'LATE', message: 'Logs came late' }]),
  });
  fc.assert(
    fc.property(fc.array(ofCase, { maxLength: 5 }), (cases) => {
      const joined = joinCoverage(cases);
      const keyOf = ({ deployment, filters }: (typeof cases)[number] | (typeof joined)[number]) =>
        JSON.stringify([deployment, Object.entries(filters).toSorted()]);
      expect(new Set(joined.map(keyOf))).toEqual(new Set(cases.map(keyOf)));
      expect(joined.length).toBe(new Set(joined.map(keyOf)).size);
      for (const each of joined) {
        const same = cases.filter((one) => keyOf(one) === keyOf(each));
        expect(each.doubts).toEqual(same.flatMap(({ doubts }) => doubts));
        const own = same.flatMap(({ covered }) => covered);
        for (const time of times) {
          const states = own.filter((one) => containsTime(one, time)).map(({ state }) => state);
          const best = (['complete', 'capped', 'open'] as const).find((state) => states.includes(state));
          const found = each.covered.filter((one) => containsTime(one, time)).map(({ state }) => state);
          if (1 < cases.filter((one) => keyOf(one) === keyOf(each)).length)
            expect(found).toEqual(best === undefined ? [] : [best]);
          else expect(found).toEqual(states);
        }
      }
    }),
  );
});
