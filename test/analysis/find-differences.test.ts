import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Difference, findDifferences } from '../../src/analysis/find-differences.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { withCases } from './with-cases.ts';

/** Logs as they are on any day: three kinds of messages, by turns. */
function usual(count: number): Log[] {
  return Array.from({ length: count }, (_, index) => ({
    logLevel: index % 3 === 0 ? 'WARNING' : 'INFO',
    source: `Maps/S${index % 4}`,
    username: `u${index % 5}`,
    msg: ['Request took 12 ms.', 'Tile 3/4/5 was read.', "User 'x' signed in."][index % 3] ?? '',
  }));
}

async function differences(
  before: readonly Log[],
  after: readonly Log[],
  exposure?: { readonly before: number; readonly after: number },
): Promise<readonly (readonly Difference[])[]> {
  const found: (readonly Difference[])[] = [];
  await withCases([before, after], async ([first, second]) => {
    if (!first || !second) throw new Error('There are two cases');
    const { groups } = await findDifferences({
      before: { cases: [first], filter: matchAllFilter },
      after: { cases: [second], filter: matchAllFilter },
      ...(exposure && { exposure }),
    });
    found.push(...groups.map((group) => group.differences));
  });
  return found;
}

test('new logs are one group: their message, level, code and source', async () => {
  const incident = Array.from(
    { length: 30 },
    (_, index): Log => ({
      logLevel: 'SEVERE',
      logCode: 110035,
      source: 'Maps/Broken',
      username: `u${index % 5}`,
      msg: `Pool has run dry, ${index} wait.`,
    }),
  );
  const [group, ...others] = await differences(usual(300), [...usual(300), ...incident]);
  expect(others).toEqual([]);
  expect(
    new Set(group?.map(({ kind, field, value, after }) => [kind, field, value, after].join('|'))),
  ).toEqual(
    new Set([
      'new|msg|Pool has run dry, <number> wait.|30',
      'new|logLevel|SEVERE|30',
      'new|logCode|110035|30',
      'new|source|Maps/Broken|30',
    ]),
  );
  expect(group?.find(({ field }) => field === 'logCode')?.query).toBe('logCode:110035');
});

test('a service that fell silent is gone, and what goes on as before is no difference', async () => {
  const quiet = usual(300).filter(({ source }) => source !== 'Maps/S2');
  const [[first] = []] = await differences(usual(300), quiet, { before: 1, after: 1 });
  expect(first).toMatchObject({ kind: 'gone', field: 'source', value: 'Maps/S2', before: 75, after: 0 });
});

test('rates are compared, so that a longer time is no difference', async () => {
  expect(await differences(usual(60), usual(600), { before: 1, after: 10 })).toEqual([]);
  const grown = await differences(usual(60), usual(600), { before: 1, after: 1 });
  expect(grown.flat().every(({ kind }) => kind === 'more')).toBe(true);
  expect(grown.flat().length).toBeGreaterThan(3);
});

const log = fc.record(
  {
    logLevel: fc.constantFrom('INFO', 'SEVERE'),
    source: fc.constantFrom('a', 'b', 'c'),
    msg: fc.constantFrom('x', 'y 1', 'z'),
  },
  { requiredKeys: [] },
);

largeTest('there is no difference between logs and themselves, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(log, { maxLength: 30 }), async (logs) => {
      expect(await differences(logs, logs.toReversed())).toEqual([]);
    }),
    { numRuns: rounds(10, 3) },
  );
});

test('new and gone, more and less change places with the selections', async () => {
  const opposite = { new: 'gone', gone: 'new', more: 'less', less: 'more' } as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(log, { maxLength: 12 }),
      fc.integer({ min: 0, max: 40 }),
      async (logs, times) => {
        const more = [...logs, ...Array.from({ length: times }, () => ({ msg: 'planted', source: 'p' }))];
        const there = (await differences(logs, more)).flat();
        const back = (await differences(more, logs)).flat();
        const named = (list: readonly Difference[], turned: boolean) =>
          list.map(({ kind, field, value }) => `${turned ? opposite[kind] : kind} ${field} ${value}`).sort();
        expect(named(back, true)).toEqual(named(there, false));
      },
    ),
    { numRuns: rounds(10, 3) },
  );
});
