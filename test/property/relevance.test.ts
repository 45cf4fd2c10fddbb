import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FieldValue, type FieldValues, toDocument } from '../../src/meaning/document.ts';
import { documentedSchema } from '../../src/meaning/fields.ts';
import type { Filter } from '../../src/meaning/filter.ts';
import { match } from '../../src/meaning/match.ts';
import { termScore } from '../../src/meaning/relevance/bm25.ts';
import { scoreDocument, toScorer } from '../../src/meaning/relevance/scorer.ts';
import { joinStatistics, needsOf, statisticsOf } from '../../src/meaning/relevance/statistics.ts';
import { openCase } from '../../src/store/case.ts';
import { addLogs } from '../../src/store/loading/add-logs.ts';
import { findBest } from '../../src/store/searching/best-logs.ts';
import { relevanceStatistics } from '../../src/store/searching/relevance-statistics.ts';
import { rounds } from '../effort.ts';
import { filter as anyFilter, log, words } from './filters.ts';

const scoredOf = (filter: Filter) => ({ filter, boosts: new Map() });

function scoresOf(filter: Filter, logs: readonly FieldValues[]): readonly (number | undefined)[] {
  const documents = logs.map(toDocument);
  const scorer = toScorer(scoredOf(filter), statisticsOf(documents, needsOf(filter)));
  return documents.map((document) => scoreDocument(scorer, document));
}

/** Phrases whose words repeat, which are the hard ones to count. */
const phrase = fc
  .record({
    terms: fc.array(fc.constantFrom('a', 'b', ...words), { minLength: 2, maxLength: 4 }),
    slop: fc.constantFrom(0, 0, 1, 3),
  })
  .map(({ terms, slop }): Filter => {
    const field = documentedSchema.fields.get('msg');
    if (!field) throw new Error('There is no field "msg"');
    return { kind: 'phrase', field, terms, slop };
  });
const filter = fc.oneof({ arbitrary: anyFilter, weight: 4 }, { arbitrary: phrase, weight: 1 });

test('a log has a score just when it matches, finite and not negative', () => {
  fc.assert(
    fc.property(fc.array(log, { minLength: 1, maxLength: 20 }), filter, (logs, asked) => {
      for (const [index, score] of scoresOf(asked, logs).entries()) {
        expect(score !== undefined).toBe(match(asked, logs[index] ?? {}));
        if (score === undefined) continue;
        expect(score).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(score)).toBe(true);
      }
    }),
    { numRuns: rounds(500) },
  );
});

test('the case file finds all that matches, with the same scores and in their order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(log, { minLength: 1, maxLength: 30 }),
      fc.array(filter, { minLength: 5, maxLength: 15 }),
      async (logs, filters) => {
        await using stored = await openCase(':memory:', { access: 'write' });
        await addLogs(stored, logs, { part: 'random' });
        for (const asked of filters) {
          const expected = scoresOf(asked, logs)
            .flatMap((score, index) =>
              score === undefined ? [] : [{ score, time: logs[index]?.time, position: index + 1 }],
            )
            .sort((a, b) => b.score - a.score || descending(a.time, b.time) || b.position - a.position);
          const found = await findBest(stored, scoredOf(asked), { limit: logs.length });
          expect(found.map(({ score, position }) => [position, score])).toEqual(
            expected.map(({ score, position }) => [position, score]),
          );
          const first = await findBest(stored, scoredOf(asked), { limit: 3 });
          expect(first).toEqual(found.slice(0, 3));
        }
      },
    ),
    { numRuns: rounds(40) },
  );
});

test('the case file has the statistics of its logs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(log, { minLength: 1, maxLength: 20 }), filter, async (logs, asked) => {
      await using stored = await openCase(':memory:', { access: 'write' });
      await addLogs(stored, logs, { part: 'random' });
      const expected = statisticsOf(logs.map(toDocument), needsOf(asked));
      // Terms that no log has are counted there, and absent here.
      const counted = [...(await relevanceStatistics(stored, asked))].map(([name, known]) => {
        const terms = new Map([...known.terms].filter(([, count]) => 0 < count));
        return [name, { ...known, terms }] as const;
      });
      expect(new Map(counted)).toEqual(expected);
    }),
    { numRuns: rounds(60) },
  );
});

test('the order in which logs were loaded changes no score', () => {
  fc.assert(
    fc.property(fc.array(log, { minLength: 1, maxLength: 12 }), filter, fc.nat(), (logs, asked, turn) => {
      const at = turn % logs.length;
      const turned = [...logs.slice(at), ...logs.slice(0, at)];
      const scores = scoresOf(asked, logs);
      expect(scoresOf(asked, turned)).toEqual([...scores.slice(at), ...scores.slice(0, at)]);
    }),
  );
});

test('several sets of logs taken together are scored like one', () => {
  fc.assert(
    fc.property(fc.array(log, { maxLength: 12 }), fc.nat(12), filter, (logs, at, asked) => {
      const needs = needsOf(asked);
      const parts = [logs.slice(0, at), logs.slice(at)].map((part) =>
        statisticsOf(part.map(toDocument), needs),
      );
      expect(joinStatistics(parts)).toEqual(statisticsOf(logs.map(toDocument), needs));
    }),
  );
});

test('a term scores the more the more often it occurs, and the less the longer the field is', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 1000, noNaN: true }),
      fc.double({ min: 0.001, max: 20, noNaN: true }),
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 1, max: 5000 }),
      (average, weight, frequency, length) => {
        const score = termScore(average);
        const w = Math.fround(weight);
        expect(score(w, frequency + 1, length)).toBeGreaterThanOrEqual(score(w, frequency, length));
        expect(score(w, frequency, length + 1)).toBeLessThanOrEqual(score(w, frequency, length));
        expect(score(w, frequency, length)).toBeLessThanOrEqual(w);
      },
    ),
  );
});

/** Newest first, those without a time last. */
function descending(a: FieldValue | undefined, b: FieldValue | undefined): number {
  return Number(b ?? Number.NEGATIVE_INFINITY) - Number(a ?? Number.NEGATIVE_INFINITY) || 0;
}
