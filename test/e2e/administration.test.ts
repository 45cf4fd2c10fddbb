import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { type Ended, folder, run, type Started, start, startProgram } from './process.ts';

const password = 'Zz-9 geheim"\'&%1';
const gp = '9375dd81-30d1-41c0-a802-cabb425159b1';
const release = 'rel_20062023_3480';
const patch = 'pat_24012023_3162';

/** Answers of a person, with the exit code, what is said, and the most pods after it. */
const answers = [
  ['n', 1, 'Nothing was sent.', 1],
  ['y', 0, 'The default properties were changed.', 2],
] as const;

let here: Awaited<ReturnType<typeof folder>>;
let running: Started[];
let said: string;
beforeEach(async () => {
  here = await folder();
  running = [];
  said = '';
  await writeFile(join(here.path, 'pw'), `${password}\n`, { mode: 0o600 });
});
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  await here[Symbol.asyncDispose]();
});

/** Few logs, so that the deployment starts soon. */
const fewLogs = ['--logs', resolve('samples/incident.ndjson')];

/** Runs the reference deployment as a process; gives back how command lines reach it. */
async function emulate(...words: readonly string[]) {
  const port = words.includes('--port') ? [] : ['--port', '0'];
  const user = ['--user', 'ann', '--password-file', 'pw'];
  const started = start(['emulate', ...user, '--json', ...fewLogs, ...port, ...words], { cwd: here.path });
  running.push(started);
  await started.printed(/"logs":\d+/);
  const { url } = JSON.parse(started.output()) as { url: string };
  const environment = { LOGQUARRY_URL: url, LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: password };
  const call = async (line: string): Promise<Ended> =>
    heard(await run(line.split(' '), { cwd: here.path, environment }));
  return { ...started, url, environment, call };
}

/** Remembers what a process said, to be searched for secrets. */
function heard(ended: Ended): Ended {
  said += ended.out + ended.err;
  return ended;
}

const fileIn = (name: string) => readFile(join(here.path, name), 'utf8');

/** Reports if a secret was printed or is in a file that is not there to hold it. */
async function expectKept(secret: string, ...holders: readonly string[]): Promise<void> {
  expect(said).not.toContain(secret);
  for (const { name, parentPath } of await readdir(here.path, { recursive: true, withFileTypes: true })) {
    if (holders.includes(name) || !(await stat(join(parentPath, name))).isFile()) continue;
    expect([name, (await readFile(join(parentPath, name))).includes(secret)]).toEqual([name, false]);
  }
}

largeTest('sign in, look at the catalog, sign out', async () => {
  const { url, call, ended, child } = await emulate();
  expect(await call('sign-in --out gis.json --minutes 5')).toMatchObject({ code: 0, out: '' });
  expect((await stat(join(here.path, 'gis.json'))).mode & 0o777).toBe(0o600);
  const { token } = JSON.parse(await fileIn('gis.json')) as { token: string };
  // With the profile alone: neither the address nor the password is known otherwise.
  const ask = async (line: string) =>
    heard(await run(line.split(' '), { cwd: here.path, environment: { LOGQUARRY_PROFILE: 'gis.json' } }));

  const info = await ask('catalog info');
  expect(info.out).toContain(`token service        ${url}/sharing/rest/generateToken\n`);
  expect(JSON.parse((await ask('catalog info --json')).out)).toMatchObject({ requiresTokens: true });
  expect((await ask('catalog folders')).out).toBe(
    'Analysis\nBasemaps\nPlanning\nSystem\nTransport\nUtilities\n',
  );
  expect((await ask('catalog services')).out).toMatch(/^name +type +capabilities +url\n/);
  expect((await ask('catalog services --all --tree')).out).toContain('│   ├── City (MapServer)\n');
  expect(JSON.parse((await ask('catalog services --folder Basemaps --json')).out)).toHaveLength(2);
  expect((await ask('catalog services --sources --out sources.txt')).code).toBe(0);
  expect(await fileIn('sources.txt')).toContain('\nUtilities/Water.FeatureServer\n');
  expect((await ask('complete source:Wat --sources sources.txt')).out).toContain(
    '"Utilities/Water.FeatureServer"',
  );

  expect(await ask('sign-out')).toMatchObject({ code: 0, err: 'The token was revoked.\n' });
  expect(await ask('catalog folders')).toMatchObject({ code: 3 });
  child.kill('SIGINT');
  heard(await ended);
  await expectKept(token, 'gis.json');
  await expectKept(password, 'pw');
});

