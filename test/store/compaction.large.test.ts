import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCase, readCase, writeToCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-compaction-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(['with an index', 'without one'])('a case that grows often is put together, %s', async (kind) => {
  const path = join(folder, 'case.duckdb');
  const groups: number[] = [];
  for (let turn = 1; turn <= 30; turn++) {
    const bytes = new TextEncoder().encode(`{"time":${turn},"msg":"m ${turn}"}\n`);
    {
      await using into = await openCase(path, { access: 'write', create: true });
      await addFile(into, { name: `${turn}`, bytes });
      // From then on the database adds to the last row group, but merges none.
      if (kind === 'with an index' && 10 <= turn) await buildIndex(into);
    }
    await using opened = await openCase(path, { access: 'read' });
    groups.push(await rowGroups(opened));
  }
  // It grew at times, for which nothing was written anew, and no further than it may.
  expect(Math.max(...groups)).toBeGreaterThan(5);
  expect(Math.max(...groups)).toBeLessThanOrEqual(11);
  if (kind === 'with an index') expect(groups.at(-1)).toBeLessThanOrEqual(2);
  await using opened = await openCase(path, { access: 'read' });
  expect(await verifyCase(opened)).toMatchObject({ deviations: [], logs: 30 });
});

test('row groups that lost logs are merged in spite of an index of ids', async () => {
  const path = join(folder, 'case.duckdb');
  const add = async (turn: number) => {
    const lines = [1, 2, 3].map((line) => `{"time":${turn},"msg":"m ${line}"}\n`).join('');
    await using into = await openCase(path, { access: 'write', create: true });
    await addFile(into, { name: `${turn}`, bytes: new TextEncoder().encode(lines) });
  };
  for (let turn = 1; turn <= 9; turn++) await add(turn);
  {
    await using into = await openCase(path, { access: 'write' });
    await buildIndex(into);
    await writeToCase(into, (connection) => connection.run('DELETE FROM stored.logs WHERE id % 3 = 0'));
    expect(await rowGroups(into)).toBe(9);
  }
  for (let turn = 10; turn <= 12; turn++) await add(turn);
  await using opened = await openCase(path, { access: 'read' });
  expect(await rowGroups(opened)).toBeLessThanOrEqual(3);
  expect(await countLogs(opened, matchAllFilter)).toBe(27);
});

function rowGroups(of: Parameters<typeof readCase>[0]): Promise<number> {
  return readCase(of, async (connection) => {
    const result = await connection.runAndReadAll(
      "SELECT count(DISTINCT row_group_id)::DOUBLE FROM pragma_storage_info('stored.logs')",
    );
    return v.parse(v.number(), result.getRowsJS()[0]?.[0]);
  });
}
