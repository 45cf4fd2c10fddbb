import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeploymentOptions } from '../../src/emulator/deployment.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { password, runDeployment } from '../e2e/deployment.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

const fewLogs = [...incidentLogs({ count: 300 })];
const until = ['--to', '2025-03-12T12:00'];

/** Runs command lines on a deployment and in a folder of their own. */
async function startHere(options: DeploymentOptions = {}) {
  const deployment = await runDeployment({
    logs: fewLogs,
    pace: { queued: 0, running: 0, perLog: 0 },
    ...options,
  });
  const folder = await mkdtemp(join(tmpdir(), 'export-test-'));
  const at = (name: string) => join(folder, name);
  return {
    deployment,
    folder,
    at,
    into: ['--into', at('case.duckdb')],
    run: (...words: string[]) => run(words, { environment: deployment.environment }),
    /** Options with a token that the deployment does not know. */
    invalidToken: async () => {
      await writeFile(at('token'), 'unknown', { mode: 0o600 });
      return ['--token-file', at('token')];
    },
    [Symbol.asyncDispose]: async () => {
      await deployment[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

describe('the query of an export', () => {
  test('is checked before anything is asked for', async () => {
    await using here = await startHere();
    const refused = await here.run('export', ...here.into, '--search', 'msg:(timeout');
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('[unclosed-group]') });
    expect(here.deployment.tokens).toEqual([]);
    expect(await readdir(here.folder)).toEqual([]);
  });

  largeTest('is sent all the same with "--force", and the deployment says what it makes of it', async () => {
    await using here = await startHere();
    const forced = await here.run('export', ...here.into, '--search', 'msg:(timeout', '--force');
    expect(forced).toMatchObject({ code: 3, err: expect.stringContaining('[unclosed-group]') });
    expect(here.deployment.tokens.length).toBe(1);
  });

  largeTest('that is doubtful is exported, and the doubt said', async () => {
    await using here = await startHere();
    const search = ['--search', 'logLevel:SEVERE OR logLevel:WARNING AND msg:timeout'];
    const doubtful = await here.run('export', ...here.into, ...search);
    expect(doubtful).toMatchObject({ code: 0, err: expect.stringContaining('[mixed-operators]') });
  });
});

describe('an export that is refused at once', () => {
  test('leaves no case behind where it would have been one call', async () => {
    await using here = await startHere();
    const token = await here.invalidToken();
    const refused = await here.run('export', ...here.into, ...token, '--num', '5');
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('was not created') });
    expect(await readdir(here.folder)).toEqual(['token']);
  });

  test('can go on where it is one in windows: the case knows what was asked for', async () => {
    await using here = await startHere();
    const token = await here.invalidToken();
    const refused = await here.run('export', ...here.into, ...token, ...until, '--log-level', 'SEVERE');
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('To resume the export') });
    const resumed = await here.run('export', '--resume', here.at('case.duckdb'));
    expect(resumed).toMatchObject({ code: 0, out: expect.stringMatching(/^Added \d+ logs? to /) });
  });
});

test('"--out" is still taken for "--into", and shown nowhere', async () => {
  await using here = await startHere();
  const { code, out } = await here.run('export', '--out', here.at('case.duckdb'), '--num', '5');
  expect([code, out]).toEqual([0, expect.stringContaining('Exported 5 logs to')]);
  expect((await run(['export', '--help'])).out).not.toContain('--out');
  expect((await run(['completion', 'fish'])).out).toContain('-l into');
});

