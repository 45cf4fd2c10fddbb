import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare } from '../../src/language/logic/compare.ts';
import { type Relation, type RelationExamples, relate } from '../../src/language/logic/relate.ts';
import {
  boolFilter,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
} from '../../src/language/meaning/filter.ts';
import { type FieldValues, match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { toSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { filterOver, keywordSchema, logOver, smallSchema } from '../../src/testing/filters.ts';
import { rounds } from '../effort.ts';

const filterOf = (text: string): Filter => resolve(parse(text).query, { now: 0 });

describe('how the logs of two queries are related', () => {
  test.each([
    ['msg:a', 'msg:a', 'same'],
    ['(a AND b) OR (a AND NOT b)', 'a', 'same'],
    ['msg:a AND msg:b', 'msg:a', 'within'],
    ['msg:a', 'msg:"a b"', 'contains'],
    ['logCode:[1 TO 5]', 'logCode:[6 TO 9]', 'disjoint'],
    ['msg:a', 'NOT msg:a', 'disjoint'],
    ['msg:a', 'msg:b', 'overlapping'],
    ['logCode:[1 TO 5]', 'logCode:[4 TO 9]', 'overlapping'],
    ['time*', 'timed', 'contains'],
    ['msg:/tim.*/', 'msg:tim*', 'same'],
    ['msg:*ab*', 'msg:/.*ab.*/', 'same'],
    ['msg:?', 'msg:/./', 'same'],
    ['msg:tile~0', 'msg:tile', 'same'],
    ['NOT msg:{* TO -1.0]', 'NOT msg:foo-bar*', 'same'],
    ['msg:/time(out)?/', 'msg:(time timeout)', 'same'],
    ['msg:/[ab]c/', 'msg:(ac bc)', 'same'],
    ['msg:tim?', 'msg:tim*', 'within'],
    ['msg:/[ab].*/', 'msg:[a TO c}', 'same'],
    ['msg:(ab OR [ac TO c})', 'msg:/[ab].*/', 'within'],
    ['msg:"a b c"~1', 'msg:"a b c"', 'contains'],
    ['msg:"a b c"~1', 'msg:"b c"', 'overlapping'],
    ['msg:"a b c"~1', 'msg:"a b"', 'overlapping'],
    ['msg:timeout~1', 'msg:timeout~2', 'within'],
    ['msg:/[0-9]+/', 'msg:/[0-9]*/', 'same'],
    ['msg:/a*b?/', 'msg:/a+b?|b/', 'same'],
    ['msg:/(ab)*/', 'msg:ab', 'contains'],
  ] as const)('%s and %s: %s', (a, b, kind) => {
    expect(relate(filterOf(a), filterOf(b))).toMatchObject({ kind, empty: [] });
  });

  test('a query that selects nothing is within any other', () => {
    const impossible = filterOf('msg:*foo-bar*');
    expect(relate(impossible, filterOf('a'))).toMatchObject({ kind: 'within', empty: ['a'] });
    expect(relate(filterOf('a'), matchNoneFilter)).toMatchObject({ kind: 'contains', empty: ['b'] });
    expect(relate(impossible, matchNoneFilter)).toEqual({ kind: 'same', empty: ['a', 'b'], examples: {} });
    expect(relate(filterOf('msg:/a&b/'), matchNoneFilter)).toMatchObject({ kind: 'same', empty: ['a', 'b'] });
  });

  test('each part has a small log', () => {
    expect(relate(filterOf('msg:a'), filterOf('msg:b')).examples).toEqual({
      onlyA: { msg: 'a' },
      onlyB: { msg: 'b' },
      both: { msg: 'a b' },
    });
    expect(relate(matchAllFilter, matchAllFilter).examples).toEqual({ both: {} });
  });
});

test.each([
  ['msg:a*', 'msg:abc~2'],
  ['msg:a*', 'msg:a~'],
  ['msg:[a TO b}', 'msg:abc~2'],
])('on a keyword field %s has a value that %s is far from', (a, b) => {
  const schema = toSchema([{ name: 'msg', type: 'keyword', about: 'the message' }], ['msg']);
  const [first, second] = [a, b].map((text) => resolve(parse(text).query, { now: 0, schema }));
  const { examples } = relate(first ?? matchNoneFilter, second ?? matchNoneFilter);
  expect(examples).toHaveProperty('onlyA');
});

const pairs = fc.constantFrom(smallSchema, keywordSchema).chain((schema) => {
  const one = filterOver(schema, { patterns: true });
  const logs = fc.array(logOver(schema), { minLength: 5, maxLength: 20 });
  return fc
    .record({ a: one, other: one, narrow: fc.constantFrom('and', 'or', 'not', 'none'), logs })
    .map(({ a, other, narrow, logs }) => ({ a, b: narrowed(a, other, narrow), logs }));
});

/** A filter that often lies within the first one or around it. */
function narrowed(a: Filter, other: Filter, how: string): Filter {
  if (how === 'and') return boolFilter({ must: [a, other] });
  if (how === 'or') return boolFilter({ should: [a, other] });
  return how === 'not' ? boolFilter({ must: [other], mustNot: [a] }) : other;
}

test('each example is selected as it says, and no log contradicts the relation', () => {
  const seen = new Set<string | undefined>();
  fc.assert(
    fc.property(pairs, ({ a, b, logs }) => {
      const { kind, empty, examples } = relate(a, b);
      seen.add(kind);
      for (const part of ['onlyA', 'onlyB', 'both'] as const) checkExample({ a, b }, part, examples[part]);
      for (const log of [...logs, ...Object.values(examples)]) {
        const [inA, inB] = [match(a, log), match(b, log)];
        expect(isPossible(kind, inA, inB)).toBe(true);
        if (inA) expect(empty).not.toContain('a');
        if (inB) expect(empty).not.toContain('b');
      }
      const { same } = compare(a, b);
      if (kind !== undefined) expect(same).toBe(kind === 'same');
    }),
    { numRuns: rounds(2000, 200) },
  );
  // The pairs reach every relation.
  for (const kind of ['same', 'within', 'contains', 'disjoint', 'overlapping']) expect(seen).toContain(kind);
});

function checkExample(
  { a, b }: { readonly a: Filter; readonly b: Filter },
  part: keyof RelationExamples,
  values: FieldValues | undefined,
): void {
  if (values) expect([match(a, values), match(b, values)]).toEqual([part !== 'onlyB', part !== 'onlyA']);
}

/** Returns whether a log that is selected so leaves a relation possible. */
function isPossible(kind: Relation['kind'], inA: boolean, inB: boolean): boolean {
  switch (kind) {
    case 'same':
      return inA === inB;
    case 'within':
      return inB || !inA;
    case 'contains':
      return inA || !inB;
    case 'disjoint':
      return !(inA && inB);
    default:
      return true;
  }
}
