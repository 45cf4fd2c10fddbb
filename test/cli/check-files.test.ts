import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run-in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, text: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

describe('the files of check', () => {
  test('several files, folders and patterns are checked, each file once', async () => {
    const one = await fileOf('set/one.txt', '(a');
    await fileOf('set/deep/two.txt', 'msg:a\n(b');
    await fileOf('set/deep/note.md', '(no query');
    await fileOf('set/.hidden/three.txt', '(c');
    const every = '2 errors in 3 queries.\n';
    expect((await run(['check', '--file', join(folder, 'set')])).err).toBe(every);
    expect((await run(['check', '--file', `${folder}/set/**/*.txt`, '--file', one])).err).toBe(every);
    expect((await run(['check', '--file', `${folder}/s?t/{one,deep/two}.txt`])).err).toBe(every);
    const { out } = await run(['check', '--file', `${folder}/set/*.txt`, '--file', '-'], { input: '(d' });
    expect(out).toContain(`${one}:1:1: error: `);
    expect(out).toContain('<stdin>:1:1: error: ');
  });

  test.each([
    ['none/*.txt', 'cannot be read'],
    ['set/*.query', 'No file matches'],
    ['empty', 'has no query files: their names end in .txt'],
  ])('%s without a file is wrong usage', async (path, message) => {
    await mkdir(join(folder, 'set'), { recursive: true });
    await mkdir(join(folder, 'empty'), { recursive: true });
    const { code, err } = await run(['check', '--file', join(folder, path)]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('a file whose name looks like a pattern is that file', async () => {
    const path = await fileOf('what?{a}.txt', '(a');
    expect((await run(['check', '--file', path])).out).toContain(`${path}:1:1: error: `);
  });

  test('comments are skipped, and one names the next query', async () => {
    const path = await fileOf(
      'named.txt',
      '\ufeff# (about\n# name: Slow maps\n\n  # and more\n(a\n(b\n\\#c\n',
    );
    const { out, err } = await run(['check', '--file', path]);
    expect(err).toBe('2 errors in 3 queries.\n');
    expect(out).toContain(
      `${path}:5:1: error: This parenthesis is not closed [unclosed-group] in "Slow maps"\n`,
    );
    expect(out).toContain(`${path}:6:1: error: This parenthesis is not closed [unclosed-group]\n`);
    expect(JSON.parse((await run(['check', '--json', '--file', path])).out)).toMatchObject([
      { query: '(a', queryName: 'Slow maps', line: 5 },
      { query: '(b', line: 6 },
      { query: '\\#c' },
    ]);
  });

  test('format leaves comments where they are', async () => {
    const input = '# name: Slow maps\na   b\n\n# end';
    expect((await run(['format', '--file', '-'], { input })).out).toBe('# name: Slow maps\na b\n# end\n');
    expect(JSON.parse((await run(['format', '--json', '-'], { input })).out)).toHaveLength(1);
  });

  test('--fail-on decides which findings make the answer no', async () => {
    const codes = async (query: string) =>
      Promise.all(
        ['error', 'warning', 'hint'].map(
          async (level) => (await run(['check', query, '--fail-on', level])).code,
        ),
      );
    expect(await codes('(a')).toEqual([1, 1, 1]);
    expect(await codes('levle:SEVERE')).toEqual([0, 1, 1]);
    expect(await codes('msg:don’t')).toEqual([0, 0, 1]);
    expect(await codes('msg:timeout')).toEqual([0, 0, 0]);
  });
});

describe('the order of findings', () => {
  test('warnings come before hints', async () => {
    const { out } = await run(['check', 'msg:don’t AND levle:SEVERE AND (b']);
    expect([...out.matchAll(/^(error|warning|hint): /gm)].map(([, level]) => level)).toEqual([
      'error',
      'warning',
      'hint',
    ]);
  });

  test('a hint that only adds that the same part has no effect is folded into the warning', async () => {
    const { out, err } = await run(['check', 'a AND b C:\\temp\\x.txt']);
    expect(err).toBe('1 warning in 1 query.\n');
    expect(out).toContain('a field that does not exist; this part filters nothing');
  });
});

describe('check --fix', () => {
  test('rewrites a file, and only what is safe', async () => {
    const path = await fileOf(
      'fix.txt',
      '\ufeff# a && b\r\nmsg:a && msg:b && c\r\n\r\n(open && x\nlevle:b\u2028',
    );
    const { code, out, err } = await run(['check', '--fix', '--file', path]);
    expect(await readFile(path, 'utf8')).toBe(
      '\ufeff# a && b\r\nmsg:a AND msg:b AND c\r\n\r\n(open && x\nlevle:b\u2028',
    );
    expect(err).toContain(`${path}:2:7: fixed: Change to AND [undocumented-syntax]\n`);
    expect(err).toContain(`Written to "${path}".\n`);
    expect(out).toContain(`${path}:4:1: error: `);
    expect(code).toBe(1);
    const again = await run(['check', '--fix', '--file', path]);
    expect(again.err).not.toContain('ixed');
    expect(again.err).not.toContain('Written');
  });

  test('prints the fixed query of an argument, and its findings beside it', async () => {
    expect(await run(['check', '--fix', 'msg:“timed out” && don’t'])).toMatchObject({
      code: 0,
      out: 'msg:"timed out" AND don’t\n',
      err: expect.stringMatching(/fixed: Change them to straight double quotes[\s\S]*hint: /),
    });
  });

  test('prints the standard input whole', async () => {
    const input = '# name: a\na && b\n\nc\n';
    expect((await run(['check', '--fix', '-'], { input })).out).toBe('# name: a\na AND b\n\nc\n');
    expect(JSON.parse((await run(['check', '--fix', '--json', '-'], { input })).out)).toMatchObject([
      { query: 'a AND b', line: 2 },
      { query: 'c', line: 4 },
    ]);
  });

  test('leaves a file alone that is not UTF-8', async () => {
    const bytes = new Uint8Array([0x61, 0x20, 0x26, 0x26, 0x20, 0xff]);
    const path = await fileOf('bytes.txt', bytes);
    const { code, err } = await run(['check', '--fix', '--file', path]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is not UTF-8') });
    expect(new Uint8Array(await readFile(path))).toEqual(bytes);
  });
});
