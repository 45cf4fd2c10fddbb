import { describe, expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { doubtsAbout } from '../../src/export/decide/doubts.ts';
import {
  acceptedChance,
  lossyShare,
  minEnds,
  orderSeams,
  sampleSize,
  seamsOf,
  unseenChance,
} from '../../src/export/decide/sample.ts';

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

describe('what nothing proves', () => {
  const sample = { sampled: 5, ends: 9, share: 0.5, chance: 0, byLevel: 0, late: 0 };

  test('names a sample that left ends out, even if half of them could not be lossy', () => {
    expect(doubtsAbout({ observed: {}, sample })).toMatchObject([
      { code: 'SAMPLED', message: expect.stringContaining('5 of 9 ends') },
    ]);
    expect(doubtsAbout({ observed: {}, sample: { ...sample, sampled: 9 } })).toEqual([]);
  });

  test('names logs that came late, whether the end was named or not', () => {
    expect(doubtsAbout({ observed: {}, sample: { ...sample, sampled: 9, late: 4500 } })).toEqual([
      { code: 'LATE', message: 'Logs arrive up to 5 s after their time' },
    ]);
  });
});
