import { describe, expect, test } from 'vitest';
import { filterOf } from '../../src/assist/narrow.ts';
import { logKey, logPrint } from '../../src/export/windows/log-key.ts';
import { countKeys, openSurvey, type SurveyOptions } from '../../src/export/windows/survey.ts';
import type { LogRecord } from '../../src/records/record.ts';

const window = { oldest: 1000, newest: 2000 };

const recordOf = (time: number | undefined, msg = 'a'): LogRecord => ({
  ...{ kind: 'log', raw: '', position: { number: 1, offset: 0, length: 0 } },
  log: { ...(time !== undefined && { time }), msg },
});

/** Surveys logs, and says which of them are kept. */
function surveyed(records: readonly LogRecord[], more: Partial<SurveyOptions> = {}) {
  const options = { residual: undefined, known: new Map<string, number>(), prints: false, keys: false };
  const { keep, survey } = openSurvey({ window, asked: window, ...options, ...more });
  const kept = records.map(keep);
  return { ...survey(), of: kept };
}

describe('the logs of a reply', () => {
  test('are kept when they are of the window, or of no time', () => {
    const found = surveyed([2001, 2000, 1000, 999, undefined].map((time) => recordOf(time)));
    expect(found.of).toEqual([false, true, true, false, true]);
    expect(found).toMatchObject({
      found: 3,
      keptTimes: [2000, 1000, undefined],
      outside: 0,
      prints: [],
      keys: [],
    });
    expect(found.times).toEqual([2001, 2000, 1000, 999, undefined]);
  });

  test('are kept when the filter selects them', () => {
    const records = [recordOf(1500, 'a'), recordOf(1500, 'b'), recordOf(5000, 'b')];
    const found = surveyed(records, { residual: filterOf('msg:b', { now: 0 }), keys: true });
    expect(found.of).toEqual([false, true, false]);
    expect([found.found, found.keptTimes]).toEqual([2, [1500]]);
    expect(found.keys).toEqual(records.slice(1, 2).map(logKey));
  });

  test('are left out as often as the case has them', () => {
    const records = ['a', 'b', 'a', 'a'].map((msg) => recordOf(1500, msg));
    const known = countKeys([recordOf(1500, 'a'), recordOf(1500, 'a'), recordOf(1500, 'c')].map(logKey));
    const found = surveyed(records, { known, keys: true });
    expect(found.of).toEqual([false, true, false, true]);
    expect([found.found, found.keptTimes.length, found.keys.length]).toEqual([4, 2, 4]);
    expect([...known.values()]).toEqual([2, 1]);
  });

  test('have prints where they are wanted, one for each', () => {
    const records = [recordOf(1500), recordOf(5000)];
    expect(surveyed(records, { prints: true }).prints).toEqual(records.map(logPrint));
  });
});

describe('a log is outside', () => {
  const outside = (times: readonly number[], more: Partial<SurveyOptions> = {}) =>
    surveyed(
      times.map((time) => recordOf(time)),
      more,
    ).outside;

  test('more than a millisecond from what was asked for', () => {
    expect(outside([1001, 998, 999, 2001, 2002])).toBe(2);
    expect(outside([1001, 900, 899, 3001, 3002], { asked: { oldest: 901, newest: 3000 } })).toBe(2);
  });

  test('more than two seconds where times are whole seconds', () => {
    expect(outside([-1000, 4000])).toBe(0);
    expect(outside([-2000, 5000])).toBe(2);
    expect(outside([-1000], { resolution: 'milliseconds' })).toBe(1);
  });
});
