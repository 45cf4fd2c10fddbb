import { describe, expect, test } from 'vitest';
import { exportWindows, resumeWindows } from '../../src/export/run/export-windows.ts';
import { runExport } from '../../src/export/run/run-export.ts';
import { rounds, sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

const count = rounds(1200, 200);

const deployments = [
  { silentCap: 50, order: 'sorted' },
  { silentCap: 99, order: 'sorted' },
  { silentCap: 50, order: 'cut first' },
  { silentCap: 99, order: 'unsorted' },
] as const;

describe('a deployment that returns fewer logs a call than are asked for, without a word', () => {
  test.each(sampled(deployments, 1))('$silentCap of 100, $order', async (exports) => {
    const logs = burstyLogs(count);
    await using setting = await startWindows({ logs, exports });
    const result = await exportWindows({ ...setting, order: setting.order() });
    expect(result).toMatchObject({ logs: count, complete: true });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
    // The cap is learnt: windows are made for it.
    const least = count / exports.silentCap;
    const [more, times] = exports.order === 'sorted' ? [14, 1.6] : [28, 9];
    expect(setting.submissions()).toBeLessThanOrEqual(more + times * least);
  });

  test('all logs in one window', async () => {
    const logs = burstyLogs(80);
    await using setting = await startWindows({ logs, exports: { silentCap: 79 } });
    const result = await exportWindows({ ...setting, order: setting.order() });
    expect(result).toMatchObject({ logs: 80, complete: true });
  });
});

describe('a zip without any entry', () => {
  test('is no absence of logs while others have some', async () => {
    const logs = burstyLogs(rounds(300, 150));
    const faults = [{ on: 'exportLogs', effect: 'noEntries', skip: 1, every: 3 } as const];
    await using setting = await startWindows({ logs, faults });
    const result = await exportWindows({ ...setting, order: setting.order() });
    expect(result).toMatchObject({ logs: logs.length, complete: true });
  });

  largeTest('that comes again and again is named, and comes later', async () => {
    const logs = burstyLogs(rounds(300, 150));
    const faults = [{ on: 'exportLogs', effect: 'noEntries', skip: 1, times: 4 } as const];
    await using setting = await startWindows({ logs, faults });
    const result = await exportWindows({ ...setting, order: setting.order() });
    expect(result.gaps).toMatchObject([
      { kind: 'failed', reason: expect.stringContaining('no entry at all') },
    ]);
    expect(await resumeWindows(setting)).toMatchObject({ logs: logs.length, complete: true });
  });

  largeTest('is how some deployments say that there are no logs', async () => {
    const logs = burstyLogs(100);
    const bare = { archive: { emptyWithoutEntry: true } };
    await using setting = await startWindows({ logs, ...bare });
    const some = await exportWindows({ ...setting, order: setting.order() });
    expect(some).toMatchObject({ logs: 100, complete: true });
    const none = await exportWindows({ ...setting, order: setting.order({ search: 'msg:nowhere' }) });
    expect(none).toMatchObject({ logs: 0, complete: true });
  });

  test('for all there is proves nothing', async () => {
    const faults = [{ on: 'exportLogs', effect: 'noEntries' } as const];
    await using setting = await startWindows({ logs: burstyLogs(10), faults });
    const result = await exportWindows({ ...setting, order: setting.order() });
    expect(result).toMatchObject({ logs: 0, complete: false, gaps: [{ kind: 'failed' }] });
  });
});

largeTest('logs that were seen once and do not come any more are asked for again, then named', async () => {
  const logs = burstyLogs(80);
  const faults = [{ on: 'exportLogs', effect: 'loseLogs', skip: 1, share: 0.5 } as const];
  await using setting = await startWindows({ logs, faults: faults.map((each) => ({ ...each, times: 2 })) });
  expect(await exportWindows({ ...setting, order: setting.order() })).toMatchObject({
    logs: 80,
    complete: true,
  });
  await using other = await startWindows({ logs, faults });
  const result = await exportWindows({ ...other, order: other.order() });
  expect(result.complete).toBe(false);
  expect(result.gaps.reduce((sum, { missing = 0 }) => sum + missing, 0)).toBe(80 - result.logs);
});

describe('the newest logs by one call', () => {
  test.each(
    sampled(
      [
        [60, false],
        [100, true],
      ] as const,
      1,
    ),
  )('of a deployment that returns %d logs a call', async (silentCap, complete) => {
    const logs = burstyLogs(80);
    await using setting = await startWindows({ logs, exports: { silentCap } });
    const { request } = setting.order();
    const newest = 1_700_001_000_000;
    const result = await runExport({ ...setting, onProgress: undefined, request: { ...request, newest } });
    expect(result).toMatchObject({ logs: Math.min(80, silentCap), complete });
    expect(result.gaps.map(({ kind }) => kind)).toEqual(complete ? [] : ['short']);
  });

  const bare = { on: 'exportLogs', effect: 'noEntries' } as const;

  test.each(
    sampled(
      [
        ['a zip without an entry for logs that are there', 30, { ...bare, times: 1 }, {}, false],
        ['zips without an entry for all there is', 30, bare, {}, false],
        [
          'a zip without an entry where nothing is selected',
          30,
          { ...bare, times: 2 },
          { users: 'nobody' },
          true,
        ],
        ['a zip without an entry for the older logs', 80, { ...bare, skip: 1 }, {}, false],
        [
          'logs that do not come again',
          80,
          { on: 'exportLogs', effect: 'loseLogs', skip: 1, share: 1 },
          {},
          false,
        ],
      ] as const,
      1,
    ),
  )('proves nothing by %s', async (_, count, fault, filters, complete) => {
    const exports = { silentCap: 60 };
    await using setting = await startWindows({ logs: burstyLogs(count), faults: [fault], exports });
    const request = { ...setting.order().request, ...filters, newest: 1_700_001_000_000 };
    const result = await runExport({ ...setting, onProgress: undefined, request });
    expect(result.gaps.map(({ kind }) => kind)).toEqual(complete ? [] : ['short']);
  });

  test.each(
    sampled(
      [
        [60, { sortOrder: 'asc' }, 'though it has newer ones'],
        [100, { sortOrder: 'asc' }, undefined],
        [60, { sortBy: 'bestMatch' }, 'in no order of time'],
      ] as const,
      1,
    ),
  )('of a deployment that returns %d logs a call, in the order %j', async (silentCap, order, reason) => {
    await using setting = await startWindows({ logs: burstyLogs(80), exports: { silentCap } });
    const search = { searchQuery: 'logCode:[0 TO 999999]', newest: 1_700_001_000_000, ...order };
    const request = { ...setting.order().request, ...search };
    const result = await runExport({ ...setting, onProgress: undefined, request });
    const gaps = reason === undefined ? [] : [{ kind: 'short', message: expect.stringContaining(reason) }];
    expect(result.gaps).toEqual(gaps);
  });

  test('proves nothing by logs of one time', async () => {
    const logs = burstyLogs(80).map((log) => ({ ...log, time: 1_700_000_000_000 }));
    await using setting = await startWindows({ logs, exports: { silentCap: 60 } });
    const request = { ...setting.order().request, newest: 1_700_001_000_000 };
    const result = await runExport({ ...setting, onProgress: undefined, request });
    expect(result).toMatchObject({ logs: 60, complete: false, gaps: [{ kind: 'short' }] });
  });
});
