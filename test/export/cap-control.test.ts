import { describe, expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import {
  confirmWindows,
  controlledWindows,
  extentOf,
  incomplete,
  isProvedBySize,
  judgeControl,
  needsControl,
  replanUnproven,
  unconfirmed,
} from '../../src/export/decide/observed-behaviour.ts';
import { wholeSlice, writeSlice } from '../../src/export/decide/window.ts';
import { retryGaps } from '../../src/export/run/export-windows.ts';
import { servedLogs, startAwkward } from './awkward-export.ts';
import { counted, dropping, ordered, type Rule, rules } from './awkward-server.ts';

let last = 0;

/** A loaded window of 100 ms from a time on, whose reply of so many logs had nothing beside it. */
function loaded(from: number, records: number, more: Partial<StoredWindow> = {}): StoredWindow {
  last += 1;
  return {
    window: last,
    export: 1,
    oldest: from,
    newest: from + 99,
    state: 'loaded',
    attempts: 1,
    updated: 0,
    records,
    found: records,
    reason: unconfirmed,
    ...more,
  };
}

/** A window that was split, as its reply of so many logs was truncated. */
const split = (from: number, newest: number, records: number) =>
  loaded(from, records, { newest, state: 'split', found: undefined, reason: undefined });

test.each([
  [11, {}, true],
  [10, {}, false],
  [11, { order: 'untrusted' }, true],
  [11, { order: 'trusted' }, false],
] as const)('%d logs of an order %j: nothing else proves them whole %s', (records, observed, expected) => {
  expect(isProvedBySize(records, observed)).toBe(expected);
});

describe('the windows that a control call asks for', () => {
  test('are those without a gap between them that have the most logs, whatever their order', () => {
    const [a, b, c, d] = [loaded(0, 20), loaded(100, 20), loaded(201, 30), loaded(301, 9)];
    expect(controlledWindows([d, b, a, c])).toEqual([a, b]);
    expect(controlledWindows([loaded(0, 20), d, c])).toEqual([c, d]);
  });

  test('join where one lies within the other', () => {
    const [long, short, next] = [loaded(0, 1, { newest: 499 }), loaded(100, 2), loaded(500, 3)];
    expect(controlledWindows([long, short, next, loaded(601, 5)])).toEqual([long, short, next]);
  });

  test('are not those that others replace, and count logs of loaded ones only', () => {
    const failed = loaded(0, 90, { state: 'failed' });
    expect(controlledWindows([failed, loaded(200, 3), split(300, 399, 900)])).toMatchObject([
      { oldest: 200 },
    ]);
    expect(controlledWindows([])).toEqual([]);
  });

  test('reach from the oldest to the newest time', () => {
    const windows = [loaded(100, 1, { newest: 900 }), loaded(50, 1)];
    expect(extentOf(windows)).toEqual({ oldest: 50, newest: 900 });
  });
});

describe('a control call', () => {
  const two = [loaded(0, 100), loaded(100, 100)];

  test.each<[why: string, windows: readonly StoredWindow[], records: number, lowered: number | undefined]>([
    ['with all logs confirms the windows', two, 200, undefined],
    ['with one log less, which may be unreadable, confirms them', two, 199, undefined],
    ['with a hundredth less confirms them', two, 198, undefined],
    ['with less than that and than the largest reply shows a lower cap', two, 90, 90],
    ['with as many as the largest reply returned confirms them', two, 100, undefined],
    ['with a hundredth less than the largest reply confirms them', two, 99, undefined],
    ['with less than that shows a lower cap', two, 98, 98],
    ['with more than all logs shows that some lack', two, 203, 203],
    ['with a hundredth more, which may have come late, confirms them', two, 202, undefined],
    ['with one log more of few confirms them', [loaded(0, 20)], 21, undefined],
    ['with two logs more of few does not', [loaded(0, 20)], 22, 22],
    [
      'with more than all logs shows nothing where a window failed',
      [...two, loaded(200, 0, { state: 'failed' })],
      300,
      undefined,
    ],
    ['as large as a truncated reply shows one cap', [...two, split(0, 199, 120)], 120, undefined],
    ['smaller than a truncated reply shows two', [...two, split(0, 199, 150)], 120, 120],
    ['larger than a truncated reply shows two', [...two, split(0, 199, 120)], 150, 120],
    ['differs from one of two truncated replies', [...two, split(0, 199, 150), split(0, 199, 120)], 150, 120],
    ['of all logs is beyond any cap, whatever was truncated', [...two, split(0, 199, 120)], 200, undefined],
    ['heeds no split reply with all logs', [...two, split(0, 99, 100)], 150, undefined],
    ['heeds no split reply of few logs, which no cap truncates', [...two, split(0, 199, 10)], 150, undefined],
    ['heeds a split reply of more than that', [...two, split(0, 199, 11)], 150, 11],
    [
      'as large as a truncated reply, but smaller than a whole one, shows two',
      [loaded(0, 150), loaded(100, 100), split(0, 199, 120)],
      120,
      120,
    ],
    ['counts the logs of a split window within its times', [...two, split(100, 199, 120)], 150, undefined],
    ['names the smallest truncated reply if logs lack', [...two, split(0, 199, 120)], 230, 120],
    ['of no logs at all confirms nothing', two, 0, 0],
    [
      'heeds no loaded window that lacked logs',
      [loaded(0, 120, { found: 50 }), loaded(100, 200)],
      200,
      undefined,
    ],
  ])('%s', (_, windows, records, lowered) => {
    expect(judgeControl(windows, { records, found: records })).toBe(lowered);
  });

  test('counts logs beside the windows towards the cap, but not towards theirs', () => {
    expect(judgeControl(two, { records: 260, found: 200 })).toBeUndefined();
    expect(judgeControl([...two, split(0, 199, 150)], { records: 150, found: 120 })).toBeUndefined();
    expect(judgeControl(two, { records: 100, found: 90 })).toBeUndefined();
    expect(judgeControl(two, { records: 95, found: 90 })).toBe(95);
  });

  test('is not measured by replies to earlier calls for more logs than it asked for', () => {
    const large = [loaded(0, 300), loaded(100, 300)];
    expect(judgeControl(large, { num: 50, records: 50, found: 50 })).toBeUndefined();
    expect(judgeControl(large, { num: 50, records: 40, found: 40 })).toBe(40);
  });

  test('counts logs behind the end of the last window as far as its reply may have had them', () => {
    const whole = [loaded(0, 200), loaded(100, 200), split(0, 199, 390)];
    expect(judgeControl(whole, { records: 380, found: 380 })).toBe(380);
    expect(judgeControl(whole, { records: 400, found: 380, newer: 20 })).toBeUndefined();
    expect(judgeControl(whole, { records: 460, found: 380, newer: 80 })).toBeUndefined();
  });
});

test.each<[windows: readonly StoredWindow[], order: 'trusted' | 'untrusted' | undefined, expected: boolean]>([
  [[loaded(0, 50)], undefined, true],
  [[loaded(0, 50, { reason: undefined }), loaded(100, 50)], 'untrusted', true],
  [[loaded(0, 50)], 'trusted', true],
  [[loaded(0, 50, { reason: incomplete })], 'untrusted', true],
  [[loaded(0, 50, { reason: incomplete })], undefined, true],
  [[loaded(0, 50, { reason: incomplete })], 'trusted', false],
  [[loaded(0, 50, { reason: undefined })], 'untrusted', false],
  [[loaded(0, 50, { state: 'failed' })], 'untrusted', false],
  [[], undefined, false],
])('windows %# of the order %s need a control: %s', (windows, order, expected) => {
  expect(needsControl(windows, { order })).toBe(expected);
});

describe('once the cap fell', () => {
  const clauses = [{ field: 'source' as const, values: ['a'], not: false }];

  test('windows without proof are requested again, without the checks of larger replies', () => {
    const large = loaded(0, 25, { expected: '[]', attempts: 3 });
    const failed = loaded(100, 0, { state: 'failed', reason: 'Refused' });
    const lacking = loaded(200, 11, { reason: incomplete });
    const again = replanUnproven([large, failed, lacking], 100);
    expect(
      again.map(({ window, state, attempts, expected, reason, records }) => [
        ...[window, state, attempts, expected, reason, records],
      ]),
    ).toEqual(
      [large, failed, lacking].map(({ window }) => [window, 'planned', 0, undefined, undefined, undefined]),
    );
  });

  test.each<[string, StoredWindow]>([
    ['of a reply of less than a quarter of it', loaded(0, 24)],
    ['that something else proves', loaded(0, 90, { reason: undefined })],
    ['that others replaced', split(0, 99, 90)],
    ['that waits', loaded(0, 90, { state: 'planned' })],
    ['of a part of a millisecond', loaded(0, 90, { slice: writeSlice({ ...wholeSlice, clauses }) })],
  ])('a window %s is not', (_, window) => {
    expect(replanUnproven([window], 100)).toEqual([]);
  });
});

test('confirmed windows lack nothing any more, and others stay as they are', () => {
  const doubtful = loaded(0, 50, { missing: 1 });
  const others = [loaded(0, 50, { reason: incomplete, missing: 2 }), loaded(100, 5, { reason: undefined })];
  expect(confirmWindows([doubtful, ...others])).toEqual([
    { ...doubtful, missing: undefined, reason: undefined },
  ]);
});

test.each([20, 90])(
  'a run with another number of logs per call, %d, takes what earlier calls asked for as no change of the cap',
  async (num) => {
    const logs = servedLogs(150);
    const now = (logs.at(-1)?.time ?? 0) + 3_600_000;
    let isLossy = true;
    const lossy = rules(ordered('shuffled'), counted(), dropping(0.1));
    const sound = rules(ordered('shuffled'), counted());
    // What is left out depends on the window and on how often it was asked for, not on the order of calls side by side.
    const asked = new Map<string, number>();
    const rule: Rule = (matching, call) => {
      const window = `${matching[0]?.time} ${matching.length} ${call.num}`;
      const number = (asked.get(window) ?? 0) + 1;
      asked.set(window, number);
      return (isLossy ? lossy : sound)(matching, { ...call, number });
    };
    await using setting = await startAwkward({ logs, rule, now });
    const { request } = setting.order();
    expect(await setting.run({ request: { ...request, num: 60 } })).toMatchObject({ complete: false });
    isLossy = false;
    const before = setting.said.length;
    await retryGaps({ ...setting.options, requestSettings: { num } });
    expect(setting.said.slice(before).filter((message) => message.includes('changing number'))).toEqual([]);
  },
);