describe('what an export is for', () => {
  let refusing: Awaited<ReturnType<typeof startHere>>;
  beforeAll(async () => {
    refusing = await startHere({ logs: [] });
  });
  afterAll(() => refusing[Symbol.asyncDispose]());

  test.each([
    ['--resume CASE --plan', '--resume and --plan exclude each other'],
    ['--resume CASE --search msg:a', '--resume and --search exclude each other'],
    ['--resume CASE --log-code 1', '--resume and --log-code exclude each other'],
    ['--since-last CASE --from 2025-01-01', '--since-last and --from exclude each other'],
    ['--since-last CASE --resume CASE', '--resume and --since-last exclude each other'],
    ['--into CASE --out CASE', '--out is the former name of --into: give only one of them'],
    ['--resume CASE --out CASE', '--resume and --into exclude each other'],
    ['--into CASE --overlap 1m', '--overlap requires --since-last CASE'],
    ['--into CASE --num 5 --plan', '--num and --plan exclude each other'],
    ['--into CASE --num 5 --via query', '--num and --via exclude each other'],
    ['--into CASE --num 5 --jobs 2', '--num and --jobs exclude each other'],
    ['--into CASE --via query --window-by query', '--via query and --window-by query exclude each other'],
    ['--into CASE --json --ndjson', '--ndjson and --json exclude each other'],
    ['--into CASE --from 2999-01-01', '--from must not be later than now'],
    ['--into CASE --from 2025-02-01 --to 2025-01-01', 'must not be later than --to'],
  ])('%s', async (words, message) => {
    const named = words.replaceAll('CASE', refusing.at('case.duckdb')).split(' ');
    const refused = await refusing.run('export', ...named);
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
    expect(refusing.deployment.tokens).toEqual([]);
  });

  largeTest('a plan of what is new exports nothing', async () => {
    await using here = await startHere();
    await here.run('export', ...here.into, '--to', '2025-03-11T12:00');
    const count = () => here.run('search', '*:*', here.at('case.duckdb'), '--count');
    const before = await count();
    const planned = await here.run('export', '--since-last', here.at('case.duckdb'), '--plan');
    expect(planned).toMatchObject({ code: 0, out: expect.stringContaining('nothing was exported') });
    expect(await count()).toEqual(before);
  });

  test('the same again asks for nothing, and says so', async () => {
    await using here = await startHere();
    const hours = ['--from', '2025-03-11T02:00', '--to', '2025-03-11T12:00'];
    await here.run('export', ...here.into, ...hours);
    expect(await here.run('export', ...here.into, ...hours, '--plan')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\(UTC\)\nThe case already has all of it\.\n$/),
    });
    expect(await here.run('export', ...here.into, ...hours)).toMatchObject({
      code: 0,
      err: 'The case already has all of it, so nothing was requested.\n',
    });
  });

  test('the verdict is in JSON too, and what the case lacks is not said of the export', async () => {
    await using here = await startHere();
    await writeFile(here.at('a.ndjson'), '{"time":1700000000000,"msg":"a"}\nnonsense\n');
    await here.run('import', here.at('a.ndjson'), ...here.into);
    const hours = ['--from', '2025-03-11T02:00', '--to', '2025-03-11T12:00'];
    const { code, err } = await here.run('export', ...here.into, ...hours);
    expect(code).toBe(0);
    const [, verdict = ''] = /^(Complete, as far as can be proved: .*)$/m.exec(err) ?? [];
    expect(verdict).toMatch(/ logs were requested twice, /);
    expect(err).toContain('This export is complete, but the case is not: 1 gap, 1 unreadable record.');
    const fresh = ['export', '--into', here.at('other.duckdb'), ...hours, '--json'];
    expect(JSON.parse((await here.run(...fresh)).out)).toMatchObject({ complete: true, verdict });
  });

  largeTest('the newest logs say nothing of the times of a case', async () => {
    await using here = await startHere();
    const { err } = await here.run('export', ...here.into, '--num', '5');
    expect(err).toContain('The export is capped');
    expect(err).not.toContain('Complete');
    const about =
      'The case has no export over a time range: imported files and exports of the newest logs do not show what is missing.\n';
    expect(await here.run('coverage', here.at('case.duckdb'))).toEqual({ code: 0, out: '', err: about });
    expect(await here.run('export', '--since-last', here.at('case.duckdb'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('holds no export over a time [NOTHING_TO_RESUME]'),
    });
  });

  largeTest('a refused number of logs a call is named, and another one goes on', async () => {
    await using here = await startHere({ exports: { cap: 100 } });
    const refused = await here.run('export', ...here.into, ...until, '--log-level', 'DEBUG');
    expect(refused).toMatchObject({
      code: 3,
      err: expect.stringMatching(/--resume \S+case.duckdb --cap 100/),
    });
    const resumed = await here.run('export', '--resume', here.at('case.duckdb'), '--cap', '100');
    expect(resumed).toMatchObject({ code: 0, out: expect.stringContaining('Added 300 logs to') });
  });

  test('the newest logs come with events as well', async () => {
    await using here = await startHere();
    const { out } = await here.run('export', ...here.into, '--num', '5', '--ndjson');
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { event: 'submitted', job: expect.any(String) },
      { event: 'result', logs: 5, complete: true, case: here.at('case.duckdb') },
    ]);
  });
});

