import { describe, expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { doubtsAbout, shownLoss, twiceChance } from '../../src/export/decide/doubts.ts';
import {
  acceptedChance,
  emptyWindows,
  lossyShare,
  markUnproved,
  minEnds,
  orderSeams,
  sampleSize,
  seamsOf,
  unseenChance,
} from '../../src/export/decide/sample.ts';
import { scatter } from './awkward-server.ts';

/** Loaded windows of ten times each, newest first, with these numbers of records. */
function windowsOf(...records: readonly number[]): readonly StoredWindow[] {
  return records.map((count, index) => ({
    window: index + 1,
    export: 1,
    state: 'loaded',
    attempts: 1,
    updated: 0,
    oldest: 1000 - index * 10,
    newest: 1009 - index * 10,
    records: count,
    sha256: `${index}`,
  }));
}

describe('the sample of an export', () => {
  test.each(Object.values(lossyShare))(
    'of a lossy share of %d leaves no more than the accepted chance',
    (share) => {
      for (let ends = 1; ends <= 2000; ends += 1) {
        const sampled = sampleSize(ends, share);
        const chance = unseenChance({ ends, lossy: Math.ceil(ends * share), sampled });
        expect(chance).toBeLessThanOrEqual(acceptedChance);
        expect(sampled).toBeGreaterThanOrEqual(Math.min(ends, minEnds));
        expect(sampled).toBeLessThanOrEqual(ends);
      }
    },
  );

  test('is all of few ends', () => {
    for (let ends = 0; ends <= minEnds; ends += 1) expect(sampleSize(ends, lossyShare.sorted)).toBe(ends);
  });

  test('begins with both ends of the largest reply, whatever the bytes of the zips are', () => {
    const windows = windowsOf(40, 30, 90, 20, 60, 50);
    const seams = seamsOf(windows);
    expect(seams).toHaveLength(7);
    for (const salt of ['a', 'b', 'c']) {
      const ordered = orderSeams(seams, windows, (text) => `${salt}${text.length}${text.at(-2)}`);
      expect(
        ordered
          .slice(0, 2)
          .map(({ time }) => time)
          .sort(),
      ).toEqual([980, 990]);
      expect(ordered).toHaveLength(7);
    }
  });
});

describe('a reply that no limit cut and that lacked logs', () => {
  const windows = windowsOf(40, 0, 3, 60, 0);
  const lossy = windows.slice(1, 2);
  const numbers = (some: readonly StoredWindow[] | undefined) => some?.map(({ window }) => window);

  test('is looked for among the windows without logs', () => {
    expect(numbers(emptyWindows(windows, (text) => text))?.sort()).toEqual([2, 5]);
  });

  test('leaves them without proof in the end, with those that may have been cut', () => {
    expect(numbers(markUnproved(windows, 'why', lossy))?.sort()).toEqual([1, 2, 3, 4, 5]);
    expect(numbers(markUnproved(windows, 'why'))).toEqual([1, 4]);
  });
});

describe('what nothing proves', () => {
  const sample = {
    ...({ sampled: 5, ends: 9, share: 0.5, chance: 0, byLevel: 0, hollow: 0, empty: 0 } as const),
    ...({ late: 0, again: 40, isComparable: true } as const),
  };
  const doubts = (more: Partial<Parameters<typeof doubtsAbout>[0]> = {}) =>
    doubtsAbout({ observed: {}, logs: 90, twice: false, sample, ...more });
  const all = { ...sample, sampled: 9 };

  test('names a sample that left ends out, even if half of them could not be lossy', () => {
    expect(doubts()).toMatchObject([
      { code: 'AT_RANDOM' },
      { code: 'SAMPLED', message: expect.stringContaining('5 of 9 ends') },
    ]);
    expect(doubts({ sample: all }).map(({ code }) => code)).toEqual(['AT_RANDOM']);
  });

  test('names windows without logs that were not requested again, and the chance that this hides a loss', () => {
    expect(doubts({ sample: { ...all, hollow: 13, empty: 40 } }).slice(1)).toEqual([
      {
        code: 'SAMPLED',
        message:
          '13 of 40 windows without logs were requested again, and none had any; if one in 5 had, that would be missed with a chance of 2.9 %',
      },
    ]);
    expect(doubts({ sample: { ...all, hollow: 40, empty: 40 } }).map(({ code }) => code)).toEqual([
      'AT_RANDOM',
    ]);
  });

  test('names logs that came late, whether the end was named or not', () => {
    expect(doubts({ sample: { ...all, late: 4500 } }).slice(1)).toEqual([
      { code: 'LATE', message: 'Logs arrive up to 5 s after their time' },
    ]);
  });

  test('names how many logs were requested twice, first of all, and the rarest loss that this shows', () => {
    const [doubt] = doubts();
    expect(doubt?.message).toBe(
      '40 of 90 logs were requested twice, which shows random losses of one log in 26 or more with a chance of 95 %; rarer ones may go unseen (--twice requests all twice)',
    );
    expect(doubts({ sample: { ...sample, again: 3 } })[0]?.message).toContain('too few to show');
    const nothing = 'No log was requested twice';
    expect(doubts({ sample: { ...sample, again: 0 } })[0]?.message).toContain(nothing);
    expect(doubts({ sample: undefined })[0]?.message).toContain(nothing);
  });

  test('is a chance that two replies lack the same log, if all were requested twice', () => {
    expect(doubts({ twice: true, sample: all })).toEqual([
      {
        code: 'AT_RANDOM',
        message:
          'All 90 logs were requested twice; that replies leave out other logs at random, and both the same one, has a chance of at most 0.6 %',
      },
    ]);
    expect(doubts({ twice: true, sample: all, logs: 0 })[0]?.message).toContain('Nothing came twice');
    expect(doubts({ twice: true, sample: all, logs: 2000 })).toEqual([]);
  });

  test.each([true, false])(
    'a loss that is said to show does show, by trial (comparable: %s)',
    (isComparable) => {
      for (const again of [12, 40, 300]) {
        const oneIn = shownLoss(again, isComparable) ?? Number.NaN;
        const shown = (share: number) => 1 - (1 - share * (1 - share) * (isComparable ? 2 : 1)) ** again;
        expect(shown(1 / oneIn)).toBeGreaterThanOrEqual(0.95);
        expect(shown(1 / (oneIn + 1))).toBeLessThan(0.95);
      }
    },
  );

  test('has the chance of a loss in two replies that trial finds', () => {
    const trials = 20_000;
    for (const share of [0.05, 0.2, 0.5, 0.8]) {
      const unseen = Array<number>(9).fill(0);
      for (let trial = 0; trial < trials; trial += 1) {
        let [came, isNew] = [0, false];
        for (let log = 0; log < 8; log += 1) {
          const first = share <= scatter(trial * 100 + log, 1);
          const second = share <= scatter(trial * 100 + log, 2);
          isNew ||= second && !first;
          if (first || second) came += 1;
        }
        if (came < 8 && !isNew) unseen[came] = (unseen[came] ?? 0) + 1;
      }
      for (const [came, count] of unseen.entries())
        expect(count / trials).toBeLessThanOrEqual(twiceChance(came));
    }
  });
});
