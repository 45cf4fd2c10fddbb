import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'note-test-'));
  path = join(folder, 'a.duckdb');
  await using into = await openCase(path, { access: 'write', create: true });
  await addLogs(
    into,
    [
      { time: 1, msg: 'a' },
      { time: 2, msg: 'b' },
    ],
    { part: 'all' },
  );
});
afterAll(() => rm(folder, { recursive: true }));

test('notes are written, listed, exported, changed and removed', async () => {
  expect(
    await run(['note', 'add', path, '1', '2', 'first failure', '--tag', 'start', '--author', 'ada']),
  ).toEqual({
    code: 0,
    out: '',
    err: `Added note 1 of "${path}".\n`,
  });
  expect((await run(['note', 'add', path, '2', '--author', 'ada'])).code).toBe(0);
  const hostile = '=HYPERLINK("x")\u001b]8;;x\u202e';
  expect((await run(['note', 'add', path, hostile, '--author', '<b>'])).code).toBe(0);
  const table = await run(['note', 'list', path], { width: 100 });
  expect(table.out).toMatch(/1 {2}\S+ \S+ +ada +1, 2 +start +first failure/);
  expect(table.out).not.toMatch(/[\u001b\u202e]/);
  const csv = (await run(['note', 'list', path, '--csv'])).out.split('\n');
  expect(csv[0]).toBe('note,written,author,changed,changedBy,logs,tags,comment');
  expect(csv[3]).toMatch(/,"'=HYPERLINK/);
  const lines = (await run(['note', 'list', path, '--ndjson'])).out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { note: 1, logs: [1, 2], text: 'first failure', tags: ['start'], author: 'ada' },
    { note: 2, logs: [2], text: '', tags: [] },
    { note: 3, logs: [], text: hostile, author: '<b>' },
  ]);
  await run(['note', 'edit', path, '2', '--text', 'later', '--tag', 'x,y', '--author', 'bob']);
  await run(['note', 'remove', path, '3']);
  const json = JSON.parse((await run(['note', 'list', path, '--json', '--tag', 'y'])).out);
  expect(json).toMatchObject([{ note: 2, text: 'later', tags: ['x', 'y'], changed: { author: 'bob' } }]);
});

test('a wrong id, a log that is not there and an edit of nothing are refused', async () => {
  const refused = async (...words: string[]) => {
    const { code, err } = await run(['note', ...words]);
    return [code, err.split('\n')[0]];
  };
  expect(await refused('add', path, 'one', 'comment')).toEqual([
    2,
    'error: The ids of logs must be whole numbers, got "one"; a comment of several words needs quotes',
  ]);
  expect(await refused('add', path, '77', 'x')).toEqual([2, `error: "${path}" has no log 77 [NO_SUCH_LOG]`]);
  expect(await refused('edit', path, '1')).toEqual([2, 'error: note edit requires --text or --tag']);
  expect((await refused('remove', path, '99'))[0]).toBe(2);
});

test('a hand-over holds the notes on its logs', async () => {
  const out = join(folder, 'out');
  await run(['note', 'add', path, '1', 'on a', '--author', 'ada']);
  expect((await run(['hand-over', 'msg:b', path, '--out', out])).code).toBe(0);
  const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'));
  expect(manifest.notes.map(({ text }: { text: string }) => text)).toEqual(['first failure', 'later']);
  expect((await run(['verify', out])).code).toBe(0);
});

largeTest('searches are saved with their times, listed, replaced and removed', async () => {
  const add = (...words: string[]) => run(['saved', 'add', path, ...words, '--author', 'ada']);
  expect(await add('b', 'msg:b', '--from', '2025-03-12', '--to', '2025-03-12')).toMatchObject({
    code: 0,
    out: '',
    err: `Saved "b" in "${path}".\n`,
  });
  expect((await add('a', 'msg:x')).code).toBe(0);
  expect(JSON.parse((await add('a', '=1', '--json')).out)).toMatchObject({ name: 'a', author: 'ada' });
  await run(['saved', 'add', path, '\u001b[31mz', 'x', '--author', '\u202eada']);
  const list = async (...words: string[]) => (await run(['saved', 'list', path, ...words])).out;
  expect(JSON.parse(await list('--json'))).toMatchObject([
    { name: expect.stringContaining('[31mz') },
    { name: 'a' },
    { name: 'b', query: 'msg:b', from: Date.UTC(2025, 2, 12), to: Date.UTC(2025, 2, 13) - 1 },
  ]);
  expect((await list('--csv')).split('\n')[2]).toMatch(/^a,'=1/);
  expect(await list()).not.toMatch(/[\u001b\u202e]/);
  expect((await add('bad', '(msg:x')).code).toBe(1);
  expect((await add(' ', 'x')).err).toMatch(/must not be empty/);
  expect((await add('c', 'x', '--from', '2025-03-13', '--to', '2025-03-12')).err).toMatch(
    /must not be later/,
  );
  expect((await run(['saved', 'remove', path, 'a'])).code).toBe(0);
  expect((await run(['saved', 'remove', path, 'a'])).err).toMatch(/has no saved search "a"/);
  expect(JSON.parse(await list('--json')).length).toBe(2);
});
