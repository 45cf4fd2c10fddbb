import { expect, test } from 'vitest';
import { type Case, openCase, writeToCase } from '../../src/case/file/case.ts';
import { buildIndex, indexState } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { type BestOptions, findBest, streamBest } from '../../src/case/searching/best-logs.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import { requireSoundIndex } from './sound-index.ts';

requireSoundIndex();

const logs: readonly Log[] = [
  { time: 1, msg: 'Request timed out', source: 'Sharing' },
  { time: 2, msg: 'Request timed out: timed out again' },
  { time: 3, msg: 'Request done', logCode: 9029 },
  { time: 4, msg: 'Request timed out', source: 'Rest' },
  { msg: 'Request timed out' },
  { time: 5, stackTraces: `at ${'a b c '.repeat(30)} timed` },
  { time: 4, msg: 'Request timed out' },
];

async function stored(): Promise<Case> {
  const into = await openCase(':memory:', { access: 'write' });
  await addLogs(into, logs, { part: 'test' });
  return into;
}

async function found(from: Case, query: string, options: Partial<BestOptions> = {}) {
  const best = await findBest(from, resolveScored(parse(query).query), { limit: 100, ...options });
  return best.map(({ id, score }) => [id, Number(score.toFixed(3))]);
}

test.each<[string, number[]]>([
  // The best first; those that score alike newest first, then by id, those without a time last.
  ['msg:timed', [2, 7, 4, 1, 5]],
  ['msg:"timed out"', [2, 7, 4, 1, 5]],
  ['msg:"out timed"~4', [2, 7, 4, 1, 5]],
  ['timed', [6, 2, 7, 4, 1, 5]],
  ['msg:timed OR source:rest', [4, 2, 7, 1, 5]],
  ['+msg:timed source:sharing', [1, 2, 7, 4, 5]],
  ['msg:timed NOT source:rest', [2, 7, 1, 5]],
  ['msg:tmied~', [2, 7, 4, 1, 5]],
  ['NOT timed', [3]],
  ['logCode:9029 OR msg:request^0.01', [3, 7, 4, 1, 5, 2]],
  ['msg:nowhere', []],
  ['*:*', [6, 7, 4, 3, 2, 1, 5]],
])('%s', async (query, ids) => {
  await using from = await stored();
  expect((await found(from, query)).map(([id]) => id)).toEqual(ids);
});

test('pages by offset and by place are parts of the same order', async () => {
  await using from = await stored();
  const scored = resolveScored(parse('timed').query);
  const whole = await findBest(from, scored, { limit: 100 });
  const byOffset = [0, 2, 4, 6].map((offset) => findBest(from, scored, { limit: 2, offset }));
  expect((await Promise.all(byOffset)).flat()).toEqual(whole);
  for (const [index, { id, score, log }] of whole.entries()) {
    const after = { id, score, ...(log.time !== undefined && { time: log.time }) };
    expect(await findBest(from, scored, { limit: 100, after })).toEqual(whole.slice(index + 1));
  }
});

test('a filter of its own says which logs are scored, and changes no score', async () => {
  await using from = await stored();
  const all = await found(from, 'msg:timed');
  const { filter } = resolveScored(parse('msg:timed AND time:[* TO 2]').query);
  expect(await found(from, 'msg:timed', { filter })).toEqual(all.filter(([id]) => id === 1 || id === 2));
});

test('logs that are added count at once', async () => {
  await using from = await stored();
  const [before] = await found(from, 'msg:done');
  await addLogs(from, [{ time: 9, msg: 'done' }], { part: 'later' });
  const after = await found(from, 'msg:done');
  expect(after.map(([id]) => id)).toEqual([8, 3]);
  expect(after[1]?.[1]).not.toBe(before?.[1]);
});

test('as many words as one asks for', async () => {
  await using from = await stored();
  const many = Array.from({ length: 100 }, (_, index) => `msg:w${index} OR msg:again`).join(' OR ');
  expect((await found(from, many)).map(([id]) => id)).toEqual([2]);
  const each = ['request', 'timed', 'out', 'again', 'done'].map(
    (word) => `msg:${word}~ OR msg:"${word} x"~3`,
  );
  expect((await found(from, each.join(' OR '))).map(([id]) => id)).toEqual([3, 2, 7, 4, 1, 5]);
});

test('many logs in chunks and segments of an index have the scores and the order of their texts', async () => {
  const words = ['a', 'b', 'c', 'd', 'e', 'f'];
  const many = Array.from({ length: 5000 }, (_, index): Log => {
    // Lengths, frequencies and times repeat, so that ties reach over the end of a page.
    const msg = words.filter((_word, at) => index % (at + 2) === 0).join(' ') || 'a a b';
    const traces = index % 700 === 0 && { stackTraces: `${'x '.repeat(index % 90)} e` };
    return { msg, ...traces, source: 'Rest', ...(index % 11 !== 0 && { time: index % 50 }) };
  });
  await using plain = await openCase(':memory:', { access: 'write' });
  await using indexed = await openCase(':memory:', { access: 'write' });
  for (const each of [plain, indexed]) await addLogs(each, many, { part: 'many' });
  // Segments end within a chunk of 4,096 ids.
  await buildIndex(indexed, { segmentBytes: 1_000_000 });
  expect((await indexState(indexed)).segments).toBeGreaterThan(1);
  // All logs of the last query are asked for, also those around the end of a segment.
  for (const query of [
    'rest "x x e"',
    '+b -c f^2',
    'a AND ("b d"^2 OR e~1) AND time:[3 TO 40]',
    'a AND time:[6 TO 6]',
  ]) {
    const scored = resolveScored(parse(query).query, { now: 0 });
    const best = await findBest(plain, scored, { limit: 130 });
    expect(await findBest(indexed, scored, { limit: 130 })).toEqual(best);
    const { id, score, log: last } = best[49] ?? { id: 0, score: 0, log: {} };
    const after = { id, score, ...(last.time !== undefined && { time: last.time }) };
    expect(await findBest(indexed, scored, { limit: 80, after })).toEqual(best.slice(50));
  }
});

test('the index alone scores terms and phrases', async () => {
  await using from = await stored();
  const scored = resolveScored(parse('msg:timed OR source:rest OR "timed out"').query);
  const best = await findBest(from, scored, { limit: 9 });
  await buildIndex(from);
  await writeToCase(from, async (connection) => {
    await connection.run('UPDATE stored.logs SET msg = NULL, source = NULL');
  });
  const scores = (logs: typeof best) => logs.map(({ id, score }) => ({ id, score }));
  expect(scores(await findBest(from, scored, { limit: 9 }))).toEqual(scores(best));
});

test('a stream ends when it is aborted', async () => {
  await using from = await stored();
  const signal = AbortSignal.abort(new Error('enough'));
  const stream = streamBest(from, resolveScored(parse('*:*').query), { signal });
  await expect(stream.next()).rejects.toThrow('enough');
});
