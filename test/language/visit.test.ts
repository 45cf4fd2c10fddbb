import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  and,
  clause,
  type EditingVisitor,
  field,
  group,
  type Kind,
  type Node,
  or,
  parse,
  phrase,
  print,
  range,
  remove,
  skip,
  stop,
  visit,
  word,
} from '../../src/language/index.ts';
import { luceneQuery, nearQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(2000) };

/** Removes the words, wildcards and fields that the text of the pattern names. */
function without(pattern: RegExp): EditingVisitor {
  return { Clause: (node) => (pattern.test(print(node).trim()) ? remove : undefined) };
}

describe('edits', () => {
  test.each<[text: string, visitor: EditingVisitor, expected: string]>([
    // Fields are renamed, in groups too; blanks stay.
    ['message : a  AND (message:b)', { FieldName: () => field('msg') }, 'msg: a  AND (msg:b)'],
    // A removed clause takes its conjunction, the new first one loses its own.
    ['a AND b AND c', without(/b$/), 'a AND c'],
    [' a AND  b OR c', without(/^a/), ' b OR c'],
    ['a AND (b OR c) AND d', without(/[bc]$/), 'a AND d'],
    ['a AND NOT (b)', without(/b$/), 'a'],
    ['a', without(/a/), ''],
    ['+a -b "c"d', without(/b$/), '+a "c"d'],
    // Blanks come where the neighbours would become one token.
    ['"a""b""c"', { Phrase: (node) => word(node.term.text.slice(1, -1)) }, 'a b c'],
    ['a AND NOT(b)', { Group: () => word('x') }, 'a AND NOT x'],
    ['-(b)', { Group: () => word('x') }, '-x'],
    ['NOT msg:b', { FieldName: () => remove }, 'NOT b'],
    ['["a" TO "b"]', { Bound: () => remove }, '[* TO *]'],
    // A query in place of an item is a group; a clause in place of a clause keeps the conjunction.
    [
      'a AND b',
      { Word: (node) => (node.term.text === 'b' ? or(word('x'), word('y')) : undefined) },
      'a AND (x OR y)',
    ],
    ['a OR b', { Clause: { leave: ({ item }) => clause('msg', item) } }, 'msg:a OR msg:b'],
    // What enters is not entered again; what leaves has been visited.
    ['(a)', { Word: () => word('b'), Group: (node) => group(node) }, '((a))'],
    ['(a)', { Word: () => word('b'), Group: { leave: (node) => group(node) } }, '((b))'],
    ['a (b) c', { Group: () => skip, Word: () => word('x') }, 'x (b) x'],
    ['a (b) c', { Group: () => stop, Word: () => word('x') }, 'x (b) c'],
    ['a', { Query: (node) => and(node, clause('time', range(1, 2))) }, 'a AND time:[1 TO 2]'],
    // Functions for all kinds give way to those of a kind.
    [
      'a "b"',
      { Phrase: () => undefined, enter: ({ kind }) => (kind === 'Word' ? phrase('x') : undefined) },
      '"x" "b"',
    ],
  ])('%s', (text, visitor, expected) => {
    const edited = visit(parse(text).query, visitor);
    expect(print(edited)).toBe(expected);
    expect(parse(expected).query).toEqual(edited);
  });
});

test('positions lead from the query to the node', () => {
  const { query } = parse('a AND msg:(b [1 TO 2])');
  const seen: string[] = [];
  visit(query, {
    enter: (node, { parent, path, ancestors }) => {
      const found = path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), query);
      expect(found).toBe(node);
      expect(ancestors.at(-1)).toBe(parent);
      seen.push(`${path.join('.')} ${node.kind}`);
      return undefined;
    },
  });
  expect(seen).toContain('parts.1.item.parts.1.item.upper Bound');
  expect(seen).toHaveLength(12);
});

test('an answer that does not fit is an error', () => {
  const { query } = parse('a');
  expect(() =>
    visit(query, { enter: ({ kind }) => (kind === 'Word' ? clause('msg', word('a')) : undefined) }),
  ).toThrow('A Clause cannot stand in place of a Word');
  expect(() => visit(query, { enter: () => word('a') })).toThrow('A Word cannot stand in place of a Query');
});

test('without an edit any tree comes back itself', () => {
  fc.assert(
    fc.property(nearQuery, (text) => {
      const { query } = parse(text);
      expect(visit(query, {})).toBe(query);
      expect(visit(query, { Word: (node) => node, Clause: { leave: (node) => node } })).toBe(query);
    }),
    runs,
  );
});

/** What is done with the nodes of one kind, chosen by their number in the order of the visit. */
const plan = fc.record({
  kind: fc.constantFrom<Kind>('Clause', 'Word', 'Phrase', 'Group', 'FieldName', 'Range', 'Bound', 'Wildcard'),
  chosen: fc.array(fc.constantFrom('keep', 'remove', 'replace', 'skip', 'stop'), {
    minLength: 1,
    maxLength: 6,
  }),
  when: fc.constantFrom('enter' as const, 'leave' as const),
});

const substitutes: { readonly [K in Kind]?: Node | undefined } = {
  Clause: clause('msg', word('new')),
  FieldName: field('new field'),
  Bound: range(5, 6).lower,
};

test('whatever is edited, the tree is the one of its text, and shares what stands before the first edit', () => {
  fc.assert(
    fc.property(luceneQuery, plan, (text, { kind, chosen, when }) => {
      const { query } = parse(text);
      let count = 0;
      let first = Number.POSITIVE_INFINITY;
      const choose = (node: Node) => {
        const choice = chosen[count++ % chosen.length];
        if (choice === 'remove' || choice === 'replace') first = Math.min(first, node.from);
        if (choice === 'remove') return remove;
        if (choice === 'replace') return substitutes[kind] ?? word('new');
        if (choice === 'skip') return skip;
        return choice === 'stop' ? stop : undefined;
      };
      const edited = visit(query, {
        [when]: (node: Node) => (node.kind === kind ? choose(node) : undefined),
      });
      expect(parse(print(edited)).query).toEqual(edited);
      expect(print(query)).toBe(text);
      for (const [index, part] of query.parts.entries())
        if (part.to < first && (query.parts[index + 1]?.to ?? Number.POSITIVE_INFINITY) < first)
          expect(edited.parts[index]).toBe(part);
    }),
    runs,
  );
});
