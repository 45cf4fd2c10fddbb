import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeployment, type Deployment } from '../../src/emulator/deployment.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import type { Log } from '../../src/records/log.ts';
import { type Ran, type RunOptions, run } from './run-in-process.ts';

const start = Date.UTC(2025, 2, 12, 8);
const logs: readonly Log[] = Array.from({ length: 30 }, (_, at) => ({
  time: start + at * 1000,
  logLevel: at % 10 === 0 ? 'SEVERE' : 'FINE',
  logCode: 9000 + at,
  source: at % 2 === 0 ? 'Sharing' : 'Rest Catalog',
  msg: at === 7 ? '=1+1' : `message ${at} of the tests`,
  ...(at === 29 && { stackTraces: 'at a.B.c' }),
}));

let time = start + 3_600_000;
let folder: string;
let deployment: Deployment;
let served: Awaited<ReturnType<typeof serveDeployment>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  deployment = await createDeployment({
    logs,
    users: [
      { username: 'ann', password: 'pw' },
      { username: 'bob', password: 'pw', privileges: ['exportLogs', 'downloadUploads'] },
    ],
    // Every look at the clock takes a while, so that jobs end.
    now: () => (time += 5),
    pace: { queued: 0, running: 0, perLog: 0 },
    // The activity of the deployment itself is less severe, so it is not among the logs.
    logLevel: 'SEVERE',
  });
  served = await serveDeployment(deployment);
});
afterAll(async () => {
  await served.close();
  await deployment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const call = (words: readonly string[], { user = 'ann', ...options }: RunOptions & { user?: string } = {}) =>
  run(words, {
    ...options,
    environment: { LOGQUARRY_URL: served.url, LOGQUARRY_USER: user, LOGQUARRY_PASSWORD: 'pw' },
  });
const line = (text: string, options?: Parameters<typeof call>[1]): Promise<Ran> =>
  call(text.split(' '), options);

describe('logs query', () => {
  test('shows the newest logs and how many there are', async () => {
    const { code, out, err } = await line('logs query --limit 2');
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /The newest 2 of 30 logs; --limit N shows more, "logquarry export" gets all\.\n$/,
      ),
    });
    expect(out).toBe(
      `time (UTC)               level  code  source        user  message
2025-03-12 08:00:29.000  FINE   9029  Rest Catalog        message 29 of the tests
2025-03-12 08:00:28.000  FINE   9028  Sharing             message 28 of the tests
`,
    );
  });

  test('filters by level, code, source and time', async () => {
    const counts = [
      ['--log-level severe', 3],
      ['--log-code 9001,9002', 2],
      ['--source Sharing', 15],
      ['--from 2025-03-12T08:00:10 --to 2025-03-12T08:00:19', 10],
      ['--log-level SEVERE --source Sharing --from 2025-03-12T08:00:10', 2],
    ] as const;
    for (const [options, count] of counts) {
      expect([options, await line(`logs query ${options} --count`)]).toMatchObject([
        options,
        { code: 0, out: `${count}\n` },
      ]);
    }
  });

  test('gets stack traces only where they are asked for', async () => {
    const one = async (options: string) => JSON.parse((await line(`logs query --limit 1 ${options}`)).out);
    expect(await one('--ndjson')).toEqual({ log: { ...logs[29], stackTraces: undefined } });
    expect(await one('--ndjson --stack-traces')).toEqual({ log: logs[29] });
  });

  test('writes JSON with the total, and CSV without formulas', async () => {
    const { out } = await line('logs query --log-code 9007 --json');
    expect(JSON.parse(out)).toEqual({ total: 1, shown: 1, unreadable: 0, logs: [{ log: logs[7] }] });
    const csv = (await line('logs query --log-code 9007 --csv')).out;
    expect(csv).toMatch(
      /^time,logLevel,logCode,source,msg,.*\n2025-03-12T08:00:07\.000Z,FINE,9007,.*,'=1\+1,/,
    );
  });

  test('a number has no form of rows', async () => {
    expect(await line('logs query --count --csv')).toMatchObject({ code: 2 });
  });
});

