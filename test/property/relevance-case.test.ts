import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findBest, relevanceStatistics } from '../../src/case/searching/best-logs.ts';
import { type FieldValue, toDocument } from '../../src/language/meaning/match.ts';
import { needsOf, statisticsOf } from '../../src/language/meaning/score.ts';
import { log } from '../../src/testing/filters.ts';
import { rounds } from '../effort.ts';
import { scoredFilter as filter, scoredOf, scoresOf } from './scores.ts';

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
    { numRuns: rounds(40, 5) },
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
    { numRuns: rounds(60, 6) },
  );
});

/** Newest first, those without a time last. */
function descending(a: FieldValue | undefined, b: FieldValue | undefined): number {
  return Number(b ?? Number.NEGATIVE_INFINITY) - Number(a ?? Number.NEGATIVE_INFINITY) || 0;
}
