import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/store/index.ts';
import type { EntrySource } from '../../src/store/loading/entries/write-part.ts';
import type { AddOptions, AddProgress } from '../../src/store/loading/files/add-options.ts';
import { type ByteSemaphore, byteSemaphore } from '../../src/store/loading/files/byte-semaphore.ts';
import { openStoredFile } from '../../src/store/loading/files/open-stored-file.ts';
import { type PrefetchedEntries, prefetchEntries } from '../../src/store/loading/files/prefetch-entries.ts';
import { storeFile } from '../../src/store/originals/evidence.ts';
import { sampled } from '../effort.ts';
import { type RawEntry, toZip } from './zips.ts';

let into: Case;

beforeEach(async () => {
  into = await openCase(':memory:', { access: 'write' });
});

afterEach(() => into[Symbol.asyncDispose]());

/** More than four regions of logs, each of which becomes a batch. */
const many = Array.from({ length: 40_000 }, (_, at) => `{"msg":"m ${at} ${'x'.repeat(220)}"}\n`).join('');

/** Begins to read the entries of a zip. */
async function begin(
  contents: readonly RawEntry[],
  room: ByteSemaphore,
  options: AddOptions = {},
): Promise<PrefetchedEntries> {
  const kept = await storeFile(into, { name: 'a.zip', bytes: toZip(contents) });
  const { context: adding, missing } = await openStoredFile(into, kept, { threads: 0, ...options });
  return prefetchEntries(adding, missing, room);
}

/** In how many batches which logs came, and what was said of the entry in the end. */
async function taken({ feed: give }: EntrySource) {
  const rows: number[] = [];
  const read = await give(async ({ logs }) => void rows.push(logs.rows));
  const came = rows.reduce((sum, count) => sum + count, 0);
  return { batches: rows.length, came, logs: read.logs, problem: read.problem?.code };
}

const inOneGo = { batches: 5, came: 40_000, logs: 40_000, problem: undefined };

/** Room that is as good as none, or more than is needed. */
describe.each(sampled([1, 2 ** 30], 1))('with room for %d bytes', (most) => {
  test('entries come to what they are, whoever is first', async () => {
    const room = byteSemaphore(most);
    const { entries, read } = await begin(
      [
        { name: 'one', content: many },
        { name: 'two', content: '{"msg":"a"}' },
        { name: 'three', content: many },
      ],
      room,
    );
    const found = [];
    for (const entry of entries) found.push(await taken(entry));
    expect(found).toEqual([inOneGo, { batches: 1, came: 1, logs: 1, problem: undefined }, inOneGo]);
    await read;
    // All room was given back.
    await room.acquire(most);
  });

  test('what is damaged is refused, and what comes behind it is read', async () => {
    const { entries, read } = await begin(
      [
        { name: 'wrong', content: many, checksum: 7 },
        { name: 'right', content: '{"msg":"a"}' },
      ],
      byteSemaphore(most),
    );
    const [wrong, right] = [entries[0] ?? expect.unreachable(), entries[1] ?? expect.unreachable()];
    if (1 < most) {
      // It is known before it is asked for, so that none of its records is given.
      await read;
      expect(await taken(wrong)).toMatchObject({ came: 0, logs: 0, problem: 'WRONG_CRC' });
    } else await expect(taken(wrong)).rejects.toMatchObject({ problem: { code: 'WRONG_CRC' } });
    expect(await taken(right)).toMatchObject({ logs: 1 });
  });

  test('a failure of who takes the records ends the reading', async () => {
    const room = byteSemaphore(most);
    const { entries, read } = await begin([{ name: 'one', content: many }], room);
    const failing = entries[0]?.feed(() => Promise.reject(new Error('disk full')));
    await expect(failing).rejects.toThrow('disk full');
    await read;
    await room.acquire(most);
  });

  test('who does not want them any longer ends the reading, and gets the room back', async () => {
    const room = byteSemaphore(most);
    const { entries, read, stop } = await begin(
      [
        { name: 'one', content: many },
        { name: 'two', content: many },
      ],
      room,
    );
    stop();
    await read;
    await room.acquire(most);
    await expect(taken(entries[1] ?? expect.unreachable())).rejects.toThrow();
  });
});

test('what nobody wants any longer is not begun to be read', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `${at}`);
  const read: string[] = [];
  const onProgress = ({ entry }: AddProgress) => void read.push(entry);
  const entries = names.map((name) => ({ name, content: '{"msg":"a"}' }));
  const ahead = await begin(entries, byteSemaphore(1), { onProgress });
  await ahead.entries[0]?.feed(async () => undefined);
  ahead.stop();
  await ahead.read;
  expect(read.length).toBeLessThan(names.length);
});

test('nothing is held beyond the room but for one batch', async () => {
  let held = 0;
  let isFull = () => {};
  const full = new Promise<void>((resolve) => {
    isFull = resolve;
  });
  const room: ByteSemaphore = {
    acquire: async () => {
      held += 1;
      if (held < 3) return;
      isFull();
      await new Promise(() => {});
    },
    release: () => {
      held -= 1;
    },
  };
  const { entries } = await begin([{ name: 'one', content: many }], room);
  await full;
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(held).toBe(3);
  expect(await taken(entries[0] ?? expect.unreachable())).toEqual(inOneGo);
  expect(held).toBe(0);
});

describe('room', () => {
  test('is given to whoever asks until it is taken, and again when it is given back', async () => {
    const room = byteSemaphore(10);
    await room.acquire(10);
    const order: string[] = [];
    const first = room.acquire(5).then(() => order.push('first'));
    const second = room.acquire(1).then(() => order.push('second'));
    room.release(5);
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    room.release(1);
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });
});

test('who is slow to take the first batch holds back the reading of the others', async () => {
  const room = byteSemaphore(1);
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const take: ByteSemaphore['acquire'] = (bytes) => {
    isHeld();
    return room.acquire(bytes);
  };
  let read = 0;
  const onProgress = ({ logs }: AddProgress) => {
    read = logs;
  };
  const { entries } = await begin(
    [{ name: 'one', content: many }],
    { ...room, acquire: take },
    { onProgress },
  );
  await held;
  let [taken, most] = [0, 0];
  await entries[0]?.feed(async ({ logs }) => {
    // Long enough to inflate and read all of it.
    if (taken === 0) await new Promise((resolve) => setTimeout(resolve, 700));
    taken += logs.rows;
    most = Math.max(most, read - taken);
  });
  expect(taken).toBe(40_000);
  // Read ahead are the batch that waits for room, and the one under way.
  expect(most).toBeLessThanOrEqual(20_000);
});
