import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toZip } from '../store/zips.ts';
import { run } from './run-in-process.ts';

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'standard-input-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const lines = ['a', 'b', 'a']
  .map((msg, index) => `{"time":${1741766400000 + index},"msg":"${msg}"}\n`)
  .join('');

test.each([
  ['a file', lines],
  ['a compressed file', gzipSync(lines)],
  ['a zip', toZip([{ name: 'logs.ndjson', content: lines }])],
])('"-" is %s in the standard input', async (_, input) => {
  expect(await run(['search', 'msg:a', '-', '--count'], { input })).toEqual({ code: 0, out: '2\n', err: '' });
});

test.each([
  [['top', 'msg', '-'], 'a\n'],
  [['histogram', '-'], '2025-03-12 08:00'],
  [['overview', '-'], 'logs        3\n'],
  [['patterns', '-'], ' a\n'],
  [['trace', 'none', '-'], ''],
])('%j reads it', async (words, expected) => {
  const { code, out } = await run(words, { input: lines });
  expect(code).toBe(0);
  expect(out).toContain(expected);
});

test('it is one of several sources, and counts once', async () => {
  await writeFile(at('more.ndjson'), '{"time":1,"msg":"a"}\n');
  const { out } = await run(['search', '*:*', '-', at('more.ndjson'), '-', '--columns', 'msg'], {
    input: lines,
  });
  expect(out.split('\n').map((line) => line.trim().split(/ +/))).toEqual([
    ...[
      ['case', 'message'],
      ['stdin', 'a'],
      ['stdin', 'b'],
      ['stdin', 'a'],
    ],
    ...[['more.ndjson', 'a'], ['']],
  ]);
});

test('an import keeps it as evidence', async () => {
  const path = at('piped.duckdb');
  const { code, out } = await run(['import', '-', '--into', path], { input: lines });
  expect(code).toBe(0);
  expect(out).toMatch(/stdin +stdin +ndjson +3 /);
  expect((await run(['verify', path])).code).toBe(0);
  const stored = (await readdir(folder, { recursive: true })).filter((name) => /[0-9a-f]{64}/.test(name));
  expect(stored).toHaveLength(1);
  expect(await readFile(at(stored[0] ?? ''), 'utf8')).toBe(lines);
});

test('an overview of it suggests no command that could read it no more', async () => {
  expect((await run(['overview', '-'], { input: lines })).out).not.toContain('Go on with');
});

test('an empty one has no logs', async () => {
  expect(await run(['search', '*:*', '-'], { input: '' })).toMatchObject({ out: '' });
});
