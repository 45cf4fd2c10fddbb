import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addFile, addFiles, addInOnePass } from '../../src/case/loading/add-files.ts';
import { openCopyWriter, releaseFiles, storedSource, storeFile } from '../../src/case/originals/evidence.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import {
  memberLength,
  openRandomAccess,
  readFully,
  readSource,
  readStart,
  sourceLength,
} from '../../src/case/originals/source.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { rounds } from '../effort.ts';
import { distinctLogs } from './distinct-logs.ts';
import { toZip } from './zips.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-copy-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const kinds = {
  logs: distinctLogs,
  uniform: (length: number) => Buffer.alloc(length, 'a'),
  random: (length: number) => randomBytes(length),
  'logs, then random bytes': (length: number) =>
    Buffer.concat([
      distinctLogs(Math.min(length, memberLength)),
      randomBytes(Math.max(0, length - memberLength)),
    ]),
};

/** Writes a copy of chunks; returns its bytes and its form. */
async function copyOf(chunks: readonly Uint8Array[]): Promise<{ bytes: Buffer; isCompressed: boolean }> {
  const written: Uint8Array[] = [];
  const writer = openCopyWriter(async (bytes) => void written.push(Uint8Array.from(bytes)));
  for (const chunk of chunks) {
    // The caller may change the bytes as soon as they are written.
    const reused = Uint8Array.from(chunk);
    await writer.write(reused);
    reused.fill(0);
  }
  const isCompressed = await writer.finish();
  return { bytes: Buffer.concat(written), isCompressed };
}

function cut(bytes: Uint8Array, length: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * length, (at + 1) * length));
}

const gunzipOfSystem = (() => {
  try {
    execFileSync('gunzip', ['--version'], { stdio: 'ignore' });
    return (bytes: Uint8Array) => execFileSync('gunzip', ['-c'], { input: bytes, maxBuffer: 64 * 2 ** 20 });
  } catch {
    return undefined;
  }
})();

/** Lengths around a block of the disk, around a member, and of more members than are compressed side by side. */
const edges = [0, 1, 4096, 4097, memberLength - 1, memberLength, memberLength + 1, 5 * memberLength + 1];

describe.each(Object.entries(kinds))('a copy of %s', (kind, make) => {
  test.each(edges)('of %d bytes is read as its original, at any position', async (length) => {
    const original = make(length);
    for (const chunkLength of [256 * 1024, 2_500_001]) {
      const { bytes, isCompressed } = await copyOf(cut(original, chunkLength));
      expect(isCompressed).toBe(4096 < length && kind !== 'random');
      if (!isCompressed) {
        expect(bytes.equals(original)).toBe(true);
        continue;
      }
      expect(bytes.length).toBeLessThan(kind === 'logs' ? length / 2 : length);
      expect(gunzipSync(bytes).equals(original)).toBe(true);
      if (gunzipOfSystem) expect(gunzipOfSystem(bytes).equals(original)).toBe(true);
      const source = { compressed: join(folder, 'copy.gz') };
      await writeFile(source.compressed, bytes);
      expect(Buffer.concat(await collect(readSource(source))).equals(original)).toBe(true);
      expect(await sourceLength(source)).toBe(length);
      expect(Buffer.from(await readStart(source, 4))).toEqual(original.subarray(0, 4));
      await using access = await openRandomAccess(source);
      expect(access.length).toBe(length);
      const edge = fc.integer({ min: -3, max: 3 }).map((by) => memberLength + by);
      const range = fc.tuple(
        fc.oneof(edge, fc.nat(length + 1)),
        fc.oneof(fc.nat(9), fc.nat(2 * memberLength)),
      );
      await fc.assert(
        fc.asyncProperty(range, async ([from, count]) => {
          const found = await readFully(access.read, from, count);
          expect(Buffer.from(found).equals(original.subarray(from, from + count))).toBe(true);
        }),
        { numRuns: rounds(100, 10) },
      );
    }
  });
});

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(Uint8Array.from(chunk));
  return all;
}

test('chunks of any length give an original with these bytes', async () => {
  const original = distinctLogs(2 * memberLength + 17);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 * memberLength }), { minLength: 1 }),
      async (lengths) => {
        const chunks: Uint8Array[] = [];
        let from = 0;
        for (let at = 0; from < original.length; at++) {
          const to = from + Math.max(1_000, lengths[at % lengths.length] ?? 1);
          chunks.push(original.subarray(from, to));
          from = to;
        }
        const { bytes } = await copyOf(chunks);
        expect(gunzipSync(bytes).equals(original)).toBe(true);
      },
    ),
    { numRuns: rounds(100, 5) },
  );
});

test.each([
  ['a zip, stored', toZip([{ name: 'a', content: 'a'.repeat(50_000) }])],
  ['gzip, of a uniform text', gzipSync(gzipSync('a'.repeat(50_000_000)))],
])('%s stays as it is', async (_, bytes) => {
  expect(await copyOf([bytes])).toEqual({ bytes: Buffer.from(bytes), isCompressed: false });
});

