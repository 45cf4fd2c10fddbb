import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { tamperWith } from './tamper.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-long-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["UPDATE stored.parts SET entry = repeat('x', 1000000)", 'ENTRY_MISSING', /" of part 1 is gone$/],
  ["UPDATE stored.actions SET action = repeat('x', 1000000) WHERE number = 2", 'CHAIN_BROKEN', /./],
] as const)('a deviation stays short after %s', async (sql, code, end) => {
  const path = join(folder, `${code}.duckdb`);
  {
    await using into = await openCase(path, { access: 'write', create: true });
    await addFile(into, { name: 'a.ndjson', bytes: new TextEncoder().encode('{"time":1,"msg":"a"}\n') });
  }
  await tamperWith(path, [sql]);
  await using of = await openCase(path, { access: 'read', altered: 'opened' });
  const { deviations } = await verifyCase(of);
  expect(deviations).toContainEqual(expect.objectContaining({ code, message: expect.stringMatching(end) }));
  for (const deviation of deviations) expect(JSON.stringify(deviation).length).toBeLessThan(10_000);
});
