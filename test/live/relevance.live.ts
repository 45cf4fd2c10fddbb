import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Document, toDocument } from '../../src/language/meaning/match.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { needsOf, scoreDocument, statisticsOf, toScorer } from '../../src/language/meaning/score.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { keywordSchema } from '../../src/testing/filters.ts';
import { randomLog } from './random-logs.ts';
import { randomQueries } from './random-queries.ts';
import { type Corpus, luceneClauses, type Ranked, rankByLucene } from './search-lucene.ts';
import { numRuns, seed } from './settings.ts';
import { withoutDates } from './without-dates.ts';

const corpora = [
  ['the documented fields', documentedSchema, 'or', 0.5],
  ['the documented fields, joined by AND', documentedSchema, 'and', 0.2],
  ['fields that are keywords', keywordSchema, 'or', 0.3],
] as const;

describe(`the scores of ${numRuns} queries with the seed ${seed}`, () => {
  test.each(corpora)('over %s', (_name, schema, defaultOperator, share) => {
    const datesAsNumbers = withoutDates(schema);
    const logs = fc.sample(randomLog(datesAsNumbers), { numRuns: 1000, seed });
    const corpus: Corpus = { schema: datesAsNumbers, logs, defaultOperator };
    const queries = randomQueries(corpus, numRuns * share, seed);
    const rankings = rankByLucene(corpus, queries);
    const documents = logs.map(toDocument);
    // A query that is refused has no order.
    const asked = queries.flatMap((query, index) => {
      const ranking = rankings[index];
      return ranking ? [{ query, ranking }] : [];
    });
    const ordered = asked.filter(({ ranking }) => 1 < new Set(ranking.map(({ score }) => score)).size);
    expect(ordered.length).toBeGreaterThan(queries.length / 20);
    const differences = asked
      .map(({ query, ranking }) => ({ query, ...differenceOf(ranking, scoresOf(query, corpus, documents)) }))
      .filter(({ log }) => log !== undefined)
      .sort((a, b) => a.query.length - b.query.length)
      .slice(0, 5);
    const clauses = luceneClauses(
      corpus,
      differences.map(({ query }) => query),
    );
    expect(differences.map((each, index) => ({ ...each, clauses: clauses[index] }))).toEqual([]);
  });
});

type Scores = readonly (number | undefined)[];

/** The scores of all documents by their numbers, undefined for those that do not match. */
function scoresOf(query: string, corpus: Corpus, documents: readonly Document[]): Scores {
  const scored = resolveScored(parse(query).query, corpus);
  const scorer = toScorer(scored, statisticsOf(documents, needsOf(scored.filter)));
  return documents.map((document) => scoreDocument(scorer, document));
}

/** The first log that is scored in another way here. Where none is, the order is the same but for ties. */
function differenceOf(ranking: readonly Ranked[], ours: Scores) {
  const theirs: Scores = ranking.reduce<number[]>((scores, { log, score }) => {
    scores[log] = score;
    return scores;
  }, []);
  for (const [log, own] of ours.entries()) {
    const score = theirs[log];
    if (own === score) continue;
    if (own === undefined || score === undefined) return { log, own, score };
    if (1e-5 * score < Math.abs(own - score)) return { log, own, score };
  }
  return {};
}
