import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyFix, type Finding, mostFindings } from '../../src/language/parse/finding.ts';
import { parse, QueryParser } from '../../src/language/parse/parse.ts';
import { syntaxCodes } from '../../src/language/parse/syntax.ts';

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

  test('a quotation mark that is not closed is marked alone', () => {
    expect(parse('a "b c').findings).toMatchObject([{ code: 'unclosed-phrase', from: 2, to: 3 }]);
  });

  test.each(['a~', 'a~0', 'a~0.5', 'a~1', 'a~2.0', 'a~b', 'a~NaN', '"a b"~1.5', 'a*~1.5'])(
    'nothing about the number in %s',
    (text) => {
      expect(parse(text).findings).toEqual([]);
    },
  );

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

test('the grammar is unambiguous', () => {
  expect(() => new QueryParser({ skipValidations: false })).not.toThrow();
});

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
