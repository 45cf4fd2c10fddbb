import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openKeyRing } from '../../src/cli/deployment/profile.ts';
import { configurationFolder } from '../../src/cli/deployment/profile-folder.ts';
import { createDeployment } from '../../src/emulator/deployment.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { run } from './run-in-process.ts';

const isWindows = process.platform === 'win32';

let folder: string;
let environment: Readonly<Record<string, string>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  await mkdir(join(folder, 'bin'));
  environment = {
    PATH: [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    FAKE_RING: join(folder, 'ring'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  await program('secret-tool', await readFile('test/cli/secret-tool.mjs', 'utf8'));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(name: string, text: string): Promise<void> {
  const path = join(folder, 'bin', name);
  await writeFile(path, text);
  await chmod(path, 0o755);
}

const mode = (name: string) => writeFile(join(folder, 'ring.mode'), name);
const calls = () => readFile(join(folder, 'ring.calls'), 'utf8');
const ringOf = async (patience?: number, platform = 'linux') => {
  const ring = await openKeyRing({ environment, platform, ...(patience && { timeout: patience }) });
  if (!ring) throw new Error('There is no key ring');
  return ring;
};
const entry = { profile: 'prod', root: 'https://gis.example.com/arcgis/admin' };
const secret = 'päss "word" $(x)\nwith a line';

describe.skipIf(isWindows)('the key ring of Linux', () => {
  test('keeps a secret, and shows it in no argument', async () => {
    const ring = await ringOf();
    expect(await ring.find(entry)).toEqual({ problem: 'it has no such secret, or is locked' });
    expect(await ring.store(entry, secret)).toBeUndefined();
    expect(await ring.find(entry)).toEqual({ secret });
    expect(await ring.find({ ...entry, root: 'https://other.example.com/admin' })).toHaveProperty('problem');
    await ring.remove(entry);
    expect(await ring.find(entry)).toHaveProperty('problem');
    expect(await calls()).not.toMatch(/word|line/);
  });

  test.each([
    ['fails', 'it ended with the exit code 1'],
    ['forgets', 'it has no such secret, or is locked'],
  ])('that %s is said to', async (name, problem) => {
    await mode(name);
    expect(await (await ringOf()).store(entry, secret)).toBe(problem);
  });

  test('that hangs is given up, also where it leaves a process behind', async () => {
    await mode('hangs');
    const hanging = await ringOf(300);
    expect(await hanging.find(entry)).toEqual({ problem: 'no answer in 0.3 s' });
    await program('secret-tool', '#!/bin/sh\nsleep 60 &\nsleep 60\n');
    const started = performance.now();
    expect(await hanging.store(entry, secret)).toBe('no answer in 0.3 s');
    expect(performance.now() - started).toBeLessThan(50_000);
  });

  test('is none where the program is not there', async () => {
    expect(
      await openKeyRing({ environment: { PATH: `relative${delimiter}/nowhere` }, platform: 'linux' }),
    ).toBeUndefined();
    expect(await openKeyRing({ environment, platform: 'win32' })).toBeUndefined();
  });
});

test.skipIf(isWindows)('the key ring of macOS reads secrets on the standard input alone', async () => {
  // It prints what is no plain text in hexadecimal, and reads its commands one a line.
  await program(
    'security',
    `#!/bin/sh
echo "$*" >> "$FAKE_RING.calls"
case "$1" in
  -i) sed -n 's/.* -w "\\(.*\\)"$/\\1/p' > "$FAKE_RING" ;;
  find-generic-password) cat "$FAKE_RING" 2>/dev/null || exit 44 ;;
  delete-generic-password) rm "$FAKE_RING" ;;
esac
`,
  );
  const ring = await ringOf(undefined, 'darwin');
  expect(await ring.store(entry, secret)).toBeUndefined();
  expect(await ring.find(entry)).toEqual({ secret });
  expect(await calls()).not.toMatch(/line|base64/);
  await ring.remove(entry);
  expect(await ring.find(entry)).toHaveProperty('problem');
});

describe.skipIf(isWindows || process.platform !== 'linux')('profiles with a key ring', () => {
  const file = (name: string) => join(folder, 'config', 'logquarry', 'profiles', `${name}.json`);
  const call = (line: string, more: Readonly<Record<string, string>> = {}) =>
    run(line.split(' '), { environment: { ...environment, ...more } });

  async function start() {
    const deployment = await createDeployment({ users: [{ username: 'ann', password: 'pw-of-ann' }] });
    const served = await serveDeployment(deployment);
    await writeFile(join(folder, 'pw'), 'pw-of-ann\n', { mode: 0o600 });
    const close = async () => {
      await served.close();
      await deployment[Symbol.asyncDispose]();
    };
    return { url: served.url, [Symbol.asyncDispose]: close };
  }

  test('sign in without a secret in their file', async () => {
    await using deployment = await start();
    const { url } = deployment;
    expect(
      await call(`profile add prod --url ${url} --user ann --password-file ${join(folder, 'pw')}`),
    ).toMatchObject({
      code: 0,
    });
    expect(await readFile(file('prod'), 'utf8')).not.toContain('pw-of-ann');
    expect(await call('catalog folders --profile prod')).toMatchObject({ code: 0 });
    expect(JSON.parse((await call('profile list --json')).out)).toEqual([
      { name: 'prod', default: false, url: `${url}/admin`, user: 'ann', secret: 'password', in: 'key ring' },
    ]);
    expect(await call('profile remove prod')).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'ring'), 'utf8')).toBe('{}');
    expect((await call('profile list --json')).out).toBe('[]\n');
  });

  test('have the secret in their file where the key ring fails, or is not wanted', async () => {
    await using deployment = await start();
    const add = `profile add prod --url ${deployment.url} --user ann --password-file ${join(folder, 'pw')}`;
    await mode('fails');
    const failed = await call(add);
    expect(failed).toMatchObject({ code: 0, err: expect.stringContaining('refused the secret') });
    expect((await stat(file('prod'))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file('prod'), 'utf8'))).toMatchObject({ password: 'pw-of-ann' });
    expect(await call('catalog folders --profile prod')).toMatchObject({ code: 0 });
    expect(await call(add)).toMatchObject({
      code: 2,
      err: expect.stringContaining('The profile "prod" already exists'),
    });
    await mode('');
    await call('profile remove prod');
    expect(await call(`${add} --no-key-ring`)).toMatchObject({ code: 0 });
    expect(await readFile(file('prod'), 'utf8')).toContain('pw-of-ann');
  });

  test('whose key ring is locked say so, and what to do', async () => {
    await using deployment = await start();
    await call(`profile add prod --url ${deployment.url} --user ann --password-file ${join(folder, 'pw')}`);
    await mode('fails');
    expect(await call('catalog folders --profile prod')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /"secret-tool" did not return it .*: unlock the key ring, or save the profile again/,
      ),
    });
    expect(await call('catalog folders --profile prod', { PATH: '/nowhere' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('this machine has none'),
    });
  });

  test('get a token by sign-in, are the default one, and sign in anew', async () => {
    await using deployment = await start();
    const { url } = deployment;
    const signIn = `sign-in --save prod --url ${url} --user ann --password-file ${join(folder, 'pw')}`;
    expect(await call(`${signIn} --minutes 5`)).toMatchObject({ code: 0 });
    const kept = JSON.parse(await readFile(file('prod'), 'utf8'));
    expect(kept).toEqual({
      url: `${url}/admin`,
      user: 'ann',
      referer: `${url}/admin`,
      expires: expect.any(String),
      keyRing: 'token',
    });
    expect(await call('profile use prod')).toMatchObject({ code: 0 });
    expect(await call('catalog folders')).toMatchObject({
      code: 0,
      err: expect.stringContaining('The token of the profile "prod" expires in 5 min'),
    });
    expect((await call('profile list')).out).toMatch(/\n\* +prod +http.* ann +token in the key ring +\d{4}-/);
    // The address and the user are known, and the old token is not in the way.
    expect(await call(`sign-in --save prod --password-file ${join(folder, 'pw')} --json`)).toMatchObject({
      code: 0,
    });
    expect(await call('catalog folders')).toMatchObject({ code: 0, err: '' });
    expect(await call('sign-out')).toMatchObject({ code: 0 });
    expect(await call('profile remove prod')).toMatchObject({ code: 0 });
    expect(await call('catalog folders')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is required'),
    });
  });

  test.each([
    ['profile use nope', 'The profile "nope" does not exist'],
    ['profile remove ../x', 'The name of a profile must consist of letters'],
    ['profile add a.json --url https://h/gis', 'The name of a profile must consist of letters'],
    ['profile add a', '--url URL is required'],
    ['profile add a --url gis', 'requires the form https://HOST/PATH'],
    ['profile add a --url https://h/gis --user ann --ask-password', 'There is no terminal to ask'],
    ['catalog folders --profile nope', 'The profile "nope" does not exist'],
    ['sign-in --save nope --out file', 'exclude each other'],
  ])('%s is a mistake', async (line, message) => {
    expect(await call(line)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});

test('the folder of settings is where the system has it', () => {
  const home = { HOME: '/home/ann' };
  expect(configurationFolder(home, 'linux')).toBe('/home/ann/.config/logquarry');
  expect(configurationFolder({ ...home, XDG_CONFIG_HOME: '/conf' }, 'linux')).toBe('/conf/logquarry');
  expect(configurationFolder({ ...home, XDG_CONFIG_HOME: 'conf' }, 'linux')).toBe(
    '/home/ann/.config/logquarry',
  );
  expect(configurationFolder({ ...home, APPDATA: '/roaming' }, 'win32')).toBe('/roaming/logquarry');
});
