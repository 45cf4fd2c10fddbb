import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { run } from './run-in-process.ts';

/** Ids 1 to 6. The second and the third are alike but for their times. */
const logs: readonly Log[] = [
  {
    time: 1,
    logLevel: 'SEVERE',
    logCode: 7569,
    msg: "Process of 'A/B.MapServer' crashed and was started again.",
  },
  { time: 2, logLevel: 'INFO', logCode: 1312, msg: "Updated Kubernetes Secret 'x'." },
  { time: 3, logLevel: 'INFO', logCode: 1312, msg: "Updated Kubernetes Secret 'x'." },
  { time: 4, logLevel: 'INFO', logCode: 8002, msg: "Instance of 'A/B.MapServer' has been shut down." },
  { time: 5 },
  {
    time: 6,
    logLevel: 'SEVERE',
    logCode: 7569,
    msg: "Process of 'C.MapServer' crashed and was started again.",
  },
];

let path = '';
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'suggest-test-')), 'few.duckdb');
  await using into = await openCase(path, { access: 'write', create: true });
  await addLogs(into, logs, { part: 'all' });
});
afterAll(() => rm(join(path, '..'), { recursive: true }));

const suggest = (...words: string[]) => run(['suggest', path, ...words]);

describe('suggest', () => {
  test('prints a query alone, which search takes, and what it selects', async () => {
    const { code, out, err } = await suggest('--like', '1', '--unlike', '2,4');
    expect([code, out]).toEqual([0, 'logCode:7569\n']);
    expect(err).toBe('Selects 1 of 1 liked, 0 of 2 unliked, and 2 of 6 logs in the case.\n');
    expect((await run(['search', out.trim(), path, '--count'])).out.trim()).toBe('2');
  });

  test('names logs that no query tells apart, and gives a query for the others', async () => {
    const { code, out, err } = await suggest('--like', '1,2', '--unlike', '3');
    expect([code, out]).toEqual([1, 'logCode:7569\n']);
    expect(err).toContain('No query tells the log 2 from 3');
    expect(await suggest('--like', '5')).toMatchObject({
      code: 1,
      out: '',
      err: 'No query can select the log 5: it has no level, code, source, words or other values.\n',
    });
  });

  test('prints JSON', async () => {
    expect(JSON.parse((await suggest('--like', '2,3', '--json')).out)).toEqual({
      query: 'logCode:1312',
      selected: 2,
      total: 6,
      inseparable: [],
      liked: { selected: 2, total: 2 },
      unliked: { selected: 0, total: 0 },
    });
  });

  test.each([
    [[], 'requires --like'],
    [['--like', '1', '--unlike', '1'], 'must not be in both'],
    [['--like', '99'], 'no log with the id 99'],
    [['--like', Array.from({ length: 201 }, (_, id) => id).join(',')], 'at most 200 ids'],
  ])('refuses %j', async (words, message) => {
    expect(await suggest(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});
