import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { openLogStore } from '../../src/emulator/log-store.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';

const log = (index: number): Log => ({ time: 1_700_000_000_000 + index, msg: `log ${index}` });
const given = [log(-2), log(-1)];

/** The messages of a store to which logs of its own were recorded. */
async function recordedIn(store: Awaited<ReturnType<typeof openLogStore>>, count: number) {
  for (let index = 0; index < count; index += 1) {
    store.record(log(index));
    if (index % 30 === 0) await store.count();
  }
  const found = await store.find({ filter: matchAllFilter }, { limit: 10_000, order: 'oldest' });
  return found.map(({ msg }) => msg);
}

test('of its own activity it keeps the newest logs, and all that it was given', async () => {
  await using store = await openLogStore(given, { keep: 100 });
  const messages = await recordedIn(store, 400);
  expect(messages.slice(0, 2)).toEqual(['log -2', 'log -1']);
  const own = messages.slice(2);
  expect(own.length).toBeGreaterThanOrEqual(100);
  expect(own.length).toBeLessThan(150);
  expect(own).toEqual(Array.from({ length: own.length }, (_, index) => `log ${400 - own.length + index}`));
});

test('logs are deleted with those that were recorded just before, and later ones are kept', async () => {
  await using store = await openLogStore(given);
  store.record(log(0));
  expect(await store.remove(matchAllFilter)).toBe(3);
  store.record(log(1));
  expect([await store.count(), await store.remove(matchAllFilter), await store.count()]).toEqual([1, 1, 0]);
});

test('a case in a file keeps all that was recorded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'log-store-test-'));
  try {
    await using of = await openCase(join(folder, 'own.duckdb'), { access: 'write', create: true });
    await using store = await openLogStore(of, { keep: 10 });
    expect(await recordedIn(store, 50)).toHaveLength(50);
    expect([await store.remove(matchAllFilter), await store.count()]).toEqual([undefined, 50]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
