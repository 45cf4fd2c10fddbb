import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { timeSpan } from '../../src/case/searching/count-logs.ts';
import { countLogs, findLogs } from '../../src/case/searching/find-logs.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { rounds } from '../effort.ts';

let folder: string;
let path: string;
let good: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-flipped-'));
  path = join(folder, 'case.duckdb');
  {
    await using into = await openCase(path, { access: 'write', create: true });
    const logs = Array.from({ length: 20_000 }, (_, i) => ({
      time: i * 1000,
      msg: `request ${i} took ${(i * 7919) % 1000} ms`,
      machine: `c${i % 50}`,
    }));
    await addLogs(into, logs, { part: 'p' });
    await buildIndex(into);
  }
  good = await readFile(path);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const filters = ['"request 77"', 'machine:c7 AND took', 'took 77'].map(
  (text): Filter => resolve(parse(text).query, { now: 0 }),
);

/** What each question about a case gives: its answer, or its failure. */
const questions: Readonly<Record<string, (of: Case) => Promise<unknown>>> = {
  deviations: async (of) => (await verifyCase(of)).deviations,
  counts: (of) => Promise.all(filters.map((filter) => countLogs(of, filter))),
  logs: (of) => Promise.all(filters.map((filter) => findLogs(of, filter, { limit: 20 }))),
  sql: async (of) =>
    (await runSql(of.path, 'SELECT machine, count(*), sum(length(msg)) FROM logs GROUP BY 1 ORDER BY 1'))
      .rows,
  span: (of) => Promise.all(filters.map((filter) => timeSpan(of, filter))),
};

async function answersOf(bytes: Uint8Array): Promise<ReadonlyMap<string, unknown>> {
  await writeFile(path, bytes);
  const answers = new Map<string, unknown>();
  for (const [name, ask] of Object.entries(questions)) answers.set(name, await answerOf(name, ask));
  return answers;
}

async function answerOf(name: string, ask: (of: Case) => Promise<unknown>): Promise<unknown> {
  try {
    const options = name === 'deviations' ? ({ altered: 'opened' } as const) : {};
    await using of = await openCase(path, { access: 'read', ...options });
    return await ask(of);
  } catch (error) {
    return error;
  }
}

test('a flipped bit never changes an answer: it is right, or the damage is said', async () => {
  const expected = await answersOf(good);
  expect(expected.get('deviations')).toEqual([]);
  expect(expected.get('counts')).toEqual([1, 400, 20_000]);
  const bits = fc.noBias(fc.nat(8 * good.length - 1));
  for (const place of fc.sample(bits, rounds(200, 4))) {
    const [at, bit] = [Math.floor(place / 8), place % 8];
    const bytes = Buffer.from(good);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    for (const [name, answer] of await answersOf(bytes)) {
      if (answer instanceof Error)
        expect(answer, `${name} after bit ${bit} of byte ${at} was flipped`).toMatchObject({
          code: expect.stringMatching(/^(CASE_DAMAGED|NOT_A_CASE|CASE_ALTERED|CASE_VERSION)$/),
        });
      else expect(answer, `${name} after bit ${bit} of byte ${at} was flipped`).toEqual(expected.get(name));
    }
  }
});
