import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OptionValues } from '../../src/cli/command-line/option.ts';
import { readConnection } from '../../src/cli/deployment/connection.ts';
import type { connectionOptions } from '../../src/cli/specs/options.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';
import { run } from './run-in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

type Options = OptionValues<typeof connectionOptions>;

interface Given {
  readonly options?: Partial<Options>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly answer?: string;
}

/** Connection to a deployment, and the messages about it. */
async function connect({ options, environment, answer }: Given) {
  const said: string[] = [];
  const face = { width: undefined, style: toStyle(false) };
  const terminal: Terminal = {
    print: async () => {},
    message: (line) => void said.push(line),
    show: () => {},
    async *input() {},
    async *inputBytes() {},
    stdout: face,
    stderr: face,
    // No profile of who runs the tests is read.
    environment: { XDG_CONFIG_HOME: folder, ...environment },
    interruption: () => new AbortController().signal,
    ...(answer !== undefined && { askSecret: async () => answer }),
  };
  const none: Options = {
    url: undefined,
    user: undefined,
    passwordFile: undefined,
    tokenFile: undefined,
    tokenCommand: undefined,
    referer: undefined,
    profile: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
    keyPasswordFile: undefined,
    proxy: undefined,
    insecure: false,
  };
  return { ...(await readConnection({ ...none, ...options }, terminal)), said };
}

const url = 'https://gis.example.com/arcgis';

describe('credentials', () => {
  test.each<[string, Given, object]>([
    [
      'a password of a file, without the line break of an editor',
      { options: { url, user: 'ann', passwordFile: 'FILE' } },
      { kind: 'password', username: 'ann', password: 's3cret of the file' },
    ],
    [
      'everything from the environment',
      { environment: { LOGQUARRY_URL: url, LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: 'pw' } },
      { kind: 'password', username: 'ann', password: 'pw' },
    ],
    [
      'an option before the environment',
      {
        options: { url, user: 'ann', passwordFile: 'FILE' },
        environment: { LOGQUARRY_USER: 'bob', LOGQUARRY_TOKEN: 'x' },
      },
      { kind: 'password', username: 'ann', password: 's3cret of the file' },
    ],
    [
      'a token needs no user',
      { options: { url }, environment: { LOGQUARRY_TOKEN: 'abc', LOGQUARRY_REFERER: 'https://a.b' } },
      { kind: 'token', token: 'abc', referer: 'https://a.b' },
    ],
    [
      'an empty variable is none',
      { options: { url, user: 'ann' }, environment: { LOGQUARRY_TOKEN: '', LOGQUARRY_PASSWORD: 'pw' } },
      { kind: 'password', username: 'ann', password: 'pw' },
    ],
    [
      'a person is asked for what is missing',
      { options: { url, user: 'ann' }, answer: 'typed' },
      { kind: 'password', username: 'ann', password: 'typed' },
    ],
  ])('%s', async (_name, given, credentials) => {
    const path = await fileOf('pw', 's3cret of the file\n');
    const options = { ...given.options, ...(given.options?.passwordFile && { passwordFile: path }) };
    expect((await connect({ ...given, options })).credentials).toEqual(credentials);
  });

  test('of a profile', async () => {
    const profile = await fileOf('p.json', JSON.stringify({ url, user: 'ann', password: 'pw' }));
    const { credentials, addresses, network } = await connect({ options: { profile } });
    expect(credentials).toEqual({ kind: 'password', username: 'ann', password: 'pw' });
    expect(addresses.root).toBe('https://gis.example.com/arcgis/admin');
    expect(network).toEqual({ insecure: false });
  });
});

