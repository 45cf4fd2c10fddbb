import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedText, askedValues, itemFilter } from '../../src/language/lint/clause.ts';
import { counterexampleFinder } from '../../src/language/lint/readings.ts';
import { viewOf } from '../../src/language/lint/rule.ts';
import { compare } from '../../src/language/logic/compare.ts';
import { analyze } from '../../src/language/meaning/analyze.ts';
import { type Reading, resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema, type Schema } from '../../src/language/meaning/schema.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { keywordSchema } from '../../src/testing/filters.ts';
import { documentedQuery, doubtfulQuery, luceneQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

/** The lookups of the rules agree with the analyzer, with filters and with `compare`. */
const runs = { numRuns: rounds(2000) };
const engine = engines.deployment;
const anyQuery = fc.oneof(documentedQuery, luceneQuery, doubtfulQuery);
const anySchema = fc.constantFrom(documentedSchema, keywordSchema);

function viewed(text: string, schema: Schema = documentedSchema) {
  const { query } = parse(text);
  return { query, view: viewOf(query, { schema, dialect: 'documented', now: 0, engine }) };
}

test('the tokens of words and phrases are those of the analyzer', () => {
  const letters = fc.array(fc.constantFrom(...'aZ9', ...'aZ9', ' ', ' ', '.', '-', 'é', '中', '_'), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(
      letters.map((each) => each.join('')),
      (written) => {
        const { query, view } = viewed(`"${written}" ${written}`);
        for (const part of query.parts) {
          if (part.kind !== 'Clause' || (part.item.kind !== 'Word' && part.item.kind !== 'Phrase')) continue;
          expect(view.terms(part)).toEqual(analyze(askedText(part.item) ?? ''));
        }
      },
    ),
    runs,
  );
});

test('the value of a word or a phrase is the one that a keyword field is asked for', () => {
  const keyword = { name: 'any', type: 'keyword', about: '' } as const;
  fc.assert(
    fc.property(anyQuery, (text) => {
      for (const part of parse(text).query.parts) {
        if (part.kind !== 'Clause' || (part.item.kind !== 'Word' && part.item.kind !== 'Phrase')) continue;
        const filter = itemFilter(part.item)?.(keyword, { defaultOperator: 'or', now: 0, engine });
        if (filter?.kind === 'term')
          expect(askedValues(part, { engine })).toMatchObject([{ text: filter.term }]);
      }
    }),
    runs,
  );
});

const words = ['a', 'b', 'c', '"a b"', '9003', 'msg:a', 'msg:b', 'msg:"a b"'];
const others = ['logCode:9003', 'logCode:[1 TO 5]', 'logLevel:SEVERE', '_exists_:msg', '...'];
const clause = fc.oneof(
  fc.constantFrom(...words, ...words.map((word) => `NOT ${word}`), ...others),
  // Groups that everybody reads alike: a level is looked at by itself.
  fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map((pair) => `(${pair.join(' AND ')})`),
);
const level = fc
  .array(fc.tuple(fc.constantFrom(' AND ', ' OR ', ' '), clause), { minLength: 2, maxLength: 4 })
  .map((clauses) => clauses.flat().slice(1).join(''));

test('a level with a counterexample is read otherwise', () => {
  fc.assert(
    fc.property(level, anySchema, (text, schema) => {
      const { query, view } = viewed(text, schema);
      if (!counterexampleFinder(view)(view.level(query))) return;
      const filter = (reading: Reading) => resolve(query, { schema, reading });
      expect(compare(filter('server'), filter('ordinary')).same, text).not.toBe(true);
    }),
    { numRuns: rounds(5000) },
  );
});
