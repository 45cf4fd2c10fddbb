import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TermPattern } from '../../src/language/meaning/match.ts';
import { termTest } from '../../src/language/meaning/match.ts';
import { literalStart } from '../../src/word-index/pattern.ts';
import { rounds } from '../effort.ts';

const field = { name: 'msg', type: 'text', about: '' } as const;
const text = (characters: string) => fc.string({ unit: fc.constantFrom(...characters), maxLength: 6 });

const pattern: fc.Arbitrary<TermPattern> = fc.oneof(
  text('ab*?\\').map((written): TermPattern => ({ kind: 'wildcard', field, pattern: written })),
  text('ab.*+?|&~()[]{2}"#@<1>').map((written): TermPattern => ({ kind: 'regexp', field, pattern: written })),
  text('ab').map((prefix): TermPattern => ({ kind: 'prefix', field, prefix })),
);

test('each term that a pattern selects begins with its literal start', () => {
  fc.assert(
    fc.property(pattern, fc.array(text('ab12'), { minLength: 20, maxLength: 60 }), (filter, terms) => {
      const isAskedFor = termTest(filter);
      for (const term of terms)
        if (isAskedFor(term)) expect(term.startsWith(literalStart(filter))).toBe(true);
    }),
    { numRuns: rounds(3000) },
  );
});

test.each([
  ['wildcard', 'comp*ed', 'comp'],
  ['wildcard', 'co\\*mp?', 'co*mp'],
  ['regexp', 'simpl[a-f]+y', 'simpl'],
  ['regexp', 'simpl?y', 'simp'],
  ['regexp', 'ab|c', ''],
] as const)('of the %s %s it is "%s"', (kind, written, start) => {
  expect(literalStart({ kind, field, pattern: written })).toBe(start);
});
