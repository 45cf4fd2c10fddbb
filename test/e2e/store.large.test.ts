import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addFile, addFiles } from '../../src/case/loading/add-files.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { toZip } from '../store/zips.ts';
import { type Started, startProgram } from './process.ts';

const store = pathToFileURL(resolve('dist/index.js')).href;
const megabyte = 1024 * 1024;

const kills = 8;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-processes-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in a process of its own, with the store imported. */
function start(program: string): Started {
  const text = `import { addFile, addFiles, openCase } from ${JSON.stringify(store)};\n${program}`;
  return startProgram(process.execPath, ['--input-type=module', '-e', text]);
}

/** Resolves when a process is gone that gets a signal, or has ended by itself before. */
async function end({ child, ended }: Started, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}

describe('among processes', () => {
  const holding = (access: 'read' | 'write') => `
    const held = await openCase(${JSON.stringify(path)}, { access: '${access}', create: true });
    console.log('open');
    const staying = setInterval(() => {}, 1_000);
    await new Promise((resolve) => process.once('SIGTERM', resolve));
    clearInterval(staying);
    await held[Symbol.asyncDispose]();`;

  test('one process writes: others get an error that names the lock and its owner', async () => {
    const holder = start(holding('write'));
    await holder.printed('open');
    const refusal = {
      code: 'CASE_LOCKED',
      message: expect.stringMatching(/is open in another process.*Close it there/),
    };
    await expect(openCase(path, { access: 'write' })).rejects.toMatchObject(refusal);
    await expect(openCase(path, { access: 'read' })).rejects.toMatchObject(refusal);
    await expect(runSql(path, 'SELECT 1')).rejects.toMatchObject(refusal);
    await end(holder, 'SIGTERM');
    await using opened = await openCase(path, { access: 'write' });
    expect(await countLogs(opened, matchAllFilter)).toBe(0);
  });

  test('several read, and none may write', async () => {
    await (await openCase(path, { access: 'write', create: true }))[Symbol.asyncDispose]();
    const holder = start(holding('read'));
    await holder.printed('open');
    expect((await runSql(path, 'SELECT count(*) FROM logs')).rows).toEqual([[0]]);
    await expect(openCase(path, { access: 'write' })).rejects.toMatchObject({ code: 'CASE_LOCKED' });
    await end(holder, 'SIGTERM');
  });
});

test('a process that is killed loses the part under way alone, and the same call goes on', async () => {
  const lines = Array.from(
    { length: 6_000 },
    (_, time) => `{"time":${time},"msg":"message ${time} of many"}\n`,
  );
  const entries = Array.from({ length: 6 }, (_, number) => ({
    name: `${number}.ndjson`,
    content: lines.join(''),
  }));
  const file = join(folder, 'export.zip');
  await writeFile(file, toZip(entries));
  let before = 0;
  for (let kill = 0; kill < kills; kill++) {
    const loader = start(`
      const into = await openCase(${JSON.stringify(path)}, { access: 'write', create: true });
      console.log('open');
      await addFile(into, ${JSON.stringify(file)});
      await into[Symbol.asyncDispose]();`);
    await loader.printed('open');
    // Each time a little later, so that it dies while copying, loading, committing and closing.
    await new Promise((resolve) => setTimeout(resolve, (kill * 320) / kills));
    await end(loader, 'SIGKILL');
    await using opened = await openCase(path, { access: 'read' });
    const { logs, parts } = await summary(opened);
    expect(logs).toBe(parts.length * 6_000);
    expect(parts.every((part) => part.logs === 6_000)).toBe(true);
    expect(parts.length).toBeGreaterThanOrEqual(before);
    before = parts.length;
    // Before its first part is loaded, an original is there that nothing refers to yet.
    const { deviations } = await verifyCase(opened);
    expect(
      deviations.map(({ code }) => code).filter((code) => code !== 'FILE_UNLISTED' || 0 < before),
    ).toEqual([]);
  }
  await using into = await openCase(path, { access: 'write' });
  await addFile(into, file);
  expect(await summary(into)).toMatchObject({ logs: 36_000, unreadable: 0 });
  expect((await verifyCase(into)).deviations).toEqual([]);
  expect(await readdir(`${path}.evidence`)).toHaveLength(1);
});