describe('the order of settings', () => {
  const other = 'https://other.example.com/arcgis';
  const own = { url, user: 'ann', password: 'of ann' };
  const ofBob = { LOGQUARRY_URL: other, LOGQUARRY_USER: 'bob', LOGQUARRY_PASSWORD: 'of bob' };
  const asAnn = { kind: 'password', username: 'ann', password: 'of ann' };
  const asBob = { kind: 'password', username: 'bob', password: 'of bob' };

  /** An environment with a default profile. */
  async function withDefault(profile: object): Promise<Readonly<Record<string, string>>> {
    await mkdir(join(folder, 'xdg', 'logquarry'), { recursive: true });
    await fileOf('xdg/logquarry/profile.json', JSON.stringify(profile));
    return { XDG_CONFIG_HOME: join(folder, 'xdg') };
  }

  test('is the command line, the profile that it names, the environment, the default profile', async () => {
    const profile = await fileOf('chosen.json', JSON.stringify(own));
    const before = await connect({ options: { profile }, environment: ofBob });
    expect([before.addresses.root, before.credentials]).toEqual([`${url}/admin`, asAnn]);
    const otherwise = await withDefault(own);
    const between = await connect({ environment: { ...otherwise, ...ofBob } });
    expect([between.addresses.root, between.credentials]).toEqual([`${other}/admin`, asBob]);
    const last = await connect({ environment: otherwise });
    expect([last.addresses.root, last.credentials]).toEqual([`${url}/admin`, asAnn]);
    const proxy = await fileOf('proxies.json', JSON.stringify({ ...own, proxy: 'http://of-profile:1' }));
    const given = { options: { profile: proxy, proxy: 'http://of-option:1' } };
    expect((await connect(given)).network.proxy).toMatchObject({ https: 'http://of-option:1/' });
    const environment = { LOGQUARRY_PROXY: 'http://of-environment:1' };
    const chosen = await connect({ options: { profile: proxy }, environment });
    expect(chosen.network.proxy).toMatchObject({ https: 'http://of-profile:1/' });
  });

  const notShown =
    'are for "https://gis.example.com/arcgis/admin" and not sent to "https://other.example.com';

  test('shows what a profile has to its own address alone', async () => {
    const environment = await withDefault(own);
    for (const given of [
      { environment: { ...environment, LOGQUARRY_URL: other } },
      { options: { url: other }, environment },
      { options: { url: other, profile: await fileOf('own.json', JSON.stringify(own)) } },
      { options: { url: other, profile: await fileOf('t.json', JSON.stringify({ url, token: 'abc' })) } },
      { options: { url: other, user: 'ann', profile: await fileOf('own.json', JSON.stringify(own)) } },
    ]) {
      await expect(connect(given)).rejects.toThrow(notShown);
    }
    const asked = await connect({ options: { url: other, user: 'bob' }, environment, answer: 'of bob' });
    expect(asked.credentials).toEqual(asBob);
    for (const same of ['https://GIS.example.com/arcgis/', `${url}/admin`, `${url}/services`]) {
      expect((await connect({ options: { url: same }, environment })).credentials).toEqual(asAnn);
    }
    await expect(connect({ options: { url: url.replace('https', 'http') }, environment })).rejects.toThrow(
      'are for',
    );
  });

  test('shows what the environment has to its own address alone', async () => {
    await expect(connect({ options: { url }, environment: ofBob })).rejects.toThrow(
      'The credentials of the environment are for "https://other.example.com/arcgis/admin"',
    );
    const token = { LOGQUARRY_URL: other, LOGQUARRY_TOKEN: 'abc' };
    await expect(connect({ options: { url }, environment: token })).rejects.toThrow('A user is required');
  });

  test('uses the password of a user for no other one', async () => {
    const profile = await fileOf('own.json', JSON.stringify(own));
    await expect(connect({ options: { profile, user: 'bob' } })).rejects.toThrow(
      'The password of "bob" is required',
    );
    const environment = { LOGQUARRY_PASSWORD: 'of bob' };
    const { credentials } = await connect({ options: { profile, user: 'bob' }, environment });
    expect(credentials).toEqual(asBob);
  });

  test.each([
    [-60_000, /^The token of the profile "ending" expired at .*Z: sign in again with "logquarry sign-in"\.$/],
    [300_000, /^The token of the profile "ending" expires in 5 min, at .*Z\.$/],
    [3_600_000, undefined],
  ])('says when a token ends: in %d ms', async (lifetime, line) => {
    const expires = new Date(Date.now() + lifetime).toISOString();
    const profile = await fileOf('ending.json', JSON.stringify({ url, token: 'abc', expires }));
    const { said, credentials } = await connect({ options: { profile } });
    expect(credentials).toMatchObject({ token: 'abc' });
    expect(said).toEqual(line === undefined ? [] : [expect.stringMatching(line)]);
    const environment = { LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: 'of ann' };
    const both = await connect({ options: { profile }, environment });
    expect(both.credentials.kind).toBe(lifetime < 0 ? 'password' : 'token');
  });

  test('an end that is no time makes a profile unreadable', async () => {
    const profile = await fileOf('ending.json', JSON.stringify({ url, token: 'abc', expires: 'soon' }));
    await expect(connect({ options: { profile } })).rejects.toThrow('problems at: "expires"');
  });
});

