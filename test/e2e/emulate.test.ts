import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { run as runInProcess } from '../cli/run-in-process.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { folder, run, start, startProgram } from './process.ts';

/** Few logs, so that the deployment starts soon. */
const fewLogs = ['--logs', resolve('samples/incident.ndjson')];

/** Runs `emulate` until it has said how to reach it. */
async function emulate(words: readonly string[], cwd: string) {
  const started = start(['emulate', '--port', '0', ...words], { cwd });
  await started.printed(/127\.0\.0\.1:\d+/);
  return started;
}

test.each(['SIGINT', 'SIGTERM'] as const)('holds the logs of a file, and ends with %s', async (signal) => {
  await using here = await folder();
  const { child, ended } = await emulate([...fewLogs, '--json'], here.path);
  child.kill(signal);
  const { code, out } = await ended;
  expect(code).toBe(130);
  expect(JSON.parse(out)).toMatchObject({ user: 'admin', password: expect.any(String), logs: 220 });
});

const starts: readonly (readonly [string, readonly string[], string])[] = [
  ['by itself', [], 'holds 20,000 logs'],
  ['with an incident that is just over', ['--now'], ' --from now-6h '],
  [
    'where it returns few logs a call',
    ['--scenario', resolve('samples/scenarios/stubborn.json')],
    ' --cap 300 ',
  ],
];

test.each(sampled(starts, 1))('says how to reach it, and what it says works: %s', async (_, words, said) => {
  await using here = await folder();
  const { child, ended, printed, output } = await emulate(words, here.path);
  await printed('Press Ctrl-C to stop it');
  expect(output()).toContain(said);
  expect(output()).toContain('Only this machine can reach it');
  const [line = ''] = /LOGQUARRY_PASSWORD=\S+ npx logquarry export .*/.exec(output()) ?? [];
  const bin = `"${process.execPath}" "${resolve('dist/bin/logquarry.js')}"`;
  const exported = await startProgram('sh', ['-c', line.replace('npx logquarry', bin)], { cwd: here.path })
    .ended;
  expect(exported).toMatchObject({
    code: 0,
    out: expect.stringContaining('logs to "severe.duckdb"'),
  });
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130 });
});

largeTest('with "--now" an export of the last hours finds the incident, and without it none', async () => {
  await using here = await folder();
  const failures = [...incidentLogs()].filter(({ logCode }) => logCode === 9003).length;
  const cases = [
    { words: ['--now'], expected: failures },
    { words: [], expected: 0 },
  ];
  for (const { words, expected } of sampled(cases, 1)) {
    const { child, ended, output } = await emulate([...words, '--json'], here.path);
    const { url, user, password } = JSON.parse(output());
    const into = join(here.path, `${words.length}.duckdb`);
    const query = ['--search', 'logCode:9003', '--from', 'now-6h', '--into', into];
    const environment = { LOGQUARRY_PASSWORD: password };
    const exported = await run(['export', '--url', url, '--user', user, ...query], { environment });
    expect(exported.code, exported.err).toBe(0);
    const found = await run(['search', 'logCode:9003', into, '--count'], { cwd: here.path });
    expect(found.out.trim() || '0').toBe(String(expected));
    child.kill('SIGINT');
    await ended;
  }
});

test('a password that was given is not shown', async () => {
  await using here = await folder();
  await writeFile(join(here.path, 'pw'), 'hunter2-hunter2\n', { mode: 0o600 });
  const words = [...fewLogs, '--user', 'eve', '--password-file', 'pw'];
  const { child, ended, printed } = await emulate(words, here.path);
  await printed('Press Ctrl-C to stop it');
  child.kill('SIGINT');
  const { out, err } = await ended;
  expect(out).toContain('--user eve --password-file pw');
  expect(out + err).not.toContain('hunter2');
});

test('a host that others can reach is said loudly', async () => {
  await using here = await folder();
  const started = start(['emulate', ...fewLogs, '--port', '0', '--host', '0.0.0.0'], { cwd: here.path });
  await started.printed('Press Ctrl-C to stop it');
  started.child.kill('SIGINT');
  const { out, err } = await started.ended;
  expect(err).toContain('WARNING: --host 0.0.0.0 makes the deployment reachable');
  expect(out).not.toContain('Only this machine');
});

test('answers under the names of "--allow-host" and no others', async () => {
  await using here = await folder();
  const { child, ended, output } = await emulate(
    [...fewLogs, '--allow-host', 'gis.test,other.test', '--json'],
    here.path,
  );
  const url = new URL(JSON.parse(output()).url);
  const statusUnder = (host: string) =>
    new Promise((answered, failed) => {
      const asked = request(url, { headers: { host } }, (reply) => answered(reply.resume().statusCode));
      asked.on('error', failed);
      asked.end();
    });
  const hosts = ['gis.test', 'other.test:80', 'localhost', 'evil.test'];
  expect(await Promise.all(hosts.map(statusUnder))).toEqual([404, 404, 404, 421]);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130 });
});

test.each([
  [['--port', '70000'], '--port must be a whole number from 0 to 65535'],
  [['--now', '--logs', 'a.zip'], '--now and --logs exclude each other'],
  [
    ['--now', '--scenario', resolve('samples/scenarios/stubborn.json')],
    '--now applies to the built-in incident only, and the scenario has its own logs',
  ],
  [['--user', 'eve'], '--user requires --password-file FILE'],
  [['--logs', 'nowhere.zip'], 'nowhere.zip'],
  [[...fewLogs, '--host', '192.0.2.1'], 'The host "192.0.2.1" cannot be listened on'],
  [['--state', '/nowhere/state.json'], 'The file "/nowhere/state.json" of --state cannot be used'],
  [['--state', resolve('package.json')], 'package.json" requires the state of a reference deployment'],
])('%j is wrong usage', async (words, message) => {
  const { code, err } = await runInProcess(['emulate', ...words]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
});
