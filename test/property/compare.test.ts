import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from '../../src/language/logic/compare.ts';
import {
  boolFilter,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
} from '../../src/language/meaning/filter.ts';
import { match } from '../../src/language/meaning/match.ts';
import { filterOver, keywordSchema, logOver, smallSchema } from '../../src/testing/filters.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(3000) };

/** Filters of the same few fields, so that they often agree in part. */
const schemas = [smallSchema, keywordSchema] as const;
const documented = fc.constantFrom(...schemas).chain((schema) => {
  const one = filterOver(schema, { patterns: false });
  return fc.record({ a: one, b: one, logs: fc.array(logOver(schema), { minLength: 5, maxLength: 20 }) });
});
const withPatterns = fc.constantFrom(...schemas).chain((schema) => {
  const one = filterOver(schema, { patterns: true });
  return fc.record({ a: one, b: one, logs: fc.array(logOver(schema), { minLength: 5, maxLength: 20 }) });
});

test('filters of the documented language are always decided, and no log contradicts', () => {
  fc.assert(
    fc.property(documented, ({ a, b, logs }) => {
      const compared = compare(a, b);
      if (compared.same === false) checkExample(a, b, compared.example);
      else {
        expect(compared).toEqual({ same: true });
        for (const log of logs) expect(match(a, log)).toBe(match(b, log));
      }
    }),
    runs,
  );
});

test('with patterns too what is decided is right', () => {
  fc.assert(
    fc.property(withPatterns, ({ a, b, logs }) => {
      const compared = compare(a, b);
      if (compared.same === false) checkExample(a, b, compared.example);
      if (compared.same) for (const log of logs) expect(match(a, log)).toBe(match(b, log));
    }),
    runs,
  );
});

test('with patterns too nearly everything is decided', () => {
  const count = rounds(1000, 300);
  const undecided = fc
    .sample(withPatterns, { numRuns: count, seed: 1 })
    .filter(({ a, b }) => compare(a, b).same === undefined);
  expect(undecided.length).toBeLessThan(count / 100);
});

test('what is said in another way is the same', () => {
  fc.assert(
    fc.property(documented, ({ a, b }) => {
      for (const [one, other] of rewritten(a, b)) expect(compare(one, other)).toEqual({ same: true });
    }),
    { numRuns: rounds(1000) },
  );
});

test('the order of the two changes nothing but who selects the example', () => {
  fc.assert(
    fc.property(documented, ({ a, b }) => {
      expect(compare(b, a).same).toBe(compare(a, b).same);
    }),
    { numRuns: rounds(1000) },
  );
});

function checkExample(
  a: Filter,
  b: Filter,
  { values, selectedBy }: { values: object; selectedBy: 'a' | 'b' },
): void {
  expect([match(a, { ...values }), match(b, { ...values })]).toEqual([
    selectedBy === 'a',
    selectedBy === 'b',
  ]);
}

/** Laws of Boolean algebra, in the shapes that filters have. */
function rewritten(a: Filter, b: Filter): [Filter, Filter][] {
  const not = (filter: Filter) => boolFilter({ mustNot: [filter] });
  const and = (...must: Filter[]) => boolFilter({ must });
  const or = (...should: Filter[]) => boolFilter({ should });
  return [
    [not(not(a)), a],
    [not(and(a, b)), or(not(a), not(b))],
    [not(or(a, b)), boolFilter({ mustNot: [a, b] })],
    [and(a, or(a, b)), a],
    [or(a, and(a, b)), a],
    [or(a, b), { kind: 'disMax', filters: [b, a] }],
    [boolFilter({ must: [a], should: [b] }), a],
    [and(a, not(a)), matchNoneFilter],
    [or(a, not(a)), matchAllFilter],
    [and(a, matchAllFilter), a],
    [or(and(a, b), and(a, not(b))), a],
  ];
}
