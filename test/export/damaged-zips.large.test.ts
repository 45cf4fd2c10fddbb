import { expect, test } from 'vitest';
import type { Fault } from '../../src/emulator/operation.ts';
import { exportWindows, resumeWindows } from '../../src/export/run/export-windows.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

const logs = burstyLogs(200, { spread: 0.6 });
const expected = sortedTexts(logs);

/** The downloads of all jobs of one window. */
const ofOneWindow = 9;

test.each([0, 4])(
  'a window whose zips all stay damaged, after %i others: the times below it are asked for, and a later run brings it',
  async (skip) => {
    const fault: Fault = { on: 'download', skip, times: ofOneWindow, effect: 'corrupt' };
    await using setting = await startWindows({ logs, cap: 60, faults: [fault] });
    const result = await exportWindows({ ...setting, order: setting.order(), jobs: 1 });
    const [gap, ...others] = result.gaps;
    expect(others).toEqual([]);
    expect(gap).toMatchObject({ kind: 'failed', reason: expect.stringContaining('damaged in all of 3') });
    // All logs below the window are there.
    const below = logs.filter(({ time = 0 }) => time < (gap?.oldest ?? 0));
    expect(below.length).toBeGreaterThan(80);
    expect(await textsOf(setting.into)).toEqual(expect.arrayContaining([...sortedTexts(below)]));
    expect(await resumeWindows({ ...setting, jobs: 1 })).toMatchObject({ complete: true });
    expect(await textsOf(setting.into)).toEqual(expected);
  },
);

test('a window whose zips are damaged in all downloads of one job is brought by another job', async () => {
  const fault: Fault = { on: 'download', skip: 4, times: 3, effect: 'truncate', keep: 0.5 };
  await using setting = await startWindows({ logs, cap: 60, faults: [fault] });
  const result = await exportWindows({ ...setting, order: setting.order(), jobs: 1 });
  expect(result).toMatchObject({ complete: true, gaps: [] });
  expect(await textsOf(setting.into)).toEqual(expected);
});
