import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { forgetSets } from '../../src/case/index/snapshot.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countLogs, findLogs } from '../../src/case/searching/find-logs.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { compareCursors, type LogCursor, type LogOrder } from '../../src/records/log-order.ts';
import { rounds, sampled } from '../effort.ts';
import { requireSoundIndex } from './sound-index.ts';

requireSoundIndex();

const logs = 40_000;

/** A log of the model; its id is its number plus one. */
interface Made {
  readonly time: number | undefined;
  /** It has the words in this sequence. */
  readonly inSequence: boolean;
  readonly isRare: boolean;
  readonly isSevere: boolean;
}

/** A number that looks random, always the same for the same one. */
const mixed = (of: number) => (Math.imul(of + 1, 2_654_435_761) >>> 8) % 1_000;

/** Times of logs by their numbers: undefined for a log without one. */
const shapes: Readonly<Record<string, (number: number) => number | undefined>> = {
  'in the order of the ids': (number) => 10 * number,
  'against the order of the ids': (number) => 10 * (logs - number),
  'in turns of two writers': (number) => (number % 8_192 < 4_096 ? number : 50_000 - number),
  'at random': (number) => mixed(number) * 1_000 + mixed(number + 7),
  'all the same': () => 7,
  'many at once': (number) => Math.floor(number / 9_000),
  'mostly missing': (number) => (mixed(number) < 5 ? number : undefined),
  'missing at the end': (number) => (number < 30_000 ? number : undefined),
};

const queries: Readonly<Record<string, (of: Made) => boolean>> = {
  '"disk is full"': ({ inSequence }) => inSequence,
  '"disk is full" AND SEVERE': ({ inSequence, isSevere }) => inSequence && isSevere,
  'SEVERE NOT "disk is full"': ({ inSequence, isSevere }) => isSevere && !inSequence,
  '"very rare" OR "disk is full"': ({ inSequence, isRare }) => inSequence || isRare,
  '"very rare"': ({ isRare }) => isRare,
  '"very rare" "nowhere at all"': ({ isRare }) => isRare,
};

describe.each(sampled(Object.entries(shapes), 2))('with times %s', (_, timeOf) => {
  let folder: string;
  let of: Case;
  let made: readonly Made[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logquarry-first-'));
    made = Array.from({ length: logs }, (__, number) => ({
      time: timeOf(number),
      inSequence: mixed(3 * number) < 300,
      isRare: mixed(number) + mixed(number + 1) < 40,
      isSevere: mixed(5 * number) < 500,
    }));
    const path = join(folder, 'case.duckdb');
    {
      await using into = await openCase(path, { access: 'write', create: true });
      const rows = made.map(({ time, inSequence, isRare, isSevere }) => ({
        ...(time !== undefined && { time }),
        msg: `${inSequence ? 'disk is full' : 'full is disk'} ${isRare ? 'very rare' : 'rare very'}`,
        logLevel: isSevere ? ('SEVERE' as const) : ('INFO' as const),
      }));
      await addLogs(into, rows, { part: 'p' });
      await buildIndex(into);
    }
    of = await openCase(path, { access: 'read' });
    // From the fourth question on the times are in memory.
    for (const text of ['full', 'disk', 'rare', 'very', 'is'])
      await findLogs(of, resolve(parse(text).query, { now: 0 }), { limit: 1 });
  });
  afterAll(async () => {
    await of[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  function expected(select: (of: Made) => boolean, order: LogOrder, after: LogCursor | undefined) {
    return made
      .flatMap((log, number) =>
        select(log) ? [{ id: number + 1, ...(log.time !== undefined && { time: log.time }) }] : [],
      )
      .sort((one, other) => compareCursors(one, other, order))
      .filter((cursor) => !after || compareCursors(after, cursor, order) < 0);
  }

  test('the first logs of a phrase are those of all its logs', async () => {
    const cursor = fc.record(
      { id: fc.integer({ min: 1, max: logs }), time: fc.integer({ min: 0, max: 400_000 }) },
      { requiredKeys: ['id'] },
    );
    const asked = fc.record({
      text: fc.constantFrom(...Object.keys(queries)),
      order: fc.constantFrom<LogOrder>('newest', 'oldest'),
      limit: fc.constantFrom(0, 1, 20, 100, 101, 700, 1_000),
      offset: fc.constantFrom(0, 0, 3, 200),
      after: fc.option(cursor, { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ text, order, limit, offset, after }) => {
        forgetSets(of);
        const filter = resolve(parse(text).query, { now: 0 });
        const found = await findLogs(of, filter, { order, limit, offset, ...(after && { after }) });
        const select = queries[text] ?? (() => false);
        expect(found.map(({ id }) => id)).toEqual(
          expected(select, order, after)
            .slice(offset, offset + limit)
            .map(({ id }) => id),
        );
        // What was found of the first logs is not taken for all of them.
        expect(await countLogs(of, filter)).toBe(expected(select, order, undefined).length);
      }),
      { numRuns: rounds(60, 10) },
    );
  });
});
