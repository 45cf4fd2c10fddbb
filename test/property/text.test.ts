import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from '../../src/language/logic/compare.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toText } from '../../src/language/translate/text.ts';
import { filterOver, keywordSchema, logOver, smallSchema } from '../../src/testing/filters.ts';
import { luceneQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

const readings = ['server', 'ordinary'] as const;

const cases = fc
  .record({
    schema: fc.constantFrom(documentedSchema, keywordSchema, smallSchema),
    dialect: fc.constantFrom('documented' as const, 'lucene' as const),
    defaultOperator: fc.constantFrom('or' as const, 'and' as const),
  })
  .chain((options) =>
    fc.record({
      options: fc.constant(options),
      filter: filterOver(options.schema, { patterns: true }),
      logs: fc.array(logOver(options.schema), { minLength: 5, maxLength: 15 }),
    }),
  );

test('the text of a filter selects the same logs in both readings, or says what it leaves open', () => {
  fc.assert(
    fc.property(cases, ({ options, filter, logs }) => {
      const { text, losses } = toText(filter, options);
      const { query, findings } = parse(text);
      expect(findings).toEqual([]);
      const isExact = losses.every(({ reason }) => reason.includes('relevance'));
      for (const reading of readings) {
        const again = resolve(query, { ...options, reading });
        if (isExact) expect(compare(again, filter)).not.toHaveProperty('same', false);
        for (const log of logs) {
          if (isExact || match(filter, log)) expect(match(again, log)).toBe(match(filter, log));
        }
      }
    }),
    { numRuns: rounds(3000) },
  );
});

test('what a query of the whole syntax asks for can be said without losses', () => {
  fc.assert(
    fc.property(luceneQuery, (written) => {
      const filter = resolve(parse(written).query);
      const { losses } = toText(filter, { dialect: 'lucene' });
      expect(losses.filter(({ reason }) => !reason.includes('relevance'))).toEqual([]);
    }),
    { numRuns: rounds(1000) },
  );
});
