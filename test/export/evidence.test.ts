import { describe, expect, test } from 'vitest';
import type { StoredExport, StoredWindow } from '../../src/case/contents/exports.ts';
import { countLost, evidenceOf } from '../../src/export/decide/decide-window.ts';
import { type ReplySizes, unconfirmed } from '../../src/export/decide/observed-behaviour.ts';
import { type ExpectedLogs, noLogsCheck } from '../../src/export/decide/reply-checks.ts';
import { containsTime } from '../../src/export/decide/window.ts';

const stored: StoredExport = {
  export: 1,
  deployment: '',
  request: {},
  settings: {},
  oldest: 0,
  newest: 9999,
  learnt: {},
  started: 0,
};
const windowOf = (more: Partial<StoredWindow> = {}): StoredWindow => ({
  window: 1,
  export: 1,
  oldest: 100,
  newest: 999,
  state: 'planned',
  attempts: 0,
  updated: 0,
  ...more,
});
const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index * 10);

/** The checks that logs of these times set up, each with its time as its print. */
function checkOf(kind: 'exact' | 'least', times: readonly number[], from: number, to: number): ExpectedLogs {
  const own = times.filter((time) => containsTime({ oldest: from, newest: to }, time));
  const print = kind === 'exact' ? own.reduce((sum, time) => sum + time, 0) : 0;
  return { kind, oldest: from, newest: to, count: own.length, print };
}

interface Given {
  readonly times?: readonly (number | undefined)[];
  readonly checks?: readonly ExpectedLogs[];
  readonly window?: Partial<StoredWindow>;
  readonly learnt?: StoredExport['learnt'];
  readonly sizes?: ReplySizes;
  readonly recent?: readonly StoredWindow[];
  readonly records?: number;
}

function replyOf({ times = down(990, 20), checks = [], window = {} }: Given) {
  const own = times.filter((time) => time === undefined || containsTime({ oldest: 100, newest: 999 }, time));
  return {
    window: windowOf({ ...window, ...(0 < checks.length && { expected: JSON.stringify(checks) }) }),
    summary: {
      times,
      found: own.length,
      stored: own.length,
      storedTimes: own,
      outside: 0,
      fingerprints: times.map((time = 0) => time),
      keys: [],
    },
  };
}

/** What a reply of 20 logs shows; the largest so far had 90 of 100, unless given. */
function evidence({ learnt = {}, sizes = { num: 100, largest: 90 }, recent = [], ...given }: Given = {}) {
  const reply = replyOf(given);
  const records = given.records ?? reply.summary.times.length;
  return evidenceOf(reply, { stored: { ...stored, learnt }, sizes, recent }, records);
}

/** The newest half of an earlier reply, whose older logs were not known to be all. */
const shown = checkOf('exact', down(990, 10), 895, 999);
const lacked = { lackedOldest: '100', lackedNewest: '890' };

describe('the sort order', () => {
  test('is trusted once the newest logs come again and 24 older ones with them', () => {
    const given = { checks: [shown], learnt: lacked };
    expect(evidence({ ...given, times: down(990, 34) })).toMatchObject({ again: true, order: 'trusted' });
    expect(evidence({ ...given, times: down(990, 33) })).toMatchObject({ again: true, order: undefined });
  });

  test('is not trusted once the newest logs do not come again, whatever else comes', () => {
    const times = down(990, 40).filter((time) => time !== 950);
    expect(evidence({ checks: [shown], times, learnt: lacked })).toMatchObject({
      again: false,
      order: 'untrusted',
    });
  });

  test('shows nothing where no logs were to come and none came', () => {
    expect(evidence({ checks: [noLogsCheck(995, 999)] })).toMatchObject({
      again: undefined,
      order: undefined,
    });
  });

  test('shows nothing in a reply that may be truncated', () => {
    const given = { checks: [shown], times: down(900, 20), sizes: { num: 100, largest: 20 } };
    expect(evidence(given)).toMatchObject({ again: undefined, order: undefined, isDoubtful: false });
    expect(evidence({ ...given, sizes: { num: 100, largest: 21 } })).toMatchObject({ again: false });
  });
});