const skews = [
  ['an hour behind', -3_600_000],
  ['an hour ahead', 3_600_000],
] as const;

describe.each(sampled(skews, 1))('where the clock of the deployment is %s', (_, skew) => {
  largeTest('what is new holds all that it logged since', async () => {
    let later = 0;
    await using here = await startHere({ now: () => Date.now() + skew + later });
    const first = await here.run('export', ...here.into, '--log-level', 'DEBUG');
    expect(first).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^The clock of this machine is (59 min|1 h)/),
    });
    later = 2000;
    await here.run('catalog', 'info');
    later = 4000;
    const until = Date.now() + skew + 2500;
    const more = await here.run('export', '--since-last', here.at('case.duckdb'));
    expect(more.code).toBe(0);
    const all = ['export', '--into', here.at('all.duckdb'), '--log-level', 'DEBUG'];
    expect(await here.run(...all)).toMatchObject({ code: 0 });
    const ids = (name: string) =>
      here.run('sql', `SELECT id FROM logs WHERE time < epoch_ms(${until})`, here.at(name), '--json');
    const known = JSON.parse((await ids('all.duckdb')).out).rows;
    expect(known.length).toBeGreaterThan(303);
    expect(JSON.parse((await ids('case.duckdb')).out).rows.length).toBe(known.length);
  });

  test('the newest logs by one call are those of its hours', async () => {
    await using here = await startHere({ now: () => Date.now() + skew });
    const newest = await here.run(
      'export',
      ...here.into,
      '--num',
      '3',
      '--from',
      'now-30m',
      '--log-level',
      'DEBUG',
    );
    expect(newest).toMatchObject({ code: 0, out: expect.stringMatching(/^Exported 3 logs to /) });
  });
});

largeTest(
  'no secret is in any output or file of plans, failures, resumes, coverage and what is new',
  async () => {
    // The message of the deployment about a job quotes the password, again and again, so that a window is given up.
    const quoted = { message: `The password is ${password}`, details: [encodeURIComponent(password)] };
    await using here = await startHere({
      faults: [{ on: 'job', skip: 5, times: 9, effect: 'refuse', failure: quoted }],
    });
    const words = ['export', ...here.into, ...until, '--cap', '100', '--jobs', '1'];
    const texts = [
      await here.run('export', '--plan', ...until, '--search', 'logCode:9003', '--via', 'query'),
      await here.run(...words, '--ndjson'),
      await here.run('coverage', here.at('case.duckdb')),
      await here.run('export', '--resume', here.at('case.duckdb'), '--json'),
      await here.run('histogram', here.at('case.duckdb')),
      await here.run('sql', 'FROM windows', here.at('case.duckdb'), '--json'),
      await here.run('sql', 'FROM exports', here.at('case.duckdb'), '--json'),
    ];
    expect(texts.map(({ code }) => code)).toEqual([0, 3, 4, 0, 0, 0, 0]);
    expect(texts[1]?.out).toContain('[hidden]');
    const names = await readdir(here.folder, { recursive: true, withFileTypes: true });
    const files = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
    const bytes = await Promise.all(files.map((path) => readFile(path)));
    // New are the logs of the deployment about all of this, the message that quotes the password included.
    texts.push(await here.run('export', '--since-last', here.at('case.duckdb'), '--json'));
    expect(texts.at(-1)).toMatchObject({ code: 0 });
    for (const secret of [password, encodeURIComponent(password), ...here.deployment.tokens]) {
      expect(texts.filter(({ out, err }) => `${out}${err}`.includes(secret))).toEqual([]);
      expect(files.filter((_, index) => bytes[index]?.includes(secret))).toEqual([]);
    }
  },
);
