import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorInCase, cursorsOfCases, mergeLogs } from '../../src/analysis/several-cases.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { rounds } from '../effort.ts';

const time = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined });
const logsOfCase = fc.array(time, { maxLength: 30 });

test('pages after the cursors are the whole list, in any number of cases', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(logsOfCase, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('newest' as const, 'oldest' as const),
      async (times, every, order) => {
        const cases = await Promise.all(times.map(() => openCase(':memory:', { access: 'write' })));
        try {
          for (const [index, own] of times.entries())
            if (0 < own.length)
              await addLogs(
                cases[index] ?? expect.fail(),
                own.map((each, at) => ({ msg: `${index}-${at}`, ...(each !== undefined && { time: each }) })),
                { part: 'logs' },
              );
          const read = async (after?: Awaited<ReturnType<typeof cursorsOfCases>>[number], limit?: number) => {
            const streams = cases.map((each, index) =>
              streamLogs(each, matchAllFilter, {
                order,
                ...(after && { after: cursorInCase(after, index, order) }),
              }),
            );
            const found: (string | undefined)[] = [];
            for await (const { log } of mergeLogs(streams, order)) {
              if (found.length === limit) break;
              found.push(log.msg);
            }
            return found;
          };
          const whole = await read();
          const cursors = await cursorsOfCases(cases, matchAllFilter, { order, every });
          const pages = [await read(undefined, every)];
          for (const cursor of cursors) pages.push(await read(cursor, every));
          expect(pages.flat()).toEqual(whole);
          expect(cursors).toHaveLength(Math.floor(whole.length / every));
        } finally {
          for (const each of cases) await each[Symbol.asyncDispose]();
        }
      },
    ),
    { numRuns: rounds(200, 5) },
  );
});