describe('logs search', () => {
  test('takes the language, and any order', async () => {
    const codes = async (...options: string[]) => {
      const { out } = await call([
        'logs',
        'search',
        'logCode:[9003 TO 9005] AND tests',
        '--ndjson',
        ...options,
      ]);
      return out
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each).log.logCode);
    };
    expect(await codes()).toEqual([9005, 9004, 9003]);
    expect(await codes('--oldest')).toEqual([9003, 9004, 9005]);
    expect((await codes('--best')).toSorted()).toEqual([9003, 9004, 9005]);
  });

  test('does not send a query with an error, unless it is forced', async () => {
    expect(await call(['logs', 'search', 'msg:(a'])).toMatchObject({ code: 1, out: '' });
    const forced = await call(['logs', 'search', 'msg:(a', '--force']);
    expect(forced).toMatchObject({ code: 3, err: expect.stringContaining('Failed to parse query') });
  });

  test('says when nothing matches', async () => {
    expect(await line('logs search nothing')).toMatchObject({
      code: 0,
      err: expect.stringContaining('No log matches.'),
    });
    expect(await line('logs search nothing --count')).toMatchObject({ code: 0, out: '0\n' });
  });
});

describe('jobs and uploads', () => {
  test('an export is a job, and its result an upload that can be deleted', async () => {
    const { code } = await line(`export --num 5 --into ${join(folder, 'a.duckdb')}`, { user: 'bob' });
    expect(code).toBe(0);
    const { jobs } = JSON.parse((await line('jobs list --json')).out);
    expect(jobs).toMatchObject([{ name: 'exportLogs', status: 'COMPLETED', username: 'bob' }]);
    const [{ jobid, resultUrl }] = jobs;
    expect((await line('jobs list --ids')).out).toBe(`${jobid}\n`);
    expect((await line('jobs list')).out).toContain(`${jobid}  exportLogs  COMPLETED  bob`);
    expect((await line(`jobs show ${jobid}`)).out).toContain(`result     ${resultUrl}\n`);

    const upload = resultUrl.split('/').at(-1);
    const listed = (await line('uploads list')).out;
    expect(listed).toContain(`${upload}  2025-03-12 09:0`);
    expect(listed).toContain(`exportLogs-${jobid}.zip`);
    // The one who exported may not delete.
    expect(await line(`uploads delete ${upload} --yes`, { user: 'bob' })).toMatchObject({
      code: 3,
      err: expect.stringContaining('lacks the privilege to delete uploads'),
    });
    expect(await line(`uploads delete ${upload} --yes`)).toMatchObject({ code: 0 });
    expect((await line('uploads list')).out).toBe('No uploads.\n');
    expect(await line(`uploads show ${upload}`)).toMatchObject({
      code: 3,
      err: expect.stringContaining(`check the identifier of the upload, "${upload}"`),
    });
    expect((await line(`jobs show ${jobid}`)).out).toContain('COMPLETED');
  });

  test('a user sees no job of another one', async () => {
    await line(`export --num 5 --into ${join(folder, 'b.duckdb')}`);
    const ids = (await line('jobs list --ids')).out.trim().split('\n');
    const seen = (await line('jobs list --ids', { user: 'bob' })).out;
    expect(seen).not.toContain(ids.at(-1));
    expect(await line(`jobs show ${ids.at(-1)}`, { user: 'bob' })).toMatchObject({ code: 3 });
  });

  test('a file is added, shown, asked about and deleted', async () => {
    await writeFile(join(folder, 'license.json'), '{}');
    const added = await call(['uploads', 'add', join(folder, 'license.json'), '--description', 'a license']);
    const id = added.out.trim();
    const shown = await line(`uploads show ${id} --json`);
    expect(JSON.parse(shown.out)).toEqual({
      itemID: id,
      itemName: 'license.json',
      description: 'a license',
      date: expect.any(Number),
      committed: true,
      contentType: 'application/octet-stream',
      size: 2,
    });
    expect(await line(`uploads delete ${id}`)).toMatchObject({ code: 2 });
    expect(await line(`uploads delete ${id} --dry-run`)).toMatchObject({ code: 0 });
    expect(await line(`uploads delete ${id}`, { confirm: false })).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing was deleted.'),
    });
    expect((await line('uploads list')).out).toContain(id);
    expect(await line(`uploads delete ${id}`, { confirm: true })).toMatchObject({ code: 0 });
    expect((await line('uploads list')).out).not.toContain(id);
  });

  test('a file that is not there is a mistake of the command line', async () => {
    expect(await line(`uploads add ${join(folder, 'none.json')}`)).toMatchObject({ code: 2 });
    await writeFile(join(folder, 'empty.json'), '');
    expect(await line(`uploads add ${join(folder, 'empty.json')}`)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/empty.json" is empty/),
    });
  });
});