describe('properties', () => {
  largeTest('check, compare and edit', async () => {
    const { call } = await emulate('--state', 'state.json');
    expect((await call(`properties show ${gp} --out before.json`)).code).toBe(0);
    expect((await call('properties check before.json')).out).toBe('No findings.\n');
    const template = JSON.parse(await fileIn('before.json'));
    const changed = { ...template, mode: 'Shared' };
    await writeFile(join(here.path, 'after.json'), JSON.stringify(changed));
    const diff = await call('properties diff before.json after.json');
    expect(diff.out).toBe('mode: "Dedicated" → "Shared" (cannot be edited)\n');
    expect(await call('properties edit after.json --yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('"mode" cannot be edited'),
    });

    const edit = `properties edit before.json --set spec.replicas.min=4 --set spec.replicas.max=4`;
    const changes = 'spec.replicas.min: 1 → 4\nspec.replicas.max: 1 → 4\n';
    expect(await call(`${edit} --dry-run`)).toMatchObject({ code: 0, out: changes });
    // There is no terminal, so there is nobody to ask.
    expect(await call(edit)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes is required'),
    });
    expect((await call(`properties show ${gp}`)).out).toBe(await fileIn('before.json'));
    expect(await call(`${edit} --yes`)).toMatchObject({ code: 0, out: changes });
    expect(JSON.parse((await call(`properties show ${gp}`)).out).spec.replicas).toMatchObject({ max: 4 });
    await expectKept(password, 'pw');
  });

  test.each(sampled(answers, 1))(
    'on a terminal it is asked, and "%s" is the answer',
    async (answer, code, said, pods) => {
      const { call, environment } = await emulate();
      const words = `properties edit --id ${gp} --set spec.replicas.min=2 --set spec.replicas.max=2`;
      const line = `"${process.execPath}" "${resolve('dist/bin/logquarry.js')}" ${words}`;
      const asked = startProgram('script', ['-qec', line, '/dev/null'], {
        cwd: here.path,
        environment: { ...environment, SHELL: '/bin/sh' },
        input: `${answer}\n`,
      });
      const { out, ...ended } = heard(await asked.ended);
      expect({ code: ended.code, out }).toEqual({ code, out: expect.stringContaining('Send it? [y/N]') });
      expect(out).toContain(said);
      expect(JSON.parse((await call(`properties show ${gp}`)).out).spec.replicas.max).toBe(pods);
      await expectKept(password, 'pw');
    },
  );
});

