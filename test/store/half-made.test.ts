import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { sampled } from '../effort.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-half-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The files of a database while it is being made, as a kill leaves them: without a table, and with some in the write-ahead file only. */
async function filesBeingMade() {
  const made = join(folder, 'made');
  const instance = await DuckDBInstance.create(made);
  const connection = await instance.connect();
  const blank = await readFile(made);
  await connection.run('CREATE SCHEMA stored');
  const wal = await readFile(`${made}.wal`);
  connection.closeSync();
  instance.closeSync();
  await rm(made);
  return { blank, wal };
}

describe('a case whose making was killed is made by the next command', () => {
  test.each(sampled([0, 12, 100, 4096, 8192, 12_000, 12_288], 1))('after %i bytes', async (length) => {
    const { blank } = await filesBeingMade();
    expect(blank.length).toBe(12_288);
    await writeFile(path, blank.subarray(0, length));
    await expectFilled();
  });

  test.each(
    sampled<[string, number, number]>(
      [
        ['a whole write-ahead file', 12_288, 1],
        ['half of a write-ahead file', 12_288, 0.5],
        ['the beginning of a write-ahead file', 12_288, 0.1],
        ['nothing else but a write-ahead file', -1, 1],
        ['an empty file and a write-ahead file', 0, 1],
      ],
      2,
    ),
  )('with %s', async (_, length, share) => {
    const { blank, wal } = await filesBeingMade();
    if (0 <= length) await writeFile(path, blank.subarray(0, length));
    await writeFile(`${path}.wal`, wal.subarray(0, Math.floor(wal.length * share)));
    await expectFilled();
  });

  /** Expects that a case can be made and filled, and that no write-ahead file stays. */
  async function expectFilled(): Promise<void> {
    {
      await using into = await openCase(path, { access: 'write', create: true });
      const bytes = new TextEncoder().encode('{"time":1,"msg":"a"}\n');
      await addFile(into, { name: 'a.ndjson', bytes });
    }
    expect((await readdir(folder)).sort()).toEqual(['case.duckdb', 'case.duckdb.evidence']);
    await using from = await openCase(path, { access: 'read' });
    expect(await summary(from)).toMatchObject({ logs: 1 });
  }
});

test('one that is empty is not opened by who does not make cases, who says what to do', async () => {
  await writeFile(path, '');
  for (const access of ['read', 'write'] as const)
    await expect(openCase(path, { access })).rejects.toMatchObject({
      code: 'NOT_A_CASE',
      message: expect.stringContaining('Repeat that command'),
    });
});

test('no write-ahead file stays where nothing was written', async () => {
  const { wal } = await filesBeingMade();
  await (await openCase(path, { access: 'write', create: true }))[Symbol.asyncDispose]();
  await writeFile(`${path}.wal`, wal.subarray(0, 20));
  await (await openCase(path, { access: 'write' }))[Symbol.asyncDispose]();
  expect(await readdir(folder)).toEqual(['case.duckdb']);
});
