import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../cli/run-in-process.ts';

const [password, other] = ['s3cret\'"%{p1:String}', '0ther'];

let folder: string;
let port: number;
let url: string;
const seen: { authorization: string; url: string }[] = [];

/** Refuses every request, and notes who asked. */
const server = createServer((request, response) => {
  const { authorization = '' } = request.headers;
  seen.push({ authorization, url: request.url ?? '' });
  response.writeHead(403, { 'X-ClickHouse-Exception-Code': '516' });
  response.end(`Code: 516. DB::Exception: ${password}: Authentication failed. (AUTHENTICATION_FAILED)`);
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-profile-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
  url = `clickhouse://127.0.0.1:${port}/gis`;
  await writeFile(join(folder, 'pw'), `${password}\n`, { mode: 0o600 });
  const words = ['--url', url, '--user', 'ann', '--password-file', join(folder, 'pw'), '--no-key-ring'];
  expect((await call(['profile', 'add', 'logs', ...words])).code).toBe(0);
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const call = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  run(words, { environment: { XDG_CONFIG_HOME: folder, PATH: '', ...environment } });

/** The user and the password of the last request. */
const last = () =>
  Buffer.from(seen.at(-1)?.authorization.replace('Basic ', '') ?? '', 'base64').toString('utf8');

test('a profile has the user and the password of a cluster, and nothing shows it', async () => {
  const environment = { LOGQUARRY_CLUSTER_USER: 'bob', LOGQUARRY_CLUSTER_PASSWORD: other };
  for (const words of [
    ['search', 'a', `${url}?profile=logs`],
    ['sql', 'SELECT 1', `${url}?profile=logs&deployment=prod`],
    ['cluster', 'status', `clickhouse://ann@127.0.0.1:${port}/gis?profile=logs`],
  ]) {
    const { code, out, err } = await call(words, environment);
    expect([code, err]).toEqual([3, expect.stringContaining('CLUSTER_REFUSED')]);
    expect(out + err).not.toContain(password);
    expect(last()).toBe(`ann:${password}`);
  }
  expect((await call(['profile', 'list', '--json'])).out).not.toContain(password);
  expect(seen.map((each) => decodeURIComponent(each.url)).join()).not.toContain(password);
  expect(
    (await readFile(join(folder, 'logquarry/profiles/logs.json'), 'utf8')).match(/s3cret/g),
  ).toHaveLength(1);
});

test('the password of a profile is sent to its server and for its user alone', async () => {
  const before = seen.length;
  for (const [address, problem] of [
    [`clickhouse://localhost:${port}/gis?profile=logs`, `the cluster is at http://localhost:${port}`],
    [`clickhouse://127.0.0.1:${port + 1}/gis?profile=logs`, `is for http://127.0.0.1:${port}`],
    [`clickhouse://bob@127.0.0.1:${port}/gis?profile=logs`, 'is for another user than "bob"'],
    [`${url}?profile=..%2F..%2Flogs`, 'must consist of letters'],
    [`${url}?profile=`, 'must consist of letters'],
    [`${url}?profile=none`, 'does not exist'],
  ] as const) {
    const { code, err } = await call(['search', 'a', address]);
    expect([address, code, err]).toEqual([address, 2, expect.stringContaining(problem)]);
  }
  expect(seen.length).toBe(before);
});

test('a profile of a cluster is no deployment, and one of a deployment no cluster', async () => {
  const listed = await call(['health', '--profile', 'logs']);
  expect(listed.code).not.toBe(0);
  expect(listed.out + listed.err).not.toContain(password);
  const gis = ['--url', `http://127.0.0.1:${port}/arcgis`, '--user', 'ann'];
  expect((await call(['profile', 'add', 'gis', ...gis])).code).toBe(0);
  expect((await call(['search', 'a', `${url}?profile=gis`])).err).toContain('The profile "gis" is for');
  const token = ['--url', url, '--token-file', join(folder, 'pw')];
  expect((await call(['profile', 'add', 'x', ...token])).err).toContain('a cluster has no tokens');
});

test('a password comes from a file or the environment, and the option comes first', async () => {
  const file = join(folder, 'other');
  await writeFile(file, `${other}\n`, { mode: 0o600 });
  await call(['search', 'a', url], { LOGQUARRY_CLUSTER_PASSWORD: other });
  expect(last()).toBe(`default:${other}`);
  await call(['search', 'a', url], { LOGQUARRY_CLUSTER_USER: 'bob', LOGQUARRY_CLUSTER_PASSWORD_FILE: file });
  expect(last()).toBe(`bob:${other}`);
  await call(['cluster', 'status', `${url}?profile=logs`, '--password-file', file]);
  expect(last()).toBe(`ann:${other}`);
  await chmod(file, 0o644);
  const { code, err } = await call(['search', 'a', url], { LOGQUARRY_CLUSTER_PASSWORD_FILE: file });
  expect([code, err]).toEqual([2, expect.stringContaining('must have mode 0600')]);
});
