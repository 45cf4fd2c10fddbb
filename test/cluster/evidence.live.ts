import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestPart, identifyParts } from '../../src/case/contents/part-rows.ts';
import { openCase } from '../../src/case/file/case.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import type { StoredLog } from '../../src/case/searching/stored-log.ts';
import { clusterLogs } from '../../src/cluster/cluster-logs.ts';
import { loadDigests } from '../../src/cluster/loaded-rows.ts';
import { run } from '../cli/run-in-process.ts';
import { openDatabase, push } from './pushed-case.ts';
import { type Server, startServer } from './start-server.ts';

let server: Server;
let folder: string;
let originals: string;
let address: string;
let files: readonly string[];

/** Values at the edges of what rows and their digests hold. */
const odd = [
  '{"time":1,"msg":"a \\u001b[31m red\\u202e one","code":9003,"elapsed":0.1,"source":"Sharing"}',
  '{"msg":"without a time","logLevel":"SEVERE","elapsed":-0.0000005}',
  '{"time":253402300799999,"msg":"far, 😀 and \\u0000","code":"9223372036854775807","elapsed":1e300}',
  '{"time":-62135596800000,"msg":"","other":{"a":[1,null,"x"]},"elapsed":123456.789012}',
  'nonsense',
  '{"time":1700000000000,"msg":"Request timed out","stackTraces":"at a.b.C\\n at d"}',
  '',
].join('\n');

beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'cluster-evidence-'));
  originals = join(folder, 'originals');
  address = server.address('gis');
  const [plain, packed] = [join(folder, 'odd.ndjson'), join(folder, 'odd.ndjson.gz')];
  await writeFile(plain, odd);
  await writeFile(packed, gzipSync(odd.replaceAll('Request', 'Reply')));
  files = ['samples/incident.ndjson', plain, packed];
  expect((await run(['cluster', 'init', address])).code).toBe(0);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('rows have the same digests in a case and in a cluster', async () => {
  const path = join(folder, 'odd.duckdb');
  await run(['import', ...files, '--into', path]);
  await using stored = await openCase(path, { access: 'read' });
  await using cluster = await openDatabase(server.address('digests'));
  await push(stored, cluster);
  const loads = await cluster.query('SELECT toString(load), part FROM digests.parts');
  const found = await loadDigests(cluster, {});
  let digested = 0;
  for (const part of await identifyParts(stored)) {
    const load = loads.find(([, number]) => Number(number) === part.part)?.[0];
    const { days, unreadable } = found.get(String(load)) ?? { days: new Map(), unreadable: { digest: 0n } };
    const expected = await digestPart(stored, part.part);
    expect(new Map([...days].map(([day, { digest }]) => [day, digest]))).toEqual(expected.days);
    expect(unreadable.digest).toBe(expected.unreadable);
    digested += expected.days.size;
  }
  expect(digested).toBeGreaterThan(8);
});

