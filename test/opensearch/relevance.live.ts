import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validate } from '../../src/language/lint/validate.ts';
import type { FuzzyFilter } from '../../src/language/meaning/filter.ts';
import { complexityOf, type Document, toDocument } from '../../src/language/meaning/match.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { needsOf, scoreDocument, statisticsOf, toScorer } from '../../src/language/meaning/score.ts';
import {
  limitedFuzzy,
  nearestTerms,
  resolveScored,
  withExpansions,
} from '../../src/language/meaning/scored.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toElasticsearch } from '../../src/language/translate/elasticsearch.ts';
import { keywordSchema } from '../../src/testing/filters.ts';
import { randomLog } from '../live/random-logs.ts';
import { randomQueries } from '../live/random-queries.ts';
import type { Corpus, Ranked } from '../live/search-lucene.ts';
import { numRuns, seed } from '../live/settings.ts';
import { mayHaveLongBound } from './kinds.ts';
import { indexCorpus } from './search-node.ts';
import { type SearchNode, startNode } from './start-node.ts';

let node: SearchNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(async () => node[Symbol.asyncDispose]());

const corpora = [
  ['the documented fields', documentedSchema, 'or', 0.5],
  ['the documented fields, joined by AND', documentedSchema, 'and', 0.2],
  ['fields that are keywords', keywordSchema, 'or', 0.3],
] as const;

describe(`the scores of ${numRuns} queries with the seed ${seed}`, () => {
  test.each(corpora)('over %s', async (name, schema, defaultOperator, share) => {
    const logs = fc.sample(randomLog(schema), { numRuns: 1000, seed });
    const corpus: Corpus = { schema, logs, defaultOperator, engineName: 'opensearch' };
    const indexed = await indexCorpus(node, `scores-${name.toLowerCase().replace(/\W+/g, '-')}`, corpus);
    const queries = randomQueries(corpus, numRuns * share, seed).filter((query) => query.trim() !== '');
    const rankings = await indexed.rank(queries);
    const documents = logs.map(toDocument);
    const asked = queries.flatMap((query, index) => {
      const ranking = rankings[index];
      return ranking && 0 < ranking.length && isRunnable(query) ? [{ query, ranking }] : [];
    });
    const ordered = asked.filter(({ ranking }) => 1 < new Set(ranking.map(({ score }) => score)).size);
    expect(ordered.length).toBeGreaterThan(queries.length / 20);
    const differences = asked
      .map(({ query, ranking }) => ({ query, ...differenceOf(ranking, scoresOf(query, corpus, documents)) }))
      .filter(({ log, query }) => log !== undefined && !mayHaveLongBound(query))
      .sort((a, b) => a.query.length - b.query.length);
    expect([differences.length, ...differences.slice(0, 12)]).toEqual([0]);
  });
});

describe(`the scores of ${numRuns / 2} translated queries with the seed ${seed}`, () => {
  test.each(corpora.filter(([, , operator]) => operator === 'or'))('over %s', async (name, schema) => {
    const logs = fc.sample(randomLog(schema), { numRuns: 1000, seed: seed + 1 });
    const corpus: Corpus = { schema, logs, defaultOperator: 'or', engineName: 'opensearch' };
    const indexed = await indexCorpus(node, `translated-scores-${name.replace(/\W+/g, '-')}`, corpus);
    const documents = logs.map(toDocument);
    const engine = engines.opensearch;
    const sound = randomQueries(corpus, numRuns / 2, seed).flatMap((query) => {
      const parsed = parse(query);
      const findings = [...parsed.findings, ...validate(parsed.query, { schema, engine, dialect: 'lucene' })];
      if (findings.some(({ severity }) => severity === 'error')) return [];
      const scored = resolveScored(parsed.query, { schema, engine });
      const { query: translated, losses } = toElasticsearch(scored.filter, scored);
      return losses.length === 0 ? [{ query, translated }] : [];
    });
    const rankings = await indexed.rankSelected(sound.map(({ translated }) => translated));
    const differences = sound
      .map(({ query }, index) => ({
        query,
        ...differenceOf(rankings[index] ?? [], scoresOf(query, corpus, documents)),
      }))
      .filter(({ log, query }) => log !== undefined && !mayHaveLongBound(query))
      .sort((a, b) => a.query.length - b.query.length);
    expect(sound.length).toBeGreaterThan(numRuns / 8);
    expect([differences.length, ...differences.slice(0, 12)]).toEqual([0]);
  });
});

/** Whether the time for its phrases is within the bound here. */
const isRunnable = (query: string) => complexityOf(resolveScored(parse(query).query).filter) === undefined;

type Scores = readonly (number | undefined)[];

/** The scores of all documents by their numbers, undefined for those that do not match. */
function scoresOf(query: string, corpus: Corpus, documents: readonly Document[]): Scores {
  const read = resolveScored(parse(query).query, { ...corpus, engine: engines.opensearch });
  const nearest = limitedFuzzy(read.filter).map((fuzzy): [FuzzyFilter, readonly string[]] => [
    fuzzy,
    nearestTerms(
      fuzzy,
      documents.flatMap((document) => document.terms(fuzzy.field)),
    ),
  ]);
  const scored = withExpansions(read, new Map(nearest));
  const scorer = toScorer(scored, statisticsOf(documents, needsOf(scored.filter)));
  return documents.map((document) => scoreDocument(scorer, document));
}

/** The first log that is scored in another way here. Where none is, the order is the same but for ties. */
function differenceOf(ranking: readonly Ranked[], ours: Scores) {
  const theirs = new Map(ranking.map(({ log, score }) => [log, score]));
  for (const [log, own] of ours.entries()) {
    const score = theirs.get(log);
    if (own === score) continue;
    if (own === undefined || score === undefined) return { log, own, score };
    if (1e-5 * score < Math.abs(own - score)) return { log, own, score };
  }
  return {};
}
