import { expect, test } from 'vitest';
import { findJobs, type StoredJob, saveJob } from '../../src/case/contents/exports.ts';
import { openCase } from '../../src/case/file/case.ts';

const job: StoredJob = {
  id: 'j1',
  address: 'https://gis.example.com/admin/jobs/j1',
  operation: '/logs/export',
  state: 'SUBMITTED',
  request: { num: '10000', searchQuery: 'msg:token AND "a&b"' },
  submitted: 1_700_000_000_000,
  updated: 1_700_000_000_001,
};

test('a job is kept, and replaced by what is known of it later', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  await saveJob(into, job);
  expect(await findJobs(into)).toEqual([job]);
  const later: StoredJob = {
    ...job,
    state: 'FAILED',
    zipUrl: 'https://gis.example.com/up/1',
    reason: 'disk full',
    updated: job.updated + 1,
  };
  await saveJob(into, later);
  const other: StoredJob = {
    ...job,
    address: 'https://gis.example.com/admin/jobs/j2',
    id: 'j2',
    submitted: job.submitted + 5,
  };
  await saveJob(into, other);
  expect(await findJobs(into)).toEqual([other, later]);
});

test('secrets are not kept, wherever they stand', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  await saveJob(into, {
    ...job,
    address: 'https://admin:hunter2@gis.example.com/jobs/j1?f=json&token=hunter2',
    request: { num: '5', token: 'hunter2', Password: 'hunter2' },
    zipUrl: 'https://gis.example.com/up/1?Token=hunter2&n=1',
  });
  const kept = await findJobs(into);
  expect(JSON.stringify(kept)).not.toContain('hunter2');
  expect(kept).toMatchObject([
    {
      address: 'https://gis.example.com/jobs/j1?f=json',
      request: { num: '5' },
      zipUrl: 'https://gis.example.com/up/1?n=1',
    },
  ]);
});
