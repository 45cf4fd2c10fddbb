import { expect, test } from 'vitest';
import { burstLogs } from '../../src/emulator/bursts.ts';
import { exportWindows, resumeWindows } from '../../src/export/run/export-windows.ts';
import { sortedTexts, startWindows, textsOf } from '../export/exporting-windows.ts';

const count = 60_000;
const cap = 1000;

test(`${count} logs in bursts, disordered and with faults, behind a cap of ${cap}: every one exactly once`, async () => {
  const logs = burstLogs({ count, seed: 7, every: 400, equal: 0.15, disorder: 4000 });
  await using setting = await startWindows({
    logs,
    cap,
    jobLimit: 500,
    // Logs of the deployment about itself are later than the requested range.
    now: () => Date.UTC(2026, 0, 1),
    faults: [
      { on: 'job', skip: 3, every: 11, effect: 'status', status: 502 },
      { on: 'exportLogs', skip: 5, every: 17, effect: 'status', status: 429, retryAfter: 1 },
      {
        on: 'exportLogs',
        skip: 8,
        every: 61,
        effect: 'endJob',
        state: 'FAILED',
        messages: ['No space left'],
      },
      { on: 'download', skip: 2, every: 13, effect: 'truncate', keep: 0.7 },
      { on: 'job', skip: 20, every: 60, effect: 'expireTokens' },
    ],
  });
  const newest = Date.UTC(2025, 2, 12, 13);
  const order = setting.order({ oldest: newest - 999 * 86_400_000, newest, to: newest });
  let result = await exportWindows({ ...setting, order, jobs: 3 });
  const { calls } = result;
  if (!result.complete) result = await resumeWindows(setting);
  expect(result).toMatchObject({ complete: true, logs: logs.length });
  expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  // Repetitions after faults, and a call for what is left at the end of each job's times, are among them.
  expect(calls).toBeLessThanOrEqual(2 * (count / cap));
});
