import { beforeAll, expect, test } from 'vitest';
import type { WindowState } from '../../src/case/contents/exports.ts';
import { exportWindows, resumeWindows } from '../../src/export/run/export-windows.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

const logs = burstyLogs(400, { spread: 0.5 });

/** Submissions of an export that nothing interrupts. */
let undisturbed: number;

beforeAll(async () => {
  await using setting = await startWindows({ logs });
  await exportWindows({ ...setting, order: setting.order(), jobs: 1 });
  undisturbed = setting.submissions();
});

test.each<[WindowState, number]>([
  ['submitted', 1],
  ['submitted', 4],
  ['ready', 3],
  ['fetched', 3],
  ['loaded', 2],
])('interrupted at a window that is %s, number %i, nothing is asked for twice', async (state, count) => {
  await using setting = await startWindows({ logs, onDisk: true });
  const interruption = new AbortController();
  let seen = 0;
  const onProgress: typeof setting.onProgress = (progress) => {
    setting.onProgress(progress);
    if (progress.event !== 'window' || progress.state !== state) return;
    seen += 1;
    if (seen === count) interruption.abort(new Error('Enough for now'));
  };
  const { signal } = interruption;
  const first = exportWindows({ ...setting, order: setting.order(), jobs: 1, signal, onProgress });
  await expect(first).rejects.toThrow('Enough for now');
  expect(await resumeWindows({ ...setting, jobs: 1 })).toMatchObject({ complete: true, logs: logs.length });
  expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));

  // The jobs that were running are found again, and what was fetched is not fetched again.
  expect(setting.submissions()).toBe(undisturbed);
  const fetched = setting.progress.flatMap((each) =>
    each.event === 'window' && each.state === 'fetched' ? [each.job] : [],
  );
  expect(new Set(fetched).size).toBe(fetched.length);
});
