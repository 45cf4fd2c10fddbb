import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile, addFiles } from '../../src/case/loading/add-files.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import { toStatusBody } from '../../src/protocol/upgrades.ts';
import { rounds, sampled } from '../effort.ts';
import { toZip } from './zips.ts';

let folder: string;
let into: Case;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-open-'));
  into = await openCase(join(folder, 'case.duckdb'), { access: 'write', create: true });
});

afterEach(async () => {
  await into[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Some megabytes: more than is read in one go. */
const text = Array.from({ length: 20_000 }, (_, at) => `{"msg":"m ${at}${' '.repeat(200)}"}\n`).join('');

const upgrade = JSON.stringify(
  toStatusBody({
    state: 'in_progress',
    code: 1,
    messages: Array.from({ length: 3_000 }, (_, at) => ({ message: `m ${at}`, code: 2038, when: 1 })),
  }),
);

const kinds: readonly (readonly [name: string, toBytes: (content: string) => Uint8Array])[] = [
  ['a bare file', (content) => Buffer.from(content)],
  ['a file of gzip', (content) => gzipSync(content)],
  ['a zip', (content) => toZip([{ name: 'a.ndjson', content }])],
];

/** Number of open files of this process. */
const openFiles = () => readdirSync('/dev/fd').length;

const turns = rounds(5, 2);

/** Does something some times, and expects that no more files are open than after the first time. */
async function checkClosed(work: (turn: number) => Promise<unknown>): Promise<void> {
  await work(0);
  const before = openFiles();
  for (let turn = 1; turn <= turns; turn++) await work(turn);
  // Streams close their files a little after they are told.
  await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(before));
}

test.each(sampled(kinds, 1))(
  'of %s, nothing stays open when the text of one of the first records was read',
  async (_, toBytes) => {
    await addFile(into, { name: 'a', bytes: toBytes(text) });
    await checkClosed(async () => expect(await readRaw(into, 2)).toMatch(/^\{"msg":"m 1 /));
  },
);

test.each(sampled(kinds, 1))('of %s, nothing stays open when its loading is given up', async (_, toBytes) => {
  await checkClosed(async () => {
    const stop = new AbortController();
    const options = { threads: 0, signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) };
    await expect(addFile(into, { name: 'a', bytes: toBytes(text) }, options)).rejects.toThrow('enough');
  });
});

test.each(sampled(kinds, 1))('of %s, nothing stays open when it inflates too far', async (_, toBytes) => {
  await checkClosed(async () => {
    const adding = addFile(into, { name: 'a', bytes: toBytes(text) }, { limits: { totalBytes: 1 } });
    await expect(adding).rejects.toMatchObject({ code: 'TOO_BIG' });
  });
});

test.each(sampled(kinds, 1))(
  'of %s, nothing stays open when it has messages of an upgrade, which wait for their turn',
  async (_, toBytes) => {
    await checkClosed(async (turn) => {
      const bytes = toBytes(upgrade.replaceAll('m 1', `turn ${turn}`));
      for await (const addition of addFiles(into, [{ name: 'a', bytes }]))
        expect(addition).toHaveProperty('added');
    });
  },
);
