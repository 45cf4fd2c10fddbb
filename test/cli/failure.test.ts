import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/cli/command-line/exit-code.ts';
import { reportFailure } from '../../src/cli/command-line/report-failure.ts';
import { showExportProgress } from '../../src/cli/output/export-report.ts';
import type { Progress } from '../../src/cli/terminal/progress.ts';
import { ClosedPipe, Interrupted } from '../../src/cli/terminal/terminal.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';
import { ClientError, clientErrorCodes } from '../../src/client/errors.ts';
import { StoreError, type StoreErrorCode } from '../../src/database/store-error.ts';
import { ExportError } from '../../src/export/run/order.ts';

/** Exit code and message of a failure. */
function report(error: unknown): { code: number; said: string } {
  const said: string[] = [];
  const code = reportFailure(error, {
    message: (line) => said.push(line),
    stderr: { width: undefined, style: toStyle(false) },
  });
  return { code, said: said.join('\n') };
}

describe('a failure', () => {
  test.each<[unknown, number, string]>([
    [new ClosedPipe(), 0, ''],
    [new Interrupted(), 130, 'Interrupted.'],
    [new UsageError('"--x" requires y'), 2, 'error: "--x" requires y'],
    [new ExportError('NOTHING_TO_RESUME', 'a'), 2, 'error: a [NOTHING_TO_RESUME]'],
    [new ExportError('STILL_RUNNING', 'a'), 3, 'error: a [STILL_RUNNING]'],
    [new ExportError('DAMAGED_ZIP', 'a'), 3, 'error: a [DAMAGED_ZIP]'],
    [
      Object.assign(new Error('no space'), { code: 'ENOSPC' }),
      1,
      'error: no space [ENOSPC]\nThe disk is full: free some space, then repeat the command. Finished work is kept.',
    ],
    [
      new Error('IO Error: Could not write file "a": Input/output error'),
      1,
      expect.stringMatching(/^error: IO Error: .* \[STORE_FAILED\]\nThe disk failed: /),
    ],
    [new ClientError('REFUSED', 'No space left on device'), 3, 'error: No space left on device [REFUSED]'],
    [new ClientError('REFUSED', 'said \u001b[2J'), 3, 'error: said \\x1b[2J [REFUSED]'],
    ['a text', 1, 'error: This is a bug in logquarry: a text'],
  ])('%s ends with %i', (error, code, said) => {
    expect(report(error)).toEqual({ code, said });
  });

  test.each(Object.keys(clientErrorCodes))('of the deployment, %s, ends with 3', (code) => {
    expect(report(new ClientError(code as keyof typeof clientErrorCodes, 'a')).code).toBe(3);
  });

  test.each<[StoreErrorCode, number]>([
    ['CASE_NOT_FOUND', 2],
    ['NOT_A_CASE', 2],
    ['CASE_VERSION', 2],
    ['FILE_NOT_FOUND', 2],
    ['FILE_UNREADABLE', 2],
    ['BAD_SQL', 1],
    ['SQL_REFUSED', 1],
    ['TRUNCATED_ZIP', 1],
    ['TOO_BIG', 1],
    ['CASE_LOCKED', 1],
    ['STORE_FAILED', 1],
  ])('of the store, %s, ends with %i', (code, exitCode) => {
    expect(report(new StoreError(code, 'a')).code).toBe(exitCode);
  });

  test('that nobody foresaw shows where it was', () => {
    const { code, said } = report(new Error('oh'));
    expect(code).toBe(1);
    expect(said).toMatch(/^error: This is a bug in logquarry: Error: oh\n {4}at /);
  });
});

test('of an export the lasting news are lines, the rest a state', () => {
  const said: string[] = [];
  const states: Progress[] = [];
  const show = showExportProgress(
    { message: (line) => said.push(line) },
    { update: (progress) => states.push(progress), end: () => {} },
  );
  show({ stage: 'submitting' });
  show({ stage: 'submitted', jobId: 'j1', jobsUrl: 'https://a/b' });
  const waiting = { stage: 'waiting', jobId: 'j1', status: 'EXECUTING', waited: 1 } as const;
  for (const trouble of [undefined, 'no route', 'no route', undefined, 'no route']) {
    show({ ...waiting, ...(trouble !== undefined && { trouble }) });
  }
  show({ stage: 'downloading', bytes: 5 });
  show({ stage: 'damaged', reason: 'cut\u0007' });
  show({ stage: 'loading', logs: 3, unreadable: 1 });
  expect(said).toEqual([
    'Export job j1 is running at the deployment.',
    'The status of the job is not available; retrying: no route',
    'The status of the job is not available; retrying: no route',
    'The zip is damaged; downloading it again: cut\\x07',
  ]);
  expect(states[0]).toEqual({ doing: 'Submitting the export' });
  expect(states.slice(-2)).toEqual([
    { doing: 'Downloading', done: 5, unit: 'B' },
    { doing: 'Loading', done: 4, unit: 'logs' },
  ]);
});
