import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { findJobs } from '../../src/case/contents/exports.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import type { Transport } from '../../src/client/transport.ts';
import type { ExportProgress } from '../../src/export/run/job.ts';
import { resumeExport, runExport } from '../../src/export/run/run-export.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { afterLogs, type Exporting, logs, proofs, startExporting } from './exporting.ts';

const request = { ...newestLogsRequest, newest: afterLogs };
const interrupted = new Error('interrupted');

/** Runs an export and interrupts it at the first sign of a stage. */
async function interruptAt(stage: ExportProgress['stage'], exporting: Exporting): Promise<void> {
  const abort = new AbortController();
  const onProgress = (progress: ExportProgress) => {
    if (progress.stage === stage) abort.abort(interrupted);
  };
  const run = runExport({ ...exporting, request, onProgress, signal: abort.signal });
  await expect(run).rejects.toBe(interrupted);
}

describe('an export that was interrupted', () => {
  test.each<[ExportProgress['stage'], string]>([
    ['submitted', 'submitted'],
    ['waiting', 'submitted'],
    ['downloading', 'ready'],
    ['downloaded', 'fetched'],
    ['loading', 'fetched'],
  ])('while %s goes on where it was, without a second job', async (stage, state) => {
    // So many logs and such a slow job that there is a while in which to interrupt, on a busy machine too.
    const pace = stage === 'waiting' ? 1500 : 100;
    const many = Array.from({ length: 9000 }, (_, index) => ({ ...logs[index % 25], time: index }));
    await using exporting = await startExporting({
      logs: many,
      pace: { queued: pace, running: pace, perLog: 0 },
    });
    await interruptAt(stage, exporting);
    expect(await findJobs(exporting.into)).toMatchObject([{ state }]);
    const uploads = exporting.calls.get('uploads') ?? 0;
    const into = await exporting.reopen();
    expect(await resumeExport({ ...exporting, into })).toMatchObject({ logs: 9000, complete: true });
    const found = await findLogs(into, matchAllFilter, { limit: 10_000, order: 'oldest' });
    expect(found.map(({ log }) => log)).toEqual(many);
    expect(exporting.calls.get('export')).toBe(1 + proofs);
    if (state === 'fetched') expect(exporting.calls.get('uploads')).toBe(uploads + proofs);
    expect(await findJobs(into)).toMatchObject([{ state: 'loaded' }]);
    expect(await exporting.leftovers()).toEqual([]);
  });

  test('while its job was being submitted has waited for the identifier of the job', async () => {
    await using exporting = await startExporting();
    const abort = new AbortController();
    const transport: Transport = (asked) => {
      if (asked.url.includes('/export')) abort.abort(interrupted);
      return exporting.deployment.fetch(asked);
    };
    await using client = exporting.openClient({ transport });
    const run = runExport({ ...exporting, client, request, signal: abort.signal });
    await expect(run).rejects.toBe(interrupted);
    expect(await findJobs(exporting.into)).toMatchObject([{ state: 'submitted' }]);
    expect(await resumeExport(exporting)).toMatchObject({ logs: 25, complete: true });
    expect(exporting.calls.get('export')).toBe(proofs);
  });

  test('before it was submitted leaves nothing to resume', async () => {
    await using exporting = await startExporting();
    const run = runExport({ ...exporting, request, signal: AbortSignal.abort(interrupted) });
    await expect(run).rejects.toBe(interrupted);
    expect(await findJobs(exporting.into)).toEqual([]);
    await expect(resumeExport(exporting)).rejects.toMatchObject({
      code: 'NOTHING_TO_RESUME',
      message: expect.stringContaining('is unfinished. For newer logs: --since-last'),
    });
  });

  test('and whose zip was deleted since downloads it again', async () => {
    await using exporting = await startExporting();
    await interruptAt('downloaded', exporting);
    await rm(`${exporting.into.path}.downloads`, { recursive: true });
    expect(await resumeExport(exporting)).toMatchObject({ logs: 25 });
    expect(exporting.calls.get('uploads')).toBe(2 + proofs);
  });
});

test('an export that waited too long is waited for again', async () => {
  await using exporting = await startExporting({ pace: { queued: 200, running: 200, perLog: 0 } });
  await expect(runExport({ ...exporting, request, maxWait: 1 })).rejects.toMatchObject({
    code: 'STILL_RUNNING',
  });
  expect(await resumeExport(exporting)).toMatchObject({ logs: 25, complete: true });
  expect(exporting.calls.get('export')).toBe(1 + proofs);
});

test.each([
  ['has failed', [{ on: 'exportLogs', effect: 'endJob', state: 'FAILED', messages: ['Disk full'] }] as const],
  ['is done', []],
])('an export that %s is not resumed', async (_what, faults) => {
  await using exporting = await startExporting({ faults });
  await runExport({ ...exporting, request }).catch(() => {});
  await expect(resumeExport(exporting)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
});

test('what was capped is still known to be after a resume', async () => {
  await using exporting = await startExporting();
  const abort = new AbortController();
  const onProgress = ({ stage }: ExportProgress) => stage === 'downloaded' && abort.abort(interrupted);
  const capped = { ...request, num: 10 };
  await expect(runExport({ ...exporting, request: capped, onProgress, signal: abort.signal })).rejects.toBe(
    interrupted,
  );
  expect(await resumeExport(exporting)).toMatchObject({ logs: 10, complete: false });
});
