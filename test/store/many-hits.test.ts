import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, openCase, readCase, writeToCase } from '../../src/case/file/case.ts';
import { recordAction } from '../../src/case/file/chain.ts';
import { deleteParts } from '../../src/case/file/parts.ts';
import { buildIndex, indexState } from '../../src/case/index/build.ts';
import { forgetSets } from '../../src/case/index/snapshot.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findBest } from '../../src/case/searching/best-logs.ts';
import { countByTime } from '../../src/case/searching/count-logs.ts';
import { countBy, countLogs, findLogs } from '../../src/case/searching/find-logs.ts';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { match, toDocument } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { needsOf, scoreDocument, statisticsOf, toScorer } from '../../src/language/meaning/score.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import { compareCursors } from '../../src/records/log-order.ts';
import { maxListed } from '../../src/word-index/log-set.ts';
import { chunkIds } from '../../src/word-index/postings.ts';
import { readSegments } from '../../src/word-index/stored-segments.ts';
import { sampled } from '../effort.ts';
import { requireSoundIndex } from './sound-index.ts';

/*
 * Sets of few hits are lists and those of many are bits, which other code makes. Here are enough for both, in dense and in
 * sparse chunks of several segments, with a part that is gone.
 */

const count = 30_000;
const levels = ['INFO', 'WARNING', 'SEVERE', 'FINE'];

/** True for two logs of some chunks of ids and one of the others, before the second place of those. */
function hasUneven(id: number): boolean {
  const low = id % chunkIds;
  return Math.floor(id / chunkIds) % 3 === 0 ? low === 10 || low === 1000 : low === 5;
}

/** One of the logs: words with several densities, phrases in both orders, times out of order. */
function logOf(number: number): Log {
  const words = [
    'every',
    ...(number % 2 === 0 ? ['left', 'right'] : ['right', 'far', 'left']),
    ...(number % 9 === 0 ? ['ninth', 'ninth'] : []),
    ...(number % 4001 === 0 ? ['rare'] : []),
    ...(hasUneven(number + 1) ? ['uneven'] : []),
    `n${number % 700}`,
  ];
  return {
    ...(number % 50 !== 7 && { time: 1_700_000_000_000 + ((number * 7919) % count) * 1000 }),
    msg: words.join(' '),
    source: `source${'abcdefgh'[number % 8]}`,
    logLevel: levels[number % 5] ?? 'INFO',
    logCode: 9000 + (number % 12),
    ...(number % 3 === 0 && { requestID: `${number % 1000}` }),
  };
}

/** Ids of the part that is gone. */
const [goneFrom, goneTo] = [10_001, 11_000];
const logs = new Map<number, Log>();
/** The same as documents, once they are asked for. */
let documents:
  | readonly { readonly id: number; readonly document: ReturnType<typeof toDocument> }[]
  | undefined;
let stored: Case;

requireSoundIndex();

beforeAll(async () => {
  stored = await openCase(':memory:', { access: 'write' });
  const all = Array.from({ length: count }, (_, index) => logOf(index));
  await addLogs(stored, all.slice(0, goneFrom - 1), { part: 'first' });
  await addLogs(stored, all.slice(goneFrom - 1, goneTo), { part: 'gone' });
  await addLogs(stored, all.slice(goneTo), { part: 'last' });
  await writeToCase(stored, async (connection) => {
    await deleteParts(connection, [2]);
    await recordAction(connection, 'remove part', { part: 2 });
  });
  await buildIndex(stored, { segmentBytes: 1_600_000, threads: 0 });
  for (const [index, log] of all.entries())
    if (index + 1 < goneFrom || goneTo < index + 1) logs.set(index + 1, log);
});
afterAll(() => stored[Symbol.asyncDispose]());

const query = (text: string): Filter => resolve(parse(text).query, { now: 0 });

test('all logs are indexed, in several segments', async () => {
  const segments = await readCase(stored, readSegments);
  expect(segments.length).toBeGreaterThan(2);
  expect(await indexState(stored)).toMatchObject({ logs: logs.size, indexed: logs.size });
});

