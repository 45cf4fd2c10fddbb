import { expect } from 'vitest';
import type { Fault } from '../../src/emulator/operation.ts';
import { exportWindows, resumeWindows } from '../../src/export/run/export-windows.ts';
import { burstyLogs, coverageOf, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

export const logs = burstyLogs(200, { spread: 0.6 });
export const expected = sortedTexts(logs);

/** Possible faults, each of which passes or comes again now and then. */
export const faults: { readonly [name: string]: Fault } = {
  latency: { on: 'job', every: 3, effect: 'delay', milliseconds: 5 },
  'a bad gateway': { on: 'job', skip: 1, every: 3, times: 4, effect: 'status', status: 502 },
  'an overloaded submission': {
    on: 'exportLogs',
    skip: 1,
    every: 4,
    times: 2,
    effect: 'status',
    status: 503,
  },
  'too many requests': {
    on: 'exportLogs',
    every: 3,
    times: 3,
    effect: 'status',
    status: 429,
    retryAfter: 2,
  },
  'a reset': { on: 'job', every: 5, times: 3, effect: 'reset' },
  'a submission that never arrives': { on: 'exportLogs', skip: 2, every: 5, times: 2, effect: 'reset' },
  'a lost submission': { on: 'exportLogs', skip: 1, every: 4, times: 2, effect: 'loseAnswer' },
  'a doubled submission': { on: 'exportLogs', every: 2, effect: 'submitTwice' },
  'a page': { on: 'job', skip: 2, every: 4, times: 2, effect: 'page' },
  'a token that expires': { on: 'job', every: 4, effect: 'expireTokens' },
  'tokens that are refused in a row': {
    on: 'job',
    skip: 2,
    every: 1,
    times: 6,
    effect: 'refuse',
    failure: { code: 498, message: 'Invalid token.', details: [] },
  },
  'a job that fails': {
    on: 'exportLogs',
    skip: 1,
    every: 4,
    times: 2,
    effect: 'endJob',
    state: 'FAILED',
    messages: ['Disk full'],
  },
  'a job that is stuck': {
    on: 'exportLogs',
    skip: 2,
    every: 6,
    times: 2,
    effect: 'delayJob',
    milliseconds: 1e12,
  },
  'a truncated zip': { on: 'download', every: 3, effect: 'truncate', keep: 0.6 },
  'a corrupt zip': { on: 'download', every: 3, effect: 'corrupt' },
  'a download that breaks off': { on: 'download', every: 4, effect: 'breakOff', keep: 0.5 },
  'a slow download': { on: 'download', every: 3, effect: 'slow', pieces: 4, milliseconds: 1 },
  'a refusal': {
    on: 'download',
    skip: 1,
    every: 5,
    times: 2,
    effect: 'refuse',
    shape: 'status error',
    failure: { code: 500, message: 'Try again', details: [] },
  },
};

/** Exports until nothing is open, as a person would, and expects every log exactly once. */
export async function checkExport(wrong: readonly Fault[]): Promise<void> {
  await using setting = await startWindows({ logs, cap: 60, faults: wrong });
  const order = setting.order();
  const maxWait = 60_000;
  let result = await exportWindows({ ...setting, order, maxWait });
  for (let run = 0; !result.complete && run < 4; run += 1) {
    // Missing times are named, and a later run begins with them.
    expect(result.gaps.every(({ kind, reason }) => kind === 'failed' && reason !== '')).toBe(true);
    result = await resumeWindows({ ...setting, maxWait });
  }
  expect(result).toMatchObject({ complete: true, gaps: [] });
  expect(await textsOf(setting.into)).toEqual(expected);
  const windows = await coverageOf(setting.into);
  expect(windows.every(({ state }) => state === 'loaded')).toBe(true);
}
