import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from './run-in-process.ts';

/*
 * Several sources together: each counts once, and what is in two of them is said.
 */

let folder: string;
const at = (name: string) => join(folder, name);
const names = ['a', 'b', 'c'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-'));
  for (const name of names) await writeFile(at(`${name}.ndjson`), `{"time":1,"msg":"${name}"}\n`);
  await run(['import', at('a.ndjson'), at('b.ndjson'), '--into', at('ab.duckdb')]);
  await run(['import', ...names.map((name) => at(`${name}.ndjson`)), '--into', at('abc.duckdb')]);
  await symlink(at('ab.duckdb'), at('link.duckdb'));
  await mkdir(at('logs'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a source that is named twice is one, whatever its path', async () => {
  const paths = ['ab.duckdb', `../${folder.split('/').at(-1)}/ab.duckdb`, 'link.duckdb'].map(at);
  expect(await run(['search', '*:*', ...paths, '--count'])).toEqual({ code: 0, out: '2\n', err: '' });
  const twice = await run(['search', '*:*', at('a.ndjson'), at('a.ndjson'), '--csv']);
  expect(twice.out.split('\n')[0]).not.toContain('case');
});

test('files that two sources have in common are named', async () => {
  expect(await run(['search', '*:*', at('ab.duckdb'), at('abc.duckdb'), '--count'])).toEqual({
    code: 0,
    out: '5\n',
    err: '2 files of "abc.duckdb", for instance "a.ndjson", are also in "ab.duckdb": their logs are counted twice.\n',
  });
  expect((await run(['top', 'msg', at('ab.duckdb'), at('b.ndjson')])).err).toContain(
    '"b.ndjson" is also in "ab.duckdb": its logs are counted twice.\n',
  );
  expect((await run(['search', '*:*', at('ab.duckdb'), at('c.ndjson')])).err).toMatch(
    /^"c.ndjson": time of 1 log is implausible: [^\n]+\n3 logs.\n$/,
  );
});

test.each([
  ['one that is not there', 'none.zip', /The file ".*none.zip" does not exist \[CASE_NOT_FOUND\]/],
  ['a folder without cases', 'logs', /is a folder: name the files in it/],
  ['no file', '/dev/null', /can be read only once/],
])('%s is no source', async (_, name, message) => {
  const { code, err } = await run(['search', '*:*', name.startsWith('/') ? name : at(name)]);
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});
