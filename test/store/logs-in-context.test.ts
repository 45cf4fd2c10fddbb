import { expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { streamContext } from '../../src/case/searching/logs-in-context.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';

// Most logs stand close together, so that the neighbours of the others are far away; some have one time.
const dense = Array.from(
  { length: 2000 },
  (_, index): Log => ({ time: 1e9 + Math.floor(index / 3), msg: 'dense' }),
);
const sparse = Array.from(
  { length: 9 },
  (_, index): Log => ({ time: index < 5 ? index * 1e8 : 2e9 + index * 1e8, msg: 'sparse' }),
);
const logs: readonly Log[] = [
  ...sparse.slice(3),
  ...dense.slice(0, 1000),
  { time: 1e9 + 200, msg: 'marked' },
  ...dense.slice(1000),
  ...sparse.slice(0, 3),
  { msg: 'timeless' },
  { time: 1e9 + 200, msg: 'marked' },
];

/** Ids in the order of time. */
const ordered = logs
  .flatMap(({ time }, index) => (time === undefined ? [] : [{ time, id: index + 1 }]))
  .sort((first, second) => first.time - second.time || first.id - second.id)
  .map(({ id }) => id);

test.each([
  ['sparse', 'oldest', 2],
  ['sparse', 'newest', 3],
  ['marked', 'newest', 0],
  ['marked', 'oldest', 5],
  ['marked', 'oldest', 101],
  ['dense', 'oldest', 1],
] as const)(
  'logs with "%s", the %s first, come with %i neighbours and their ranks',
  async (word, order, around) => {
    await using stored = await openCase(':memory:', { access: 'write' });
    await addLogs(stored, logs, { part: '0' });
    const expected = ordered
      .map((id, index) => ({ id, rank: index + 1, isHit: logs[id - 1]?.msg === word }))
      .filter((_, index, all) =>
        all.slice(Math.max(0, index - around), index + around + 1).some(({ isHit }) => isHit),
      );
    if (order === 'newest') expected.reverse();
    for (const isIndexed of [false, true]) {
      if (isIndexed) await buildIndex(stored);
      const found = [];
      const filter = resolve(parse(`msg:${word}`).query, { now: 0 });
      for await (const { id, rank, isHit } of streamContext(stored, filter, { around, order }))
        found.push({ id, rank, isHit });
      expect(found).toEqual(expected);
    }
  },
);
