import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/emulator/operation.ts';
import { exportWindows, resumeWindows } from '../../src/export/run/export-windows.ts';
import { rounds, sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { checkExport, expected, faults, logs } from './export-faults.ts';
import { burstyLogs, startWindows, textsOf } from './exporting-windows.ts';

// Few without `TEST_EFFORT=full`: pairs of faults are tested as well.
describe('each fault alone', () => {
  test.each(sampled(Object.keys(faults), 2))('%s', async (name) => {
    await checkExport([faults[name]].flatMap((fault) => fault ?? []));
  });
});

test('tokens that live a second last for a whole export, by three jobs', async () => {
  await using setting = await startWindows({ logs, cap: 60, tokenMinutes: 1 / 60 });
  const result = await exportWindows({ ...setting, order: setting.order(), jobs: 3 });
  expect(result).toMatchObject({ complete: true, logs: logs.length });
  expect(await textsOf(setting.into)).toEqual(expected);
});

describe('what does not pass', () => {
  largeTest(
    'a window that fails for good is named and does not stop the others; a later run brings it',
    async () => {
      const fault: Fault = {
        on: 'exportLogs',
        skip: 4,
        times: 3,
        effect: 'endJob',
        state: 'FAILED',
        messages: ['Disk full'],
      };
      await using setting = await startWindows({ logs, cap: 60, faults: [fault] });
      const result = await exportWindows({ ...setting, order: setting.order(), jobs: 1 });
      expect(result.gaps).toMatchObject([{ kind: 'failed', reason: expect.stringContaining('Disk full') }]);
      expect(result.logs).toBeLessThan(logs.length);
      expect(await resumeWindows(setting)).toMatchObject({ complete: true, logs: logs.length });
      expect(await textsOf(setting.into)).toEqual(expected);
    },
  );

  largeTest('a job that is stuck is waited for within the limit, then again, then replaced', async () => {
    const fault: Fault = { on: 'exportLogs', skip: 3, times: 1, effect: 'delayJob', milliseconds: 1e12 };
    await using setting = await startWindows({ logs, cap: 60, faults: [fault] });
    const result = await exportWindows({ ...setting, order: setting.order(), maxWait: 60_000 });
    expect(result.gaps).toMatchObject([
      { kind: 'failed', reason: expect.stringContaining('is still EXECUTING') },
    ]);
    const submissions = setting.submissions();
    expect(await resumeWindows({ ...setting, maxWait: 60_000 })).toMatchObject({ complete: true });
    expect(setting.submissions()).toBeGreaterThan(submissions);
    expect(await textsOf(setting.into)).toEqual(expected);
  });

  test.each(
    sampled<[string, Fault, string]>(
      [
        [
          'no right to download',
          { on: 'download', effect: 'refuse', failure: { code: 403, message: 'No privilege', details: [] } },
          'FORBIDDEN',
        ],
        [
          'jobs that all fail',
          { on: 'exportLogs', effect: 'endJob', state: 'FAILED', messages: [] },
          'JOB_FAILED',
        ],
        ['zips that are all damaged', { on: 'download', effect: 'corrupt' }, 'DAMAGED_ZIP'],
        ['pages for all', { on: 'exportLogs', effect: 'page' }, 'BAD_REPLY'],
        ['nobody there', { on: 'exportLogs', effect: 'reset' }, 'UNREACHABLE'],
        ['nobody there any more', { on: 'exportLogs', skip: 5, effect: 'reset' }, 'complete: false'],
      ],
      1,
    ),
  )('%s', async (_what, fault, outcome) => {
    await using setting = await startWindows({
      logs: burstyLogs(rounds(600, 250)),
      cap: 60,
      faults: [fault],
    });
    const run = exportWindows({ ...setting, order: setting.order() }).then(
      ({ complete }) => `complete: ${complete}`,
      (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
    );
    expect(await run).toBe(outcome);
  });
});