describe('a sorted reply that ends among the logs that it was to show again', () => {
  const older = checkOf('exact', down(490, 10), 395, 499);
  const times = down(610, 18);

  test('may be truncated, so it refutes nothing', () => {
    expect(times.at(-1)).toBe(440);
    const cut = evidence({ checks: [older], times });
    expect(cut).toMatchObject({ again: undefined, order: undefined, isDoubtful: true });
  });

  test('is beyond doubt once the order is known', () => {
    for (const order of ['trusted', 'untrusted'])
      expect(evidence({ checks: [older], times, learnt: { order } }).isDoubtful).toBe(false);
  });

  test.each<[why: string, given: Given]>([
    ['in no order', { checks: [older], times: times.with(0, 440).with(17, 610) }],
    ['of no more logs than any cap', { checks: [older], times: down(530, 10) }],
    ['that ends before them', { checks: [older], times: times.map((time) => time + 60) }],
    ['that ends after them', { checks: [older], times: [...times, 394] }],
    ['that ends right below them', { checks: [checkOf('exact', down(490, 10), 440, 499)], times }],
    ['that holds as many', { checks: [{ ...older, count: 6 }], times }],
    ['that was to hold at least some', { checks: [{ ...older, kind: 'least' }], times }],
    ['that was to hold none', { checks: [noLogsCheck(395, 499)], times }],
    ['that begins where they end', { checks: [checkOf('exact', down(490, 10), 430, 439)], times }],
    ['of logs without times', { checks: [older], times: Array(18).fill(undefined) }],
  ])('%s is not taken for truncated', (_, given) => {
    expect(evidence(given).isDoubtful).toBe(false);
  });

  test('is truncated where its last log is the newest that was to come, and where a log has no time', () => {
    expect(evidence({ checks: [checkOf('exact', down(490, 10), 395, 440)], times }).isDoubtful).toBe(true);
    expect(evidence({ checks: [older], times: [undefined, ...times, undefined] }).isDoubtful).toBe(true);
    expect(evidence({ checks: [checkOf('exact', [950], 900, 999), older], times }).isDoubtful).toBe(true);
  });
});

describe('a reply of the size of a recent one', () => {
  const recent = [
    windowOf({ window: 2, records: 21, reason: unconfirmed }),
    windowOf({ window: 3, records: 20, reason: unconfirmed }),
  ];

  test('may have met the same cap', () => {
    expect(evidence({ recent })).toMatchObject({ repeated: { window: 3 }, isDoubtful: true });
    expect(evidence({ recent, learnt: { order: 'untrusted' } })).toMatchObject({ repeated: { window: 3 } });
  });

  test.each<[why: string, given: Given]>([
    ['of a deployment that sorts', { recent, learnt: { order: 'trusted' } }],
    ['that something else proved', { recent: [windowOf({ records: 20 })] }],
    ['of another size', { recent: recent.slice(0, 1) }],
    ['that is as large as any', { recent, sizes: { num: 100, largest: 20 } }],
    ['of one millisecond', { recent, window: { oldest: 999 } }],
    ['of one second of logs in seconds', { recent, window: { oldest: 0 }, learnt: { times: 'seconds' } }],
    [
      'of no more logs than any cap',
      { times: down(990, 10), recent: [windowOf({ records: 10, reason: unconfirmed })] },
    ],
  ])('%s has not', (_, given) => {
    expect(evidence(given)).toMatchObject({ repeated: undefined, isDoubtful: false });
  });

  test('of eleven logs may have, in a window of two milliseconds', () => {
    const same = [windowOf({ window: 4, records: 11, reason: unconfirmed })];
    const given = { times: down(990, 11), recent: same, window: { oldest: 998 } };
    expect(evidence(given)).toMatchObject({ repeated: { window: 4 } });
  });
});

describe('the logs of earlier replies that a reply lacks', () => {
  const checks = [checkOf('least', down(990, 40), 600, 699), checkOf('least', down(990, 40), 800, 999)];

  test('are those of all its times if it is small', () => {
    const reply = replyOf({ times: down(990, 12), checks });
    expect(checks.map(({ count }) => count)).toEqual([10, 20]);
    expect(countLost(reply, { kind: 'whole' }, true)).toBe(18);
    expect(countLost(reply, { kind: 'whole' }, false)).toBe(0);
  });

  test('are those of the times that it proves, if it reaches no further', () => {
    const reply = replyOf({ times: down(960, 12), checks });
    expect(countLost(reply, { kind: 'newer', from: 800 }, true)).toBe(8);
    expect(countLost(reply, { kind: 'newer', from: 851 }, false)).toBe(0);
    expect(countLost(reply, { kind: 'newer', from: 800 }, false)).toBe(8);
    expect(countLost(reply, { kind: 'newer', from: 600 }, false)).toBe(18);
  });
});
