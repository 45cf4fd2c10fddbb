import { describe, expect, test } from 'vitest';
import { lex } from '../../src/language/parse/lex.ts';
import { maxDepth } from '../../src/language/parse/tree.ts';

/** The tokens of a text but the last, each as its kind and its text. */
function tokensOf(text: string): string {
  return lex(text)
    .slice(0, -1)
    .map((token) => `${token.kind} ${token.text}`)
    .join(' | ');
}

/** The texts with their tokens, as section 1 of the language specification has them. */
function checkTokens(examples: readonly (readonly [text: string, tokens: string])[]): void {
  test.each(examples)('%j', (text, tokens) => expect(tokensOf(text)).toBe(tokens));
}

describe('blanks and terms', () => {
  checkTokens([
    ['a b\tc\nd\re\u3000f', 'Term a | Term b | Term c | Term d | Term e | Term f'],
    // No other blank of Unicode separates.
    ['a\u00a0b\fc\vd\u200be', 'Term a\u00a0b\fc\vd\u200be'],
    ["a|b&c=d<e>f'g,h;i.j_k@l#m$n%o“p”", "Term a|b&c=d<e>f'g,h;i.j_k@l#m$n%o“p”"],
    ['a+b-c', 'Term a+b-c'],
    ['-5 +5 !5', 'Minus - | Term 5 | Plus + | Term 5 | Not ! | Term 5'],
    ['a!b', 'Term a | Not ! | Term b'],
    ['TO \u0080é', 'Term TO | Term \u0080é'],
  ]);
});

describe('operators are whole terms', () => {
  checkTokens([
    ['a AND b', 'Term a | And AND | Term b'],
    ['a OR b', 'Term a | Or OR | Term b'],
    ['NOT a', 'Not NOT | Term a'],
    ['a && b || c', 'Term a | And && | Term b | Or || | Term c'],
    [
      'ANDROID ORa NOTa a&&b ||b and And',
      'Term ANDROID | Term ORa | Term NOTa | Term a&&b | Term ||b | Term and | Term And',
    ],
    ['\\AND \\OR', 'Term \\AND | Term \\OR'],
    ['NOT(a)', 'Not NOT | Open ( | Term a | Close )'],
  ]);
});

describe('signs before a blank are words', () => {
  checkTokens([
    ['a - b', 'Term a | Bare - | Term b'],
    ['+\ta ! b', 'Bare + | Term a | Bare ! | Term b'],
    ['-\u3000a', 'Bare - | Term a'],
    // At the end of the text no blank follows.
    ['a -', 'Term a | Minus -'],
    ['a !', 'Term a | Not !'],
  ]);
});

describe('wildcards', () => {
  checkTokens([
    ['* a* *a a*b a? ?', 'Star * | Prefix a* | Wildcard *a | Wildcard a*b | Wildcard a? | Wildcard ?'],
    ['** a** \\*', 'Wildcard ** | Wildcard a** | Term \\*'],
    ['a\\* a\\** a\\\\* a?\\*', 'Term a\\* | Prefix a\\** | Prefix a\\\\* | Wildcard a?\\*'],
  ]);
});

describe('escapes', () => {
  checkTokens([
    ['a\\ b', 'Term a\\ b'],
    ['\\(a\\)', 'Term \\(a\\)'],
    ['a\\:b', 'Term a\\:b'],
    ['a\\', 'Term a | Junk \\'],
    ['\\\\', 'Term \\\\'],
    ['\\\\\\', 'Term \\\\ | Junk \\'],
  ]);
});

describe('fields', () => {
  checkTokens([
    ['f:x', 'Field f | Colon : | Term x'],
    ['f : x', 'Field f | Colon : | Term x'],
    ['f\t:x', 'Field f | Colon : | Term x'],
    ['*:*', 'Field * | Colon : | Star *'],
    ['a:b:c', 'Field a | Colon : | Term b | Colon : | Term c'],
    ['a: *:c', 'Field a | Colon : | Star * | Colon : | Term c'],
    ['f*:x', 'Prefix f* | Colon : | Term x'],
    ['AND:x', 'And AND | Colon : | Term x'],
    ['"f":x', 'Quoted "f" | Colon : | Term x'],
  ]);
});

describe('texts between delimiters', () => {
  checkTokens([
    ['"a b"c', 'Quoted "a b" | Term c'],
    ['"a\\"b" "\\\\"', 'Quoted "a\\"b" | Quoted "\\\\"'],
    ['"" "\n"', 'Quoted "" | Quoted "\n"'],
    ['"a', 'UnclosedQuoted "a'],
    ['"a\\"', 'UnclosedQuoted "a\\"'],
    ['/a b/c', 'Regexp /a b/ | Term c'],
    ['/a\\/b/', 'Regexp /a\\/b/'],
    ['//x', 'Regexp // | Term x'],
    // The longest match wins, and a backslash is a character like any other when nothing follows.
    ['/a\\/ b', 'Regexp /a\\/ | Term b'],
    ['a/b', 'Term a | Junk / | Term b'],
    ['a/b/c', 'Term a | Regexp /b/ | Term c'],
  ]);
});

