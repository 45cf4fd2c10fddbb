import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyFix, languageService, parse } from '../../src/language/index.ts';
import { anyText, doubtfulQuery } from '../../src/testing/index.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(2000) };

/** Each token as its text, its look and its modifiers. */
function drawn(text: string): readonly string[] {
  return languageService(text)
    .tokens()
    .map(({ from, to, look, modifiers }) => [text.slice(from, to), look, ...modifiers].join(' '));
}

describe('tokens', () => {
  test.each<[text: string, tokens: readonly string[]]>([
    ['msg:timeout AND "a b"', ['msg field', ': field', 'timeout word', 'AND operator', '"a b" text']],
    ['levle:x', ['levle field unknown', ': field', 'x word']],
    ['log\\Level:x', ['log\\Level field', ': field', 'x word']],
    ['a -b', ['a word', '- operator', 'b word excluded']],
    [
      'NOT (a NOT b) c',
      [
        ...['NOT operator', '( bracket excluded', 'a word excluded', 'NOT operator excluded', 'b word'],
        ...[') bracket excluded', 'c word'],
      ],
    ],
    ['[1 TO "b"]~', ['[ bracket', '1 number', 'TO operator', '"b" text', '] bracket', '~ pattern']],
    ['a)', ['a word', ') broken']],
    ['', []],
  ])('%s', (text, tokens) => {
    expect(drawn(text)).toEqual(tokens);
  });

  test('of any text are all of it but the white space', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { query, tokens } = languageService(text);
        expect(query).toEqual(parse(text).query);
        let position = 0;
        for (const { from, to } of tokens()) {
          expect(text.slice(position, from)).toMatch(/^[ \t\r\n\u3000]*$/);
          expect(to).toBeGreaterThan(from);
          position = to;
        }
        expect(text.slice(position)).toMatch(/^[ \t\r\n\u3000]*$/);
      }),
      runs,
    );
  });
});

describe('hover', () => {
  test.each<[text: string, offset: number, lines: readonly string[] | undefined]>([
    [
      'logLevel:SEVERE',
      2,
      ['logLevel (text): the severity; one of SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG'],
    ],
    ['levle:SEVERE', 2, ['There is no field "levle"']],
    ['a OR b', 2, ['OR: one of the clauses must match, unless another one of the list has to']],
    [
      'msg:"timed out"',
      6,
      ['must match: the message (msg) has the words "timed", "out" next to each other', 'Words: timed, out'],
    ],
    ['NOT msg:a', 8, ['must not match: the message (msg) has the word "a"']],
    ['(a AND msg:b)', 11, ['must match: the message (msg) has the word "b"']],
    ['a  b', 1, undefined],
    ['a', 9, undefined],
  ])('%s at %i', (text, offset, lines) => {
    expect(languageService(text).hover(offset)?.lines).toEqual(lines);
  });
});

test('each code action applies; the first of a finding is preferred', () => {
  const text = 'levle:SEVERE && (msg:a';
  const actions = languageService(text).codeActions({ from: 0, to: text.length });
  expect(actions.length).toBeGreaterThanOrEqual(2);
  expect(actions.filter(({ isPreferred }) => isPreferred).map(({ finding }) => finding.code)).toEqual([
    ...new Set(actions.map(({ finding }) => finding.code)),
  ]);
  expect(languageService(text).codeActions({ from: 14, to: 14 })).not.toEqual(actions);
});

test('whatever is asked of any text is answered, and says where', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, doubtfulQuery), fc.nat({ max: 60 }), (text, offset) => {
      const service = languageService(text, { now: 0, limit: 5 });
      const hover = service.hover(offset);
      if (hover) {
        expect(hover.from).toBeLessThanOrEqual(offset);
        expect(hover.to).toBeGreaterThan(offset);
        expect(hover.lines.join('')).not.toBe('');
      }
      const { from, to } = service.complete(offset);
      expect(from).toBeLessThanOrEqual(Math.min(offset, text.length));
      expect(to).toBeGreaterThanOrEqual(Math.min(offset, text.length));
      for (const action of service.codeActions({ from: offset, to: offset }))
        expect(applyFix(text, action)).not.toBe(text);
      const [edit] = service.formatting();
      if (edit) expect(languageService(edit.insert).formatting()).toEqual([]);
    }),
    runs,
  );
});

test.each([
  ['\\OR~', 2],
  ['a\\OR~2', 1],
  ['ab~1', 1],
  ['user^2', 2],
])('a completion within %s leaves its suffix something to belong to', (text, cursor) => {
  const { from, to, suggestions } = languageService(text).complete(cursor);
  for (const { insert } of suggestions)
    expect(parse(text.slice(0, from) + insert + text.slice(to)).findings).toEqual([]);
});
