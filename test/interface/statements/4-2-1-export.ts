import { expect } from 'vitest';
import { openUpload, readJob, submitExport } from '../../../src/client/exports.ts';
import { incidentLogs } from '../../../src/emulator/incident/incident-logs.ts';
import { sourceOf } from '../../../src/protocol/catalog.ts';
import { type ExportRequest, maxLogs, newestLogsRequest } from '../../../src/protocol/export-jobs.ts';
import type { Log } from '../../../src/records/log.ts';
import type { ExportParameters } from '../parties/calls.ts';
import { logsExample } from '../parties/independent-deployment.ts';
import { logsIn } from '../parties/logs-in.ts';
import type { Reference } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm } from '../running.ts';
import { byHand, client, deployment, type Section, type Statement } from './statement.ts';

const base: Omit<Log, 'time'> = {
  logLevel: 'INFO',
  logCode: 9029,
  msg: 'Request received',
  source: 'Rest Catalog',
  machine: 'm',
  process: '1',
};

/** Long ago, so that the logs of the deployment itself are never in a window. */
export const start = Date.UTC(2025, 2, 12, 8);

export const logs: readonly Log[] = [
  {
    ...base,
    time: start,
    logLevel: 'SEVERE',
    logCode: 9003,
    stackTraces: 'at a.b(C.java:1)',
    msg: 'Request failed: timed out',
    elapsed: 0.5,
  },
  { ...base, time: start + 1000, logLevel: 'WARNING', source: 'Sharing', username: 'maria', logCode: 217041 },
  {
    ...base,
    time: start + 2000,
    source: 'Utilities/Water.MapServer',
    serviceTypes: 'MapServer',
    requestID: 'r-1',
    elapsed: 2,
  },
  { ...base, time: start + 3000, logLevel: 'FINE', requestID: 'r-2', username: 'maria', elapsed: 1.5 },
  {
    ...base,
    time: start + 4000,
    logLevel: 'VERBOSE',
    source: 'Enterprise Admin',
    logCode: 1312,
    msg: 'Updated Kubernetes Secret',
  },
  { ...base, time: start + 5000, logLevel: 'DEBUG', source: 'Soap Catalog', logCode: 9502 },
];

/** The places in the list above of the logs that an export returns, in their order. */
export async function places(reference: Reference, parameters: ExportParameters): Promise<readonly number[]> {
  const window = { logLevel: 'DEBUG', startTime: String(start + 60_000) };
  const found = await reference.exported({ ...window, ...parameters });
  return found.map(({ time }) => logs.findIndex((log) => log.time === time));
}

/** The parameter that a request of our client sends. */
function sends(parameter: string, change: Partial<ExportRequest>, value: string) {
  return client('Sends it', async (own, other) => {
    await submitExport(own, { ...newestLogsRequest, ...change });
    expect(other.last().form.get(parameter)).toBe(value);
  });
}

interface Filter {
  readonly id: string;
  readonly says: string;
  readonly own: readonly [parameter: string, change: Partial<ExportRequest>, value: string];
  /** Parameters, and the logs they select. */
  readonly selects: readonly (readonly [parameters: ExportParameters, places: readonly number[]])[];
}

function source(id: string, says: string, value: string, place: number): Filter {
  return {
    id: `source: ${id}`,
    says: `\`source\` can be ${says}`,
    own: ['source', { source: value }, value],
    selects: [[{ source: value }, [place]]],
  };
}

const levels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'];

