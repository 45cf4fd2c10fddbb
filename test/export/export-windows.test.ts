import { describe, expect, test } from 'vitest';
import { exportWindows } from '../../src/export/index.ts';
import { burstyLogs, coverageOf, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

test.each([1, 2, 4])('bursts far beyond the cap come whole, by %d jobs side by side', async (jobs) => {
  const logs = burstyLogs(5000);
  await using setting = await startWindows({ logs });
  const result = await exportWindows({ ...setting, order: setting.order(), jobs });
  expect(result).toMatchObject({ logs: 5000, complete: true, gaps: [] });
  expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  expect(setting.submissions()).toBeLessThanOrEqual(1.5 * 50);
  const windows = await coverageOf(setting.into);
  expect(windows.every(({ state }) => state === 'loaded')).toBe(true);
  for (const [index, { oldest }] of windows.entries()) {
    if (0 < index) expect(oldest).toBe((windows[index - 1]?.newest ?? 0) + 1);
  }
});

describe('whatever the deployment makes of its rules', () => {
  test.each(['included', 'excluded'] as const)('bounds %s', async (bounds) => {
    const logs = burstyLogs(3000);
    await using setting = await startWindows({ logs, exports: { bounds } });
    await exportWindows({ ...setting, order: setting.order() });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  });

  test.each(['sorted', 'cut first', 'unsorted'] as const)('logs %s', async (order) => {
    const logs = burstyLogs(3000);
    await using setting = await startWindows({ logs, exports: { order } });
    const result = await exportWindows({ ...setting, order: setting.order() });
    expect(result.complete).toBe(true);
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  });
});
