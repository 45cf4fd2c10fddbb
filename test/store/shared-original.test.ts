import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { type Case, openCase, writeToCase } from '../../src/case/file/case.ts';
import { addFile, addInOnePass } from '../../src/case/loading/add-files.ts';
import { type AddWindowOptions, addWindow } from '../../src/case/loading/add-window.ts';
import { releaseFiles, type StoredFile, storedSource, storeFile } from '../../src/case/originals/evidence.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { toZip } from './zips.ts';

const text = '{"msg":"a"}\n'.repeat(100);

let folder: string;
let into: Case;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-shared-'));
  into = await openCase(join(folder, 'case.duckdb'), { access: 'write', create: true });
  file = join(folder, 'a.ndjson');
  await writeFile(file, text);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await into[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Names among the originals, without the marks of those of which it is not decided whether they stay. */
const evidence = () =>
  existsSync(`${into.path}.evidence`)
    ? readdirSync(`${into.path}.evidence`).filter((name) => !/^arriving-[0-9a-f]{64}$/.test(name))
    : [];

/** Lets the database fail as it is to list a part, once something else was done meanwhile. */
function failToList(meanwhile: () => Promise<void>): void {
  const { run } = DuckDBConnection.prototype;
  vi.spyOn(DuckDBConnection.prototype, 'run').mockImplementation(async function (
    this: DuckDBConnection,
    ...[sql, ...rest]: Parameters<typeof run>
  ) {
    if (!sql.startsWith('INSERT INTO stored.parts')) return await run.call(this, sql, ...rest);
    vi.restoreAllMocks();
    await meanwhile();
    throw new Error('The disk is full');
  });
}

/** Waits until a file that is being kept was copied. */
async function copied(): Promise<void> {
  const isCopying = () => evidence().some((name) => name.startsWith('arriving-'));
  while (!isCopying()) await setImmediate();
  while (isCopying()) await setImmediate();
}

/** A window of an export that is loaded in the end, or not. */
const windowOf = (isLoaded: boolean): AddWindowOptions => ({
  job: 'j1',
  isWanted: () => true,
  decide: () => (isLoaded ? { changes: {} } : undefined),
});

describe('an original that two count on', () => {
  test('stays for the second when the first one fails that brought it', async () => {
    let kept: StoredFile | undefined;
    failToList(async () => {
      kept = await storeFile(into, file);
    });
    await expect(addInOnePass(into, file, {})).rejects.toThrow('The disk is full');
    if (!kept) throw new Error('It was not kept');
    expect(await addFile(into, file)).toMatchObject({ already: false, parts: [{ logs: 100 }] });
    await releaseFiles(into, [kept]);
    expect((await verifyCase(into)).deviations).toEqual([]);
    expect(evidence()).toEqual([kept.sha256]);
  });

  test('is taken back when the last one lets it go', async () => {
    const [first, second] = [await storeFile(into, file), await storeFile(into, file)];
    await releaseFiles(into, [first]);
    expect(evidence()).toEqual([first.sha256]);
    await releaseFiles(into, [second]);
    expect(readdirSync(folder)).not.toContain('case.duckdb.evidence');
  });

  test('stays for one that comes while another one lets it go', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const first = await storeFile(into, file);
      const [second] = await Promise.all([storeFile(into, file), releaseFiles(into, [first])]);
      expect(evidence()).toEqual([first.sha256]);
      await releaseFiles(into, [second]);
      expect(evidence()).toEqual([]);
    }
  });

  test('stays where it was there before', async () => {
    await addFile(into, file);
    const [known] = evidence();
    const others = [await storeFile(into, file), await storeFile(into, file)];
    await releaseFiles(into, others);
    expect(evidence()).toEqual([known]);
  });

  test('stays where it is until both let it go that left it in place', async () => {
    await using inPlace = await openCase(':memory:', { access: 'write' });
    const [first, second] = [await storeFile(inPlace, file), await storeFile(inPlace, file)];
    await releaseFiles(inPlace, [first]);
    expect(storedSource(inPlace, second.sha256)).toEqual({ path: file });
    await releaseFiles(inPlace, [second]);
    expect(storedSource(inPlace, second.sha256)).toBeUndefined();
  });

  test('stays for the window that is loaded where another one that came first is not', async () => {
    const loaded = [false, true];
    await writeFile(file, toZip([{ name: 'a.ndjson', content: text }]));
    let go = () => {};
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    const turn = writeToCase(into, () => waiting);
    const adding: Promise<boolean>[] = [];
    for (const isLoaded of loaded) {
      adding.push(addWindow(into, file, windowOf(isLoaded)));
      await copied();
    }
    go();
    await turn;
    expect(await Promise.all(adding)).toEqual(loaded);
    expect(await summary(into)).toMatchObject({ logs: 100 });
    expect((await verifyCase(into)).deviations).toEqual([]);
    expect(evidence()).toHaveLength(1);
  });
});
