import { expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
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
