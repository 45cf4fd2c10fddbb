import { expect } from 'vitest';
import { readJob, submitExport } from '../../../src/client/exports.ts';
import { newestLogsRequest } from '../../../src/protocol/export-jobs.ts';
import { finishedJob } from '../parties/examples.ts';
import type { Reference } from '../parties/reference.ts';
import { client, deployment, isAddress, isTime, isWord, type Section, type Statement } from './statement.ts';

const submittedFields: readonly (readonly [
  name: 'jobsUrl' | 'jobid',
  says: string,
  is: (value: unknown) => boolean,
])[] = [
  ['jobsUrl', 'the address of the job resource, used to poll its status', isAddress],
  ['jobid', 'the identifier of the job', isWord],
];

async function finished({ calls, running }: Reference) {
  const submitted = await calls.submit({});
  running.wait(10_000);
  return { submitted, job: await calls.job(submitted.jobsUrl) };
}

interface Field {
  readonly name: string;
  readonly says: string;
  /** Its name in the value of our client, and that value. */
  readonly own: readonly [name: string, value: unknown];
  readonly holds: (value: unknown) => boolean;
}

const expected = finishedJob('ROOT');

const fields: readonly Field[] = [
  ...(['updatedtime', 'starttime', 'endtime'] as const).map((name) => ({
    name,
    says: 'is in milliseconds from epoch',
    own: [name, expected[name]] as const,
    holds: isTime,
  })),
  { name: 'jobid', says: 'is the identifier of the job', own: ['jobid', 'j-17'], holds: isWord },
  {
    name: 'resource',
    says: 'is an object with the `name` of the resource that the job acted on',
    own: ['resource', 'logs'],
    holds: (value) => isWord((value as { name?: unknown }).name),
  },
  {
    name: 'requestID',
    says: 'is the identifier of the request',
    own: ['requestID', 'request-17'],
    holds: isWord,
  },
  {
    name: 'name',
    says: 'is `exportLogs` for an export',
    own: ['name', 'exportLogs'],
    holds: (value) => value === 'exportLogs',
  },
  {
    name: 'operationURI',
    says: 'is the path of the operation that created the job',
    own: ['operationURI', '/admin/logs/export'],
    holds: (value) => value === '/gis/admin/logs/export',
  },
  {
    name: 'username',
    says: 'is the user who submitted the job',
    own: ['username', 'operator'],
    holds: (value) => value === 'admin',
  },
];

function toStatement({ name, says, own: [key, value], holds }: Field): Statement {
  return {
    id: `2.2 ${name} of the job`,
    says: `\`${name}\` ${says}`,
    client: client('Gives it back as it came', async (own, other) => {
      expect(await readJob(own, `${other.root}/jobs/j-17`)).toHaveProperty(key, value);
    }),
    deployment: deployment('The finished job has it', async (reference) => {
      const { job } = await finished(reference);
      expect(job[name]).toSatisfy(holds);
    }),
  };
}

export const exportJob: Section = {
  number: '2.2',
  title: 'Log export job',
  file: '2-2-export-job.ts',
  statements: [
    ...submittedFields.map(
      ([name, says, is]): Statement => ({
        id: `2.2 ${name} at submission`,
        says: `\`${name}\` is ${says}`,
        client: client('Gives it back as it came', async (own, other) => {
          const expected = { jobsUrl: `${other.root}/jobs/j-17`, jobid: 'j-17' };
          expect((await submitExport(own, newestLogsRequest))[name]).toBe(expected[name]);
        }),
        deployment: deployment('The answer has it, and it leads to the job', async (reference) => {
          const { submitted, job } = await finished(reference);
          expect(submitted[name]).toSatisfy(is);
          expect(job.jobid).toBe(submitted.jobid);
        }),
      }),
    ),
    {
      id: '2.2 status at submission',
      says: '`status` is `SUBMITTED`',
      client: client('Gives it back as it came', async (own) => {
        expect((await submitExport(own, newestLogsRequest)).status).toBe('SUBMITTED');
      }),
      deployment: deployment('Answers `SUBMITTED`, and has no other member', async ({ calls }) => {
        const submitted = await calls.submit({});
        expect(submitted.status).toBe('SUBMITTED');
        expect(Object.keys(submitted).toSorted()).toEqual(['jobid', 'jobsUrl', 'status']);
      }),
    },
    {
      id: '2.2 status of the job',
      says: '`status` is `COMPLETED` when the job is done',
      client: client('Takes the job for done', async (own, other) => {
        expect((await readJob(own, `${other.root}/jobs/j-17`)).status).toBe('COMPLETED');
      }),
      deployment: deployment('Is `COMPLETED` when done, and not before', async ({ calls, running }) => {
        const { jobsUrl } = await calls.submit({});
        expect((await calls.job(jobsUrl)).status).not.toBe('COMPLETED');
        running.wait(10_000);
        expect((await calls.job(jobsUrl)).status).toBe('COMPLETED');
      }),
    },
    {
      id: '2.2 result of the job',
      says: '`result` is an object with the `URL` of the uploaded .zip',
      client: client('Gives the address back as it came', async (own, other) => {
        const { resultUrl } = await readJob(own, `${other.root}/jobs/j-17`);
        expect(resultUrl).toBe(`${other.root}/uploads/logs-17`);
      }),
      deployment: deployment('The zip at it holds the logs', async (reference) => {
        const { job } = await finished(reference);
        const { URL: address } = job.result as { URL: string };
        expect(address).toSatisfy(isAddress);
        expect((await reference.calls.download(address)).length).toBeGreaterThan(0);
      }),
    },
    ...fields.map(toStatement),
    {
      id: '2.2 members of the job',
      says: 'A finished job has these members, and its times are in order',
      client: client('Reads a job that lacks all but `status`, too', async (own, other) => {
        other.answer('/admin/jobs/j-17', { status: 'COMPLETED', later: 1 });
        expect((await readJob(own, `${other.root}/jobs/j-17`)).status).toBe('COMPLETED');
      }),
      deployment: deployment('Has these and no other', async (reference) => {
        const { job } = await finished(reference);
        const names = ['status', 'result', ...fields.map(({ name }) => name)];
        expect(Object.keys(job).toSorted()).toEqual(names.toSorted());
        expect(Number(job.endtime)).toBeGreaterThan(Number(job.starttime));
      }),
    },
  ],
};
