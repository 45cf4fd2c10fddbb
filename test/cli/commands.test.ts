import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interrupted } from '../../src/cli/endings.ts';
import { createDeployment, incidentLogs, type Served, serveDeployment } from '../../src/emulator/index.ts';
import { run } from './run-in-process.ts';

/*
 * What the commands say, tried without a process for each: what only a process
 * shows (signals, pipes, exit codes, what is left behind) is in test/e2e.
 */

let folder: string;
let served: Served;
let environment: Record<string, string>;
const deployment = createDeployment({
  logs: incidentLogs({ count: 300 }),
  users: [{ username: 'ann', password: 'pw' }],
  pace: { queued: 0, running: 0, perLog: 0 },
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  served = await serveDeployment(await deployment);
  environment = { LOGQUARRY_URL: served.url, LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: 'pw' };
  await writeFile(
    at('three.ndjson'),
    '{"time":1000,"logLevel":"INFO","logCode":1,"msg":"a"}\n{"time":2000,"msg":"b, \\"c\\"","username":"ann","pod":{"x":1}}\nnonsense\n{"time":3000,"msg":"a d"}\n',
  );
  expect((await run(['import', at('three.ndjson'), '--into', at('three.duckdb')])).code).toBe(0);
});
afterAll(async () => {
  await served.close();
  await (await deployment)[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function at(name: string): string {
  return join(folder, name);
}

describe('import', () => {
  test('tells of every part', async () => {
    await writeFile(at('no-logs.txt'), 'nothing of the kind\n'.repeat(3));
    const { code, out, err } = await run([
      'import',
      at('three.ndjson'),
      at('no-logs.txt'),
      '--into',
      at('import.duckdb'),
    ]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^file +entry +format +logs +unreadable +remark\nthree\.ndjson +three\.ndjson +ndjson +3 +1\nno-logs\.txt .* not loaded\n$/,
    );
    expect(err).toContain(
      '"three.ndjson": 1 records could not be read; they are kept in the view "unreadable".',
    );
    expect(err).toMatch(/"no-logs\.txt" was not loaded: .+ \[\w+\]/);
  });

  test('requires a case', async () => {
    expect(await run(['import', at('three.ndjson')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('"--into CASE" is required'),
    });
  });
});

describe('search', () => {
  test('prints a table', async () => {
    expect(await run(['search', 'msg:a', at('three.duckdb')])).toEqual({
      code: 0,
      out: `id  time (UTC)               level  code  source  user  message
 3  1970-01-01 00:00:03.000                             a d
 1  1970-01-01 00:00:01.000  INFO      1                a
`,
      err: '2 logs.\n',
    });
  });

  test('prints a table of many logs in pieces', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => `{"time":${index},"msg":"log ${index}"}`);
    await writeFile(at('many.ndjson'), lines.join('\n'));
    await run(['import', at('many.ndjson'), '--into', at('many.duckdb')]);
    const { out, err } = await run(['search', '*:*', at('many.duckdb'), '--all', '--oldest']);
    expect(out.split('\n').length).toBe(2502);
    expect(out.match(/^ *id/gm)?.length).toBe(1);
    expect(err).toBe('2,500 logs.\n');
    const { err: cut } = await run(['search', '*:*', at('many.duckdb'), '--oldest', '--limit', '1']);
    expect(cut).toBe('The oldest 1 of 2,500 logs; "--limit N" or "--all" shows more.\n');
  });

  test('prints JSON with all that is known of a log', async () => {
    const { out } = await run(['search', 'username:ann', at('three.duckdb'), '--json']);
    expect(JSON.parse(out)).toMatchObject({
      query: 'username:ann',
      order: 'newest',
      total: 1,
      logs: [
        { entry: 'three.ndjson', position: 2, log: { time: 2000, msg: 'b, "c"' }, extra: { pod: { x: 1 } } },
      ],
    });
  });

  test('counts', async () => {
    expect(await run(['search', 'msg:a', at('three.duckdb'), '--count'])).toEqual({
      code: 0,
      out: '2\n',
      err: '',
    });
    const { out } = await run(['search', 'msg:a', at('three.duckdb'), '--count', '--json']);
    expect(JSON.parse(out)).toEqual({ query: 'msg:a', count: 2 });
  });

  test('--json and --ndjson exclude each other', async () => {
    expect(await run(['search', 'a', at('three.duckdb'), '--json', '--ndjson'])).toMatchObject({ code: 2 });
  });
});

describe('sql', () => {
  const sql = `SELECT id, msg, username, time FROM logs WHERE id = 2`;

  test('prints a table', async () => {
    expect(await run(['sql', sql, at('three.duckdb')])).toEqual({
      code: 0,
      out: 'id  msg     username  time\n 2  b, "c"  ann       1970-01-01 00:00:02\n',
      err: '1 row.\n',
    });
  });

  test('prints CSV, quoted where needed, with nothing for NULL', async () => {
    const { out } = await run([
      'sql',
      'SELECT msg, username FROM logs ORDER BY id',
      at('three.duckdb'),
      '--csv',
    ]);
    expect(out).toBe('msg,username\na,\n"b, ""c""",ann\na d,\n');
  });

  test('shows lists as JSON and a missing value as NULL', async () => {
    const { out } = await run(['sql', 'SELECT [1, 2] AS list, NULL AS nothing', at('three.duckdb')]);
    expect(out).toBe('list   nothing\n[1,2]     NULL\n');
  });

  test('--json and --csv exclude each other', async () => {
    expect(await run(['sql', sql, at('three.duckdb'), '--json', '--csv'])).toMatchObject({ code: 2 });
  });
});

describe('export', () => {
  test('tells what came', async () => {
    const { code, out, err } = await run(
      ['export', '--out', at('export.duckdb'), '--search', 'logCode:9003'],
      { environment },
    );
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^The deployment works on the export as job \S+\.\n$/),
    });
    expect(out).toMatch(/^\d+ logs are in ".*export\.duckdb" \(1 window, 1 call, zips of .+\)\.\n$/);
  });

  test('draws what is doubtful about its query and goes on', async () => {
    const { code, err } = await run(['export', '--out', at('doubtful.duckdb'), '--search', 'levle:SEVERE'], {
      environment,
    });
    expect(code).toBe(0);
    expect(err).toContain('[unknown-field]');
    expect(err).toContain('The export is empty');
  });

  test('a case without an export cannot be resumed', async () => {
    const { code, err } = await run(['export', '--resume', at('three.duckdb')], { environment });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('NOTHING_TO_RESUME') });
  });

  test('an interruption before anything is done leaves no case', async () => {
    const signal = AbortSignal.abort(new Interrupted('Interrupted'));
    const { code, err } = await run(['export', '--out', at('never.duckdb')], { environment, signal });
    expect({ code, err }).toEqual({ code: 130, err: 'Interrupted.\n' });
    expect(await run(['search', 'a', at('never.duckdb')])).toMatchObject({ code: 2 });
  });
});

describe('the deployment and the tour', () => {
  test('emulate ends when it is asked to', async () => {
    const { signal, abort } = abortable();
    const ended = run(['emulate', '--port', '0', '--logs', at('three.ndjson')], { signal });
    setTimeout(abort, 1500);
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: 130, out: expect.stringContaining('holds 3 logs') });
    expect(err).toContain('1 records could not be read');
  });

  test('demo tells the story', async () => {
    const { code, out } = await run(['demo', '--keep', at('demo.duckdb')], { width: 100 });
    expect(code).toBe(0);
    expect(out).toContain('these are fewer, so none is missing');
    for (const line of out.split('\n').filter((each) => / (SEVERE|WARNING) /.test(each)))
      expect(line.length).toBeLessThanOrEqual(100);
    expect(out).toContain(`The case is kept in ${at('demo.duckdb')}`);
  });
});

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Interrupted('Interrupted')) };
}
