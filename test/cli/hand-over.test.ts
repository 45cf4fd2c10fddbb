import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { writeHandOver } from '../../src/cli/evidence/hand-over.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';
import { temporaryBeside } from '../../src/database/files.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { runDeployment } from '../e2e/deployment.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

const plainStyle = toStyle(false);

let folder = '';
const at = (name: string) => join(folder, name);
const query = 'logLevel:SEVERE AND time:[now-100y TO *]';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hand-over-test-'));
  await run(['import', 'samples/incident.ndjson', '--into', at('case.duckdb')]);
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(() => rm(at('out'), { recursive: true, force: true }));

/** Hands the severe logs over, and gives back the manifest. */
async function handOver(...words: string[]) {
  const done = await run(['hand-over', query, at('case.duckdb'), '--out', at('out'), '--json', ...words]);
  expect(done.code).toBe(0);
  return JSON.parse(done.out);
}

const verify = (...words: string[]) => run(['verify', at('out'), ...words]);

describe('a hand-over', () => {
  test.skipIf(process.platform === 'win32')('is read by its owner alone, as a report is', async () => {
    await handOver();
    const report = at('report.md');
    const write = () => run(['report', at('case.duckdb'), '--out', report]);
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    expect((await write()).code).toBe(0);
    expect([await modeOf(at('out')), await modeOf(report)]).toEqual([0o700, 0o600]);
    await chmod(report, 0o640);
    await write();
    expect(await modeOf(report)).toBe(0o640);
  });

  test('holds all hits in three forms, and says what was asked', async () => {
    const manifest = await handOver();
    expect((await readdir(at('out'))).sort()).toEqual([
      'logs.csv',
      'logs.ndjson',
      'logs.parquet',
      'manifest.json',
    ]);
    const lines = (await readFile(at('out/logs.ndjson'), 'utf8')).trimEnd().split('\n');
    const count = Number((await run(['search', query, at('case.duckdb'), '--count'])).out);
    expect(count).toBeGreaterThan(5);
    expect(lines.length).toBe(count);
    const times = lines.map((line) => JSON.parse(line).log.time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((await readFile(at('out/logs.csv'), 'utf8')).match(/SEVERE/g)?.length).toBeGreaterThanOrEqual(
      count,
    );
    expect(manifest).toMatchObject({
      found: count,
      zone: 'UTC',
      coverage: [],
      gaps: [],
      query: {
        text: query,
        means: [expect.stringContaining('severe'), expect.stringContaining('when it was logged')],
      },
      parts: [{ part: 1, file: 'incident.ndjson', found: count, logs: 220 }],
      case: { name: 'case.duckdb', logs: 220, newestPart: 1 },
    });
    const { head } = JSON.parse((await run(['verify', at('case.duckdb'), '--json'])).out);
    expect(manifest.case.head).toBe(head);
    expect(await verify()).toMatchObject({
      code: 0,
      out: expect.stringContaining('Identical to the manifest'),
    });
    expect(await verify('--case', at('case.duckdb'))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Identical to the case: 3 files with \d+ logs\./),
    });
  });

  test.each(
    sampled(
      [
        ['an altered file', 'FILE_ALTERED', (name: string) => appendFile(name, ' ')],
        ['a file that is gone', 'FILE_MISSING', (name: string) => rm(name)],
        [
          'a folder in the place of a file',
          'FILE_ALTERED',
          (name: string) => rm(name).then(() => mkdir(name)),
        ],
        ['a file that is not listed', 'FILE_UNLISTED', (name: string) => writeFile(`${name}.bak`, '')],
      ],
      2,
    ),
  )('with %s fails', async (_, code, alter) => {
    await handOver();
    for (const name of ['logs.csv', 'logs.ndjson', 'logs.parquet']) {
      await alter(at(`out/${name}`));
      expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining(code) });
    }
    expect((await verify('--case', at('case.duckdb'))).code).toBe(1);
  });

  test('with logs that the case does not have fails against it, though the manifest fits them', async () => {
    const manifest = await handOver();
    const text = await readFile(at('out/logs.ndjson'), 'utf8');
    const altered = text.replace('SEVERE', 'severe');
    await writeFile(at('out/logs.ndjson'), altered);
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(altered).digest('hex');
    for (const each of manifest.files) if (each.name === 'logs.ndjson') each.sha256 = sha256;
    await writeFile(at('out/manifest.json'), JSON.stringify(manifest));
    expect((await verify()).code).toBe(0);
    expect(await verify('--case', at('case.duckdb'))).toMatchObject({
      code: 1,
      out: expect.stringMatching(/LOGS_DIFFER {2}Line 1 of "logs.ndjson"/),
    });
    const shorter = {
      ...manifest,
      files: manifest.files.filter(({ name }: { name: string }) => name !== 'logs.ndjson'),
    };
    await writeFile(at('out/manifest.json'), JSON.stringify(shorter));
    await writeFile(at('out/logs.ndjson'), text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
    expect(await verify('--case', at('case.duckdb'))).toMatchObject({
      code: 1,
      out: expect.stringContaining('LOGS_DIFFER'),
    });
  });

  largeTest('holds against a case that has grown since, and not against another', async () => {
    await run(['import', 'samples/incident.ndjson', '--into', at('grown.duckdb')]);
    const made = await run(['hand-over', '*:*', at('grown.duckdb'), '--out', at('out')]);
    expect(made).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^220 logs written to .*\nSHA-256 of the manifest: [0-9a-f]{64}\n/),
    });
    await writeFile(at('more.ndjson'), '{"time":1,"logLevel":"SEVERE","msg":"older than all"}\n');
    await run(['import', at('more.ndjson'), '--into', at('grown.duckdb')]);
    expect((await verify('--case', at('grown.duckdb'))).code).toBe(0);
    expect(await verify('--case', at('case.duckdb'))).toMatchObject({
      code: 1,
      out: expect.stringContaining('HEAD_UNKNOWN'),
    });
  });

  test('is sealed as a whole', async () => {
    const { generateKeyPairSync } = await import('node:crypto');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await writeFile(at('own.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    await writeFile(at('own.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    const manifest = await handOver('--key', at('own.key'));
    const check = ['--public-key', at('own.pub')];
    expect(await verify(...check)).toMatchObject({ code: 0, out: expect.stringContaining('the given one') });
    await writeFile(at('out/manifest.json'), JSON.stringify({ ...manifest, found: 1 }));
    expect(await verify(...check)).toMatchObject({
      code: 1,
      out: expect.stringContaining('SEALED_OTHERWISE  The manifest is not the sealed one'),
    });
    await rm(at('out/seal.json'));
    expect(await verify(...check)).toMatchObject({ code: 1, out: expect.stringContaining('SEAL_MISSING') });
  });

  largeTest('says what the case lacks', async () => {
    await using deployment = await runDeployment({
      logs: incidentLogs({ count: 300 }),
      pace: { queued: 0, running: 0, perLog: 0 },
      faults: [{ on: 'job', skip: 5, times: 9, effect: 'refuse', failure: { message: 'No.', details: [] } }],
    });
    const words = [
      'export',
      '--into',
      at('open.duckdb'),
      '--cap',
      '100',
      '--jobs',
      '1',
      '--to',
      '2025-03-12T12:00',
    ];
    expect((await run(words, { environment: deployment.environment })).code).toBe(3);
    const made = await run(['hand-over', '*:*', at('open.duckdb'), '--out', at('out')]);
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining('INCOMPLETE') });
    const { coverage, gaps } = JSON.parse(await readFile(at('out/manifest.json'), 'utf8'));
    expect(coverage.length).toBe(1);
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps).toEqual(coverage[0].covered.filter(({ state }: { state: string }) => state !== 'complete'));
  });
});