describe('files imported into a cluster', () => {
  const words = () => ['import', ...files, '--into', address, '--originals', originals];

  test('are there once, and a repeated import reads none again', async () => {
    const first = await run([...words(), '--json']);
    // A record of the files cannot be read.
    expect([first.code, JSON.parse(first.out)]).toMatchObject([
      4,
      { deployment: 'default', originals, files: files.map(() => ({ already: false, parts: 1 })) },
    ]);
    const again = await run(words());
    expect(again.code).toBe(0);
    expect(again.out.match(/already there/g)).toHaveLength(files.length);
    const path = join(folder, 'same.duckdb');
    await run(['import', ...files, '--into', path]);
    await using stored = await openCase(path, { access: 'read' });
    await using cluster = await openDatabase(address);
    // The numbers of logs and parts are others.
    const facts = ({ log, entry, position, extra }: StoredLog) => ({ log, entry, position, extra });
    const listed = [];
    for await (const each of clusterLogs(cluster).streamLogs({ kind: 'all' })) listed.push(facts(each));
    const expected = await findLogs(stored, { kind: 'all' }, { order: 'oldest', limit: 10_000 });
    expect(listed).toEqual(expected.map(facts));
    expect(readdirSync(originals)).toHaveLength(files.length);
  });

  test('are intact, with their originals and without', async () => {
    const { code, out } = await run(['verify', address, '--json']);
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { files: 3, parts: 3, unreadable: 2, deviations: [], remarks: [] },
    ]);
    const elsewhere = await run(['verify', address, '--originals', join(folder, 'nowhere')]);
    expect(elsewhere.code).toBe(0);
    expect(elsewhere.out).toContain('The originals of 3 files were not read: this machine has no folder');
  });

  test('are compared with their originals', async () => {
    const sha256 = readdirSync(originals).find((name) => !existsSync(join(originals, `${name}x`))) ?? '';
    const path = join(originals, sha256);
    const bytes = await readFile(path);
    await chmod(path, 0o600);
    await writeFile(path, Buffer.concat([bytes, Buffer.from('\n')]));
    const altered = await run(['verify', address]);
    expect([altered.code, altered.out]).toEqual([1, expect.stringContaining('FILE_ALTERED')]);
    await writeFile(path, bytes);
    await rename(path, `${path}.away`);
    const missing = await run(['verify', address]);
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('FILE_MISSING')]);
    await rename(`${path}.away`, path);
    expect((await run(['verify', address])).code).toBe(0);
  });

  test.each([
    [
      "ALTER TABLE gis.log_rows UPDATE msg = 'another' WHERE msg = 'Reply timed out' SETTINGS mutations_sync = 1",
      'ROWS_ALTERED',
    ],
    [
      "ALTER TABLE gis.unreadable_rows UPDATE raw = 'sense' WHERE raw = 'nonsense' SETTINGS mutations_sync = 1",
      'ROWS_ALTERED',
    ],
    ["ALTER TABLE gis.log_rows DELETE WHERE msg = 'another' SETTINGS mutations_sync = 1", 'ROWS_MISCOUNTED'],
  ])('%s is found', async (sql, deviation) => {
    await server.ask(sql);
    const { code, out } = await run(['verify', address]);
    expect([code, out]).toEqual([1, expect.stringContaining(deviation)]);
  });

  test('of altered digests are found by their originals', async () => {
    // Rows and digests agree, as if other logs had been loaded.
    const other = server.address('other');
    await run(['cluster', 'init', other]);
    await run(['import', files[1] ?? '', '--into', other, '--originals', originals]);
    await server.ask(
      "ALTER TABLE other.log_rows UPDATE msg = 'another' WHERE logCode = 9003 SETTINGS mutations_sync = 1",
    );
    await using cluster = await openDatabase(other);
    const [found] = [...(await loadDigests(cluster, {})).values()];
    const days = [...(found?.days ?? [])].map(([day, { digest }]) => `${day}, ${digest}`).join(', ');
    await server.ask(
      `ALTER TABLE other.loads UPDATE digests = CAST(map(${days}), 'Map(Int64, UInt64)') WHERE 1 SETTINGS mutations_sync = 1`,
    );
    const { code, out } = await run(['verify', other]);
    expect([code, out]).toEqual([1, expect.stringContaining('differ from the records of the original')]);
  });
});

test('tables of a newer version are refused, and those that are there stay as they are', async () => {
  const again = server.address('again');
  const words = ['import', files[1] ?? '', '--into', again, '--originals', originals];
  expect((await run(['cluster', 'init', again])).code).toBe(0);
  expect((await run(words)).code).toBe(4);
  const count = await run(['search', '*:*', again, '--count']);
  for (let call = 0; call < 2; call += 1) expect((await run(['cluster', 'init', again])).code).toBe(0);
  expect(await run(['search', '*:*', again, '--count'])).toEqual(count);
  expect(await server.ask('SELECT max(version), count() FROM again.about')).toBe('1\t1\n');
  await server.ask('INSERT INTO again.about (version) VALUES (2)');
  expect(await run(words)).toMatchObject({ code: 3, err: expect.stringContaining('tables of version 2') });
});
