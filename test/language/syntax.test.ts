import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyFix, type Finding, mostFindings } from '../../src/language/finding.ts';
import { QueryParser } from '../../src/language/grammar.ts';
import { parse } from '../../src/language/parse.ts';
import { print } from '../../src/language/print.ts';
import { syntaxCodes } from '../../src/language/syntax.ts';
import { maxDepth } from '../../src/language/token.ts';

/** The cases of `findings.txt`: a title, a query, and what is found, drawn under it. */
const cases = readFileSync(new URL('findings.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n\n')
  .map((block) => {
    const [title = '', text = '', ...drawing] = block.split('\n');
    return { title: title.slice('# '.length), text, drawing: drawing.join('\n') };
  });

describe('what the parser finds', () => {
  test.each(cases)('$title: $text', ({ text, drawing }) => {
    expect(draw(text)).toBe(drawing);
  });

  test.each(['', '  ', '\n\t\u3000'])('a blank query: "%s"', (text) => {
    expect(parse(text).findings).toEqual([
      {
        code: 'empty-query',
        severity: 'error',
        from: 0,
        to: text.length,
        message: 'The query is empty and selects no logs',
        fixes: [],
      },
    ]);
  });

  test('groups beyond the limit are found once and print back', () => {
    const text = `${'('.repeat(203)}a${')'.repeat(203)}`;
    expect(draw(text)).toBe(
      `${' '.repeat(200)}^ too-deep: Groups can be nested 200 deep; this parenthesis is beyond that`,
    );
    expect(parse(`${'('.repeat(200)}a${')'.repeat(200)}`).findings).toEqual([]);
  });

  test('of one kind the first ones are given, and the last says how many more there are', () => {
    const { findings } = parse(`] AND (${'] '.repeat(100_000)}`);
    expect(findings).toHaveLength(mostFindings + 1);
    const strays = findings.filter(({ code }) => code === 'unexpected-text');
    expect(strays[0]).toMatchObject({ from: 0, message: 'This bracket closes no range' });
    expect(strays.at(-1)?.message).toBe('This bracket closes no range (and 99951 more like this)');
    expect(findings.map(({ code }) => code)).toContain('unclosed-group');
  });

  test('every code occurs above', () => {
    const all = cases.map(({ drawing }) => drawing).join('\n');
    const unseen = Object.keys(syntaxCodes).filter((code) => !all.includes(` ${code}: `));
    expect(unseen).toEqual(['empty-query', 'too-deep']);
  });
});

describe('texts of any size', () => {
  test.each([
    ['open parentheses', '('.repeat(100_000)],
    ['closing parentheses', ')'.repeat(100_000)],
    ['pairs within each other', '('.repeat(50_000) + ')'.repeat(50_000)],
    ['clauses', 'ab:c AND '.repeat(100_000)],
    ['quotation marks', '"'.repeat(100_001)],
    ['escaped quotation marks in a range', `["${'\\"'.repeat(100_000)}`],
    ['slashes', '/\\'.repeat(100_001)],
    ['backslashes', '\\'.repeat(100_001)],
    ['brackets', '['.repeat(100_000)],
    ['tildes', '~'.repeat(100_000)],
    ['one long word', 'a'.repeat(1_000_000)],
    ['colons', 'a:'.repeat(100_000)],
    ['phrases and colons', 'x:"y":'.repeat(50_000)],
  ])('%s print back and are refused or accepted without a throw', (_title, text) => {
    const { query, findings } = parse(text);
    expect(print(query)).toBe(text);
    expect(Array.isArray(findings)).toBe(true);
  });
});

test('the grammar is unambiguous', () => {
  expect(() => new QueryParser({ skipValidations: false })).not.toThrow();
});

test('groups as deep as can be are read where half of the stack is used up', () => {
  const text = `${'a OR NOT b AND f:('.repeat(maxDepth)}a${')'.repeat(maxDepth)}`;
  let depth = 1000;
  while (canGo(depth)) depth *= 1.2;
  expect(goDown(0.5 * depth, () => parse(text).findings)).toEqual([]);
});

function canGo(depth: number): boolean {
  try {
    return goDown(depth, () => true);
  } catch {
    return false;
  }
}

/** Does something that many calls down. */
function goDown<T>(depth: number, work: () => T): T {
  return depth < 1 ? work() : goDown(depth - 1, work);
}

function draw(text: string): string {
  return parse(text)
    .findings.map((finding) => drawOne(text, finding))
    .join('\n');
}

function drawOne(text: string, { from, to, code, message, fixes }: Finding): string {
  const carets = ' '.repeat(from) + '^'.repeat(Math.max(1, to - from));
  const ways = fixes.map((fix) => `\n  ${fix.title}: ${applyFix(text, fix)}`);
  return `${carets} ${code}: ${message}${ways.join('')}`;
}
