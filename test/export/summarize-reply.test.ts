import { describe, expect, test } from 'vitest';
import { countKeys } from '../../src/export/decide/reply-checks.ts';
import {
  logFingerprint,
  logKey,
  type ReplySummaryOptions,
  startReplySummary,
} from '../../src/export/run/load-window.ts';
import { filterOfText } from '../../src/language/meaning/explicit.ts';
import type { LogRecord } from '../../src/records/log.ts';

const window = { oldest: 1000, newest: 2000 };

const recordOf = (time: number | undefined, msg = 'a'): LogRecord => ({
  kind: 'log',
  raw: '',
  position: { number: 1, offset: 0, length: 0 },
  log: { ...(time !== undefined && { time }), msg },
});

/** Surveys logs, and says which of them are kept. */
function summarize(records: readonly LogRecord[], more: Partial<ReplySummaryOptions> = {}) {
  const options = { residual: undefined, known: new Map<string, number>(), fingerprints: false, keys: false };
  const { keep, summary } = startReplySummary({ window, requested: window, ...options, ...more });
  const stored = records.map(keep);
  return { ...summary(), of: stored };
}

describe('the logs of a reply', () => {
  test('are kept when they are of the window, or of no time', () => {
    const found = summarize([2001, 2000, 1000, 999, undefined].map((time) => recordOf(time)));
    expect(found.of).toEqual([false, true, true, false, true]);
    expect(found).toMatchObject({
      found: 3,
      storedTimes: [2000, 1000, undefined],
      outside: 0,
      fingerprints: [],
      keys: [],
    });
    expect(found.times).toEqual([2001, 2000, 1000, 999, undefined]);
  });

  test('are kept when the filter selects them', () => {
    const records = [recordOf(1500, 'a'), recordOf(1500, 'b'), recordOf(5000, 'b')];
    const found = summarize(records, { residual: filterOfText('msg:b', { now: 0 }), keys: true });
    expect(found.of).toEqual([false, true, false]);
    expect([found.found, found.storedTimes]).toEqual([2, [1500]]);
    expect(found.keys).toEqual(records.slice(1, 2).map(logKey));
  });

  test('are left out as often as the case has them', () => {
    const records = ['a', 'b', 'a', 'a'].map((msg) => recordOf(1500, msg));
    const known = countKeys([recordOf(1500, 'a'), recordOf(1500, 'a'), recordOf(1500, 'c')].map(logKey));
    const found = summarize(records, { known, keys: true });
    expect(found.of).toEqual([false, true, false, true]);
    expect([found.found, found.storedTimes.length, found.keys.length]).toEqual([4, 2, 4]);
    expect([...known.values()]).toEqual([2, 1]);
  });

  test('have prints where they are wanted, one for each', () => {
    const records = [recordOf(1500), recordOf(5000)];
    expect(summarize(records, { fingerprints: true }).fingerprints).toEqual(records.map(logFingerprint));
  });
});

describe('a log is outside', () => {
  const outside = (times: readonly number[], more: Partial<ReplySummaryOptions> = {}) =>
    summarize(
      times.map((time) => recordOf(time)),
      more,
    ).outside;

  test('more than a millisecond from what was asked for', () => {
    expect(outside([1001, 998, 999, 2001, 2002])).toBe(2);
    expect(outside([1001, 900, 899, 3001, 3002], { requested: { oldest: 901, newest: 3000 } })).toBe(2);
  });

  test('more than two seconds where times are whole seconds', () => {
    expect(outside([-1000, 4000])).toBe(0);
    expect(outside([-2000, 5000])).toBe(2);
    expect(outside([-1000], { resolution: 'milliseconds' })).toBe(1);
  });
});
