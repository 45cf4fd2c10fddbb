import * as v from 'valibot';
import { expect, test } from 'vitest';
import { toDocument } from '../../src/language/meaning/match.ts';
import { needsOf, scoreDocument, statisticsOf, toScorer } from '../../src/language/meaning/score.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { readAnswers } from './ndjson.ts';

const documents = readAnswers('logs.ndjson', v.record(v.string(), v.union([v.string(), v.number()]))).map(
  toDocument,
);
const rankings = readAnswers(
  'relevance.ndjson',
  v.object({ q: v.string(), count: v.number(), best: v.array(v.tuple([v.number(), v.number()])) }),
);

test('relevance.ndjson is whole', () => {
  expect(rankings.length).toBeGreaterThan(150);
});

test.each(rankings)('the most relevant for $q', ({ q, count, best }) => {
  const scored = resolveScored(parse(q).query);
  const scorer = toScorer(scored, statisticsOf(documents, needsOf(scored.filter)));
  const found = documents
    .flatMap((document, log) => {
      const score = scoreDocument(scorer, document);
      return score === undefined ? [] : [{ log, score }];
    })
    .sort((a, b) => b.score - a.score || a.log - b.log);
  expect(found).toHaveLength(count);
  // Logs whose scores differ by no more than rounding may stand in either order.
  const scores = new Map(found.map(({ log, score }) => [log, score]));
  for (const [place, [log, score]] of best.entries()) {
    expect(Math.abs((scores.get(log) ?? -1) - score)).toBeLessThanOrEqual(1e-5 * score);
    expect(Math.abs((found[place]?.score ?? -1) - score)).toBeLessThanOrEqual(1e-5 * score);
  }
});
