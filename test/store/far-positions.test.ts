import { expect, test } from 'vitest';
import { parse } from '../../src/language/parse.ts';
import { resolve } from '../../src/meaning/resolve.ts';
import type { Log } from '../../src/records/log.ts';
import { addLogs, buildIndex, findLogs, openCase } from '../../src/store/index.ts';
import { requireSoundIndex } from './sound-index.ts';

requireSoundIndex();

test('a phrase is found in chunks of one segment whose positions are far from each other', async () => {
  await using stored = await openCase(':memory:', { access: 'write' });
  // The places of "common" take some kilobytes a chunk, of which those with "needle" alone are read.
  const places = [3, 4, 12_345, 29_997];
  const logs: readonly Log[] = Array.from({ length: 30_000 }, (_, index) => ({
    time: index,
    msg: `${'w '.repeat(20 + (index % 3))}${'common x '.repeat(1 + (index % 4))}common ${places.includes(index) ? 'needle' : 'y'}`,
  }));
  // There the words are not in sequence.
  const apart = [5, 20_000].map((time) => ({ time, msg: 'needle common' }));
  await addLogs(stored, [...logs, ...apart], { part: 'all' });
  await buildIndex(stored);
  const timesOf = async (text: string) =>
    (await findLogs(stored, resolve(parse(text).query, { now: 0 }), { order: 'oldest', limit: 100 })).map(
      ({ log }) => log.time,
    );
  expect(await timesOf('"common needle"')).toEqual(places);
  expect(await timesOf('msg:"x common needle"')).toEqual(places);
  expect(await timesOf('msg:"needle common"')).toEqual([5, 20_000]);
});
