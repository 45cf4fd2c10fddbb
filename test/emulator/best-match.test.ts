import { expect, test } from 'vitest';
import type { Log } from '../../src/records/log.ts';
import { exportLogs, startDeployment } from './calls.ts';

const start = Date.UTC(2025, 2, 12, 8);
const messages = ['tile', 'tile, tile', 'nothing', 'a long message about a tile and its neighbours', 'tile'];
const logs: readonly Log[] = messages.map((msg, index) => ({
  time: start + 1000 * index,
  logLevel: index === 1 ? 'SEVERE' : 'INFO',
  msg,
}));
const form = { num: '100', stackTraces: 'false', startTime: String(start + 10_000) };

const exported = async (change: Readonly<Record<string, string>>) => {
  await using deployment = await startDeployment({ logs });
  const found = await exportLogs(deployment, { ...form, ...change });
  return found.map(({ time = 0 }) => (time - start) / 1000);
};

test.each<[string, Record<string, string>, number[]]>([
  ['the best first, those as good newest first', { sortBy: 'bestMatch' }, [1, 4, 0, 3]],
  ['by default', {}, [1, 4, 0, 3]],
  ['whatever the order of times', { sortBy: 'bestMatch', sortOrder: 'asc' }, [1, 4, 0, 3]],
  ['of too many the best are given', { sortBy: 'bestMatch', num: '2' }, [1, 4]],
  ['the query form chooses among them only', { logLevel: 'SEVERE' }, [1]],
  ['by time where that is asked for', { sortBy: 'time' }, [4, 3, 1, 0]],
])('bestMatch: %s', async (_, change, places) => {
  expect(await exported({ searchQuery: 'msg:tile', ...change })).toEqual(places);
});

test('bestMatch: without a search the newest come first', async () => {
  expect(await exported({ sortBy: 'bestMatch', logLevel: 'DEBUG', sortOrder: 'asc' })).toEqual([
    4, 3, 2, 1, 0,
  ]);
});
