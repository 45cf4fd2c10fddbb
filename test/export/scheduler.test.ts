import { describe, expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { controlCheck, type ExpectedLogs, noLogsCheck } from '../../src/export/decide/reply-checks.ts';
import { nextWindow, type Schedule } from '../../src/export/decide/scheduler.ts';
import { openStart, wholeSlice, writeSlice } from '../../src/export/decide/window.ts';

function windowOf(
  window: number,
  oldest: number,
  newest: number,
  more: Partial<StoredWindow> = {},
): StoredWindow {
  return { window, export: 1, oldest, newest, state: 'planned', attempts: 0, updated: 0, ...more };
}

const loaded = (window: number, oldest: number, newest: number, found: number) =>
  windowOf(window, oldest, newest, { state: 'loaded', found });
const checking = (...checks: readonly ExpectedLogs[]) => ({ expected: JSON.stringify(checks) });

interface Given extends Partial<Schedule['target']> {
  readonly active?: readonly number[];
}

/** The window to bring next, and all that is noted before, each as its number and times. */
function next(windows: readonly StoredWindow[], { active = [], ...target }: Given = {}) {
  const found = nextWindow({
    windows,
    nextNumber: 50,
    isActive: ({ window }) => active.includes(window),
    target: { cap: 100, isOrderTrusted: true, isOrderKnown: true, ...target },
  });
  const short = ({ window, oldest, newest }: StoredWindow) => [window, oldest, newest];
  return found && { window: short(found.window), changes: found.changes.map(short) };
}

describe('what is brought next', () => {
  test('is the newest of what is planned', () => {
    const windows = [windowOf(1, 0, 99), windowOf(2, 200, 299), windowOf(3, 100, 199)];
    expect(next(windows)).toEqual({ window: [2, 200, 299], changes: [] });
    expect(next(windows, { active: [2] })?.window).toEqual([1, 0, 99]);
    expect(next([loaded(1, 0, 99, 5)])).toBeUndefined();
    expect(next([windowOf(1, 0, 99)], { active: [1] })).toBeUndefined();
  });

  test('leaves the times below a window under way to that, while there are others', () => {
    const windows = [windowOf(1, 0, 99), windowOf(2, 200, 299), windowOf(3, 300, 399)];
    expect(next(windows, { active: [3] })?.window).toEqual([1, 0, 99]);
  });

  test('holds as many logs as one call returns, where it is known how dense they are', () => {
    const windows = [windowOf(1, 0, 999), loaded(2, 1000, 1099, 100)];
    expect(next(windows)).toEqual({
      window: [1, 900, 999],
      changes: [
        [1, 900, 999],
        [50, 0, 899],
      ],
    });
    expect(next(windows, { step: 1000, cap: 100 })).toEqual({ window: [1, 0, 999], changes: [] });
    // A cut of nearly all of it is not worth its requests.
    expect(next([windowOf(1, 0, 89), loaded(2, 90, 189, 100)])).toEqual({ window: [1, 0, 89], changes: [] });
  });

  test('keeps what is known of the times on either side of a cut', () => {
    const checks = [
      { ...controlCheck(950), oldest: 910, newest: 950 },
      controlCheck(100),
      { ...controlCheck(0), oldest: 880, newest: 940 },
    ];
    const windows = [windowOf(1, 0, 999, checking(...checks)), loaded(2, 1000, 1099, 100)];
    const found = nextWindow({
      windows,
      nextNumber: 50,
      isActive: () => false,
      target: { cap: 100, isOrderTrusted: true, isOrderKnown: true },
    });
    const [now, rest] = (found?.changes ?? []).map(({ expected }) => JSON.parse(expected ?? '[]'));
    expect(now).toEqual([checks[0]]);
    expect(rest).toEqual([checks[1]]);
  });

  test('is whole where it was tried before, or proves an order or the absence of logs', () => {
    const near = loaded(2, 1000, 1099, 100);
    for (const more of [{ attempts: 1 }, checking(noLogsCheck(500, 600)), checking(controlCheck(1200))])
      expect(next([windowOf(1, 0, 999, more), near])).toEqual({ window: [1, 0, 999], changes: [] });
    expect(next([windowOf(1, 0, 999, checking(controlCheck(500))), near])?.window).toEqual([1, 900, 999]);
  });

  test('is never cut before there are logs', () => {
    const near = loaded(2, 1000, 1099, 1);
    expect(next([windowOf(1, openStart, 999), near])).toEqual({ window: [1, openStart, 999], changes: [] });
    expect(next([windowOf(1, -100_000, 999), near])?.window).toEqual([1, -9000, 999]);
    expect(next([windowOf(1, openStart, 9999), { ...near, oldest: 10_000, newest: 10_099 }])?.window).toEqual(
      [1, 0, 9999],
    );
  });
});

describe('beside a window under way', () => {
  const dense = [loaded(2, 1000, 1099, 100), windowOf(3, 900, 999)];

  test('the middle of the longest interval is started if that takes several calls', () => {
    const windows = [windowOf(1, 0, 899), ...dense];
    expect(next(windows, { active: [3] })).toEqual({
      window: [50, 350, 449],
      changes: [
        [1, 450, 899],
        [50, 350, 449],
        [51, 0, 349],
      ],
    });
    // Of fewer than three calls nothing is left for others.
    expect(next([windowOf(1, 601, 899), ...dense], { active: [3] })?.window).toEqual([1, 800, 899]);
    expect(next([windowOf(1, 600, 899), ...dense], { active: [3] })?.window).toEqual([50, 650, 749]);
  });

  test('nothing is cut where nothing is known, or a window goes as it is', () => {
    const unknown = [windowOf(1, 0, 899), windowOf(3, 900, 999)];
    expect(next(unknown, { active: [3] })).toEqual({
      window: [50, 0, 449],
      changes: [
        [1, 450, 899],
        [50, 0, 449],
      ],
    });
    expect(next([windowOf(1, 0, 899, { attempts: 1 }), ...dense], { active: [3] })?.window).toEqual([
      1, 0, 899,
    ]);
    expect(next([windowOf(1, openStart, 899), ...dense], { active: [3] })?.window).toEqual([1, 800, 899]);
  });

  test('an interval starts at whole seconds if times do, and one of two seconds as it is', () => {
    const seconds = { active: [3], step: 1000 };
    const windows = [windowOf(1, 0, 8999), windowOf(3, 9000, 9999)];
    expect(next(windows, seconds)?.window).toEqual([50, 0, 3999]);
    expect(next([windowOf(1, 7000, 8999), windowOf(3, 9000, 9999)], seconds)?.window).toEqual([
      50, 7000, 7999,
    ]);
    expect(next([windowOf(1, 8000, 8999), windowOf(3, 9000, 9999)], seconds)?.window).toEqual([
      1, 8000, 8999,
    ]);
  });

  test('the longest one is chosen', () => {
    const windows = [
      windowOf(1, 100, 199),
      windowOf(3, 200, 299),
      windowOf(4, 400, 799),
      windowOf(5, 800, 999),
    ];
    expect(next(windows, { active: [3, 5], cap: 1 })?.window[0]).toBe(50);
    expect(next(windows, { active: [3, 5], cap: 1 })?.changes[0]).toEqual([4, 600, 799]);
  });
});

describe('a slice of a millisecond', () => {
  const slice = writeSlice({ ...wholeSlice, order: 'asc' });
  const sliced = (window: number, at: number) => windowOf(window, at, at, { slice });

  test('goes first once the order is known, or nothing else is left', () => {
    const windows = [windowOf(1, 0, 99), sliced(2, 200)];
    expect(next(windows)?.window).toEqual([2, 200, 200]);
    expect(next(windows, { isOrderKnown: false })?.window).toEqual([1, 0, 99]);
    expect(next([sliced(2, 200)], { isOrderKnown: false })?.window).toEqual([2, 200, 200]);
  });

  test('waits for another one of its time, not for those of others', () => {
    expect(next([sliced(2, 200), sliced(3, 200)], { active: [2] })).toBeUndefined();
    expect(next([sliced(2, 200), sliced(3, 201)], { active: [2] })?.window).toEqual([3, 201, 201]);
    const second = { ...sliced(3, 200), newest: 201 };
    expect(next([sliced(2, 200), second], { active: [2] })?.window).toEqual([3, 200, 201]);
    expect(next([windowOf(1, 200, 200), sliced(2, 200)], { active: [1] })).toBeUndefined();
  });
});

test('a window that is only widened to whole seconds is noted too', () => {
  expect(next([windowOf(1, 500, 1400)], { step: 1000 })).toEqual({
    window: [1, 0, 1999],
    changes: [[1, 0, 1999]],
  });
  expect(next([windowOf(1, 0, 1999)], { step: 1000 })).toEqual({ window: [1, 0, 1999], changes: [] });
});
