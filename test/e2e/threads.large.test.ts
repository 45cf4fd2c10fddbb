import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, openCase, readCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { toZip } from '../store/zips.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-threads-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Some megabytes of logs, and among them what is none. */
function makeLines(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    if (at % 997 === 1) return '{"msg":';
    if (at % 499 === 2) return '';
    return JSON.stringify({
      time: at % 100 === 3 ? '2024-01-05 10:00:00' : 1_700_000_000_000 + at * 7,
      level: ['INFO', 'WARNING', 'SEVERE'][at % 3],
      source: `Roads/Traffic.MapServer${at % 13}`,
      msg: `Request ${at} of user-${at % 50} took ${at % 1_000} ms at 10.1.2.${at % 255}, größer 中文 😀`,
      ...(at % 40 === 0 && { stackTraces: `at com.vendor.Foo.run(Foo.java:${at})\n\tat java.lang.Thread` }),
      ...(at % 7 === 0 && { elapsed: at / 8, pod: `pod-${at % 5}` }),
    });
  });
  return `${lines.join('\n')}\n`;
}

const lines = makeLines(40_000);
/** Of them, those that are logs. */
const whole = lines.split('\n').filter((line) => line.endsWith('}')).length;
const list = `[${makeLines(3_000)
  .split('\n')
  .filter((line) => line.endsWith('}'))
  .join(',\n')}]`;

/** Everything that a case holds of what was read. */
async function contents(of: Case): Promise<unknown> {
  const rows = (sql: string) =>
    readCase(of, async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
  return {
    logs: await rows(
      'SELECT count(*), max(id), md5(string_agg(CAST(l AS VARCHAR), chr(10) ORDER BY id)) FROM logs l',
    ),
    unreadable: await rows('SELECT * FROM unreadable ORDER BY part, position'),
    parts: await rows('SELECT * EXCLUDE (added) FROM parts ORDER BY part'),
  };
}

async function loaded(file: { name: string; bytes: Uint8Array }, threads: number): Promise<unknown> {
  await using into = await openCase(':memory:', { access: 'write' });
  await addFile(into, file, { threads, zone: 'Europe/Berlin' });
  return await contents(into);
}

describe('a case is the same with and without threads', () => {
  test.each([
    ['NDJSON', { name: 'a.ndjson', bytes: Buffer.from(lines) }],
    ['NDJSON with a mark', { name: 'a.ndjson', bytes: Buffer.from(`\ufeff${lines}`) }],
    ['NDJSON in UTF-16', { name: 'a.ndjson', bytes: Buffer.from(`\ufeff${lines}`, 'utf16le') }],
    ['gzip', { name: 'a.gz', bytes: gzipSync(lines) }],
    [
      'a zip of all kinds',
      {
        name: 'a.zip',
        bytes: toZip([
          { name: 'a.ndjson', content: lines },
          { name: 'b.json', content: list },
          { name: 'c.csv', content: 'time,msg\n1,a\n2,b\n' },
          { name: 'd.ndjson', content: '{"msg":"a"}\n' },
          { name: 'e.txt', content: 'no logs' },
          { name: 'f.ndjson', content: lines.slice(0, 3_000_001) },
        ]),
      },
    ],
  ])('%s', async (_, file) => {
    expect(await loaded(file, 3)).toEqual(await loaded(file, 0));
  });
});

test('files that are loaded at the same time do not get in the way of one another', async () => {
  const file = { name: 'a.ndjson', bytes: Buffer.from(lines) };
  const expected = await loaded(file, 0);
  expect(await Promise.all([loaded(file, 2), loaded(file, 3), loaded(file, 2)])).toEqual([
    expected,
    expected,
    expected,
  ]);
});

test('an interruption leaves nothing of the part, and the same call goes on', async () => {
  const file = { name: 'a.ndjson', bytes: Buffer.from(lines) };
  await using into = await openCase(join(folder, 'interrupted.duckdb'), { access: 'write', create: true });
  const stop = new AbortController();
  const onProgress = () => stop.abort();
  await expect(addFile(into, file, { threads: 2, signal: stop.signal, onProgress })).rejects.toThrow();
  expect(await contents(into)).toMatchObject({ parts: [], unreadable: [] });
  await addFile(into, file, { threads: 2, zone: 'Europe/Berlin' });
  expect(await contents(into)).toEqual(await loaded(file, 0));
  expect((await verifyCase(into)).deviations).toEqual([]);
});

describe('in a process of its own', () => {
  /** A copy of the library whose thread is another program. */
  async function libraryWith(worker: string): Promise<string> {
    const copy = await mkdtemp(join(folder, 'library-'));
    await cp(resolve('dist'), copy, { recursive: true });
    await symlink(resolve('node_modules'), join(copy, 'node_modules'));
    await writeFile(join(copy, 'package.json'), '{ "type": "module" }');
    await writeFile(join(copy, 'case/loading/region-worker.js'), worker);
    return pathToFileURL(join(copy, 'index.js')).href;
  }

  /** A thread that ends when it is asked. */
  const ending = `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => process.exit(3));`;

  /** Output and end of a process that loads a file twice, the second time without threads. */
  async function load(library: string, text = lines): Promise<{ code: number | null; out: string }> {
    const file = join(folder, 'lines.ndjson');
    await writeFile(file, text);
    const program = `
      import { addFile, openCase } from ${JSON.stringify(library)};
      const into = await openCase(':memory:', { access: 'write' });
      const load = (threads) => addFile(into, ${JSON.stringify(file)}, { threads });
      const tell = ({ parts }) => console.log('loaded', parts[0].logs);
      await load(2).then(tell, (error) => console.log(error.code, error.message));
      await load(0).then(tell);
      await into[Symbol.asyncDispose]();
      const closed = performance.now();
      process.once('exit', () => console.log('ended after', Math.round(performance.now() - closed)));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (data) => {
      out += String(data);
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, out };
  }

  test('threads do not keep a process that is done', async () => {
    const { code, out } = await load(pathToFileURL(resolve('dist/index.js')).href);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^loaded ${whole}\\nloaded ${whole}\\nended after (\\d+)`));
    // They would end by themselves after two seconds.
    expect(Number(/ended after (\d+)/.exec(out)?.[1])).toBeLessThan(1_500);
  });

  test('a thread that was never asked does not keep it either, when the other one ends', async () => {
    const { code, out } = await load(await libraryWith(ending), makeLines(1_000));
    expect(out).toMatch(/^STORE_FAILED .*\nloaded 9\d+\nended after /);
    expect(code).toBe(0);
  });

  test.each([
    ['throws', 'throw new Error("out of luck");', 'out of luck'],
    ['ends', ending, 'it ended with 3'],
  ])('a thread that %s is a clear failure, after which the case goes on', async (_, worker, reason) => {
    const { code, out } = await load(await libraryWith(worker));
    const [failure, loaded] = out.split('\n');
    expect(failure).toBe(`STORE_FAILED A thread that reads logs ended early: ${reason}`);
    expect(loaded).toBe(`loaded ${whole}`);
    expect(code).toBe(0);
  });
});
