import { expect } from 'vitest';
import { readJob, submitExport } from '../../../src/client/exports.ts';
import {
  checkRollback,
  readUpgradeStatus,
  startUpgrade,
  watchUpgrade,
} from '../../../src/client/upgrades.ts';
import { newestLogsRequest, stageOf } from '../../../src/protocol/export-jobs.ts';
import { progressOf } from '../../../src/protocol/upgrades.ts';
import { finishedJob, statusExample } from '../parties/examples.ts';
import { editable, edited, type Reference, updateOf, withReplicas } from '../parties/reference.ts';
import { client, deployment, type Section } from './statement.ts';

async function startPatch(reference: Reference) {
  return reference.calls.upgrade({ id: (await updateOf(reference, 'patch')).id });
}

export const states: Section = {
  number: '3',
  title: 'States and transitions',
  file: '3-states.ts',
  statements: [
    {
      id: '3 export to SUBMITTED',
      says: 'An accepted export is `SUBMITTED`, with `jobsUrl` and `jobid`',
      client: client('Returns them', async (own, other) => {
        expect(await submitExport(own, newestLogsRequest)).toEqual({
          jobsUrl: `${other.root}/jobs/j-17`,
          jobid: 'j-17',
          status: 'SUBMITTED',
        });
      }),
      deployment: deployment('Answers them', async ({ calls }) => {
        expect(await calls.submit({})).toEqual({
          jobsUrl: expect.stringMatching(/^http:.*\/jobs\/j/),
          jobid: expect.stringMatching(/^j/),
          status: 'SUBMITTED',
        });
      }),
    },
    {
      id: '3 SUBMITTED to COMPLETED',
      says: 'A finished export is `COMPLETED`, and its job carries `result.URL`',
      client: client('Takes a job without it for running', async (own, other) => {
        const { result: _, ...running } = { ...finishedJob(other.root), status: 'SUBMITTED', endtime: 0 };
        other.answer('/admin/jobs/j-17', running);
        const before = await readJob(own, `${other.root}/jobs/j-17`);
        expect([before.resultUrl, stageOf(before.status)]).toEqual([undefined, 'running']);
        other.answer('/admin/jobs/j-17', finishedJob(other.root));
        const after = await readJob(own, `${other.root}/jobs/j-17`);
        expect([after.resultUrl, stageOf(after.status)]).toEqual([
          `${other.root}/uploads/logs-17`,
          'completed',
        ]);
      }),
      deployment: deployment('Has the address then, and not before', async ({ calls, running }) => {
        const { jobsUrl } = await calls.submit({});
        expect(await calls.job(jobsUrl)).toMatchObject({ status: 'SUBMITTED' });
        expect(await calls.job(jobsUrl)).not.toHaveProperty('result');
        running.wait(10_000);
        expect(await calls.job(jobsUrl)).toMatchObject({
          status: 'COMPLETED',
          result: { URL: expect.stringContaining('/uploads/') },
        });
      }),
    },
    {
      id: '3 upgrade to in_progress',
      says: 'An accepted upgrade is `in_progress` (code 1)',
      client: client('Returns it', async (own) => {
        expect(await startUpgrade(own, { id: 'rel_1_1' })).toMatchObject({ state: 'in_progress', code: 1 });
      }),
      deployment: deployment('Answers it', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          expect(await startPatch(reference)).toMatchObject({ state: 'in_progress', code: 1 });
        }),
      ),
    },
    {
      id: '3 read-only mode',
      says: 'The system enters read-only mode during an upgrade, and leaves it at the end',
      client: client('Reads both in the messages', () => {
        const readOnly = (...codes: readonly number[]) => {
          const messages = codes.map((code, when) => ({ message: '', code, when }));
          return progressOf({ state: 'in_progress', code: 1, messages }).readOnly;
        };
        expect([readOnly(2010), readOnly(2010, 2165), readOnly(2165, 2166)]).toEqual([false, true, false]);
      }),
      deployment: deployment('Refuses edits and uploads in between', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const { calls, running } = reference;
          const template = await editable(reference);
          await startPatch(reference);
          running.wait(10_000);
          await expect(calls.edit(template)).rejects.toThrow('read-only mode');
          const file = { name: 'a.json', bytes: new TextEncoder().encode('{}') };
          await expect(calls.upload(file)).rejects.toThrow('read-only mode');
          running.wait(30_000);
          await calls.edit(template);
        }),
      ),
    },
    {
      id: '3 children of the upgrades resource',
      says: 'Child operations of the upgrades resource are inaccessible during the upgrade',
      client: client('Says so, and goes on watching', async (own, other) => {
        other.answer('/admin/system/upgrades/checkRollback', {
          error: { code: 503, message: 'An upgrade is in progress', details: [] },
        });
        await expect(checkRollback(own)).rejects.toMatchObject({ code: 'SERVER_ERROR' });
        const answers = [{ error: { code: 503, message: 'Away', details: [] } }, { status: statusExample }];
        other.answer('/admin/system/upgrades', () => answers.shift() ?? {});
        const kinds: string[] = [];
        for await (const { kind } of watchUpgrade(own, { pause: 1 })) kinds.push(kind);
        expect(kinds).toEqual(['lost', 'found', 'message', 'message', 'status', 'ended']);
      }),
      deployment: deployment('Does not answer them meanwhile', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const { calls, running } = reference;
          await startPatch(reference);
          for (const child of [calls.available(), calls.rollbackOptions(), calls.settings('rel_1_1')])
            await expect(child).rejects.toThrow('An upgrade is in progress');
          running.wait(40_000);
          expect(await calls.available()).not.toEqual([]);
        }),
      ),
    },
    {
      id: '3 in_progress to success',
      says: 'A finished upgrade is `success` (code 3), and the upgrades resource lists its messages',
      client: client('Reads it there', async (own) => {
        expect(await readUpgradeStatus(own)).toEqual(statusExample);
      }),
      deployment: deployment('Lists them in the order of their times', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          await startPatch(reference);
          reference.running.wait(40_000);
          const { state, code, messages } = await reference.calls.status();
          expect([state, code, messages[0]?.code, messages.at(-1)?.code]).toEqual(['success', 3, 2010, 2012]);
          const times = messages.map(({ when }) => when ?? Number.NaN);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
        }),
      ),
    },
    {
      id: '3 scaling mode',
      says: 'The edit operation sets the scaling modes `manual` and `auto` directly',
      deployment: deployment('Each follows the other without a state between', async (reference) => {
        const metrics = [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: '50' } },
          },
        ];
        const autoscaling = { hpaSpec: { metrics, hpaVersion: 'autoscaling/v2' } };
        for (const replicas of [
          { min: 1, max: 3, scalingMode: 'auto', autoscaling },
          { min: 2, max: 2, scalingMode: 'manual' },
          { min: 2, max: 4, scalingMode: 'auto', autoscaling },
        ]) {
          const after = await edited(reference, withReplicas(await editable(reference), replicas));
          expect(after.spec.replicas).toEqual(replicas);
        }
      }),
    },
    {
      id: '3 failure of a job',
      says: 'Failure states and other states of a job are not shown',
      client: client('Knows those of public clients, and takes any other for running', async (own, other) => {
        for (const [status, stage] of [
          ['FAILED', 'failed'],
          ['CANCELLED', 'failed'],
          ['TIMED OUT', 'failed'],
          ['EXECUTING', 'running'],
          ['LATER', 'running'],
        ] as const) {
          other.answer('/admin/jobs/j-17', { ...finishedJob(other.root), status });
          const job = await readJob(own, `${other.root}/jobs/j-17`);
          expect([job.status, stageOf(job.status)]).toEqual([status, stage]);
        }
      }),
      deployment: deployment('Ends as `FAILED` with messages where a scenario wants that', ({ alone }) => {
        const effect = { effect: 'endJob', state: 'FAILED', messages: ['No space left'] } as const;
        return alone({ faults: [{ on: 'exportLogs', ...effect }] }, async ({ calls, running }) => {
          const { jobsUrl } = await calls.submit({});
          running.wait(10_000);
          expect((await calls.job(jobsUrl)).status).toBe('FAILED');
        });
      }),
    },
    {
      id: '3 failure of an upgrade',
      says: 'Failure states and other states of an upgrade are not shown',
      client: client('Takes what says failed for failed, and any other by its code', async (own, other) => {
        const stageOfStatus = async (state: string, code: number) => {
          other.answer('/admin/system/upgrades', { status: { state, code, messages: [] } });
          return progressOf(await readUpgradeStatus(own)).stage;
        };
        expect(await stageOfStatus('failed', 2)).toBe('failed');
        expect(await stageOfStatus('upgrade_failed', 17)).toBe('failed');
        expect(await stageOfStatus('no_upgrade', 0)).toBe('none');
        expect(await stageOfStatus('later', 17)).toBe('unknown');
        expect(await stageOfStatus('later', 3)).toBe('succeeded');
      }),
      deployment: deployment('Ends as `failed` (code 2) where a scenario wants that', ({ alone }) =>
        alone(
          { version: '11.2', faults: [{ on: 'upgrade', effect: 'failUpgrade', after: 0.4 }] },
          async (reference) => {
            expect(await reference.calls.status()).toMatchObject({ state: 'no_upgrade', code: 0 });
            await startPatch(reference);
            reference.running.wait(40_000);
            expect(await reference.calls.status()).toMatchObject({ state: 'failed', code: 2 });
          },
        ),
      ),
    },
  ],
};
