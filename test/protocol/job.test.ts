import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type JobResource,
  jobResourceOf,
  jobStates,
  stageOf,
  submittedJobOf,
  toJobBody,
} from '../../src/protocol/export-jobs.ts';

// As section 2.2 of the interface document describes it.
const completed = {
  status: 'COMPLETED',
  result: { URL: 'https://gis.example.com/arcgis/admin/uploads/i1' },
  updatedtime: 1_700_000_002_000,
  starttime: 1_700_000_000_000,
  endtime: 1_700_000_002_000,
  jobid: 'j0aa6f8f4-5d5e-4d6c-8d3b-4b8b0d6f1a11',
  resource: { name: 'logs' },
  requestID: 'r1',
  name: 'exportLogs',
  operationURI: '/admin/logs/export',
  username: 'ada',
};

test('a finished job as the interface document shows it', () => {
  const { result, resource, ...rest } = completed;
  expect(jobResourceOf(completed)).toEqual({
    ...rest,
    resource: resource.name,
    resultUrl: result.URL,
    messages: [],
  });
});

test('a running job has ended at 0 on the wire and has no end here', () => {
  const running = { jobid: 'j1', status: 'EXECUTING', starttime: 1, endtime: 0 };
  expect(jobResourceOf(running)).toEqual({ jobid: 'j1', status: 'EXECUTING', starttime: 1, messages: [] });
});

test.each([
  [{ result: 'Disk full', messages: ['Giving up'] }, ['Disk full', 'Giving up']],
  [{ result: { message: 'Disk full' }, messages: 'Giving up' }, ['Disk full', 'Giving up']],
  [{ result: null, messages: [{ message: 'Giving up', code: 3 }] }, ['Giving up']],
  [{ result: { URL: '' }, messages: null }, []],
  [{}, []],
])('what a failed job says: %j', (words, messages) => {
  expect(jobResourceOf({ jobid: 'j1', status: 'FAILED', ...words })?.messages).toEqual(messages);
});

test('keys of another type than described do not make a job unreadable', () => {
  const odd = {
    jobid: 7,
    status: 'COMPLETED',
    resource: 'logs',
    endtime: 'never',
    result: { URL: 'https://h/u' },
  };
  expect(jobResourceOf(odd)).toEqual({
    jobid: '7',
    status: 'COMPLETED',
    resource: 'logs',
    resultUrl: 'https://h/u',
    messages: [],
  });
});

test('times are read as texts too, and none is in 1970 or before', () => {
  const times = (starttime: unknown) => jobResourceOf({ status: 'EXECUTING', starttime })?.starttime;
  expect(times('1700000000000')).toBe(1_700_000_000_000);
  for (const none of [0, -1, '0', '', null, 'soon', 9e15, [], {}]) expect(times(none)).toBeUndefined();
});

test.each([
  [{ jobsUrl: 'https://h/jobs/j1' }, { jobid: 'j1', status: 'SUBMITTED' }],
  [
    { jobsUrl: 'https://h/jobs/j1/?token=a/b', jobid: '', status: null },
    { jobid: 'j1', status: 'SUBMITTED' },
  ],
  [
    { jobsUrl: 'https://h/jobs/7', jobid: 7, status: 'EXECUTING' },
    { jobid: '7', status: 'EXECUTING' },
  ],
])('a submitted job of which the address is there: %j', (body, job) => {
  expect(submittedJobOf(body)).toEqual({ jobsUrl: body.jobsUrl, ...job });
});

test.each([[null], ['x'], [[]], [{}], [{ status: '' }], [{ status: 7 }]])('%j is no job', (body) => {
  expect(jobResourceOf(body)).toBeUndefined();
  expect(submittedJobOf(body)).toBeUndefined();
});

test('every job comes back from its body', () => {
  const text = fc.string({ minLength: 1 });
  const time = fc.integer({ min: 1 });
  const job: fc.Arbitrary<JobResource> = fc.record(
    {
      jobid: text,
      status: fc.oneof(fc.constantFrom(...jobStates), text),
      name: text,
      username: text,
      requestID: text,
      operationURI: text,
      resource: text,
      starttime: time,
      updatedtime: time,
      endtime: time,
      resultUrl: text,
      messages: fc.array(text.filter((message) => message.trim() !== '')),
    },
    { requiredKeys: ['jobid', 'status', 'messages'] },
  );
  fc.assert(
    fc.property(job, (original) => {
      expect(jobResourceOf(JSON.parse(JSON.stringify(toJobBody(original))))).toEqual(original);
    }),
  );
});

describe('how far a job is', () => {
  test.each([
    ['SUBMITTED', 'running'],
    ['EXECUTING', 'running'],
    ['CANCELLING', 'running'],
    ['UNAVAILABLE', 'running'],
    ['WAITING FOR GODOT', 'running'],
    ['COMPLETED', 'completed'],
    ['completed', 'completed'],
    ['FAILED', 'failed'],
    ['CANCELLED', 'failed'],
    ['TIME OUT', 'failed'],
    ['TIMED OUT', 'failed'],
  ])('%s is %s', (status, stage) => {
    expect(stageOf(status)).toBe(stage);
  });
});

test('a submitted job needs an address', () => {
  const submitted = { jobsUrl: 'https://h/j1', jobid: 'j1', status: 'SUBMITTED' };
  expect(submittedJobOf({ ...submitted, more: 1 })).toEqual(submitted);
  const { jobsUrl: _, ...others } = submitted;
  expect(submittedJobOf({ ...submitted, jobsUrl: '' })).toBeUndefined();
  expect(submittedJobOf(others)).toBeUndefined();
});
