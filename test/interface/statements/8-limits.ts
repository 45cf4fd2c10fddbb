import { expect } from 'vitest';
import { submitExport } from '../../../src/client/exports.ts';
import { incidentLogs } from '../../../src/emulator/incident/incident-logs.ts';
import { checkTemplate } from '../../../src/protocol/check-template.ts';
import { maxLogs, newestLogsRequest } from '../../../src/protocol/export-jobs.ts';
import { templateExample } from '../parties/examples.ts';
import { editable } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm } from '../running.ts';
import { byHand, client, deployment, type Section } from './statement.ts';

export const limits: Section = {
  number: '8',
  title: 'Limits',
  file: '8-limits.ts',
  options: { logs: incidentLogs({ count: 1100 }) },
  statements: [
    {
      id: '8 results per page',
      says: 'An export returns 1000 logs by default',
      client: client('Always says how many', async (own, other) => {
        await submitExport(own, newestLogsRequest);
        expect(other.last().form.get('num')).toBe('10000');
      }),
      deployment: byHand('Returns as many', async ({ exported }) => {
        expect(await exported({ logLevel: 'DEBUG' })).toHaveLength(1000);
      }),
    },
    {
      id: '8 maximum logs',
      says: 'An export returns at most 10,000 logs',
      client: client('Asks for no more', () => {
        expect(maxLogs).toBe(10_000);
      }),
      deployment: byHand('Refuses 10,001', async ({ running }) => {
        const ask = async (num: string) =>
          postForm(running.client.addresses.exportLogs, { token: await sharedToken(running), num });
        expect(await ask('10000')).toMatchObject({ status: 'SUBMITTED' });
        expect(await ask('10001')).toMatchObject({ error: { code: 400 } });
      }),
    },
    {
      id: '8 replicas',
      says: '`replicas.min` and `max` are 1 by default',
      client: client('`properties check` takes 1 for what is absent', () => {
        const spec = { ...templateExample.spec, replicas: { scalingMode: 'manual', max: 2 } };
        expect(checkTemplate({ ...templateExample, spec }).findings).toMatchObject([
          { code: 'manual-range' },
        ]);
        const one = { ...templateExample.spec, replicas: { scalingMode: 'manual', max: 1 } };
        expect(checkTemplate({ ...templateExample, spec: one }).findings).toEqual([]);
      }),
      deployment: deployment('Each new template has 1', async ({ calls }) => {
        for (const { spec } of await calls.templates())
          expect(spec.replicas).toMatchObject({ min: 1, max: 1 });
      }),
    },
    {
      id: '8 resources',
      says: 'Default resources are memoryMin 500Mi, memoryMax 2Gi, cpuMin 0.125 and cpuMax 2',
      client: client('`properties check` takes them for what is absent', () => {
        const container = (resources: object) => ({ name: 'main-container', resources });
        const codes = (resources: object) => {
          const spec = { ...templateExample.spec, containers: [container(resources)] };
          return checkTemplate({ ...templateExample, spec }).findings.map(({ code }) => code);
        };
        expect(codes({ memoryMin: '2Gi', cpuMin: '2' })).toEqual([]);
        expect(codes({ memoryMin: '3Gi', cpuMin: '3' })).toEqual(['quantity-range', 'quantity-range']);
      }),
      deployment: deployment('Each new template of a service has them but for its own', async (reference) => {
        const { spec } = await editable(reference);
        expect(spec.containers?.[0]?.resources).toMatchObject({
          memoryMin: '500Mi',
          cpuMin: '0.125',
          cpuMax: '2',
        });
      }),
    },
    {
      id: '8 rate limits',
      says: 'Rate limits are not shown',
      client: client('Waits as long as the deployment says', async (own, other) => {
        other.answer('/admin/logs/export', { error: { code: 503, message: 'Busy', details: [] } });
        await expect(submitExport(own, newestLogsRequest)).rejects.toMatchObject({ code: 'SERVER_ERROR' });
      }),
      deployment: byHand(
        'Runs two exports, lets eight wait, and refuses more: HTTP 503',
        async ({ running }) => {
          const body = new URLSearchParams({ token: await sharedToken(running), f: 'json' });
          const statuses = [];
          for (let count = 0; count < 12; count += 1)
            statuses.push(await fetch(running.client.addresses.exportLogs, { method: 'POST', body }));
          const refused = statuses.filter(({ status }) => status === 503);
          running.wait(60_000);
          expect(refused.length).toBeGreaterThan(0);
          for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        },
      ),
    },
    {
      id: '8 request size',
      says: 'Request size limits are not shown',
      deployment: byHand('Refuses a body of more than 1 MiB: HTTP 413', async ({ running }) => {
        const post = async (length: number) => {
          const body = new URLSearchParams({ f: 'json', users: 'a'.repeat(length) });
          return (await fetch(running.client.addresses.exportLogs, { method: 'POST', body })).status;
        };
        expect([await post(1000), await post(1024 * 1024)]).toEqual([200, 413]);
      }),
    },
  ],
};
