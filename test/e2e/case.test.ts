import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { type Ended, folder, run, startProgram } from './process.ts';

const sample = resolve('samples/incident.ndjson');
let here: Awaited<ReturnType<typeof folder>>;
beforeAll(async () => {
  here = await folder();
});
afterAll(async () => here[Symbol.asyncDispose]());

function inFolder(...words: string[]): Promise<Ended> {
  return run(words, { cwd: here.path });
}

test('an import leaves no empty case where nothing can be written', async () => {
  // As little fits into a file as on a full disk.
  const command = `ulimit -f 0; exec "$0" ${resolve('dist/bin/logquarry.js')} import ${sample} --into full.duckdb`;
  const full = await startProgram('sh', ['-c', command, process.execPath], { cwd: here.path }).ended;
  expect(full).toMatchObject({ code: 1, err: expect.stringContaining('cannot be opened') });
  expect(await inFolder('import', sample, '--into', 'full.duckdb')).toMatchObject({ code: 0 });
});

test('a closed pipe ends a search quietly', async () => {
  await mkdir(join(here.path, 'many'));
  const lines = Array.from({ length: 30_000 }, (_, index) => `{"time":${index},"msg":"${'x'.repeat(200)}"}`);
  await writeFile(join(here.path, 'many.ndjson'), lines.join('\n'));
  expect(await inFolder('import', 'many.ndjson', '--into', 'many.duckdb')).toMatchObject({ code: 0 });
  const bin = resolve('dist/bin/logquarry.js');
  for (const format of sampled(['', '--json', '--ndjson', '--csv', '--markdown'], 2)) {
    const line = `"${process.execPath}" "${bin}" search '*:*' many.duckdb --all ${format} | head -n 1; echo "$?" >&2`;
    const { out, err } = await startProgram('sh', ['-c', line], { cwd: here.path }).ended;
    expect(out.split('\n').length).toBe(2);
    expect(err).toBe('0\n');
  }
  // The code of the program itself, whose reader has gone before it begins.
  const child = spawn(process.execPath, [bin, 'search', '*:*', 'many.duckdb', '--all'], { cwd: here.path });
  child.stdout.destroy();
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
});

test('SQL that never ends is ended by Ctrl-C', async () => {
  expect(await inFolder('import', sample, '--into', 'case.duckdb')).toMatchObject({ code: 0 });
  const bin = resolve('dist/bin/logquarry.js');
  const endless = 'SELECT count(*) FROM range(1000000000) a, range(1000000) b';
  const interrupted = async (after: number) => {
    const { child, ended } = startProgram(process.execPath, [bin, 'sql', endless, 'case.duckdb'], {
      cwd: here.path,
    });
    await new Promise((resolve) => setTimeout(resolve, after));
    child.kill('SIGINT');
    return await ended;
  };
  let [after, end] = [1500, await interrupted(1500)];
  // On a slow machine it may not listen yet: then the signal itself ends it.
  while (end.signal === 'SIGINT') [after, end] = [2 * after, await interrupted(2 * after)];
  expect(end).toMatchObject({ code: 130 });
});
