import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run-in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'queries.txt');
  await writeFile(path, text);
  return path;
}

describe('check', () => {
  test('a sound query has no findings and the answer is yes', async () => {
    expect(await run(['check', 'msg:"timed out" AND logCode:[9000 TO 9999]'])).toEqual({
      code: 0,
      out: '',
      err: 'No findings in 1 query.\n',
    });
  });

  test('an error is drawn under its query and the answer is no', async () => {
    expect(await run(['check', 'logLevel:SEVERE AND (msg:timeout'])).toEqual({
      code: 1,
      out: `error: This parenthesis is not closed [unclosed-group]
  logLevel:SEVERE AND (msg:timeout
                      ^
  Close it at the end:
  logLevel:SEVERE AND (msg:timeout)
`,
      err: '1 error in 1 query.\n',
    });
  });

  test('a warning does not make the answer no', async () => {
    const { code, out } = await run(['check', 'nosuchfield:5']);
    expect(code).toBe(0);
    expect(out).toMatch(/^warning: /);
  });

  test('several queries are checked, of arguments, a file and the standard input', async () => {
    const file = await fileOf('msg:a\r\n\r\nmsg:b\n(c');
    const { code, out, err } = await run(['check', 'a AND', '-', '--file', file], { input: '(b' });
    expect(code).toBe(1);
    expect(out).toContain('error: "AND" requires something after it [missing-operand]');
    expect(out).toContain('<stdin>:1:1: error: ');
    expect(out).toContain(`${file}:4:1: error: `);
    expect(err).toBe('3 errors in 5 queries.\n');
  });

  test('the file "-" is the standard input', async () => {
    const { code, out } = await run(['check', '--file', '-'], { input: 'a\n(b' });
    expect(code).toBe(1);
    expect(out).toContain('<stdin>:2:1: error: ');
  });

  test('a byte order mark is no part of the first query', async () => {
    const file = await fileOf('\ufeffmsg:a');
    expect(JSON.parse((await run(['check', '--json', '--file', file])).out)).toMatchObject([
      { query: 'msg:a', findings: [] },
    ]);
  });

  test('with --json the findings are a list', async () => {
    const { code, out, err } = await run(['check', '--json', 'a', '(b']);
    expect(code).toBe(1);
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual([
      { query: 'a', findings: [] },
      {
        query: '(b',
        findings: [
          {
            code: 'unclosed-group',
            severity: 'error',
            from: 0,
            to: 1,
            message: 'This parenthesis is not closed',
            fixes: [{ title: 'Close it at the end', edits: [{ from: 2, to: 2, insert: ')' }] }],
          },
        ],
      },
    ]);
  });

  test('what the engine takes but the deployment does not document depends on the dialect', async () => {
    expect((await run(['check', 'msg:time*'])).code).toBe(1);
    expect((await run(['check', 'msg:time*', '--dialect', 'lucene'])).code).toBe(0);
  });

  test.each([
    [['check'], 'A query is required'],
    [['check', '--file', '/nowhere/queries.txt'], '"/nowhere/queries.txt" cannot be read'],
    [['check', '--file', '/nowhere/*.txt'], '"/nowhere/*.txt" cannot be read'],
    [['check', 'a', '--dialect', 'kql'], '--dialect must be one of documented, lucene, got "kql"'],
    [['check', 'a', '--colour'], "unknown option '--colour'"],
  ])('%j is wrong usage', async (words, message) => {
    const { code, out, err } = await run(words);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
  });
});

describe('format', () => {
  test('writes a query in the usual layout', async () => {
    expect(await run(['format', 'a   AND( b OR msg : c )'])).toEqual({
      code: 0,
      out: 'a AND (b OR msg:c)\n',
      err: '',
    });
  });

  test('breaks a long query, but a line of a file stays a line', async () => {
    const query = 'msg:aaaaaaaaaa AND msg:bbbbbbbbbb AND msg:cccccccccc';
    expect((await run(['format', query, '--width', '40'])).out.split('\n').length).toBeGreaterThan(2);
    expect((await run(['format', '-', '--width', '40'], { input: query })).out).toBe(`${query}\n`);
  });

  test('gives a query with errors back as it is and says why', async () => {
    const { code, out, err } = await run(['format', '-'], { input: 'a  b\n(a  b\nc' });
    expect({ code, out }).toEqual({ code: 1, out: 'a b\n(a  b\nc\n' });
    expect(err).toContain('<stdin>:2:1: error: This parenthesis is not closed [unclosed-group]');
  });

  test('with --json tells what became of each query', async () => {
    expect(JSON.parse((await run(['format', '--json', 'a  b'])).out)).toEqual([
      { query: 'a  b', formatted: 'a b', findings: [] },
    ]);
  });
});

describe('--help-uri', () => {
  const page = 'https://docs.example.com/logquarry/findings.html';
  const rulesOf = async (...words: string[]) =>
    JSON.parse((await run(['check', 'levle:a', '--sarif', ...words])).out).runs[0].tool.driver;

  test('links each rule to its section, which the page has', async () => {
    const { rules, informationUri } = await rulesOf('--help-uri', page);
    expect(informationUri).toBe(page);
    const text = await readFile('docs/findings.md', 'utf8');
    const anchors = [...text.matchAll(/^<a id="([^"]+)"><\/a>\n\n## `\1`: /gm)].map(
      ([, id]) => `${page}#${id}`,
    );
    const uris = rules.map(({ helpUri }: { helpUri: string }) => helpUri);
    expect(uris.length).toBeGreaterThan(30);
    expect(uris.filter((uri: string) => !anchors.includes(uri))).toEqual([]);
  });

  test('is no part of the rules unless it is given', async () => {
    const { rules, informationUri } = await rulesOf();
    expect([rules[0].helpUri, informationUri]).toEqual([undefined, undefined]);
    expect(rules[0].help.text).toContain('The manual explains');
  });

  test.each([
    'findings.html',
    'file:///x',
    'javascript:alert(1)',
    `${page}#a`,
    'https://ada:secret@example.com/',
  ])('refuses %s', async (address) => {
    const { code, err } = await run(['check', 'a', '--sarif', '--help-uri', address]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('--help-uri must be an address such as https://'),
    ]);
    expect(err).not.toContain('secret');
  });

  test('needs --sarif on the command line, and none in a configuration', async () => {
    expect((await run(['check', 'a', '--help-uri', page])).code).toBe(2);
    const file = join(folder, 'config.json');
    await writeFile(file, JSON.stringify({ check: { 'help-uri': page } }));
    const environment = { LOGQUARRY_CONFIG: file };
    expect((await run(['check', 'a'], { environment })).code).toBe(0);
    const { out } = await run(['check', 'a', '--sarif'], { environment });
    expect(JSON.parse(out).runs[0].tool.driver.informationUri).toBe(page);
  });
});