describe('what is missing or wrong', () => {
  test.each<[Given, string]>([
    [{}, 'The address of the deployment is required'],
    [{ options: { url: 'gis.example.com' } }, 'requires the form https://HOST/PATH'],
    [{ options: { url } }, 'A user is required'],
    [{ options: { url, user: 'ann' } }, 'The password of "ann" is required'],
    [{ options: { url, tokenFile: '/nowhere/token' } }, '"/nowhere/token" of --token-file cannot be read'],
    [{ options: { url, ca: '/nowhere/ca' } }, '"/nowhere/ca" of --ca cannot be read'],
    [{ options: { url, profile: '/nowhere/p' } }, 'The profile "/nowhere/p" does not exist'],
  ])('%j', async (given, message) => {
    await expect(connect(given)).rejects.toThrow(message);
  });

  test('an empty file holds no secret', async () => {
    const path = await fileOf('empty', '\n');
    await expect(connect({ options: { url, tokenFile: path } })).rejects.toThrow('is empty');
  });

  test('a profile that others can read is refused', async () => {
    const profile = await fileOf('open.json', '{}', 0o644);
    await expect(connect({ options: { profile } })).rejects.toThrow(
      `The profile "${profile}" must have mode 0600, so that only its owner can read it, and has 0644`,
    );
  });

  test.each([
    ['{"url": 5, "password": "hunter2"}', '"url"'],
    ['{"passwort": "hunter2"}', '"passwort"'],
    ['hunter2', '"the whole"'],
  ])('a profile %s is refused without quoting it', async (text, place) => {
    const profile = await fileOf('bad.json', text);
    const error = await connect({ options: { profile } }).catch((reason: Error) => reason);
    expect(error).toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`problems at: ${place}`),
    });
    expect(String(error)).not.toContain('hunter2');
  });
});

test('an unchecked certificate is said loudly', async () => {
  const { said, network } = await connect({
    options: { url, insecure: true },
    environment: { LOGQUARRY_TOKEN: 'abc' },
  });
  expect(network.insecure).toBe(true);
  expect(said.join('\n')).toContain('WARNING: --insecure is given');
});

test.each([
  ['http://gis.example.com/arcgis', true],
  ['http://192.0.2.1:7080/gis', true],
  ['https://gis.example.com/arcgis', false],
  ['http://127.0.0.1:7080/gis', false],
  ['http://[::1]:7080/gis', false],
  ['http://localhost:7080/gis', false],
])('that nothing is encrypted is said loudly, except within this machine: %s', async (address, isSaid) => {
  const { said } = await connect({ options: { url: address }, environment: { LOGQUARRY_TOKEN: 'abc' } });
  expect(said.join('\n').includes('WARNING: The address begins with "http:"')).toBe(isSaid);
});

