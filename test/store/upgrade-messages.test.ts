import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { toStatusBody, type UpgradeMessage } from '../../src/protocol/upgrades.ts';
import { rounds } from '../effort.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (name = 'upgrade.duckdb') => openCase(join(folder, name), { access: 'write', create: true });
const said = (message: string, when: number): UpgradeMessage => ({ message, code: 2038, when });

function add(into: Case, messages: readonly UpgradeMessage[], name = 'status.json') {
  const body = toStatusBody({ state: 'in_progress', code: 1, messages });
  return addFile(into, { name, bytes: new TextEncoder().encode(JSON.stringify(body)) });
}

/** Logs of the case, in the order of the alphabet. */
async function messagesIn(of: Case): Promise<readonly unknown[]> {
  const logs = await findLogs(of, matchAllFilter, { limit: 100 });
  return logs.map(({ log }) => log.msg).toSorted();
}

test('a status that is loaded again brings what is new, and its logs stand up to their originals', async () => {
  await using into = await open();
  const [a, b, c] = [said('a', 1), said('b', 2), said('c', 3)];
  expect((await add(into, [a, b])).parts).toMatchObject([{ format: 'upgrade', logs: 2 }]);
  expect((await add(into, [a, b])).already).toBe(true);
  expect((await add(into, [a, b, c])).parts).toMatchObject([{ logs: 1, unreadable: 0 }]);
  const lines = [c, a].map((message) => `${JSON.stringify(message)}\n`).join('');
  const bytes = new TextEncoder().encode(lines);
  expect((await addFile(into, { name: 'kept.ndjson', bytes })).parts[0]).toMatchObject({ logs: 0 });
  expect(await messagesIn(into)).toEqual(['a', 'b', 'c']);
  expect((await verifyCase(into)).deviations).toEqual([]);
});

test('a message that was said twice is there twice, and logs that say the same do not count', async () => {
  await using into = await open();
  const log = { time: 1, logCode: 2038, msg: 'a', source: 'Enterprise Admin' };
  await addFile(into, { name: 'logs.ndjson', bytes: new TextEncoder().encode(`${JSON.stringify(log)}\n`) });
  await add(into, [said('a', 1), said('a', 1)]);
  await add(into, [said('a', 1), said('a', 1), said('a', 1)]);
  expect(await messagesIn(into)).toEqual(['a', 'a', 'a', 'a']);
  expect((await verifyCase(into)).deviations).toEqual([]);
});

test('whatever is looked at in whatever order, a case has each message as often as it was said at most', async () => {
  const message = fc.constantFrom(said('a', 1), said('b', 1), said('a', 2));
  const looks = fc.array(fc.array(message, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(looks, async (statuses) => {
      await using into = await openCase(':memory:', { access: 'write' });
      for (const messages of statuses) await add(into, messages);
      const counts = new Map<string, number>();
      for (const messages of statuses) {
        for (const name of new Set(messages.map((each) => JSON.stringify(each)))) {
          const times = messages.filter((each) => JSON.stringify(each) === name).length;
          counts.set(name, Math.max(counts.get(name) ?? 0, times));
        }
      }
      const expected = [...counts.values()].reduce((sum, count) => sum + count, 0);
      expect(await messagesIn(into)).toHaveLength(expected);
    }),
    { numRuns: rounds(20, 4) },
  );
});
