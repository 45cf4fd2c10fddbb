import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countByTime } from '../../src/case/searching/count-logs.ts';
import { countBy } from '../../src/case/searching/find-logs.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';
import { requireSoundIndex } from './sound-index.ts';

requireSoundIndex();

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-values-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const filter = resolve(parse('"found here" OR found').query, { now: 0 });
const fields = ['source', 'username', 'logLevel', 'logCode', 'elapsed'] as const;

async function made(logs: readonly Log[]): Promise<Case> {
  const into = await openCase(join(folder, `${crypto.randomUUID()}.duckdb`), {
    access: 'write',
    create: true,
  });
  await addLogs(into, logs, { part: 'first' });
  await buildIndex(into);
  return into;
}

const asked = (of: Case, limit: number) =>
  Promise.all(
    fields.flatMap((field) => [
      countBy(of, field, filter, { limit }),
      ...[1, 1_000, 86_400_000].map((every) => countByTime(of, filter, { every, by: field })),
    ]),
  );

/** Counts first in the database, then from the fourth time on in memory: all answers must be equal. */
async function expectSame(of: Case, limit: number): Promise<void> {
  const first = await asked(of, limit);
  for (let time = 0; time < 5; time++) expect(await asked(of, limit)).toEqual(first);
}

test('values are counted in memory as in the database', async () => {
  const text = fc.oneof(
    fc.constantFrom('a', 'A', 'ä', '', ' ', '\ud83d\ude00', '\uffee', 'b'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const log = fc.record(
    {
      time: fc.constantFrom(0, 1, 999, 1_000, -1, -86_400_001, 4e12),
      msg: fc.constantFrom('found here', 'found', 'nothing'),
      source: text,
      username: text,
      logLevel: fc.constantFrom('SEVERE', 'INFO', 'FINE'),
      logCode: fc.constantFrom(0, 1, -1, 9000, 2 ** 53),
      elapsed: fc.constantFrom(0, 0.5, 1e300, 12),
    },
    { requiredKeys: ['msg'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(log, { maxLength: 60 }), fc.constantFrom(0, 1, 3, 100), async (logs, limit) => {
      await using of = await made(logs);
      await expectSame(of, limit);
    }),
    { numRuns: rounds(60, 5) },
  );
});

test.each([254, 255, 256, rounds(30_000, 3_000)])(
  '%d different values, and logs without one, are all counted',
  async (count) => {
    await using of = await made(
      Array.from({ length: count + 7 }, (_, number) => ({
        msg: 'found',
        ...(number < count && {
          source: `s${number}`,
          username: number < (5 * count) / 6 ? 'same' : `u${number}`,
        }),
      })),
    );
    await expectSame(of, 100_000);
    expect((await countBy(of, 'source', filter, { limit: 1e9 })).length).toBe(count + 1);
  },
);

test('logs that are added later are counted', async () => {
  await using of = await made([{ msg: 'found', source: 'one' }]);
  await expectSame(of, 10);
  await addLogs(of, [{ msg: 'found', source: 'two' }, { msg: 'found' }], { part: 'second' });
  await expectSame(of, 10);
  expect(await countBy(of, 'source', filter)).toEqual([
    { value: 'one', count: 1 },
    { value: 'two', count: 1 },
    { count: 1 },
  ]);
});
