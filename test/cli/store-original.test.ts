import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storeOriginal } from '../../src/cli/loading/load-cluster.ts';
import { temporaryBeside } from '../../src/database/files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-original-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const { signal } = new AbortController();

test('an original is stored once, under its hash, read-only', async () => {
  const [path, originals] = [join(folder, 'a.log'), join(folder, 'new', 'originals')];
  const bytes = Buffer.alloc(200_000, 'a line of a log\n');
  await writeFile(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const stored = { sha256, path: join(originals, sha256) };
  expect(await Promise.all([1, 2].map(() => storeOriginal(path, originals, signal)))).toEqual([
    stored,
    stored,
  ]);
  const { mtimeMs, mode } = await stat(stored.path);
  expect(mode & 0o777).toBe(0o444);
  expect(await storeOriginal(path, originals, signal)).toEqual(stored);
  expect((await stat(stored.path)).mtimeMs).toBe(mtimeMs);
  expect(await readFile(stored.path)).toEqual(bytes);
  expect(await readdir(originals)).toEqual([sha256]);
});

test('what a killed process left is removed, and a failed copy leaves nothing', async () => {
  const dead = temporaryBeside(join(folder, 'original')).replace(`-${process.pid}-`, '-4194305-');
  await writeFile(dead, 'half of a f');
  await expect(storeOriginal(join(folder, 'absent'), folder, signal)).rejects.toThrow('ENOENT');
  const path = join(folder, 'a.log');
  await writeFile(path, 'a');
  await expect(storeOriginal(path, folder, AbortSignal.abort(new Error('enough')))).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['a.log']);
});
