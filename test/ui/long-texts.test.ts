import { expect, test } from 'vitest';
import { textFields } from '../../src/records/log.ts';
import { cutLongTexts } from '../../src/server/operation.ts';
import { rounds } from '../effort.ts';
import { servePage } from './serving.ts';

test('long texts are cut, and queries that are too long left out', () => {
  const long = 'x'.repeat(10_001);
  expect(cutLongTexts({ value: long, query: long, inner: [{ sql: long, count: 1, query: 'a' }] })).toEqual({
    value: `${long.slice(0, 10_000)}…`,
    inner: [{ count: 1, query: 'a' }],
  });
  expect(cutLongTexts([null, undefined, 1n, 'x'.repeat(10_000)])).toEqual([
    null,
    undefined,
    1n,
    'x'.repeat(10_000),
  ]);
});

test('no list or chart of logs with a megabyte in each field is long', async () => {
  const length = rounds(1_000_000, 200_000);
  const megabyte = 'x'.repeat(length);
  const log = { time: 1, ...Object.fromEntries(textFields.map((name) => [name, megabyte])) };
  await using page = await servePage([log, { ...log, time: 2 }]);
  const selection = { query: '', now: 0 };
  const asked: readonly (readonly [string, object])[] = [
    ['about', {}],
    ['histogram', { ...selection, by: 'logLevel', buckets: 90 }],
    ['facets', { ...selection, fields: ['logLevel', 'source'], limit: 25 }],
    ['logs', { ...selection, order: 'newest', page: 0 }],
    ...['patterns', 'services', 'investigate'].map((name) => [name, selection] as const),
    ['context', { ofCase: 0, id: 1, around: 5 }],
  ];
  for (const [name, parameters] of asked) {
    const text = await (await page.call(name, parameters)).text();
    expect([name, text.length < length, text.includes('"error"')]).toEqual([name, true, false]);
  }
  expect((await (await page.call('log', { ofCase: 0, id: 1 })).text()).length).toBeGreaterThan(10 * length);
});