test('a failure to write ends the copy, at the latest as it is finished', async () => {
  const failing = openCopyWriter(() => Promise.reject(new Error('The disk is full')));
  const all = async () => {
    for (const chunk of cut(distinctLogs(3 * memberLength), 100_000)) await failing.write(chunk);
    await failing.finish();
  };
  await expect(all()).rejects.toThrow('The disk is full');
});

const writable = () => openCase(path, { access: 'write', create: true });
const copies = () => readdirSync(`${path}.evidence`).sort();

/** Deviations of a case. */
async function found(): Promise<readonly string[]> {
  await using of = await openCase(path, { access: 'read' });
  return (await verifyCase(of)).deviations.map(({ code, message }) => `${code}: ${message}`);
}

describe('an original of a case', () => {
  test.each([
    ['copied first', addFile],
    ['read once', addInOnePass],
  ] as const)('%s is compressed, and everything else speaks of its own bytes', async (_, add) => {
    const bytes = distinctLogs(2 * memberLength + 100_000);
    const file = join(folder, 'server.log');
    await writeFile(file, bytes);
    const sha256 = sha256Of(bytes);
    await using into = await writable();
    const added = await add(into, file, {});
    expect(added).toMatchObject({ sha256, bytes: bytes.length });
    expect(added?.parts).toMatchObject([{ fileSha256: sha256, entrySha256: sha256, bytes: bytes.length }]);
    expect(copies()).toEqual([`${sha256}.gz`]);
    const copy = join(`${path}.evidence`, `${sha256}.gz`);
    expect((await stat(copy)).mode & 0o777).toBe(0o400);
    expect(sha256Of(gunzipSync(await readFile(copy)))).toBe(sha256);
    const lines = bytes.toString().split('\n');
    for (const id of [1, 2, 12_345, added?.parts[0]?.logs ?? 0])
      expect(await readRaw(into, id)).toBe(lines[id - 1]);
    expect((await verifyCase(into)).deviations).toEqual([]);
    expect(await addFile(into, file)).toMatchObject({ already: true });
    expect(copies()).toEqual([`${sha256}.gz`]);
  });

  test('of a case of before stays as it is, and is found when it is added again', async () => {
    const bytes = distinctLogs(50_000);
    const { sha256 } = await addOne(bytes);
    await makePlain(sha256, bytes);
    expect(await found()).toEqual([]);
    await using into = await writable();
    expect(await addFile(into, { name: 'a.log', bytes })).toMatchObject({ already: true });
    expect(await readRaw(into, 2)).toBe(bytes.toString().split('\n')[1]);
    await addFile(into, { name: 'b.log', bytes: distinctLogs(60_000) });
    expect(copies()).toEqual([sha256, `${sha256Of(distinctLogs(60_000))}.gz`].sort());
    expect((await verifyCase(into)).deviations).toEqual([]);
  });

  test('is taken back if the case does not refer to it in the end', async () => {
    await using into = await writable();
    const stored = await storeFile(into, { name: 'a.log', bytes: distinctLogs(50_000) });
    expect(storedSource(into, stored.sha256)).toEqual(stored.source);
    expect(stored.source).toEqual({ compressed: join(`${path}.evidence`, `${stored.sha256}.gz`) });
    await releaseFiles(into, [stored]);
    expect(readdirSync(folder)).not.toContain('case.duckdb.evidence');
  });

  test('that a killed process left is removed by the next one, in either form', async () => {
    const { sha256 } = await addOne(distinctLogs(50_000));
    const [one, two] = ['1', '2'].map((digit) => digit.repeat(64));
    for (const name of [`${one}.gz`, `arriving-${one}`, `${two}`, `arriving-${two}`, `${'3'.repeat(64)}.gz`])
      await writeFile(join(`${path}.evidence`, name), '');
    await (await writable())[Symbol.asyncDispose]();
    expect(copies()).toEqual([`${sha256}.gz`, `${'3'.repeat(64)}.gz`].sort());
    expect(await found()).toEqual([expect.stringMatching(/^FILE_UNLISTED: "3+\.gz" is in the folder/)]);
  });

  test('of many small files is compressed from one block of the disk on', async () => {
    const files = [4_096, 4_097, 20_000].map((length) => ({
      name: `${length}.log`,
      bytes: distinctLogs(length),
    }));
    await using into = await writable();
    for await (const addition of addFiles(into, files)) expect(addition).toHaveProperty('added');
    expect(copies()).toEqual(
      files.map(({ bytes }) => `${sha256Of(bytes)}${bytes.length < 4_097 ? '' : '.gz'}`).sort(),
    );
    expect((await verifyCase(into)).deviations).toEqual([]);
  });
});

async function addOne(bytes: Uint8Array) {
  await using into = await writable();
  return await addFile(into, { name: 'a.log', bytes });
}

/** Puts an original in place of its compressed copy. */
async function makePlain(sha256: string, bytes: Uint8Array): Promise<void> {
  const plain = join(`${path}.evidence`, sha256);
  await rm(`${plain}.gz`);
  await writeFile(plain, bytes);
}