const filters: readonly Filter[] = [
  ...levels.map((logLevel, at) => ({
    id: `logLevel ${logLevel}`,
    says: `\`logLevel\` = \`${logLevel}\` returns logs at this level or more severe`,
    own: ['logLevel', { logLevel }, logLevel] as const,
    selects: [[{ logLevel }, levels.slice(0, at + 1).map((_, place) => at - place)]] as const,
  })),
  {
    id: 'startTime',
    says: '`startTime` is the most recent time of the window, in milliseconds from epoch',
    own: ['startTime', { newest: start }, String(start)],
    selects: [
      [{ startTime: String(start + 1500) }, [1, 0]],
      [{ startTime: String(start - 1) }, []],
    ],
  },
  {
    id: 'endTime',
    says: '`endTime` is the oldest time of the window, in milliseconds from epoch',
    own: ['endTime', { oldest: start }, String(start)],
    selects: [
      [{ endTime: String(start + 3500) }, [5, 4]],
      [{ endTime: String(start + 1500), startTime: String(start + 2500) }, [2]],
    ],
  },
  {
    id: 'default of endTime',
    says: '`endTime` is blank by default',
    own: ['endTime', {}, ''],
    selects: [[{ endTime: '' }, [5, 4, 3, 2, 1, 0]]],
  },
  {
    id: 'logCode',
    says: '`logCode` is codes with commas between; only logs with those codes',
    own: ['logCode', { logCodes: [1312, 9003] }, '1312,9003'],
    selects: [
      [{ logCode: '1312,9003' }, [4, 0]],
      [{ logCode: '9502' }, [5]],
      [{ logCode: '9' }, []],
    ],
  },
  {
    id: 'users',
    says: '`users` is a username to filter by',
    own: ['users', { users: 'maria' }, 'maria'],
    selects: [
      [{ users: 'maria' }, [3, 1]],
      [{ users: 'mari' }, []],
    ],
  },
  {
    id: 'requestIDs',
    says: '`requestIDs` is identifiers of server events with commas between',
    own: ['requestIDs', { requestIDs: ['r-1', 'r-2'] }, 'r-1,r-2'],
    selects: [
      [{ requestIDs: 'r-1,r-2' }, [3, 2]],
      [{ requestIDs: 'r-2' }, [3]],
    ],
  },
  {
    id: 'serviceTypes',
    says: '`serviceTypes` is a type of services such as `MapServer`',
    own: ['serviceTypes', { serviceTypes: 'MapServer' }, 'MapServer'],
    selects: [
      [{ serviceTypes: 'MapServer' }, [2]],
      [{ serviceTypes: 'GPServer' }, []],
    ],
  },
  source('Sharing', 'the sharing API, `Sharing`', 'Sharing', 1),
  source('a service', 'a service in a folder, `<folder>/<service>.<type>`', 'Utilities/Water.MapServer', 2),
  source('Enterprise Admin', '`Enterprise Admin`', 'Enterprise Admin', 4),
  source('Soap Catalog', '`Soap Catalog`', 'Soap Catalog', 5),
  {
    id: 'source: Rest Catalog',
    says: '`source` can be `Rest Catalog`',
    own: ['source', { source: 'Rest Catalog' }, 'Rest Catalog'],
    selects: [[{ source: 'Rest Catalog' }, [3, 0]]],
  },
];

function toStatement({ id, says, own, selects }: Filter): Statement {
  return {
    id: `4.2.1 ${id}`,
    says,
    client: sends(...own),
    deployment: deployment('Returns these logs, and no others', async (reference) => {
      for (const [parameters, expected] of selects)
        expect([parameters, await places(reference, parameters)]).toEqual([parameters, expected]);
    }),
  };
}

async function ask({ running }: Reference, parameters: ExportParameters): Promise<unknown> {
  const form = { token: await sharedToken(running), ...parameters };
  return postForm(running.client.addresses.exportLogs, form);
}

function refuses(parameter: string, values: readonly string[], rule: string) {
  return async (reference: Reference) => {
    for (const value of values)
      expect(await ask(reference, { [parameter]: value })).toMatchObject({
        error: { code: 400, details: [`"${parameter}" requires ${rule}`] },
      });
  };
}

