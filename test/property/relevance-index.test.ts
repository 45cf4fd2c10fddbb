import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findBest, relevanceStatistics } from '../../src/case/searching/best-logs.ts';
import { filter, log } from '../../src/testing/filters.ts';
import { rounds } from '../effort.ts';
import { requireSoundIndex } from '../store/sound-index.ts';
import { scoredFilter } from './scores.ts';

requireSoundIndex();

/** Boosts of the parts of a filter, and the size of a page. */
const asked = fc.record({
  filter: fc.oneof(filter, scoredFilter),
  boost: fc.constantFrom(1, 0, 0.5, 3),
  size: fc.integer({ min: 1, max: 6 }),
});

test('an index changes neither statistics nor scores nor their order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(log, { minLength: 1, maxLength: 20 }),
      // The index alone scores if it has all logs.
      fc.oneof(fc.constant([]), fc.array(log, { maxLength: 10 })),
      fc.array(asked, { minLength: 4, maxLength: 10 }),
      async (logs, later, queries) => {
        await using plain = await openCase(':memory:', { access: 'write' });
        await using indexed = await openCase(':memory:', { access: 'write' });
        for (const each of [plain, indexed]) await addLogs(each, logs, { part: 'random' });
        await buildIndex(indexed);
        for (const each of [plain, indexed]) await addLogs(each, later, { part: 'later' });
        for (const { filter: each, boost, size } of queries) {
          const scored = { filter: each, boosts: new Map(boost === 1 ? [] : [[each, boost]]) };
          expect(await relevanceStatistics(indexed, each)).toEqual(await relevanceStatistics(plain, each));
          const best = await findBest(plain, scored, { limit: 50 });
          expect(await findBest(indexed, scored, { limit: 50 })).toEqual(best);
          const [place] = best.slice(size - 1);
          if (!place) continue;
          const time = place.log.time;
          const after = { id: place.id, score: place.score, ...(time !== undefined && { time }) };
          const page = best.slice(size, 2 * size);
          const paged = (from: Case, options: object) => findBest(from, scored, { limit: size, ...options });
          expect(await paged(indexed, { after })).toEqual(page);
          expect(await paged(indexed, { offset: size })).toEqual(page);
        }
      },
    ),
    { numRuns: rounds(20, 4) },
  );
});
