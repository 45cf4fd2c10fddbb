import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from '../../src/language/logic/compare.ts';
import { simplify } from '../../src/language/logic/simplify.ts';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { match } from '../../src/language/meaning/match.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { filterOver, keywordSchema, logOver, smallSchema } from '../../src/testing/filters.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(3000) };

const cases = fc.constantFrom(smallSchema, keywordSchema, documentedSchema).chain((schema) =>
  fc.record({
    filter: filterOver(schema, { patterns: true }),
    logs: fc.array(logOver(schema), { minLength: 5, maxLength: 20 }),
  }),
);

test('simplifying changes nothing about which logs match', () => {
  fc.assert(
    fc.property(cases, ({ filter, logs }) => {
      const simple = simplify(filter);
      for (const log of logs) expect(match(simple, log)).toBe(match(filter, log));
      expect(compare(simple, filter)).not.toHaveProperty('same', false);
    }),
    runs,
  );
});

test('simplifying twice changes nothing more', () => {
  fc.assert(
    fc.property(cases, ({ filter }) => {
      const once = simplify(filter);
      expect(simplify(once)).toEqual(once);
    }),
    runs,
  );
});

test('a simple filter has no more leaves, and no part that is all or none', () => {
  fc.assert(
    fc.property(cases, ({ filter }) => {
      const simple = simplify(filter);
      expect(leaves(simple)).toBeLessThanOrEqual(leaves(filter));
      if (simple.kind === 'bool') expect(kinds(simple)).not.toContain('all');
      if (simple.kind === 'bool') expect(kinds(simple)).not.toContain('none');
      expect(kinds(simple)).not.toContain('disMax');
    }),
    runs,
  );
});

function partsOf(filter: Filter): readonly Filter[] {
  if (filter.kind === 'disMax') return filter.filters;
  return filter.kind === 'bool' ? [...filter.must, ...filter.should, ...filter.mustNot] : [];
}

function leaves(filter: Filter): number {
  const parts = partsOf(filter);
  return parts.length === 0 ? 1 : parts.map(leaves).reduce((sum, count) => sum + count);
}

function kinds(filter: Filter): string[] {
  return [filter.kind, ...partsOf(filter).flatMap(kinds)];
}