describe('suffixes', () => {
  checkTokens([
    ['a~ a~1 a~0.7 a~b', 'Term a | Tilde ~ | Term a | Tilde ~1 | Term a | Tilde ~0.7 | Term a | Tilde ~b'],
    ['a~-1 a~+1', 'Term a | Tilde ~-1 | Term a | Tilde ~+1'],
    ['a~1* a~?', 'Term a | Tilde ~1 | Star * | Term a | Tilde ~ | Wildcard ?'],
    ['a~\\*b', 'Term a | Tilde ~\\*b'],
    ['a^2 a^2.5 a^12', 'Term a | Boost ^2 | Term a | Boost ^2.5 | Term a | Boost ^12'],
    ['a^ a^b a^.5', 'Term a | Junk ^ | Term a | Junk ^ | Term b | Term a | Junk ^ | Term .5'],
    ['a^2. a^2.x', 'Term a | Boost ^2 | Term . | Term a | Boost ^2 | Term .x'],
    // Only straight after the sign.
    ['a^ 2', 'Term a | Junk ^ | Term 2'],
  ]);
});

describe('parentheses', () => {
  checkTokens([
    ['(a)', 'Open ( | Term a | Close )'],
    ['a)', 'Term a | Junk )'],
    ['())(a)', 'Open ( | Close ) | Junk ) | Open ( | Term a | Close )'],
    [']}', 'Junk ] | Junk }'],
  ]);

  test('beyond the greatest depth', () => {
    const kinds = lex('('.repeat(maxDepth + 2) + ')'.repeat(maxDepth + 3)).map(({ kind }) => kind);
    const [opens, closes] = [Array(maxDepth).fill('Open'), Array(maxDepth).fill('Close')];
    const deep = ['TooDeep', 'TooDeep'];
    expect(kinds).toEqual([...opens, ...deep, ...deep, ...closes, 'Junk', 'End']);
  });
});

describe('ranges', () => {
  checkTokens([
    ['[a TO b]', 'RangeOpen [ | RangeBound a | RangeTo TO | RangeBound b | RangeClose ]'],
    ['{a TO b}x', 'RangeOpen { | RangeBound a | RangeTo TO | RangeBound b | RangeClose } | Term x'],
    ['[a TO b}', 'RangeOpen [ | RangeBound a | RangeTo TO | RangeBound b | RangeClose }'],
    ['[TO TO TO]', 'RangeOpen [ | RangeTo TO | RangeTo TO | RangeTo TO | RangeClose ]'],
    ['[* to b]', 'RangeOpen [ | RangeBound * | RangeBound to | RangeBound b | RangeClose ]'],
    // Another blank separates if it stands alone, and belongs to a bound that it touches.
    ['[1 \n TO \t 5 \r ]', 'RangeOpen [ | RangeBound 1 | RangeTo TO | RangeBound 5 | RangeClose ]'],
    [
      '[\u3000 "a b" \t TO c\n]',
      'RangeOpen [ | RangeQuoted "a b" | RangeTo TO | RangeBound c\n | RangeClose ]',
    ],
    ['[\t TO \t]', 'RangeOpen [ | RangeTo TO | RangeClose ]'],
    [
      '{1 \t\n TO 5}',
      'RangeOpen { | RangeBound 1 | RangeBound \t\n | RangeTo TO | RangeBound 5 | RangeClose }',
    ],
    ['[1 TO \u00a0 ]', 'RangeOpen [ | RangeBound 1 | RangeTo TO | RangeBound \u00a0 | RangeClose ]'],
    ['[\t1 TO 2]', 'RangeOpen [ | RangeBound \t1 | RangeTo TO | RangeBound 2 | RangeClose ]'],
    ['[1\u3000TO 2]', 'RangeOpen [ | RangeBound 1\u3000TO | RangeBound 2 | RangeClose ]'],
    ['[a:/(")\\ TO b]', 'RangeOpen [ | RangeBound a:/(")\\ | RangeTo TO | RangeBound b | RangeClose ]'],
    [
      '["a b" TO "c\\"d"]',
      'RangeOpen [ | RangeQuoted "a b" | RangeTo TO | RangeQuoted "c\\"d" | RangeClose ]',
    ],
    // The longest match wins: what goes on behind the quotes is no quoted bound.
    ['["a"b TO "]', 'RangeOpen [ | RangeBound "a"b | RangeTo TO | RangeBound " | RangeClose ]'],
    ['["" TO "a"]', 'RangeOpen [ | RangeBound "" | RangeTo TO | RangeQuoted "a" | RangeClose ]'],
    ['["]" TO b]', 'RangeOpen [ | RangeQuoted "]" | RangeTo TO | RangeBound b | RangeClose ]'],
    ['["a"]', 'RangeOpen [ | RangeQuoted "a" | RangeClose ]'],
    ['["\\"" TO b]', 'RangeOpen [ | RangeQuoted "\\"" | RangeTo TO | RangeBound b | RangeClose ]'],
    ['["a\\" TO b]', 'RangeOpen [ | RangeQuoted "a\\" | RangeTo TO | RangeBound b | RangeClose ]'],
    ['[1', 'RangeOpen [ | RangeBound 1'],
    ['[(]', 'RangeOpen [ | RangeBound ( | RangeClose ]'],
    ['[a [ b]', 'RangeOpen [ | RangeBound a | RangeBound [ | RangeBound b | RangeClose ]'],
  ]);
});

test('a token knows its place and the blanks before it; the end has those behind all', () => {
  expect(lex(' a  b\t')).toEqual([
    { kind: 'Term', before: ' ', text: 'a', from: 1, to: 2 },
    { kind: 'Term', before: '  ', text: 'b', from: 4, to: 5 },
    { kind: 'End', before: '\t', text: '', from: 6, to: 6 },
  ]);
});
