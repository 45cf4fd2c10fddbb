import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ExplainedLevel, explain } from '../../src/language/assist/explain.ts';
import { compare } from '../../src/language/logic/compare.ts';
import { explicit } from '../../src/language/meaning/explicit.ts';
import { match } from '../../src/language/meaning/match.ts';
import { type Reading, type ResolveOptions, resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { keywordSchema } from '../../src/testing/filters.ts';
import { anyText, documentedQuery, luceneQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(3000) };

/** Texts made of what the queries of these tests ask for. */
const text = fc
  .array(
    fc.constantFrom('a', 'b', 'B', 'timeout', 'timed out', 'foo-bar', '9003', 'to', 'AND', 'x y', 'C#'),
    {
      maxLength: 4,
    },
  )
  .map((words) => words.join(' '));
const log = fc.record(
  {
    msg: text,
    source: text,
    logLevel: fc.oneof(text, fc.constantFrom('a b', 'Timeout', '...')),
    logCode: fc.constantFrom(1, 2, 5, 9003),
    elapsed: fc.constantFrom(1, 1.5, 5, 6),
  },
  { requiredKeys: [] },
);
const options = fc.record({
  schema: fc.constantFrom(documentedSchema, keywordSchema),
  defaultOperator: fc.constantFrom('or' as const, 'and' as const),
});

test.each<[string, fc.Arbitrary<string>, Reading]>([
  ['documented', documentedQuery, 'server'],
  ['documented', documentedQuery, 'ordinary'],
  ['lucene', luceneQuery, 'server'],
  ['lucene', luceneQuery, 'ordinary'],
])('the explicit form of a %s query selects the same in both readings', (_name, query, reading) => {
  fc.assert(
    fc.property(query, options, fc.array(log, { maxLength: 5 }), (written, given, logs) => {
      const original = parse(written).query;
      const { text: said } = explicit(original, { ...given, reading });
      const { query: again, findings } = parse(said);
      expect(findings).toEqual([]);
      const meant = resolve(original, { ...given, reading });
      for (const each of readings) {
        const filter = resolve(again, { ...given, reading: each } satisfies ResolveOptions);
        expect(compare(filter, meant)).not.toHaveProperty('same', false);
        for (const values of logs) expect(match(filter, values)).toBe(match(meant, values));
      }
    }),
    runs,
  );
});

const readings = ['server', 'ordinary'] as const;

test('it is the same under either default operator', () => {
  fc.assert(
    fc.property(documentedQuery, fc.constantFrom(...readings), (written, reading) => {
      const { text: said } = explicit(parse(written).query, { reading });
      const { query } = parse(said);
      fc.pre(!joinsWords(explain(query).level));
      const [or, and] = (['or', 'and'] as const).map((defaultOperator) =>
        resolve(query, { defaultOperator }),
      );
      expect(or && and && compare(or, and)).not.toHaveProperty('same', false);
    }),
    runs,
  );
});

/** Reports if words are several tokens, which the default operator joins in any form. */
function joinsWords({ parts }: ExplainedLevel): boolean {
  return parts.some(
    ({ text, tokens, level }) => (1 < tokens.length && !text.includes('"')) || (level && joinsWords(level)),
  );
}

test('the explicit form of the explicit form is itself', () => {
  fc.assert(
    fc.property(luceneQuery, options, fc.constantFrom(...readings), (written, given, reading) => {
      const once = explicit(parse(written).query, { ...given, reading });
      for (const each of readings) {
        const twice = explicit(parse(once.text).query, { ...given, reading: each });
        expect(twice).toEqual({ text: once.text, dropped: [] });
      }
    }),
    runs,
  );
});

test('any text has an explicit form', () => {
  fc.assert(
    fc.property(anyText, (written) => {
      const { query, findings } = parse(written);
      const { text: said, dropped } = explicit(query);
      if (0 < findings.length) expect(said).toBe(written);
      for (const { from, to } of dropped) expect(0 <= from && from < to && to <= written.length).toBe(true);
    }),
    runs,
  );
});
