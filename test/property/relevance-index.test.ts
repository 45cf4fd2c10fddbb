import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addLogs, buildIndex, findBest, openCase, relevanceStatistics } from '../../src/store/index.ts';
import { rounds } from '../effort.ts';
import { filter, log } from './filters.ts';

test('an index changes neither statistics nor scores nor their order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(log, { minLength: 1, maxLength: 20 }),
      fc.array(log, { maxLength: 10 }),
      fc.array(filter, { minLength: 4, maxLength: 10 }),
      async (logs, later, filters) => {
        await using plain = await openCase(':memory:', { access: 'write' });
        await using indexed = await openCase(':memory:', { access: 'write' });
        for (const each of [plain, indexed]) await addLogs(each, logs, { part: 'random' });
        await buildIndex(indexed);
        for (const each of [plain, indexed]) await addLogs(each, later, { part: 'later' });
        for (const asked of filters) {
          const scored = { filter: asked, boosts: new Map() };
          expect(await relevanceStatistics(indexed, asked)).toEqual(await relevanceStatistics(plain, asked));
          expect(await findBest(indexed, scored, { limit: 50 })).toEqual(
            await findBest(plain, scored, { limit: 50 }),
          );
        }
      },
    ),
    { numRuns: rounds(20, 4) },
  );
}, 60_000);
