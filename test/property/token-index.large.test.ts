import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Case, openCase, readCase, writeToCase } from '../../src/case/file/case.ts';
import { recordAction } from '../../src/case/file/chain.ts';
import { deleteParts } from '../../src/case/file/parts.ts';
import { buildIndex, indexState } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countByTime, timeSpan } from '../../src/case/searching/count-logs.ts';
import { countBy, countLogs, findLogs, streamLogs } from '../../src/case/searching/find-logs.ts';
import { streamContext } from '../../src/case/searching/logs-in-context.ts';
import type { StoredLog } from '../../src/case/searching/stored-log.ts';
import { checkIndex } from '../../src/case/verify/verify.ts';
import { boolFilter, type Filter } from '../../src/language/meaning/filter.ts';
import { match } from '../../src/language/meaning/match.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import type { Log } from '../../src/records/log.ts';
import { compareCursors } from '../../src/records/log-order.ts';
import { filter as anyFilter, log } from '../../src/testing/filters.ts';
import { requireSoundIndex } from '../store/sound-index.ts';

requireSoundIndex();

/** A few words in one field or two: parts of filters that were asked for before come again in others. */
const word = fc.constantFrom('timed', 'out', 'error', 'a');
const field = fc
  .constantFrom('msg', 'stackTraces')
  .map((name) => documentedSchema.fields.get(name) ?? { name, type: 'text' as const, about: '' });
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ kind: fc.constant('term'), field, term: word }),
  fc.record({
    kind: fc.constant('phrase'),
    field,
    slop: fc.constantFrom(0, 0, 0, 1),
    terms: fc.array(word, { minLength: 2, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('prefix'), field, prefix: fc.constantFrom('', 't', 'o', 'err') }),
);
const some = fc.array(leaf, { maxLength: 2 });
const combined = fc.record({ must: some, should: some, mustNot: some }).map(boolFilter);

const filters = fc.array(fc.oneof(anyFilter, leaf, combined), { minLength: 3, maxLength: 12 });

/** Events of a case, in this order. */
const step = fc.oneof(
  { arbitrary: fc.record({ add: fc.array(log, { minLength: 1, maxLength: 12 }) }), weight: 4 },
  // Among many others the words are so few that their positions are compared.
  { arbitrary: fc.constant({ add: Array.from({ length: 100 }, (): Log => ({ msg: 'other' })) }), weight: 1 },
  { arbitrary: fc.record({ index: fc.constantFrom(1, 200, 1e9) }), weight: 3 },
  { arbitrary: fc.record({ remove: fc.nat(20) }), weight: 1 },
);

type Step = { add: readonly Log[] } | { index: number } | { remove: number };

/** Does to a case what a step says; `known` has the logs by id. */
async function take(into: Case, each: Step, { known, part }: { known: Map<number, Log>; part: number }) {
  if ('add' in each) {
    const first = 1 + Math.max(0, ...known.keys());
    await addLogs(into, each.add, { part: `part ${part}` });
    for (const [index, added] of each.add.entries()) known.set(first + index, added);
  } else if ('index' in each) {
    await buildIndex(into, { segmentBytes: each.index });
  } else {
    await writeToCase(into, async (connection) => {
      await deleteParts(connection, [each.remove]);
      await recordAction(connection, 'remove part', { part: each.remove });
    });
    const left = new Set((await findLogs(into, { kind: 'all' }, { limit: 1000 })).map(({ id }) => id));
    for (const id of known.keys()) if (!left.has(id)) known.delete(id);
  }
}

async function inOrder(logs: AsyncIterable<StoredLog>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of logs) ids.push(id);
  return ids;
}

/** Every search finds what `match` selects of the logs. */
async function check(stored: Case, filter: Filter, known: ReadonlyMap<number, Log>) {
  const places = [...known]
    .filter(([, each]) => match(filter, each))
    .map(([id, { time }]) => ({ id, ...(time !== undefined && { time }) }));
  const expected = (order: 'newest' | 'oldest') =>
    [...places].sort((first, second) => compareCursors(first, second, order)).map(({ id }) => id);
  expect(await countLogs(stored, filter)).toBe(places.length);
  const found = await findLogs(stored, filter, { limit: 1000 });
  expect(found.map(({ id }) => id)).toEqual(expected('newest'));
  for (const { id, log: each } of found) expect(each.time).toBe(known.get(id)?.time);
  expect(await inOrder(streamLogs(stored, filter))).toEqual(expected('oldest'));
  const second = places[1];
  const after = second && { after: second };
  expect(await inOrder(streamLogs(stored, filter, { limit: 3, order: 'newest', ...after }))).toEqual(
    expected('newest')
      .slice(...(second ? [expected('newest').indexOf(second.id) + 1] : [0]))
      .slice(0, 3),
  );
  const times = places.flatMap(({ time }) => (time === undefined ? [] : [time]));
  expect(await timeSpan(stored, filter)).toEqual({
    ...(0 < times.length && { first: Math.min(...times), last: Math.max(...times) }),
    count: times.length,
    timeless: places.length - times.length,
  });
  const buckets = await countByTime(stored, filter, { every: 1000 });
  expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(times.length);
  for (const { start, count } of buckets)
    expect(times.filter((time) => Math.floor(time / 1000) * 1000 === start).length).toBe(count);
  const counts = await countBy(stored, 'logLevel', filter);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(places.length);
  const around = [];
  for await (const each of streamContext(stored, filter, { around: 1 })) around.push(each);
  expect(around.filter(({ isHit }) => isHit).map(({ id }) => id)).toEqual(expected('oldest'));
}

test('with an index of all logs, of some or of none, searches find just the logs that match', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), filters, async (steps, asked) => {
      await using stored = await openCase(':memory:', { access: 'write' });
      const known = new Map<number, Log>();
      for (const [part, each] of steps.entries()) {
        await take(stored, each as Step, { known, part });
        // Some between the steps: what is remembered from there is not taken for true later.
        for (const filter of asked.slice(0, 2)) await check(stored, filter, known);
      }
      for (const filter of asked) {
        await check(stored, filter, known);
        // By itself, what was a part of another before: its set may be remembered from there.
        if (filter.kind === 'bool') for (const each of filter.must) await check(stored, each, known);
      }
      const deviations: unknown[] = [];
      await readCase(stored, (connection) => checkIndex(connection, (found) => deviations.push(found)));
      expect(deviations).toEqual([]);
      const { indexed, logs } = await indexState(stored);
      expect(indexed).toBeLessThanOrEqual(logs);
    }),
    { numRuns: 40 },
  );
});
