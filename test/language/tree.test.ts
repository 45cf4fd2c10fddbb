import { describe, expect, test } from 'vitest';
import { parse } from '../../src/language/parse/parse.ts';
import { children, type Kind, type Node, tokensOf, walk } from '../../src/language/parse/tree.ts';

/** A node as its kind, its place and its children; a token is its text, what was not written is `-`. */
function drawn(node: Node): string {
  const below = children(node).map((child) => {
    if (!child) return '-';
    return 'before' in child ? child.text : drawn(child);
  });
  return `${node.kind}@${node.from}-${node.to}(${below.join(' ')})`;
}

/** Checks the only part of a text. */
function checkPart(text: string, expected: string): void {
  const { parts } = parse(text).query;
  expect(parts.map(drawn)).toEqual([expected]);
}

describe('clauses', () => {
  test.each([
    [' a ', 'Clause@1-2(- - - Word@1-2(a))'],
    ['f : a', 'Clause@0-5(- - FieldName@0-3(f :) Word@4-5(a))'],
    ['NOT a', 'Clause@0-5(- NOT - Word@4-5(a))'],
    ['+f:a', 'Clause@0-4(- + FieldName@1-3(f :) Word@3-4(a))'],
    ['!a', 'Clause@0-2(- ! - Word@1-2(a))'],
    ['AND NOT f:a', 'Clause@0-11(AND NOT FieldName@8-10(f :) Word@10-11(a))'],
    ['*:*', 'Clause@0-3(- - FieldName@0-2(* :) Wildcard@2-3(*))'],
  ])('%s', checkPart);
});

describe('items', () => {
  test.each([
    ['a~1^2', 'Clause@0-5(- - - Word@0-5(a ~1 ^2))'],
    ['a^2~1', 'Clause@0-5(- - - Word@0-5(a ^2 ~1))'],
    ['a~', 'Clause@0-2(- - - Word@0-2(a ~))'],
    ['- ', 'Clause@0-1(- - - Word@0-1(-))'],
    ['a*^2', 'Clause@0-4(- - - Wildcard@0-4(a* ^2))'],
    ['a?b', 'Clause@0-3(- - - Wildcard@0-3(a?b))'],
    ['/a/~', 'Clause@0-4(- - - Regexp@0-4(/a/ ~))'],
    ['"a b"~3', 'Clause@0-7(- - - Phrase@0-7("a b" ~3))'],
    ['"a b', 'Clause@0-4(- - - Phrase@0-4("a b))'],
    ['[1 TO 2}', 'Clause@0-8(- - - Range@0-8([ Bound@1-2(1) TO Bound@6-7(2) } -))'],
    ['["a b" TO TO]^2', 'Clause@0-15(- - - Range@0-15([ Bound@1-6("a b") TO Bound@10-12(TO) ] ^2))'],
    [
      '(a b)^2',
      'Clause@0-7(- - - Group@0-7(( Clause@1-2(- - - Word@1-2(a)) Clause@3-4(- - - Word@3-4(b)) ) ^2))',
    ],
    [
      '((a))',
      'Clause@0-5(- - - Group@0-5(( Clause@1-4(- - - Group@1-4(( Clause@2-3(- - - Word@2-3(a)) ) -)) ) -))',
    ],
  ])('%s', checkPart);
});

describe('what is broken', () => {
  test.each([
    ['f:', 'Clause@0-2(- - FieldName@0-2(f :) Missing@2-2())'],
    ['NOT ', 'Clause@0-3(- NOT - Missing@3-3())'],
    ['+', 'Clause@0-1(- + - Missing@1-1())'],
    ['OR', 'Clause@0-2(OR - - Missing@2-2())'],
    ['|| !', 'Clause@0-4(|| ! - Missing@4-4())'],
    ['OR +f:', 'Clause@0-6(OR + FieldName@4-6(f :) Missing@6-6())'],
    ['^', 'Stray@0-1(^)'],
    ['~1', 'Stray@0-2(~1)'],
    ['^2', 'Stray@0-2(^2)'],
    [':', 'Stray@0-1(:)'],
    [' )', 'Stray@1-2())'],
    ['(', 'Clause@0-1(- - - Group@0-1(( - -))'],
    ['(a', 'Clause@0-2(- - - Group@0-2(( Clause@1-2(- - - Word@1-2(a)) - -))'],
    ['(()', 'Clause@0-3(- - - Group@0-3(( Clause@1-3(- - - Group@1-3(( ) -)) - -))'],
    ['[', 'Clause@0-1(- - - Range@0-1([ - - - - -))'],
    ['[a', 'Clause@0-2(- - - Range@0-2([ Bound@1-2(a) - - - -))'],
    ['[ TO', 'Clause@0-4(- - - Range@0-4([ Bound@2-4(TO) - - - -))'],
    ['[a TO', 'Clause@0-5(- - - Range@0-5([ Bound@1-2(a) TO - - -))'],
    ['[a b', 'Clause@0-4(- - - Range@0-4([ Bound@1-2(a) - Bound@3-4(b) - -))'],
    ['[a TO b c d]', 'Clause@0-12(- - - Range@0-12([ Bound@1-2(a) TO Bound@6-7(b) c d ] -))'],
    ['[a TO b c', 'Clause@0-9(- - - Range@0-9([ Bound@1-2(a) TO Bound@6-7(b) c - -))'],
  ])('%s', checkPart);

  test.each<[text: string, kinds: readonly Kind[]]>([
    ['a:b:c', ['Clause', 'Stray', 'Clause']],
    ['a~~', ['Clause', 'Stray']],
    ['a^2^3', ['Clause', 'Stray']],
    ['(a)~', ['Clause', 'Stray']],
    ['[1 TO 2]~', ['Clause', 'Stray']],
    ['NOT NOT a', ['Clause', 'Clause']],
    ['a AND OR b', ['Clause', 'Clause', 'Clause']],
  ])('%s', (text, kinds) => {
    expect(parse(text).query.parts.map(({ kind }) => kind)).toEqual(kinds);
  });
});

test('a query is as long as its text, the blanks at its end included', () => {
  expect(drawn(parse(' a b  ').query)).toBe(
    'Query@0-6(Clause@1-2(- - - Word@1-2(a)) Clause@3-4(- - - Word@3-4(b)) )',
  );
});

describe('walking a tree', () => {
  const text = 'NOT f:(a~ [1 TO 2 3]^2) ^';
  const { query } = parse(text);

  test('goes to parents first, in the order of the text', () => {
    const seen: string[] = [];
    const note = ({ kind, from, to }: Node) => void seen.push(`${kind} ${text.slice(from, to)}`);
    walk(query, {
      Clause: note,
      FieldName: note,
      Group: note,
      Word: note,
      Range: note,
      Bound: note,
      Stray: note,
    });
    expect(seen).toEqual([
      'Clause NOT f:(a~ [1 TO 2 3]^2)',
      'FieldName f:',
      'Group (a~ [1 TO 2 3]^2)',
      'Clause a~',
      'Word a~',
      'Clause [1 TO 2 3]^2',
      'Range [1 TO 2 3]^2',
      'Bound 1',
      'Bound 2',
      'Stray ^',
    ]);
  });

  test('gives all tokens', () => {
    const tokens = ['NOT', 'f', ':', '(', 'a', '~', '[', '1', 'TO', '2', '3', ']', '^2', ')', '^', ''];
    expect(tokensOf(query).map((token) => token.text)).toEqual(tokens);
  });
});