describe('export refuses before it calls anyone', () => {
  const connection = ['--url', 'http://127.0.0.1:1/gis', '--user', 'ann'];
  test.each([
    [[], '--into CASE is required, or --resume CASE'],
    [['--into', 'a', '--resume', 'b'], 'exclude each other'],
    [['--into', 'a', '--from', 'soon'], '--from must be a time'],
    [['--into', 'a', '--from', '2025-03-02', '--to', '2025-03-01'], 'must not be later'],
    [['--into', 'a', '--num', '10001'], '--num must be a whole number from 1 to 10000'],
    [['--into', 'a', '--log-code', '9000,x'], '--log-code must be whole numbers'],
    [['--into', 'a', '--log-code', ','], '--log-code must not be empty'],
    [['--into', 'a', '--users', ''], '--users must not be empty'],
    [['--into', 'a', '--source', ' '], '--source must not be empty'],
    [['--into', 'a', '--service-types', ''], '--service-types must not be empty'],
    [['--into', 'a', '--request-ids', ''], '--request-ids must not be empty'],
    [['--into', 'a', '--search', ''], '--search must not be empty'],
    [['--into', 'a', '--log-level', 'OFF'], '--log-level must be one of SEVERE, WARNING, INFO'],
    [['--into', 'a', '--sort-by', 'time'], '--sort-by requires --search QUERY'],
    [['--into', 'a', '--search', 'a', '--sort-by', 'bestMatch'], '--sort-by requires --num N'],
    [['--into', 'a', '--search', 'a', '--sort-order', 'asc'], '--sort-order requires --num N'],
    [
      ['--into', 'a', '--num', '5', '--search', 'a', '--sort-by', 'bestMatch', '--sort-order', 'asc'],
      '--sort-order has no effect with --sort-by bestMatch',
    ],
    [['--into', 'a', '--num', '5', '--search', 'a', '--sort-by', 'code'], '--sort-by must be one of'],
    [['--into', 'a', '--max-wait', '5'], '--max-wait must be a duration'],
  ])('%j', async (words, message) => {
    const { code, out, err } = await run(['export', ...connection, ...words]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  test('a query with errors', async () => {
    const { code, err } = await run(['export', ...connection, '--into', 'a', '--search', '(a']);
    expect(code).toBe(1);
    expect(err).toContain('[unclosed-group]');
  });
});

describe('proxies', () => {
  const proxy = 'http://proxy.example.com:3128/';
  const except = ',localhost,127.0.0.0/8,::1';
  test.each<[string, Given, object | undefined]>([
    ['none', {}, undefined],
    ['HTTPS_PROXY', { environment: { HTTPS_PROXY: proxy } }, { https: proxy, except }],
    [
      'lower case before upper case, with exceptions',
      { environment: { http_proxy: proxy, HTTP_PROXY: 'other', no_proxy: 'example.com' } },
      { http: proxy, except: `example.com${except}` },
    ],
    [
      'an option before the environment',
      { options: { proxy: 'proxy.example.com:3128' }, environment: { HTTPS_PROXY: 'other', NO_PROXY: '*' } },
      { http: proxy, https: proxy },
    ],
    ['"none"', { options: { proxy: 'none' }, environment: { HTTPS_PROXY: proxy } }, undefined],
    ['a profile', { options: { profile: 'PROFILE' } }, { http: proxy, https: proxy }],
  ])('%s', async (_name, { options, environment }, expected) => {
    const path = await fileOf('proxy.json', JSON.stringify({ proxy }));
    const profile = options?.profile && path;
    const { network } = await connect({
      options: { url, ...options, profile },
      environment: { LOGQUARRY_TOKEN: 'abc', ...environment },
    });
    expect(network.proxy).toEqual(expected);
  });

  test('an address that is none is not quoted', async () => {
    const given = { options: { url }, environment: { HTTPS_PROXY: 'socks5://ann:hunter2@proxy' } };
    const error = await connect(given).catch((reason: Error) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining('HTTPS_PROXY must be the address') });
    expect(String(error)).not.toContain('hunter2');
  });
});

describe('client certificates', () => {
  const files = 'test/client/certificates';
  const environment = { LOGQUARRY_TOKEN: 'abc' };
  const pem = (name: string) => readFileSync(`${files}/${name}.pem`, 'utf8');

  test('come with their key, or in one file with it', async () => {
    const cert = `${files}/client.pem`;
    const key = await fileOf('key.pem', pem('client-key'));
    const expected = { certificate: pem('client'), key: pem('client-key') };
    const apart = await connect({ options: { url, cert, key }, environment });
    expect(apart.network.identity).toEqual(expected);
    const both = await fileOf('both.pem', pem('client') + pem('client-key'));
    const profile = await fileOf('cert.json', JSON.stringify({ url, cert: both }));
    const together = await connect({ options: { profile }, environment });
    expect(together.network.identity?.key).toBe(pem('client') + pem('client-key'));
  });

  test('have the passphrase of an encrypted key from a file, a variable or a person', async () => {
    const key = await fileOf('encrypted.pem', pem('client-key-encrypted'));
    const options = { url, cert: `${files}/client.pem`, key };
    const keyPasswordFile = await fileOf('passphrase', 'open sesame\n');
    const variable = { ...environment, LOGQUARRY_KEY_PASSWORD: 'open sesame' };
    for (const given of [
      { options: { ...options, keyPasswordFile }, environment },
      { options, environment: variable },
      { options, environment, answer: 'open sesame' },
    ]) {
      expect((await connect(given)).network.identity?.passphrase).toBe('open sesame');
    }
    await expect(connect({ options, environment })).rejects.toThrow(
      /^The passphrase of the key ".*" is required/,
    );
  });

  test('are refused without a key, and with one that others can read', async () => {
    const cert = `${files}/client.pem`;
    await expect(connect({ options: { url, cert }, environment })).rejects.toThrow('so --key is required');
    await expect(connect({ options: { url, key: cert }, environment })).rejects.toThrow(
      '--key requires --cert',
    );
    const key = await fileOf('open.pem', pem('client-key'), 0o644);
    await expect(connect({ options: { url, cert, key }, environment })).rejects.toThrow(
      `The key "${key}" must have mode 0600`,
    );
  });
});

test.skipIf(process.platform === 'win32')(
  'a file with a secret that others can read is refused',
  async () => {
    const environment = { LOGQUARRY_URL: 'https://h/arcgis', LOGQUARRY_USER: 'u' };
    for (const mode of [0o644, 0o640, 0o604]) {
      const passwordFile = await fileOf('open', 'secret-of-open', mode);
      const found = connect({ options: { passwordFile }, environment });
      await expect(found).rejects.toThrow(
        `The file of --password-file "${passwordFile}" must have mode 0600, so that only its owner can read it, and has 0${mode.toString(8)}: chmod 600 "${passwordFile}"`,
      );
      await expect(
        connect({ environment: { ...environment, LOGQUARRY_TOKEN_FILE: passwordFile } }),
      ).rejects.toThrow('chmod 600');
    }
    const passwordFile = await fileOf('closed', 'secret-of-closed', 0o400);
    await expect(connect({ options: { passwordFile }, environment })).resolves.toBeDefined();
  },
);