test('a process that is killed among small files leaves each whole or not at all, and the same call goes on', async () => {
  const text = (file: number) =>
    Array.from({ length: 500 }, (_, time) => `{"time":${time},"msg":"message ${time} of ${file}"}\n`).join(
      '',
    );
  const files = Array.from({ length: 120 }, (_, number) => join(folder, `${number}.ndjson`));
  for (const [number, file] of files.entries()) await writeFile(file, text(number));
  let before = 0;
  for (let kill = 0; kill < kills; kill++) {
    const loader = start(`
      const into = await openCase(${JSON.stringify(path)}, { access: 'write', create: true });
      console.log('open');
      for await (const { added } of addFiles(into, ${JSON.stringify(files)}))
        if (!added.already) console.log('added');
      await into[Symbol.asyncDispose]();`);
    await loader.printed('open');
    await new Promise((resolve) => setTimeout(resolve, (kill * 1200) / kills));
    await end(loader, 'SIGKILL');
    await using opened = await openCase(path, { access: 'read' });
    const { logs, parts } = await summary(opened);
    expect(logs).toBe(parts.length * 500);
    expect(parts.every((part) => part.logs === 500)).toBe(true);
    // Logs that it reported as added are there.
    const said = loader.output().match(/added/g)?.length ?? 0;
    expect(parts.length).toBeGreaterThanOrEqual(before + said);
    before = parts.length;
    // Originals are kept before the case has them.
    const { deviations } = await verifyCase(opened);
    expect(deviations.filter(({ code }) => code !== 'FILE_UNLISTED')).toEqual([]);
  }
  await using into = await openCase(path, { access: 'write' });
  for await (const addition of addFiles(into, files)) expect(addition).toHaveProperty('added');
  expect(await summary(into)).toMatchObject({ logs: 60_000, unreadable: 0 });
  expect((await verifyCase(into)).deviations).toEqual([]);
  expect(await readdir(`${path}.evidence`)).toHaveLength(120);
});

