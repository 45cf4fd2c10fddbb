import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { makeCase, openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { beginAtomicFile, removeStaleFiles, temporaryBeside } from '../../src/database/files.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-whole-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Number of a process that has ended. */
const dead = spawnSync(process.execPath, ['--version']).pid;

/** Name of a temporary file as another process would have chosen it. */
function temporaryOf(pid: number, machine?: string): string {
  const [, own = '', number = ''] = /arriving-(\w+)-\d+-(\w+)$/.exec(temporaryBeside(path)) ?? [];
  return `${path}.arriving-${machine ?? own}-${pid}-${number}`;
}

describe('temporary files beside a path', () => {
  test('of a dead process are removed, with what lies beside them; those of a living one stay', async () => {
    const living = [temporaryBeside(path), `${temporaryBeside(path)}.wal`, temporaryOf(process.ppid)];
    const others = [join(folder, 'other.duckdb.arriving-x'), `${path}.arriving-by-hand`];
    const stale = temporaryOf(dead);
    for (const each of [...living, ...others, stale, `${stale}.wal`]) await writeFile(each, '');
    await mkdir(`${stale}.tmp`);
    await writeFile(join(`${stale}.tmp`, 'spill'), '');
    await removeStaleFiles(path);
    expect((await readdir(folder)).sort()).toEqual(
      [...living, ...others].map((each) => basename(each)).sort(),
    );
  });

  test.each([
    ['another machine', () => temporaryOf(dead, '00000000')],
    [
      'a version that named no process',
      () => `${path}.arriving-7a087bdf-cf3d-47f5-8518-bd93c6cf4e79.parquet`,
    ],
  ])('of %s are removed after a day', async (_, name) => {
    const left = name();
    await writeFile(left, '');
    await removeStaleFiles(path);
    expect(await readdir(folder)).toHaveLength(1);
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    await utimes(left, yesterday, yesterday);
    await removeStaleFiles(path);
    expect(await readdir(folder)).toEqual([]);
  });

  test('in a folder that cannot be listed are no failure', async () => {
    await expect(removeStaleFiles(join(folder, 'none', 'a'))).resolves.toBeUndefined();
  });
});

describe('a file that is written whole', () => {
  test('takes the place of the old one when it is finished', async () => {
    await writeFile(path, 'old');
    {
      await using file = await beginAtomicFile(path);
      await writeFile(file.temporary, 'new');
      expect(await readFile(path, 'utf8')).toBe('old');
      await file.finish();
    }
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['new', ['case.duckdb']]);
  });

  test('leaves the old one and nothing else when it is given up', async () => {
    await writeFile(path, 'old');
    {
      await using file = await beginAtomicFile(path);
      await writeFile(file.temporary, 'new');
    }
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['old', ['case.duckdb']]);
  });
});

test('what is no file is written to, and not replaced', async () => {
  const pipe = join(folder, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const read = readFile(pipe, 'utf8');
  {
    await using file = await beginAtomicFile(pipe);
    await writeFile(file.temporary, 'new');
    await file.finish();
  }
  expect([await read, (await stat(pipe)).isFIFO()]).toEqual(['new', true]);
});

describe('a new case', () => {
  test('is made once by several at the same time, and none replaces that of another', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => makeCase(path)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['case.duckdb']);
    await using of = await openCase(path, { access: 'read' });
    expect(await summary(of)).toMatchObject({ logs: 0 });
  });

  test('is not made in place of a file', async () => {
    await writeFile(path, 'mine');
    expect(await makeCase(path)).toBe(false);
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  test('is made beside what a killed process has left of one, which goes', async () => {
    await writeFile(temporaryOf(dead), 'half');
    await writeFile(`${temporaryOf(dead)}.wal`, 'half');
    await (await openCase(path, { access: 'write', create: true }))[Symbol.asyncDispose]();
    expect(await readdir(folder)).toEqual(['case.duckdb']);
  });

  test('that cannot be made is named as it was asked for', async () => {
    const long = join(folder, `${'x'.repeat(240)}.duckdb`);
    const failure = expect.objectContaining({
      code: 'STORE_FAILED',
      message: expect.not.stringContaining('arriving'),
    });
    await expect(openCase(long, { access: 'write', create: true })).rejects.toEqual(failure);
    expect(await readdir(folder)).toEqual([]);
  });
});

test('who opens a case to write to it removes what the memory of a killed process was swapped to', async () => {
  await makeCase(path);
  await mkdir(`${path}.tmp`);
  await writeFile(join(`${path}.tmp`, 'duckdb_temp_storage-0.tmp'), 'x');
  await (await openCase(path, { access: 'read' }))[Symbol.asyncDispose]();
  expect((await readdir(folder)).sort()).toEqual(['case.duckdb', 'case.duckdb.tmp']);
  await (await openCase(path, { access: 'write' }))[Symbol.asyncDispose]();
  expect(await readdir(folder)).toEqual(['case.duckdb']);
});

test('who opens a case to write to it takes back the originals of a killed process, and no others', async () => {
  const bytes = new TextEncoder().encode('{"msg":"a"}\n');
  {
    await using into = await openCase(path, { access: 'write', create: true });
    await addFile(into, { name: 'a.ndjson', bytes });
  }
  const evidence = `${path}.evidence`;
  const [listed = ''] = await readdir(evidence);
  const [pending, older] = ['1'.repeat(64), '2'.repeat(64)];
  for (const name of [pending, older, `arriving-${pending}`, `arriving-${listed}`, 'arriving-half'])
    await writeFile(join(evidence, name), 'x');
  await (await openCase(path, { access: 'write' }))[Symbol.asyncDispose]();
  expect((await readdir(evidence)).sort()).toEqual([older, listed].sort());
});
