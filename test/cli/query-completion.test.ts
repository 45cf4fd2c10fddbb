import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readShellLine, writeInShell } from '../../src/cli/completion/query-lines.ts';
import { rounds } from '../effort.ts';
import { run } from './run-in-process.ts';

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'query-completion-test-'));
  await run(['import', 'samples/incident.ndjson', '--into', at('case.duckdb')]);
  const sources = ["it's $5", "it's $5", '\u001b[2Jx'];
  const lines = sources.map((source) => JSON.stringify({ msg: 'a', source }));
  await writeFile(at('two.ndjson'), `${lines.join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

/** The lines that a shell gets for a command line, with the cursor at "|". */
async function offered(shell: string, written: string, word = ''): Promise<string[]> {
  const [line = '', rest = ''] = written.split('|');
  const { code, out } = await run(['completion', shell, '--line', line, '--rest', rest, '--word', word]);
  expect(code).toBe(0);
  return out.split('\n').filter((each) => each !== '');
}

describe('a query on a command line', () => {
  test('is completed by fields, and a single field by its values', async () => {
    expect(await offered('fish', "logquarry search 'log|")).toEqual([
      expect.stringMatching(/^logLevel:\t/),
      expect.stringMatching(/^logCode:\t/),
    ]);
    expect(await offered('bash', "logquarry search 'logL|", 'logL')).toContain('logLevel:SEVERE');
    expect(await offered('bash', "logquarry search 'msg|", 'msg')).toContain('msg:"');
  });

  test('is completed by the values of a case before and behind the cursor', async () => {
    const word = 'source:"Rest';
    for (const written of [
      `logquarry search '${word}|' ${at('case.duckdb')}`,
      `logquarry search '${word}| ${at('case.duckdb')}`,
      `logquarry histogram ${at('case.duckdb')} -s '${word}|`,
      `logquarry top user ${at('case.duckdb')} --search '${word}|`,
      `logquarry check '${word}|' --case ${at('case.duckdb')}`,
      `logquarry hand-over '${word}|' ${at('case.duckdb')} --out x`,
      `logquarry check '${word}|' samples/incident.ndjson`,
    ]) {
      expect([written, await offered('fish', written)]).toEqual([
        written,
        ['source:"Rest Catalog"\t47 logs'],
      ]);
      expect([written, await offered('bash', written, word)]).toEqual([written, ['source:"Rest Catalog"']]);
    }
  });

  test('keeps what bash does not replace, and is quoted as it is written', async () => {
    const rest = ` ${at('case.duckdb')}`;
    expect(await offered('bash', `logquarry search source:Re|${rest}`, 'Re')).toEqual([
      '\\"Rest\\ Catalog\\"',
    ]);
    expect(await offered('bash', `logquarry search source:"Re|${rest}`, 'Re')).toEqual([
      '\\"Rest Catalog\\"',
    ]);
    expect(await offered('bash', "logquarry export --search='logLevel:SEV|", 'logLevel:SEV')).toEqual([
      'logLevel:SEVERE',
    ]);
    expect(await offered('fish', "logquarry export --search='logLevel:SEV|")).toEqual([
      '--search=logLevel:SEVERE\tthe severity',
    ]);
    const two = ` ${at('two.ndjson')}`;
    expect(await offered('bash', `logquarry search 'source:|${two}`, 'source:')).toEqual([
      `source:"it'\\''s $5"`,
    ]);
    expect(await offered('bash', `logquarry search "source:|${two}`, 'source:')).toEqual([
      `source:\\"it's \\$5\\"`,
    ]);
  });

  test('in lower case is completed', async () => {
    expect(await offered('bash', "logquarry search 'logLevel:sev|", 'logLevel:sev')).toEqual([
      'logLevel:SEVERE',
    ]);
  });

  test.each([
    'logquarry search a |',
    'logquarry import |',
    'logquarry search a --csv --out |',
    'logquarry nowhere logL|',
    'logquarry |',
    '|',
  ])('is not made of "%s"', async (written) => {
    expect(await offered('bash', written)).toEqual([]);
  });

  test('goes without values where a file cannot be read', async () => {
    expect(await offered('fish', "logquarry search 'source:x|' /nowhere.duckdb samples")).toEqual([]);
  });
});

test('a text written for a shell is read as it is', () => {
  const quotes = ['', "'", '"'] as const;
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom(...quotes), (text, quote) => {
      fc.pre(!text.includes('\0') && !(quote === '' && /[\n\r]/.test(text)));
      const line = `logquarry search ${quote}${writeInShell(text, quote)}${quote}`;
      expect(readShellLine(line, '', 'bash').current.value).toBe(text);
    }),
    { numRuns: rounds(300) },
  );
});

test('bash reads it so, too', () => {
  const texts = [
    'a b',
    '1\u00a0000\u2028x\u3000',
    `it's "5" \\ $x \`y\` !z`,
    'msg:(a OR b)~2 [* TO 3} #;&|<>',
    '\u{1f600} é',
    '-x=*?{a,b}',
  ];
  for (const quote of ['', "'", '"'] as const) {
    const words = texts.map((text) => `${quote}${writeInShell(text, quote)}${quote}`);
    const printed = execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${words.join(' ')}`]);
    expect(printed.toString().split('\0').slice(0, -1)).toEqual(texts);
    const { before, current } = readShellLine(words.join(' '), '', 'bash');
    expect([...before, current.value]).toEqual(texts);
  }
});
