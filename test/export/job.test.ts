import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AddedFile } from '../../src/case/loading/add-files.ts';
import { advanceJob, type ExportJob, type JobEvent, maxDownloads } from '../../src/export/run/job.ts';
import type { JobResource } from '../../src/protocol/export-jobs.ts';

const known = { id: 'j1', address: 'https://h/admin/jobs/j1' };
const upload = 'https://h/admin/uploads/i1';
const file: AddedFile = { name: 'j1.zip', sha256: 'a'.repeat(64), bytes: 22, already: false, parts: [] };
const submitted: ExportJob = { ...known, state: 'submitted' };
const ready: ExportJob = { ...known, state: 'ready', upload, damaged: 0 };
const fetched: ExportJob = { ...ready, state: 'fetched' };
const loaded: ExportJob = { ...known, state: 'loaded', file };
const failed: ExportJob = { ...known, state: 'failed', code: 'JOB_FAILED', reason: 'Disk full' };

function ended(status: string, more: Partial<JobResource> = {}): JobEvent {
  return { kind: 'ended', job: { jobid: 'j1', status, messages: [], ...more } };
}

test.each<[string, ExportJob, JobEvent, ExportJob]>([
  ['completed', submitted, ended('COMPLETED', { resultUrl: upload }), ready],
  ['not yet', submitted, ended('EXECUTING'), submitted],
  ['in a state nobody knows', submitted, ended('RESTING', { resultUrl: upload }), submitted],
  ['downloaded', ready, { kind: 'fetched' }, fetched],
  ['loaded', fetched, { kind: 'loaded', file }, loaded],
  ['damaged once', fetched, { kind: 'damaged', reason: 'no end' }, { ...ready, damaged: 1 }],
  ['not where it was', fetched, { kind: 'lost' }, submitted],
])('a job whose work is %s', (_what, job, event, next) => {
  expect(advanceJob(job, event)).toEqual(next);
});

describe('a job that ends without a result', () => {
  test.each([
    [ended('FAILED', { messages: ['Disk full', 'Giving up'] }), 'ended as FAILED: Disk full; Giving up'],
    [ended('CANCELLED'), 'ended as CANCELLED: it gives no reason'],
    [ended('TIMED OUT'), 'ended as TIMED OUT: it gives no reason'],
    [ended('TIME OUT'), 'ended as TIME OUT: it gives no reason'],
    [ended('COMPLETED'), 'ended as COMPLETED without a result: it gives no reason'],
  ])('%j', (event, reason) => {
    const next = advanceJob(submitted, event);
    expect(next).toEqual({
      ...known,
      state: 'failed',
      code: 'JOB_FAILED',
      reason: `The export job "j1" ${reason}`,
    });
  });
});

test('a zip that is damaged in every download fails its job', () => {
  let job: ExportJob = fetched;
  for (let download = 1; download < maxDownloads; download += 1) {
    job = advanceJob(advanceJob(job, { kind: 'damaged', reason: 'no end' }), { kind: 'fetched' });
    expect(job.state).toBe('fetched');
  }
  expect(advanceJob(job, { kind: 'damaged', reason: 'no end' })).toEqual({
    ...known,
    state: 'failed',
    code: 'DAMAGED_ZIP',
    reason: 'The zip of the export job "j1" was damaged in all of 3 downloads: no end',
  });
});

test('whatever happens in whatever order, an end is an end and downloads are bounded', () => {
  const event = fc.oneof(
    fc
      .constantFrom('COMPLETED', 'EXECUTING', 'FAILED', 'RESTING')
      .map((status) => ended(status, { resultUrl: upload })),
    fc.constantFrom<JobEvent>({ kind: 'fetched' }, { kind: 'lost' }, { kind: 'loaded', file }),
    fc.constant<JobEvent>({ kind: 'damaged', reason: 'no end' }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(submitted, ready, fetched, loaded, failed),
      fc.array(event),
      (start, events) => {
        let job = start;
        for (const one of events) {
          const next = advanceJob(job, one);
          if (job.state === 'loaded' || job.state === 'failed') expect(next).toBe(job);
          if (next.state === 'ready') expect(next.damaged).toBeLessThan(maxDownloads);
          expect(next).toMatchObject(known);
          job = next;
        }
      },
    ),
  );
});