test('what a killed process left of a hand-over goes with the next one', async () => {
  const left = temporaryBeside(at('out')).replace(`-${process.pid}-`, '-4999999-');
  await mkdir(left);
  await writeFile(join(left, 'logs.csv'), 'half');
  await handOver();
  expect((await readdir(folder)).filter((name) => name.startsWith('out'))).toEqual(['out']);
});

test('an interrupted one leaves nothing', async () => {
  await using of = await openCase(at('case.duckdb'), { access: 'read' });
  const abort = new AbortController();
  const running = writeHandOver({
    of,
    name: 'case.duckdb',
    coverage: [],
    query: '*:*',
    engine: undefined,
    now: 0,
    filter: matchAllFilter,
    folder: at('out'),
    sealing: {},
    signal: abort.signal,
    style: plainStyle,
    onFile: (name) => name === 'logs.parquet' && abort.abort(new Error('interrupted')),
  });
  await expect(running).rejects.toThrow('interrupted');
  expect((await readdir(folder)).filter((name) => name.startsWith('out'))).toEqual([]);
});

describe('refused', () => {
  test.each(
    sampled(
      [
        ['without a folder', ['hand-over', '*:*', 'CASE'], '--out FOLDER is required'],
        ['into what exists', ['hand-over', '*:*', 'CASE', '--out', '.'], 'already exists'],
        ['into no folder', ['hand-over', '*:*', 'CASE', '--out', 'no/such/folder'], 'cannot be created'],
        ['a folder without a manifest', ['verify', '.'], 'manifest.json" of FOLDER cannot be read'],
        ['the hash of a folder', ['verify', '.', '--head', 'a'.repeat(64)], 'require a case'],
        ['a case of a case', ['verify', 'CASE', '--case', 'CASE'], 'requires a hand-over folder'],
      ],
      2,
    ),
  )('%s', async (_, words, message) => {
    const refused = await run(words.map((word) => (word === 'CASE' ? at('case.duckdb') : word)));
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  test('a query with errors leaves nothing behind', async () => {
    const refused = await run(['hand-over', 'msg:(a', at('case.duckdb'), '--out', at('out')]);
    expect(refused.code).toBe(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('out'))).toEqual([]);
  });
});
