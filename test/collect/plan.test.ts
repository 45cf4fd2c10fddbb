import fc from 'fast-check';
import { expect, test } from 'vitest';
import { periodsIn } from '../../src/collect/periods.ts';
import { findMissing, overlapOf, planPieces } from '../../src/collect/plan.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-20T00:00:00Z');
const at = (days: number) => start + days * day;
const complete = (from: number, to: number) => ({
  oldest: at(from),
  newest: at(to) - 1,
  state: 'complete' as const,
});

function shown(pieces: ReturnType<typeof planPieces>['fresh']) {
  return pieces.map(({ period, window, repeat }) => ({
    case: period.name,
    days: [(window.oldest - start) / day, (window.newest + 1 - start) / day],
    ...(repeat && { repeat: [(repeat.oldest - start) / day, (repeat.newest + 1 - start) / day] }),
  }));
}

const daily = { overlap: 0, period: 'day' as const };

test('a first start asks for the newest day, and then for the oldest times first', () => {
  const { fresh, backfill } = planPieces({ covered: [], begin: at(0.5), end: at(2.25) - 1 }, daily);
  expect(shown(fresh)).toEqual([{ case: '2026-11-22', days: [2, 2.25] }]);
  expect(shown(backfill)).toEqual([
    { case: '2026-11-20', days: [0.5, 1] },
    { case: '2026-11-21', days: [1, 2] },
  ]);
});

test('an overlap is cut at the border of a period, and joined with what is new', () => {
  const standing = { covered: [complete(0, 1.01)], begin: at(0), end: at(1.1) - 1 };
  expect(shown(planPieces(standing, { ...daily, overlap: 0.05 * day }).fresh)).toEqual([
    { case: '2026-11-20', days: [0.96, 1], repeat: [0.96, 1] },
    { case: '2026-11-21', days: [1, 1.1], repeat: [1, 1.01] },
  ]);
});

test('what an export lacks is asked for by that export, not by an overlap', () => {
  const open = { oldest: at(0.5), newest: at(0.6) - 1, state: 'open' as const };
  const standing = { covered: [complete(0, 0.5), open, complete(0.6, 0.9)], begin: at(0), end: at(0.9) - 1 };
  const { fresh, backfill } = planPieces(standing, { ...daily, overlap: day });
  expect(shown(fresh).map(({ days }) => days)).toEqual([
    [0, 0.5],
    [0.6, 0.9],
  ]);
  expect(backfill).toEqual([]);
});

test('a plan has each wanted time that is not covered once, and nothing beyond', () => {
  const state = fc.constantFrom('complete' as const, 'open' as const, 'capped' as const);
  const interval = fc.tuple(fc.nat(400), fc.nat(400), state).map(([a, b, state]) => ({
    oldest: at(Math.min(a, b) / 100),
    newest: at(Math.max(a, b) / 100),
    state,
  }));
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 4 }), fc.nat(400), fc.nat(400), (covered, a, b) => {
      const [begin, end] = [at(Math.min(a, b) / 100), at(Math.max(a, b) / 100)];
      const { fresh, backfill } = planPieces({ covered, begin, end }, daily);
      const pieces = [...fresh, ...backfill];
      for (const time of Array.from({ length: 41 }, (_, index) => at(index / 10))) {
        const isWanted =
          begin <= time &&
          time <= end &&
          !covered.some(({ oldest, newest }) => oldest <= time && time <= newest);
        const found = pieces.filter(({ window }) => window.oldest <= time && time <= window.newest);
        expect(found).toHaveLength(isWanted ? 1 : 0);
      }
      for (const { window, period } of pieces) expect(periodsIn(window, 'day')).toEqual([period]);
    }),
  );
});

test('what is missing is a gap, not asked for yet, or lost', () => {
  const capped = { oldest: at(5), newest: at(6) - 1, state: 'capped' as const };
  const covered = [complete(0, 1), complete(4, 5), capped, complete(6, 7)];
  const missing = findMissing({ covered, begin: at(2) }, { horizon: at(2), deleted: [] });
  expect(missing).toEqual({
    gaps: [{ oldest: at(5), newest: at(6) - 1 }],
    backfill: [{ oldest: at(2), newest: at(4) - 1 }],
    lost: [{ oldest: at(1), newest: at(2) - 1 }],
  });
  const deleted = [{ oldest: at(5), newest: at(6) - 1 }];
  expect(findMissing({ covered, begin: at(2) }, { horizon: at(2), deleted }).gaps).toEqual([]);
});

test('nothing is lost of what the store has deleted itself', () => {
  const covered = [complete(3, 4)];
  expect(findMissing({ covered, begin: at(3) }, { horizon: at(2), deleted: [] })).toEqual({
    gaps: [],
    backfill: [],
    lost: [],
  });
});

test('the overlap is twice the delay that was seen, and a day once a day', () => {
  expect(overlapOf({ overlap: 600_000, late: 0, isNightly: false })).toBe(600_000);
  expect(overlapOf({ overlap: 600_000, late: 900_000, isNightly: false })).toBe(1_800_000);
  expect(overlapOf({ overlap: 600_000, late: 900_000, isNightly: true })).toBe(day);
});
