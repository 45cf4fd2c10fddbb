import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeOutput } from '../../src/cli/command-line/write-output.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';
import { run } from './run-in-process.ts';

/*
 * A file that is written takes the place of nothing that anybody wants to keep.
 */

let folder: string;
const at = (name: string) => join(folder, name);
const line = '{"time":1,"msg":"kept"}\n';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-'));
  await writeFile(at('logs.ndjson'), line);
  await mkdir(at('folder'));
  await run(['import', at('logs.ndjson'), '--into', at('case.duckdb')]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['search', ['*:*']],
  ['trace', ['r']],
  ['sql', ['SELECT 1']],
])('%s writes no Parquet file in place of a case, a log file or a folder', async (command, what) => {
  const before = await readFile(at('case.duckdb'));
  for (const taken of ['case.duckdb', 'logs.ndjson', 'folder']) {
    const { code, err } = await run([command, ...what, at('case.duckdb'), '--parquet', at(taken)]);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/not a Parquet file, so it is not replaced|is a folder/),
    ]);
  }
  expect(before.equals(await readFile(at('case.duckdb')))).toBe(true);
  expect(await readFile(at('logs.ndjson'), 'utf8')).toBe(line);
});

test('a Parquet file and an empty one are replaced', async () => {
  await writeFile(at('empty.parquet'), '');
  for (let time = 0; time < 2; time++) {
    const { code } = await run(['search', '*:*', at('case.duckdb'), '--parquet', at('empty.parquet')]);
    expect(code).toBe(0);
  }
  expect((await readFile(at('empty.parquet'))).toString('latin1', 0, 4)).toBe('PAR1');
});

test('a folder that is not there is named, and nothing is left behind', async () => {
  const { code, err } = await run(['search', '*:*', at('case.duckdb'), '--parquet', at('none/x.parquet')]);
  expect([code, err]).toEqual([2, expect.stringContaining(`The folder "${at('none')}" of`)]);
  expect((await readdir(folder)).filter((name) => name.includes('arriving'))).toEqual([]);
});

const terminal = {
  print: async () => {},
  message: () => {},
  show: () => {},
  input: async function* () {},
  inputBytes: async function* () {},
  stdout: { width: undefined, style: toStyle(false) },
  stderr: { width: undefined, style: toStyle(false) },
  environment: {},
  interruption: () => new AbortController().signal,
};

test('data is not written in place of a case', async () => {
  const before = await readFile(at('case.duckdb'));
  await expect(writeOutput('x', { path: at('case.duckdb'), terminal })).rejects.toThrow('is a case');
  expect(before.equals(await readFile(at('case.duckdb')))).toBe(true);
});

test('a file that is replaced keeps its mode, and its place behind a link', async () => {
  await writeFile(at('old.json'), 'old');
  await chmod(at('old.json'), 0o640);
  await symlink(at('old.json'), at('link.json'));
  await writeOutput('new', { path: at('link.json'), terminal });
  expect(await readFile(at('old.json'), 'utf8')).toBe('new');
  expect((await stat(at('old.json'))).mode & 0o777).toBe(0o640);
});

test('a secret is for its owner alone, whatever the mode of the file before', async () => {
  await writeFile(at('open.json'), 'old', { mode: 0o644 });
  await writeOutput('new', { path: at('open.json'), terminal, secret: true });
  expect((await stat(at('open.json'))).mode & 0o777).toBe(0o600);
});

test('what cannot be written leaves the file as it was', async () => {
  const path = at(`${'x'.repeat(250)}.txt`);
  await writeFile(path, 'old');
  // The name of what arrives beside it is too long for a file.
  await expect(writeOutput('new', { path, terminal })).rejects.toThrow('cannot be written');
  expect(await readFile(path, 'utf8')).toBe('old');
});
