import { describe, expect, test } from 'vitest';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import { rounds, sampled } from '../effort.ts';
import { burstyLogs, coverageOf, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

test.each(sampled([1, 2, 4], 1))(
  'bursts far beyond the cap come whole, by %d jobs side by side',
  async (jobs) => {
    const count = rounds(5000, 400);
    const logs = burstyLogs(count);
    await using setting = await startWindows({ logs });
    const result = await exportWindows({ ...setting, order: setting.order(), jobs });
    expect(result).toMatchObject({ logs: count, complete: true, gaps: [] });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
    // The first windows are guessed, and what a reply of one job does not prove is one more call: of few windows a large part.
    expect(setting.submissions()).toBeLessThanOrEqual((count < 5000 ? 6 : 2) * (count / 100));
    const windows = await coverageOf(setting.into);
    expect(windows.every(({ state }) => state === 'loaded')).toBe(true);
    for (const [index, { oldest }] of windows.entries()) {
      if (0 < index) expect(oldest).toBe((windows[index - 1]?.newest ?? 0) + 1);
    }
  },
);

describe('whatever the deployment makes of its rules', () => {
  test.each(sampled(['included', 'excluded'] as const, 1))('bounds %s', async (bounds) => {
    const logs = burstyLogs(rounds(3000));
    await using setting = await startWindows({ logs, exports: { bounds } });
    await exportWindows({ ...setting, order: setting.order() });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  });

  test.each(sampled(['sorted', 'cut first', 'unsorted'] as const, 1))('logs %s', async (order) => {
    const logs = burstyLogs(rounds(3000));
    await using setting = await startWindows({ logs, exports: { order } });
    const result = await exportWindows({ ...setting, order: setting.order() });
    expect(result.complete).toBe(true);
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  });
});