export const exportLogs: Section = {
  number: '4.2.1',
  title: 'Export logs',
  file: '4-2-1-export.ts',
  options: { logs, logLevel: 'WARNING' },
  statements: [
    {
      id: '4.2.1 response',
      says: 'The response is the submitted job; the result is read from the job at `jobsUrl`',
      client: client('Reads it there', async (own, other) => {
        const { jobsUrl } = await submitExport(own, newestLogsRequest);
        const { resultUrl } = await readJob(own, jobsUrl);
        expect(resultUrl).toBe(`${other.root}/uploads/logs-17`);
        expect(other.arrived.map(({ path }) => path)).toEqual(['/admin/logs/export', '/admin/jobs/j-17']);
      }),
      deployment: deployment('Has the result there', async ({ calls, running }) => {
        const { jobsUrl, jobid } = await calls.submit({});
        running.wait(10_000);
        expect(await calls.job(jobsUrl)).toMatchObject({ jobid, result: { URL: expect.any(String) } });
      }),
    },
    {
      id: '4.2.1 zip',
      says: 'Once finished, a .zip is in the uploads directory, and its address is in `result.URL`',
      client: client('Downloads it, from there or from `/download` below', async (own, other) => {
        const upload = `${other.root}/uploads/logs-17`;
        const downloaded = async () => {
          const { zip } = await openUpload(own, { upload, signal: new AbortController().signal });
          return logsIn(new Response(zip));
        };
        expect(await downloaded()).toEqual(logsExample);
        expect(other.last().path).toBe('/admin/uploads/logs-17/download');
        other.moveZip();
        expect(await downloaded()).toEqual(logsExample);
        expect(other.last().path).toBe('/admin/uploads/logs-17');
      }),
      deployment: deployment('Has it there', async (reference) => {
        const { jobsUrl } = await reference.calls.submit({
          startTime: String(start + 500),
          logLevel: 'DEBUG',
        });
        reference.running.wait(10_000);
        const { result } = (await reference.calls.job(jobsUrl)) as { result: { URL: string } };
        expect(result.URL).toMatch(/\/gis\/admin\/uploads\/[^/]+$/);
        expect((await reference.calls.download(result.URL)).map(({ msg }) => msg)).toEqual([logs[0]?.msg]);
      }),
    },
    {
      id: '4.2.1 repeated',
      says: 'The operation may be called repeatedly to obtain more logs',
      client: client('Each call is a request of its own', async (own, other) => {
        await submitExport(own, { ...newestLogsRequest, num: 2 });
        await submitExport(own, { ...newestLogsRequest, num: 2, newest: start });
        expect(other.arrived.map(({ form }) => form.get('startTime'))).toEqual(['', String(start)]);
      }),
      deployment: deployment('The calls that follow return the logs before', async (reference) => {
        expect(await places(reference, { num: '4' })).toEqual([5, 4, 3, 2]);
        expect(await places(reference, { num: '4', startTime: String(start + 1999) })).toEqual([1, 0]);
      }),
    },
    {
      id: '4.2.1 num',
      says: '`num` is an integer up to 10,000',
      client: client('Sends it, and never more', async (own, other) => {
        await submitExport(own, { ...newestLogsRequest, num: 17 });
        expect(other.last().form.get('num')).toBe('17');
        expect([maxLogs, newestLogsRequest.num]).toEqual([10_000, 10_000]);
      }),
      deployment: deployment(
        'Returns at most as many; refuses more, fewer than 1 and what is no integer',
        async (reference) => {
          expect(await places(reference, { num: '2' })).toEqual([5, 4]);
          expect(await places(reference, { num: '10000' })).toHaveLength(6);
          const wrong = ['0', '10001', '-1', '1.5', 'many'];
          await refuses('num', wrong, 'a whole number from 1 to 10000')(reference);
        },
      ),
    },
    {
      id: '4.2.1 default of num',
      says: '`num` is required; its default is 1000',
      client: sends('num', {}, '10000'),
      deployment: byHand('Takes 1000 where it is absent or empty', ({ alone }) =>
        alone({ logs: incidentLogs({ count: 1200 }) }, async (reference) => {
          expect(await reference.exported({})).toHaveLength(1000);
          expect(await reference.exported({ num: '' })).toHaveLength(1000);
        }),
      ),
    },
    {
      id: '4.2.1 stackTraces',
      says: '`stackTraces` is `true` or `false`: whether stack traces of exceptions are included',
      client: sends('stackTraces', { stackTraces: false }, 'false'),
      deployment: deployment('Includes them or not; refuses any other value', async (reference) => {
        const severe = { logLevel: 'SEVERE', startTime: String(start + 60_000) };
        const [with_] = await reference.exported({ ...severe, stackTraces: 'true' });
        const [without] = await reference.exported({ ...severe, stackTraces: 'false' });
        expect([with_?.stackTraces, without?.msg]).toEqual(['at a.b(C.java:1)', 'Request failed: timed out']);
        expect(without).not.toHaveProperty('stackTraces');
        await refuses('stackTraces', ['1', 'yes'], 'true or false')(reference);
      }),
    },
    {
      id: '4.2.1 default of stackTraces',
      says: '`stackTraces` is required; its default is `false`',
      client: sends('stackTraces', {}, 'true'),
      deployment: byHand('Takes `false` where it is absent', async (reference) => {
        const [log] = await reference.exported({ logLevel: 'SEVERE', startTime: String(start + 60_000) });
        expect(log?.msg).toBe('Request failed: timed out');
        expect(log).not.toHaveProperty('stackTraces');
      }),
    },
    ...filters.map(toStatement),
    {
      id: '4.2.1 default of logLevel',
      says: '`logLevel` is required; its default is the current level of the organization',
      client: sends('logLevel', {}, ''),
      deployment: byHand(
        'Takes it where it is absent or empty; refuses an unknown one',
        async (reference) => {
          const window = { startTime: String(start + 60_000) };
          for (const form of [window, { ...window, logLevel: '' }]) {
            const found = await reference.exported(form);
            expect(found.map(({ logLevel }) => logLevel)).toEqual(['WARNING', 'SEVERE']);
          }
          const known = levels.map((level) => `"${level}"`).join(', ');
          await refuses('logLevel', ['LOUD', 'info?'], `one of ${known}`)(reference);
        },
      ),
    },
    {
      id: '4.2.1 default of startTime',
      says: '`startTime` is the current time by default',
      client: sends('startTime', {}, ''),
      deployment: byHand('Leaves out what is still to come', ({ alone }) => {
        const now = Date.now();
        const two = [now - 5000, now + 3_600_000].map((time) => ({ ...base, time, logCode: 77 }));
        return alone({ logs: two }, async (reference) => {
          const found = await reference.exported({ logCode: '77' });
          expect(found.map(({ time }) => time)).toEqual([now - 5000]);
        });
      }),
    },
    ...(['startTime', 'endTime'] as const).map(
      (parameter): Statement => ({
        id: `4.2.1 format of ${parameter}`,
        says: `\`${parameter}\` can be written as \`yyyy-mm-ddThh:mm:ss\``,
        client: client('Sends milliseconds, since the text has no zone', async (own, other) => {
          await submitExport(own, { ...newestLogsRequest, newest: start, oldest: start });
          expect(other.last().form.get(parameter)).toBe(String(start));
        }),
        deployment: byHand('Reads it as UTC; refuses what is no time', async (reference) => {
          const expected = parameter === 'startTime' ? [3, 2, 1, 0] : [5, 4, 3];
          expect(await places(reference, { [parameter]: '2025-03-12T08:00:03' })).toEqual(expected);
          const rule = 'milliseconds since the epoch or yyyy-mm-ddThh:mm:ss';
          await refuses(parameter, ['yesterday', '2025-03-12', '1e3'], rule)(reference);
        }),
      }),
    ),
    {
      id: '4.2.1 several codes',
      says: 'White space and empty items of `logCode` and `requestIDs` are not shown',
      client: sends('logCode', { logCodes: [] }, ''),
      deployment: byHand('Leaves them out; refuses a code that is no number', async (reference) => {
        expect(await places(reference, { logCode: ' 1312, ,9003,' })).toEqual([4, 0]);
        expect(await places(reference, { requestIDs: 'r-1 , r-2' })).toEqual([3, 2]);
        await refuses('logCode', ['ninety', '9003;1312'], 'whole numbers')(reference);
      }),
    },
    {
      id: '4.2.1 times that are none',
      says: '`startTime` and `endTime` are dates of the calendar',
      deployment: byHand('Refuses 30 February and 25:00', async (reference) => {
        for (const parameter of ['startTime', 'endTime'])
          for (const value of ['2025-02-30T00:00:00', '2025-03-12T25:00:00'])
            expect([value, await ask(reference, { [parameter]: value })]).toEqual([
              value,
              {
                error: expect.objectContaining({ code: 400, details: [expect.stringContaining(parameter)] }),
              },
            ]);
      }),
    },
    {
      id: '4.2.1 one user',
      says: '`users` is one username, whatever characters it has',
      client: sends('users', { users: 'Doe, Jane' }, 'Doe, Jane'),
      deployment: deployment('Does not cut it at commas', ({ alone }) => {
        const names = ['Doe, Jane', 'Doe', 'Jane'];
        const three = names.map((username, at) => ({ ...base, username, time: start + at }));
        return alone({ logs: three }, async (reference) => {
          const found = await reference.exported({ users: 'Doe, Jane' });
          expect(found.map(({ username }) => username)).toEqual(['Doe, Jane']);
        });
      }),
    },
    {
      id: '4.2.1 sources of services',
      says: 'A service is the source `<folder>/<service>.<type>` of its logs',
      client: client('Makes it from the description of the service', () => {
        const described = { url: '', parentType: '', capabilities: '', description: '' };
        expect(sourceOf({ ...described, name: 'Utilities/Water', type: 'MapServer' })).toBe(
          'Utilities/Water.MapServer',
        );
      }),
      deployment: deployment('Its catalog and its logs say the same', ({ alone }) =>
        alone({ logs: incidentLogs({ count: 1500 }) }, async (reference) => {
          const sources = (await reference.calls.services()).map(sourceOf);
          const found = await reference.exported({ num: '3000', logLevel: 'DEBUG' });
          const inLogs = new Set(found.flatMap(({ source = '' }) => (source.includes('/') ? [source] : [])));
          expect(inLogs.size).toBeGreaterThan(2);
          for (const each of inLogs) expect(sources).toContain(each);
        }),
      ),
    },
  ],
};
