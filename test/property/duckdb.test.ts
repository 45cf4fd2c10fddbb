import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countLogs, findLogs } from '../../src/case/searching/find-logs.ts';
import { match } from '../../src/language/meaning/match.ts';
import { filter as anyFilter, log } from '../../src/testing/filters.ts';
import { rounds } from '../effort.ts';

test('the case file finds just the logs that match', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(log, { minLength: 1, maxLength: 30 }),
      fc.array(anyFilter, { minLength: 5, maxLength: 20 }),
      async (logs, filters) => {
        await using stored = await openCase(':memory:', { access: 'write' });
        await addLogs(stored, logs, { part: 'random' });
        for (const filter of filters) {
          const expected = [...logs.keys()].filter((index) => match(filter, logs[index] ?? {}));
          const selected = await findLogs(stored, filter, { limit: logs.length });
          expect(selected.map(({ position }) => position - 1).sort((a, b) => a - b)).toEqual(expected);
          expect(await countLogs(stored, filter)).toBe(expected.length);
        }
      },
    ),
    { numRuns: rounds(60, 6) },
  );
});
