import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { keywordSchema } from '../../src/testing/filters.ts';
import { differencesIn, shrunk } from './differences.ts';
import { randomLog } from './random-logs.ts';
import { randomQueries } from './random-queries.ts';
import type { Corpus } from './search-lucene.ts';
import { numRuns, seed } from './settings.ts';
import { withoutDates } from './without-dates.ts';

const corpora = [
  ['the documented fields', documentedSchema, 'or', 0.44],
  ['the documented fields, joined by AND', documentedSchema, 'and', 0.16],
  ['fields that are keywords', keywordSchema, 'or', 0.28],
  ['fields that are keywords, joined by AND', keywordSchema, 'and', 0.12],
] as const;

describe(`${numRuns} queries with the seed ${seed}`, () => {
  test.each(corpora)('over %s', (_name, schema, defaultOperator, share) => {
    const datesAsNumbers = withoutDates(schema);
    const logs = fc.sample(randomLog(datesAsNumbers), { numRuns: 1000, seed });
    const corpus: Corpus = { schema: datesAsNumbers, logs, defaultOperator };
    const queries = randomQueries(corpus, numRuns * share, seed);
    const differences = differencesIn(corpus, queries);
    expect(differences.length === 0 ? [] : shrunk(corpus, differences)).toEqual([]);
  });
});

test('bounds of about a thousand bytes', () => {
  const bounds = [
    ...['a'.repeat(999), 'a'.repeat(1000), 'a'.repeat(1001), 'é'.repeat(500), 'é'.repeat(501)],
    ...['中'.repeat(333), '中'.repeat(334)],
  ];
  const queries = bounds.flatMap((bound) => [
    ...[
      `msg:[${bound} TO *]`,
      `msg:{${bound} TO *]`,
      `msg:>${bound}`,
      `msg:[* TO ${bound}]`,
      `msg:<=${bound}`,
    ],
    ...[
      `msg:[${bound} TO ${bound}]`,
      `msg:[${bound} TO ${bound}}`,
      `msg:[${bound} TO 𝒳]`,
      `msg:[${bound} TO 0]`,
    ],
  ]);
  const corpus: Corpus = {
    schema: withoutDates(documentedSchema),
    logs: [{ msg: 'a é 中' }],
    defaultOperator: 'or',
  };
  expect(differencesIn(corpus, queries)).toEqual([]);
});

describe(`${numRuns} queries with the seed ${seed} as other engines read them`, () => {
  test.each(['elasticsearch', 'lucene'] as const)('%s', (engine) => {
    const schema = withoutDates(documentedSchema);
    const logs = fc.sample(randomLog(schema), { numRuns: 1000, seed });
    const corpus: Corpus = { schema, logs, defaultOperator: 'or', engineName: engine };
    // Lucene's own parser reads what stands behind a tilde, but for the edits that Elasticsearch knows.
    const queries = randomQueries(corpus, numRuns, seed).filter(
      (query) => engine === 'lucene' || !/~(?![012]?(?:[ \t\r\n\u3000)]|$))/.test(query),
    );
    expect(queries.length).toBeGreaterThan(numRuns / 2);
    const differences = differencesIn(corpus, queries);
    expect(differences.length === 0 ? [] : shrunk(corpus, differences)).toEqual([]);
  });
});
