import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareFindings, moreLikeThis } from '../../src/language/parse/finding.ts';
import { isPlainValue, withEscapes, withoutEscapes, withoutQuotes } from '../../src/language/parse/lex.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { positionsIn } from '../../src/language/parse/sarif.ts';
import { walk } from '../../src/language/parse/tree.ts';

test.each([
  ['a\\+b', 'a+b', undefined],
  ['\\\\', '\\', undefined],
  ['\\\n', '\n', undefined],
  ['\\u0041\\u00e9', 'Aé', undefined],
  ['\\u004', '\\u004', { kind: 'truncated', at: 0 }],
  ['a\\u', 'a\\u', { kind: 'truncated', at: 1 }],
  ['\\u00g1', '\\u00g1', { kind: 'not-hexadecimal', at: 0 }],
  ['\\u00\n1', '\\u00\n1', { kind: 'not-hexadecimal', at: 0 }],
  ['a\\', 'a\\', { kind: 'nothing-escaped', at: 1 }],
  ['\\ux \\u', '\\ux \\u', { kind: 'not-hexadecimal', at: 0 }],
])('the escapes of %j', (raw, text, error) => {
  expect(withoutEscapes(raw)).toEqual({ text, error });
});

test.each([
  ['"a"', 'a'],
  ['"a', 'a'],
  ['"', ''],
  ['""', ''],
  ['"a\\"', 'a\\"'],
  ['"a\\\\"', 'a\\\\'],
  ['"a\\\\\\"', 'a\\\\\\"'],
])('the text inside %j', (quoted, text) => {
  expect(withoutQuotes(quoted)).toBe(text);
});

/** Texts with reserved words, operators and blanks in them. */
const doubtful = fc
  .array(
    fc.constantFrom(
      'AND',
      'OR',
      'NOT',
      'TO',
      '&&',
      '||',
      'a',
      '1',
      'é',
      '_',
      '.',
      ...'+-!():^[]"{}~*?\\/ \t',
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => parts.join(''));

/** The one word that a query is, without its escapes; undefined of any other query. */
function wordOf(text: string): string | undefined {
  const { query, findings } = parse(text);
  const [part, more] = query.parts;
  if (0 < findings.length || more || part?.kind !== 'Clause' || part.item.kind !== 'Word') return undefined;
  return part.conjunction || part.modifier || part.field
    ? undefined
    : withoutEscapes(part.item.term.text).text;
}

test('any text with escapes is one word that says just that text', () => {
  fc.assert(
    fc.property(doubtful, (text) => {
      expect(wordOf(withEscapes(text))).toBe(text);
    }),
    { numRuns: 1000 },
  );
  for (const text of ['AND', 'OR', 'NOT', '&&', '||', 'ANDOR', 'aNOT', 'NOTa'])
    expect(wordOf(withEscapes(text))).toBe(text);
  expect(withEscapes('ANDa a')).toBe('ANDa\\ a');
});

test.each([
  ...['a', 'É1', '中_x', '_', '9003', '10.1.2.3', 'ANDOR', 'NOTa', 'aTO'].map(
    (text) => [text, true] as const,
  ),
  ...['', '.a', 'a b', 'a-b', 'a:', '-a', '"a', 'AND', 'OR', 'NOT', 'TO', 'a/b'].map(
    (text) => [text, false] as const,
  ),
])('%j can stand as it is: %s', (text, expected) => {
  expect(isPlainValue(text)).toBe(expected);
  if (expected) expect(wordOf(text)).toBe(text);
});

test('findings are in the order of their places, the longer one of two at one place first', () => {
  const spans = [
    [5, 6],
    [1, 2],
    [1, 9],
    [3, 4],
  ].map(([from = 0, to = 0]) => ({ from, to }));
  expect(spans.toSorted(compareFindings).map(({ from, to }) => [from, to])).toEqual([
    [1, 9],
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  expect([moreLikeThis(0), moreLikeThis(1)]).toEqual(['', ' (and 1 more like this)']);
});

test('a visitor sees each node of the kinds that it knows, parents first', () => {
  const seen: string[] = [];
  const note = ({ kind }: { readonly kind: string }) => seen.push(kind);
  walk(parse('a AND (msg:b OR [1 TO 2])').query, { Query: note, Group: note, Word: note, Range: note });
  expect(seen).toEqual(['Query', 'Word', 'Group', 'Word', 'Range']);
});

test('the line and the column of each offset', () => {
  const placeOf = positionsIn('ab\nc\r\n\nd');
  const places = [0, 2, 3, 5, 6, 7, 8].map((offset) => Object.values(placeOf(offset)));
  expect(places).toEqual([
    [1, 1],
    [1, 3],
    [2, 1],
    [2, 3],
    [3, 1],
    [4, 1],
    [4, 2],
  ]);
});
