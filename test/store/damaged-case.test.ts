import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';

let folder: string;
let path: string;
let good: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-damaged-'));
  path = join(folder, 'case.duckdb');
  {
    await using into = await openCase(path, { access: 'write', create: true });
    await addLogs(into, [{ time: 1, msg: 'a' }], { part: 'p' });
  }
  good = await readFile(path);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The failure of a check of a case with some bytes. */
async function failureOf(bytes: Uint8Array): Promise<unknown> {
  await writeFile(path, bytes);
  try {
    await using of = await openCase(path, { access: 'read', altered: 'opened' });
    await verifyCase(of);
    return undefined;
  } catch (error) {
    return error;
  }
}

const remedy =
  /is damaged: .*Copy it again from its source, or import the originals in ".*case.duckdb.evidence" into a new case$/;

test.each([100, 4096, 12_288, 20_000, 274_432])(
  'a case of which %i bytes are left says so',
  async (length) => {
    expect(await failureOf(good.subarray(0, length))).toMatchObject({
      code: 'CASE_DAMAGED',
      message: expect.stringMatching(/it is shorter than when it was written/),
    });
  },
);

test.each([0, 4100, 8200, 12_288, 15_000, 300_000])('a flipped bit at %i is said', async (at) => {
  const bytes = Buffer.from(good);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  expect(await failureOf(bytes)).toMatchObject({
    code: 'CASE_DAMAGED',
    message: expect.stringMatching(remedy),
  });
});

test('an empty file is said to be one', async () => {
  expect(await failureOf(new Uint8Array())).toMatchObject({
    code: 'NOT_A_CASE',
    message: expect.stringMatching(/is empty/),
  });
});