describe('a bomb', () => {
  /** Adds a file in a process of its own: the code of the error or the problem, and the memory it took. */
  async function checkMemory(file: string, limits = {}): Promise<{ outcome: string; megabytes: number }> {
    const { out, err } = await start(`
      // The operating system's own maximum counts the process that started this one.
      let megabytes = 0;
      const watch = () => { megabytes = Math.max(megabytes, process.memoryUsage.rss() / 1e6); };
      const watching = setInterval(watch, 2);
      const into = await openCase(${JSON.stringify(path)}, { access: 'write', create: true });
      const added = await addFile(into, ${JSON.stringify(file)}, ${JSON.stringify({ limits })}).catch((error) => error);
      const outcome = added.code ?? added.parts[0].problem?.code ?? 'LOADED';
      await into[Symbol.asyncDispose]();
      clearInterval(watching);
      watch();
      console.log(JSON.stringify({ outcome, megabytes }));`).ended;
    expect(err).toBe('');
    return JSON.parse(out);
  }

  /** So many megabytes of the same, compressed by gzip: a thousandth of that. */
  async function gzipped(megabytes: number, content: Buffer): Promise<Buffer> {
    const gzip = createGzip({ level: 9 });
    const chunks: Buffer[] = [];
    gzip.on('data', (chunk) => chunks.push(chunk));
    const done = new Promise((resolve) => gzip.once('end', resolve));
    for (let at = 0; at < megabytes; at++)
      if (!gzip.write(content)) await new Promise((go) => gzip.once('drain', go));
    gzip.end();
    await done;
    return Buffer.concat(chunks);
  }

  let zeros: Buffer;
  beforeAll(async () => {
    zeros = await gzipped(400, Buffer.alloc(megabyte));
  });

  test('that a zip declares is refused, inflated no further than to the limit', async () => {
    const stored = zeros.subarray(10, -8);
    const file = join(folder, 'bomb.zip');
    await writeFile(file, toZip([{ name: 'a.ndjson', content: '', stored, size: 400 * megabyte }]));
    const { outcome, megabytes } = await checkMemory(file);
    expect(outcome).toBe('TOO_BIG');
    expect(megabytes).toBeLessThan(200);
  });

  test('that a zip keeps quiet about ends where the zip says it should', async () => {
    const stored = zeros.subarray(10, -8);
    const file = join(folder, 'bomb.zip');
    await writeFile(file, toZip([{ name: 'a.ndjson', content: '', stored, size: 50 * megabyte }]));
    const { outcome, megabytes } = await checkMemory(file);
    expect(outcome).toBe('WRONG_SIZE');
    expect(megabytes).toBeLessThan(200);
  });

  test('that is a gzip ends at the limit', async () => {
    const file = join(folder, 'bomb.gz');
    await writeFile(file, zeros);
    const { outcome, megabytes } = await checkMemory(file);
    expect(outcome).toBe('TOO_BIG');
    expect(megabytes).toBeLessThan(200);
  });

  test('of one line that is no record is passed over in bounded memory', async () => {
    const content = Buffer.concat([
      Buffer.from('{"msg":"'),
      Buffer.alloc(100 * megabyte, 'x'),
      Buffer.from('"}\n'),
    ]);
    const file = join(folder, 'long.ndjson');
    await writeFile(
      file,
      Buffer.concat([Buffer.from('{"msg":"a"}\n'), content, Buffer.from('{"msg":"b"}\n')]),
    );
    const { outcome, megabytes } = await checkMemory(file);
    expect(outcome).toBe('LOADED');
    expect(megabytes).toBeLessThan(200);
    await using opened = await openCase(path, { access: 'read' });
    expect(await summary(opened)).toMatchObject({ logs: 2, unreadable: 1 });
  });

  const line = `{"time":1700000000000,"msg":"${'the same message '.repeat(8)}"}\n`;
  const logs = Buffer.from(line.repeat(megabyte / line.length));

  /** Expects nothing of the file in the case or beside it. */
  async function expectNothingLeft(): Promise<void> {
    await using opened = await openCase(path, { access: 'read' });
    expect(await summary(opened)).toMatchObject({ logs: 0, parts: [] });
    expect(await readdir(folder)).not.toContain('case.duckdb.evidence');
  }

  test('of logs is refused before one of them is loaded', async () => {
    const file = join(folder, 'logs.gz');
    await writeFile(file, await gzipped(100, logs));
    const { outcome, megabytes } = await checkMemory(file, { ratioFrom: 50 * megabyte });
    expect(outcome).toBe('TOO_BIG');
    expect(megabytes).toBeLessThan(200);
    await expectNothingLeft();
  });

  test('of logs that hides how large it is ends at the limit', async () => {
    const file = join(folder, 'logs.gz');
    await writeFile(file, Buffer.concat([await gzipped(100, logs), await gzipped(1, logs)]));
    const { outcome, megabytes } = await checkMemory(file, { ratioFrom: 50 * megabyte });
    expect(outcome).toBe('TOO_BIG');
    // Its logs are on their way into the case until the limit is met, which takes what loading takes.
    expect(megabytes).toBeLessThan(1000);
    await expectNothingLeft();
  });

  test('is no file that was cut off, whatever its last bytes claim', async () => {
    const file = join(folder, 'cut.gz');
    const whole = await gzipped(4, logs);
    await writeFile(file, Buffer.concat([whole.subarray(0, -9), Buffer.alloc(4, 0xff)]));
    const { outcome } = await checkMemory(file);
    expect(outcome).toBe('BAD_DATA');
  });

  test('that is a gzip inside a zip ends at the limit', async () => {
    const file = join(folder, 'nested.zip');
    await writeFile(file, toZip([{ name: 'a.gz', content: zeros }]));
    const { outcome, megabytes } = await checkMemory(file);
    expect(outcome).toBe('TOO_BIG');
    expect(megabytes).toBeLessThan(200);
  });
});