describe('upgrades', () => {
  largeTest('from the settings to the end', async () => {
    const { call } = await emulate('--release', '11.0', '--upgrade-time', '5s', '--state', 'state.json');
    expect((await call(`upgrade settings ${release} --out settings.json`)).code).toBe(0);
    expect(await call('upgrade check settings.json')).toMatchObject({ code: 1 });
    await writeFile(join(here.path, 'license.json'), '{}');
    expect((await call('upgrade license license.json --settings settings.json')).code).toBe(0);
    expect(await call('upgrade check settings.json --original settings.json')).toMatchObject({ code: 0 });
    expect(await call('upgrade rollback-options')).toMatchObject({
      code: 0,
      err: expect.stringContaining('so there is no rollback'),
    });
    const started = await call(`upgrade start ${release} --settings settings.json --yes`);
    expect(started).toMatchObject({ code: 0, err: expect.stringContaining('has started (in_progress)') });
    const watched = await call('upgrade watch --every 1s --into case.duckdb');
    expect(watched).toMatchObject({ code: 0, err: expect.stringContaining('The upgrade succeeded.') });
    expect(watched.err).toContain('The deployment is in read-only mode: it answers, but nothing can');
    expect(watched.err).toContain('The deployment can be changed again.');
    expect(watched.out).toContain('2175  9 out of 9 deployments updated.  (number of microservices');
    expect(await call('verify case.duckdb')).toMatchObject({ code: 0 });
    expect((await call('search msg:plan case.duckdb')).out).toContain('Executing the upgrade plan.');
    await expectKept(password, 'pw');
  });

  // Long enough that a busy machine begins to watch before its end.
  test('on a terminal its progress is a bar', async () => {
    const { call, environment } = await emulate('--release', '11.0', '--upgrade-time', '10s');
    expect((await call(`upgrade start ${patch} --yes`)).code).toBe(0);
    const line = `"${process.execPath}" "${resolve('dist/bin/logquarry.js')}" upgrade watch --every 1s`;
    const watching = startProgram('script', ['-qec', line, '/dev/null'], {
      cwd: here.path,
      environment: { ...environment, SHELL: '/bin/sh', TERM: 'xterm' },
    });
    const { code, out } = heard(await watching.ended);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/\[#+\.*\] \d of 5 microservices, read-only, [\d.]+ s/),
    });
    expect(out).toContain('The upgrade succeeded. It took 10 s.');
  });

  largeTest('one that fails says so, and is the exit code', async () => {
    const faults = [{ on: 'upgrade', effect: 'failUpgrade', after: 0.4 }];
    await writeFile(join(here.path, 'fails.json'), JSON.stringify({ faults }));
    const { call } = await emulate('--release', '11.0', '--upgrade-time', '2s', '--scenario', 'fails.json');
    expect(await call(`upgrade start ${patch} --yes --watch --every 1s`)).toMatchObject({
      code: 3,
      out: expect.stringContaining('2013  The upgrade failed: a deployment did not become ready in time.'),
      err: expect.stringContaining('The upgrade failed after'),
    });
    await expectKept(password, 'pw');
  });

  largeTest(
    'watching goes on when the deployment was killed and came back, and an interrupted watch is taken up',
    async () => {
      const words = ['--release', '11.0', '--upgrade-time', '15s', '--state', 'state.json'];
      const first = await emulate(...words);
      const watch = ['upgrade', 'watch', '--every', '1s', '--into', 'case.duckdb'];
      expect((await first.call(`upgrade start ${patch} --yes`)).code).toBe(0);
      const earlier = start(watch, { cwd: here.path, environment: first.environment });
      running.push(earlier);
      await earlier.printed('2287');
      earlier.child.kill('SIGINT');
      expect(heard(await earlier.ended).code).toBe(130);

      const watching = start(watch, { cwd: here.path, environment: first.environment });
      running.push(watching);
      await watching.printed('2287');
      first.child.kill('SIGKILL');
      await first.ended;
      await watching.printed('The deployment does not answer');
      await emulate(...words, '--port', new URL(first.url).port);
      const { code, out, err } = heard(await watching.ended);
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('The upgrade succeeded.') });
      expect(err).toContain('The deployment answers again.');
      const messages = out.trimEnd().split('\n');
      expect(new Set(messages).size).toBe(messages.length);
      const rows = await run(['sql', 'SELECT count(*) FROM logs', 'case.duckdb', '--json'], {
        cwd: here.path,
      });
      expect(JSON.parse(rows.out).rows).toEqual([[messages.length]]);
      expect(await first.call('verify case.duckdb')).toMatchObject({ code: 0 });
      await expectKept(password, 'pw');
    },
  );
});