describe('health', () => {
  test('shows the microservices, each ready', async () => {
    const { code, out, err } = await line('health');
    expect(code).toBe(0);
    expect(out).toMatch(/^name +state +pods +type +id +workload\n/);
    expect(out).toMatch(/\nshared-mapserver +STARTED +1 of 1 +MapServer +k[0-9a-f]{20} /);
    expect(err).toMatch(/\d+ microservices, all ready\.\n$/);
    expect((await line('health --unready --json')).out).toBe('[]\n');
  });

  test('requires a privilege', async () => {
    expect(await line('health', { user: 'bob' })).toMatchObject({
      code: 3,
      err: expect.stringContaining('lacks the privilege to see the microservices'),
    });
  });
});

// The last ones: they change what the deployment writes.
describe('logs settings', () => {
  test('are shown, and changed one at a time', async () => {
    expect((await line('logs settings')).out).toBe('level     SEVERE\nkept for  60 days\n');
    const { code, out, err } = await line('logs settings --level info --yes');
    expect({ code, out }).toEqual({ code: 0, out: 'logLevel: "SEVERE" → "INFO"\n' });
    expect(err).toContain('The log settings were changed.');
    expect(JSON.parse((await line('logs settings --json')).out)).toEqual({
      logLevel: 'INFO',
      maxLogAgeDays: 60,
      lastModified: expect.any(Number),
    });
    // The new level holds at once: the edit itself is logged.
    expect((await line('logs query --log-code 1315 --count')).out).toBe('1\n');
  });

  test('a shorter time warns of the logs that it deletes', async () => {
    const { out, err } = await line('logs settings --max-age 7 --dry-run --json');
    expect(JSON.parse(out)).toEqual([
      { path: 'maxLogAgeDays', kind: 'changed', before: 60, after: 7, editable: true },
    ]);
    expect(err).toContain('The deployment will delete logs older than 7 days');
    expect(err).toContain('Nothing was sent.');
    const longer = await line('logs settings --max-age 90 --dry-run');
    expect(longer.err).not.toContain('will delete');
  });

  test('are sent only after a yes', async () => {
    const before = (await line('logs settings')).out;
    expect(await line('logs settings --level DEBUG')).toMatchObject({ code: 2 });
    expect(await line('logs settings --level DEBUG', { confirm: false })).toMatchObject({ code: 1 });
    expect((await line('logs settings')).out).toBe(before);
    const same = await line('logs settings --level INFO', { confirm: false });
    expect(same).toMatchObject({ code: 0, out: 'No changes.\n' });
    expect(await line('logs settings --level DEBUG --max-age 5', { confirm: true })).toMatchObject({
      code: 0,
    });
    expect((await line('logs settings')).out).toContain('level     DEBUG\nkept for  5 days\n');
  });

  test('are refused to one who may only read them, and for a level that nobody knows', async () => {
    expect(await line('logs settings', { user: 'bob' })).toMatchObject({ code: 0 });
    expect(await line('logs settings --level WARNING --yes', { user: 'bob' })).toMatchObject({
      code: 3,
      err: expect.stringContaining('lacks the privilege to edit the log settings'),
    });
    expect(await line('logs settings --level loud --yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--level must be one of SEVERE, WARNING'),
    });
    expect(await line('logs settings --max-age 1000 --yes')).toMatchObject({ code: 2 });
  });

  test('an older deployment keeps logs for no time that could be set', async () => {
    await using older = await createDeployment({
      users: [{ username: 'ann', password: 'pw' }],
      version: '11.0',
    });
    await using listening = await serveDeployment(older);
    const old = (text: string) =>
      run(text.split(' '), {
        environment: { LOGQUARRY_URL: listening.url, LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: 'pw' },
      });
    expect((await old('logs settings')).out).toBe('level  VERBOSE\n');
    expect(await old('logs settings --max-age 7 --yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('which requires version 11.2'),
    });
    expect(await old('logs settings --level SEVERE --yes')).toMatchObject({ code: 0 });
    expect((await old('logs settings')).out).toContain('level    SEVERE\n');
  });
});