const queries = [
  ...['every', 'ninth', 'rare', 'n650', 'absent', 'NOT every', 'NOT ninth', 'NOT rare', '*:* AND NOT absent'],
  ...[
    'ninth AND n650',
    'ninth OR rare',
    'ninth AND NOT n1',
    'n1 OR n2 OR n3',
    '(ninth OR rare) AND NOT left',
  ],
  ...['"left right"', '"right left"', '"right far left"', '"ninth ninth"', '"left right" AND ninth'],
  ...['msg:"left right"~1', 'msg:"right left"~1', 'msg:"every left"~3', 'msg:"ninth n0"~2'],
  ...['source:[sourceb TO sourced]', 'source:{sourceb TO sourced}', 'source:[sourceb TO sourced}'],
  ...['source:{sourceb TO sourced]', 'source:[* TO sourceb]', 'source:{sourceg TO *]'],
  ...[
    'n6*',
    'msg:n?1',
    'msg:*int*',
    'msg:nin*h',
    'msg:/n[1-3][0-9]/',
    'msg:nonth~1',
    'msg:ninth~2',
    'msg:rar~1',
  ],
  ...['logCode:9003', 'logCode:[9002 TO 9005]', 'logCode:{9002 TO 9005}', 'requestID:999', 'requestID:*'],
  ...['NOT requestID:*', 'logLevel:SEVERE AND ninth', 'logLevel:FINE OR n650'],
  ...[
    'ninth AND time:[2023-11-14T23:00:00Z TO 2023-11-15T02:00:00Z]',
    'NOT time:[* TO 2023-11-15T02:00:00Z]',
  ],
];

describe.each(sampled(queries, 10))('%s', (text) => {
  test('finds what matches, also when it is asked again', async () => {
    const filter = query(text);
    const places = [...logs]
      .filter(([, log]) => match(filter, log))
      .map(([id, { time }]) => ({ id, ...(time !== undefined && { time }) }));
    const first = (order: 'newest' | 'oldest') =>
      [...places]
        .sort((one, other) => compareCursors(one, other, order))
        .slice(0, 120)
        .map(({ id }) => id);
    const times = places.flatMap(({ time }) => (time === undefined ? [] : [time]));
    const perLevel = new Map<string, number>();
    for (const { id } of places) {
      const level = logs.get(id)?.logLevel ?? '';
      perLevel.set(level, (perLevel.get(level) ?? 0) + 1);
    }
    for (let time = 0; time < 2; time++) {
      expect(await countLogs(stored, filter)).toBe(places.length);
      for (const order of ['newest', 'oldest'] as const)
        expect((await findLogs(stored, filter, { limit: 120, order })).map(({ id }) => id)).toEqual(
          first(order),
        );
      const buckets = await countByTime(stored, filter, { every: 3_600_000 });
      expect(buckets.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(times.length);
      const counts = await countBy(stored, 'logLevel', filter);
      expect(new Map(counts.map(({ value, count: each }) => [value, each]))).toEqual(perLevel);
      forgetSets(stored);
    }
  });
});

test('there are sets of many hits in dense and in sparse chunks, and of few', () => {
  const hits = (text: string) => [...logs.values()].filter((log) => match(query(text), log)).length;
  expect(hits('ninth')).toBeGreaterThan(maxListed);
  expect(hits('ninth')).toBeLessThan(logs.size / 8);
  expect(hits('every')).toBe(logs.size);
  expect(hits('n650')).toBeLessThan(maxListed);
});

const scored = [
  ...[
    'ninth OR rare',
    'rare OR n650 OR n1',
    'every OR uneven',
    'uneven OR rare',
    'every OR ninth',
    'ninth AND left',
    'n1 OR (ninth AND NOT left)',
  ],
  ...[
    '"left right" OR ninth',
    '"ninth ninth" OR rare',
    '"ninth n0" OR n7',
    '"right far left" AND rare',
    'n6*  OR ninth',
  ],
];

test.each(sampled(scored, 4))(
  'the best logs of %s, and the last of them, have their scores',
  async (text) => {
    const asked = { filter: query(text), boosts: new Map() };
    documents ??= [...logs].map(([id, log]) => ({ id, document: toDocument(log) }));
    const scorer = toScorer(
      asked,
      statisticsOf(
        documents.map(({ document }) => document),
        needsOf(asked.filter),
      ),
    );
    const scores = new Map(
      documents.flatMap(({ id, document }) => {
        const score = scoreDocument(scorer, document);
        return score === undefined ? [] : [[id, score] as const];
      }),
    );
    const all = [...scores.values()].sort((one, other) => other - one);
    for (const limit of [50, logs.size]) {
      const best = await findBest(stored, asked, { limit });
      expect(best.map(({ score }) => score.toFixed(4))).toEqual(
        all.slice(0, limit).map((score) => score.toFixed(4)),
      );
      for (const { id, score } of best) expect(score.toFixed(4)).toBe(scores.get(id)?.toFixed(4));
    }
  },
);
