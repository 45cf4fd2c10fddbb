import * as v from 'valibot';
import { expect, test } from 'vitest';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { engineLogs, engineQueries } from '../conformance/engine-logs.ts';
import { readAnswers } from '../conformance/ndjson.ts';
import { rankByLucene, searchLucene } from './search-lucene.ts';

const logs = readAnswers('logs.ndjson', v.record(v.string(), v.union([v.string(), v.number()])));
const search = v.object({ q: v.string(), ok: v.boolean(), hits: v.optional(v.array(v.number())) });

const corpus = { schema: documentedSchema, logs, defaultOperator: 'or' } as const;

test.each(['searches-documented.ndjson', 'searches-lucene.ndjson'])(
  'the engine asked here gives the measured answers of %s',
  (name) => {
    const measured = readAnswers(name, search);
    const answers = searchLucene(
      corpus,
      measured.map(({ q }) => q),
    );
    const given = answers.map((answer) => ('hits' in answer ? { hits: answer.hits } : {}));
    expect(given.map((answer, index) => ({ ...measured[index], ...answer }))).toEqual(measured);
  },
);

test('the engine asked here gives the measured order of relevance', async () => {
  const measured = ['searches-documented.ndjson', 'searches-lucene.ndjson'].flatMap((name) =>
    readAnswers(name, search),
  );
  const queries = measured.filter(({ ok }) => ok).map(({ q }) => q);
  const rankings = rankByLucene(corpus, queries);
  const lines = queries
    .map((q, index) => ({ q, ranking: rankings[index] ?? [] }))
    // Where all logs score alike there is no order to measure.
    .filter(({ ranking }) => 2 < new Set(ranking.map(({ score }) => score)).size)
    .filter((_, index) => index % 3 === 0)
    .map(({ q, ranking }) => {
      const best = ranking.slice(0, 15).map(({ log, score }) => [log, score]);
      return `${JSON.stringify({ q, count: ranking.length, best })}\n`;
    });
  expect(lines.length).toBeGreaterThan(150);
  await expect(lines.join('')).toMatchFileSnapshot('../conformance/relevance.ndjson');
});

test('the engine asked here gives the measured answers of each profile', async () => {
  const names = ['deployment', 'elasticsearch', 'lucene'] as const;
  const lines = names.flatMap((engine) => {
    const asked = {
      schema: documentedSchema,
      logs: engineLogs,
      defaultOperator: 'or',
      engineName: engine,
    } as const;
    const answers = searchLucene(asked, engineQueries);
    return engineQueries.map((q, index) => {
      const answer = answers[index];
      return `${JSON.stringify({ engine, q, ...(answer && 'hits' in answer && { hits: answer.hits }) })}\n`;
    });
  });
  await expect(lines.join('')).toMatchFileSnapshot('../conformance/engines.ndjson');
});
