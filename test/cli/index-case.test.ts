import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-index-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function imported(count: number, ...options: readonly string[]): Promise<void> {
  const lines = Array.from({ length: count }, (_, time) => `{"time":${time},"msg":"word ${time}"}\n`);
  await writeFile(at('logs.ndjson'), lines.join(''));
  expect(await run(['import', at('logs.ndjson'), '--into', at('case.duckdb'), ...options])).toMatchObject({
    code: 0,
  });
}

const index = (...options: readonly string[]) => run(['index', at('case.duckdb'), ...options]);
const count = (query: string) => run(['search', query, at('case.duckdb'), '--count']);

test('is built, rebuilt and taken away; searches find the same', async () => {
  await imported(500);
  expect(await count('msg:word')).toMatchObject({ out: '500\n' });
  expect(await index()).toMatchObject({
    code: 0,
    out: '500 of 500 logs are indexed, with 1,000 words.\n',
  });
  expect(await count('msg:word')).toMatchObject({ out: '500\n' });
  expect(await index('--rebuild', '--json')).toMatchObject({
    code: 0,
    out: expect.stringContaining('"indexed": 500'),
  });
  expect(await run(['verify', at('case.duckdb')])).toMatchObject({ code: 0 });
  expect(await index('--remove')).toMatchObject({ out: 'None of 500 logs is indexed.\n' });
  expect(await count('msg:word')).toMatchObject({ out: '500\n' });
});

test('is wrong usage where it is to be built and taken away', async () => {
  await imported(1);
  expect(await index('--rebuild', '--remove')).toMatchObject({
    code: 2,
    err: expect.stringContaining('exclude each other'),
  });
});

largeTest('is built by an import of many logs, unless that is not wanted', async () => {
  await imported(100_000, '--no-index');
  const state = () => run(['sql', 'SELECT count(*) FROM stored.segments', at('case.duckdb'), '--csv']);
  expect(await state()).toMatchObject({ out: expect.stringMatching(/\n0\n$/) });
  // Nothing is loaded again, but what is there is indexed.
  await imported(100_000);
  expect(await state()).toMatchObject({ out: expect.stringMatching(/\n1\n$/) });
  expect(await count('msg:"word 777"')).toMatchObject({ out: '1\n' });
});
