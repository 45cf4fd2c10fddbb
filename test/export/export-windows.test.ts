import { describe, expect, test } from 'vitest';
import type { WindowsProgress } from '../../src/export/decide/progress.ts';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import { rounds, sampled } from '../effort.ts';
import { burstyLogs, coverageOf, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

test.each(sampled([1, 2, 4], 1))(
  'bursts far beyond the cap come whole, by %d jobs side by side',
  async (jobs) => {
    const count = rounds(5000, 400);
    const logs = burstyLogs(count);
    await using setting = await startWindows({ logs });
    const loaded: number[] = [];
    const onProgress = (progress: WindowsProgress) => {
      if (progress.event === 'window' && progress.state === 'loaded') loaded.push(setting.submissions());
    };
    const result = await exportWindows({ ...setting, order: setting.order(), jobs, onProgress });
    expect(result).toMatchObject({ logs: count, complete: true, gaps: [] });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
    // The first windows are guessed, and what a reply of one job does not prove is one more call: of few windows a large part.
    const fetching = loaded.at(-1) ?? 0;
    expect(fetching).toBeGreaterThan(0);
    expect(fetching).toBeLessThanOrEqual((count < 5000 ? 6 : 2) * (count / 100));
    // A sample is requested again: at most 14 ends of windows and one level, and a control call.
    expect(setting.submissions() - fetching).toBeLessThanOrEqual(16);
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
