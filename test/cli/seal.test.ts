import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { startAuthority } from '../seal/authority.ts';
import { run } from './run-in-process.ts';

let folder = '';
const at = (name: string) => join(folder, name);

/** Writes a key pair of Ed25519, and gives back its options. */
async function writeKeys(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await writeFile(at(`${name}.key`), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(at(`${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }));
  return { sign: ['--key', at(`${name}.key`)], check: ['--public-key', at(`${name}.pub`)] };
}

const importInto = (name: string) => run(['import', 'samples/incident.ndjson', '--into', at(name)]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seal-test-'));
  await importInto('case.duckdb');
  // Sealed once, and read by all that do not alter it.
  await run(['seal', at('case.duckdb'), '--out', at('plain.json')]);
});

afterAll(() => rm(folder, { recursive: true }));

/** Replaces a text in the seal of the case, and verifies the case by it. */
async function verifyAltered(name: string, from: string | RegExp, to: string, ...words: string[]) {
  const text = await readFile(at(name), 'utf8');
  expect(text).toMatch(from);
  await writeFile(at('altered.json'), text.replace(from, to));
  return run(['verify', at('case.duckdb'), '--seal', at('altered.json'), ...words]);
}

describe('a seal', () => {
  test('holds the last hash and the counts of the case', async () => {
    const { statement } = JSON.parse(await readFile(at('plain.json'), 'utf8'));
    const { head } = JSON.parse((await run(['verify', at('case.duckdb'), '--json'])).out);
    expect(JSON.parse(statement)).toMatchObject({
      of: 'case',
      case: 'case.duckdb',
      head,
      files: 1,
      parts: 1,
      logs: 220,
      unreadable: 0,
      tool: expect.stringMatching(/^logquarry \d/),
    });
    expect(await run(['verify', at('case.duckdb'), '--seal', at('plain.json')])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/not signed: anyone could have created it\n {2}no time stamp/),
    });
  });

  largeTest('is signed, and stamped by an authority of time', async () => {
    await using authority = await startAuthority();
    await writeFile(at('root.pem'), authority.root);
    const { sign, check } = await writeKeys('own');
    const sealed = await run([
      'seal',
      at('case.duckdb'),
      '--out',
      at('all.json'),
      ...sign,
      '--time-stamp',
      authority.url,
    ]);
    expect(sealed).toMatchObject({ code: 0, err: expect.stringContaining('Written to') });
    const verify = ['verify', at('case.duckdb'), '--seal', at('all.json')];
    expect(await run([...verify, ...check, '--ca', at('root.pem')])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /\(SHA-256\), the given one\n {2}existed at .* \(UTC\), according to CN=Test time\n$/,
      ),
    });
    expect(await run(verify)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/--public-key FILE compares it .*\n.*no known authority certifies/),
    });
    const { check: other } = await writeKeys('other');
    expect(await run([...verify, ...other])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/SIGNER_WRONG[\s\S]*\(SHA-256\), not the given one\n/),
    });
    // Whoever alters a signed statement breaks both.
    const altered = await verifyAltered('all.json', '\\"logs\\":220', '\\"logs\\":221');
    expect(altered).toMatchObject({
      code: 1,
      out: expect.stringMatching(/SIGNATURE_WRONG[\s\S]*TIME_STAMP_WRONG/),
    });
  });

  test.each(
    sampled(
      [
        ['another count', '\\"logs\\":220', '\\"logs\\":219', 'SEALED_OTHERWISE'],
        ['another number of actions', /\\"actions\\":\d/, '\\"actions\\":9', 'SEALED_OTHERWISE'],
        ['another hash', /\\"head\\":\\"..../, '\\"head\\":\\"0000', 'SEALED_OTHERWISE'],
        ['no signature though one is required', 'logquarry-seal', 'logquarry-seal', 'SIGNER_WRONG'],
      ] as const,
      1,
    ),
  )('with %s fails', async (_, from, to, code) => {
    const { check } = await writeKeys('some');
    const words = code === 'SIGNER_WRONG' ? check : [];
    expect(await verifyAltered('plain.json', from, to, ...words)).toMatchObject({
      code: 1,
      out: expect.stringContaining(code),
    });
  });

  test.each(
    sampled(
      [
        ['no JSON', '{', '', 'The file is no seal'],
        ['another format', 'logquarry-seal', 'other', '"format"'],
        ['a statement without its hash', /\\"head\\":\\"[0-9a-f]*\\",/, '', 'is malformed: "head"'],
      ] as const,
      1,
    ),
  )('that is %s is wrong usage', async (_, from, to, message) => {
    const refused = await verifyAltered('plain.json', from, to);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  largeTest('holds for a case that has grown since', async () => {
    await importInto('grown.duckdb');
    await run(['seal', at('grown.duckdb'), '--out', at('grown.json')]);
    await writeFile(at('more.ndjson'), '{"time":1741771800000,"logLevel":"INFO","msg":"one more"}\n');
    await run(['import', at('more.ndjson'), '--into', at('grown.duckdb')]);
    const verified = await run(['verify', at('grown.duckdb'), '--seal', at('grown.json')]);
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('221 logs') });
  });

  test('shows that a case was made anew', async () => {
    await importInto('anew.duckdb');
    const verified = await run(['verify', at('anew.duckdb'), '--seal', at('plain.json')]);
    expect(verified).toMatchObject({ code: 1, out: expect.stringContaining('SEALED_OTHERWISE') });
  });

  test('is not made of a case with deviations', async () => {
    await importInto('bad.duckdb');
    const database = await DuckDBInstance.create(at('bad.duckdb'));
    const connection = await database.connect();
    await connection
      .run(`UPDATE logs SET msg = 'altered' WHERE id = 7`)
      .catch(() => connection.run(`UPDATE stored.logs SET msg = 'altered' WHERE id = 7`));
    connection.closeSync();
    database.closeSync();
    const refused = await run(['seal', at('bad.duckdb'), '--out', at('bad.json')]);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('cannot be sealed') });
    await expect(readFile(at('bad.json'))).rejects.toThrow('ENOENT');
  });
});

describe('a key is refused', () => {
  test.each(
    sampled(
      [
        ['that others can read', 'ed25519', 0o644, 'must have mode 0600'],
        ['of another kind', 'x25519', 0o600, 'must be an Ed25519 key, unlike x25519'],
      ] as const,
      1,
    ),
  )('%s', async (_, kind, mode, message) => {
    const { privateKey } =
      kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
    await writeFile(at('bad.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await (await import('node:fs/promises')).chmod(at('bad.key'), mode);
    const refused = await run(['seal', at('case.duckdb'), '--out', at('no.json'), '--key', at('bad.key')]);
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  test('that is none', async () => {
    await writeFile(at('none.key'), 'secret words', { mode: 0o600 });
    const refused = await run(['seal', at('case.duckdb'), '--out', at('no.json'), '--key', at('none.key')]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('The key cannot be read') });
    expect(refused.err).not.toContain('secret words');
  });
});

test('a seal is never replaced', async () => {
  const before = await readFile(at('plain.json'), 'utf8');
  const refused = await run(['seal', at('case.duckdb'), '--out', at('plain.json')]);
  expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('already exists') });
  expect(await readFile(at('plain.json'), 'utf8')).toBe(before);
});

test.each(
  sampled(
    [
      ['no address', 'somewhere-secret', 2, 'must be an address'],
      [
        'an address with a password',
        'https://ann:somewhere-secret@tsa.example.com/',
        2,
        'without a user or a password',
      ],
      ['a server that is not there', 'http://127.0.0.1:9/', 3, '[UNREACHABLE]'],
    ] as const,
    1,
  ),
)('%s gives no seal, and quotes no password', async (_, address, code, message) => {
  const refused = await run(['seal', at('case.duckdb'), '--out', at('no.json'), '--time-stamp', address]);
  expect(refused).toMatchObject({ code, err: expect.stringContaining(message) });
  expect(refused.err).not.toContain('secret');
  await expect(readFile(at('no.json'))).rejects.toThrow('ENOENT');
});

test('an authority that gives no time stamp leaves no seal', async () => {
  await using authority = await startAuthority({ status: 2 });
  const refused = await run([
    'seal',
    at('case.duckdb'),
    '--out',
    at('no.json'),
    '--time-stamp',
    authority.url,
  ]);
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('[TIME_STAMP_REFUSED]') });
  await expect(readFile(at('no.json'))).rejects.toThrow('ENOENT');
});
