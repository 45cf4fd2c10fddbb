import { describe, expect, test } from 'vitest';
import { drawFindings } from '../../src/cli/output/findings.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';
import type { Finding } from '../../src/language/parse/finding.ts';
import { processorTime } from '../processor-time.ts';
import { run } from './run-in-process.ts';

/** The part of the text between the two marks is what the finding is about. */
function checkDrawing(marked: string, expected: string, options: { width?: number } = {}): void {
  const from = marked.indexOf('«');
  const to = marked.indexOf('»') - 1;
  const text = marked.replace(/[«»]/g, '');
  const drawn = drawFindings(text, [{ ...finding, from, to }], {
    style: toStyle(false),
    width: 80,
    ...options,
  });
  expect(`\n${drawn.slice(1).join('\n')}`).toBe(expected);
}

const finding: Finding = { code: 'x', severity: 'error', from: 0, to: 1, message: 'm', fixes: [] };

describe('the place of a finding', () => {
  test('is marked under the text', () =>
    checkDrawing(
      'a «AND» OR b',
      `
  a AND OR b
    ^^^`,
    ));

  test('has at least one mark, also behind the text', () =>
    checkDrawing(
      'a AND«»',
      `
  a AND
       ^`,
    ));

  test('stands right under characters that take two columns', () =>
    checkDrawing(
      '中国 «日本» 語',
      `
  中国 日本 語
       ^^^^`,
    ));

  test('stands right after characters that take no column of their own', () =>
    checkDrawing(
      'cafe\u0301 «b»',
      `
  cafe\u0301 b
       ^`,
    ));

  test('stands right under pictures, also those of several code points', () =>
    checkDrawing(
      '👩‍👩‍👧 🇩🇪 «x»',
      `
  👩‍👩‍👧 🇩🇪 x
        ^`,
    ));

  test('stands right under tabs, which are shown as blanks', () =>
    checkDrawing(
      '\ta«\t»b',
      `
      a    b
       ^^^^`,
    ));

  test('stands right under what is unsafe to show', () =>
    checkDrawing(
      '\u001b[31m«\u0007»b\u202e',
      `
  \\x1b[31m\\x07b\\u202e
          ^^^^`,
    ));

  test('is drawn on its own line of a text with several', () =>
    checkDrawing(
      'a AND\nb «OR»\nc',
      `
  b OR
    ^^`,
    ));

  test('that goes on over the end of a line is marked up to there', () =>
    checkDrawing(
      'a «AND\nb» OR',
      `
  a AND
    ^^^`,
    ));

  test('is shown with what stands around it when the line is too long', () =>
    checkDrawing(
      `${'a'.repeat(50)} «AND» ${'b'.repeat(50)}`,
      `
  …aaaaaaa AND bbbbbbbbbbbbbb…
           ^^^`,
      { width: 30 },
    ));

  test('is found at once in a text of a million characters', async () => {
    const text = 'a '.repeat(500_000);
    const findings = Array.from({ length: 1000 }, (_, at) => ({
      ...finding,
      from: at * 900,
      to: at * 900 + 1,
    }));
    const time = await processorTime(() => {
      const drawn = drawFindings(text, findings, { style: toStyle(false), width: 80 });
      expect(drawn.at(-1)).toBe('and 980 more findings in this query');
    });
    expect(time).toBeLessThan(1000);
  });
});

test('a fix shows what it makes of the text', () => {
  const fix = {
    title: 'Close it',
    edits: [
      { from: 0, to: 1, insert: '(b' },
      { from: 4, to: 4, insert: ')' },
    ],
  };
  const drawn = drawFindings('a c d', [{ ...finding, fixes: [fix] }], { style: toStyle(false), width: 80 });
  expect(drawn.slice(3)).toEqual(['  Close it:', '  (b c )d']);
});

test('a finding of a file says where it stands', () => {
  const source = { name: 'q.txt', line: 3 };
  const [heading] = drawFindings('a\nbc', [{ ...finding, from: 3, to: 4 }], {
    style: toStyle(false),
    width: 80,
    source,
  });
  expect(heading).toBe('q.txt:4:2: error: m [x]');
});

test('colours are used only where they are wanted', () => {
  const draw = (colours: boolean) =>
    drawFindings('a', [finding], { style: toStyle(colours), width: 80 }).join('\n');
  expect(draw(false)).not.toContain('\u001b');
  expect(draw(true)).toContain('\u001b[31merror\u001b[39m');
});

test('a long message is wrapped between words on a terminal, and one line elsewhere', async () => {
  const query = 'logLevel:SEVERE OR logLevel:WARNING AND msg:timeout';
  const whole = (await run(['check', query])).out.split('\n')[0] ?? '';
  for (const width of [40, 50, 80, 120, 200]) {
    const { out } = await run(['check', query], { width });
    const lines = out.split('\n');
    const heading = lines.slice(0, lines.findIndex((line) => line.endsWith('[mixed-operators]')) + 1);
    expect(heading.map((line) => line.trim()).join(' ')).toBe(whole);
    expect(Math.max(...heading.map((line) => line.length))).toBeLessThanOrEqual(width);
  }
});
