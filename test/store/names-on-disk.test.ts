import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile, addFiles, addInOnePass } from '../../src/case/loading/add-files.ts';

const text = '{"msg":"a"}\n';

let folder: string;
let path: string;
let first: string;
let second: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-names-'));
  path = join(folder, 'case.duckdb');
  [first, second] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')];
  await writeFile(first, text);
  await writeFile(second, `${text}${text}`);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Watches what is synced, and gives for each commit, where the case lists originals, how many of them are not on the disk under their names. */
async function watchCommits(): Promise<readonly number[]> {
  const missing: number[] = [];
  let onDisk: ReadonlySet<unknown> = new Set();
  let isFolderOnDisk = false;
  await using handle = await open(folder);
  const handles: typeof handle = Object.getPrototypeOf(handle);
  const { sync } = handles;
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: typeof handle) {
    const { ino } = await this.stat();
    const names = readdirSync(`${path}.evidence`);
    await sync.call(this);
    if (ino === statSync(`${path}.evidence`).ino) onDisk = new Set(names);
    if (ino === statSync(folder).ino) isFolderOnDisk = true;
  });
  const { run } = DuckDBConnection.prototype;
  vi.spyOn(DuckDBConnection.prototype, 'run').mockImplementation(async function (
    this: DuckDBConnection,
    ...[sql, ...rest]: Parameters<typeof run>
  ) {
    if (sql === 'COMMIT') {
      const listed = await listedIn(this);
      const lost = listed.filter((name) => !isFolderOnDisk || !onDisk.has(name));
      if (0 < listed.length) missing.push(lost.length);
    }
    return await run.call(this, sql, ...rest);
  });
  return missing;
}

async function listedIn(connection: DuckDBConnection): Promise<readonly unknown[]> {
  const sql = 'SELECT sha256 FROM stored.files UNION SELECT file_sha256 FROM stored.parts';
  return (await connection.runAndReadAll(sql)).getRowsJS().map(([sha256]) => sha256);
}

test.each<[string, (into: Case) => Promise<unknown>]>([
  ['that come one by one', (into) => addFile(into, first).then(() => addFile(into, second))],
  ['that come together', (into) => addAll(into, [first, second])],
  ['that are loaded meanwhile', (into) => addInOnePass(into, first, {})],
  ['that are there already', (into) => putThere(text).then(() => addFile(into, first))],
])(
  'originals %s are on the disk under their names before a transaction ends that lists them',
  async (_, add) => {
    await using into = await openCase(path, { access: 'write', create: true });
    const missing = await watchCommits();
    await add(into);
    expect(new Set(missing)).toEqual(new Set([0]));
  },
);

async function addAll(into: Case, files: readonly string[]): Promise<void> {
  for await (const addition of addFiles(into, files)) expect(addition).toHaveProperty('added');
}

async function putThere(content: string): Promise<void> {
  await mkdir(`${path}.evidence`);
  await writeFile(join(`${path}.evidence`, createHash('sha256').update(content).digest('hex')), content);
}
