import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toZip } from './zips.ts';

/**
 * Logs with stack traces of 24 kB, or of 16 kB. The
 * database handles 2,048 rows at a time, which are 90 or 60 MB of texts and terms:
 * more than the little memory that an export gives it.
 */
const logs = 3_000;
const frames = Array.from(
  { length: 600 },
  (_, line) => `\tat com.example.depot${line % 37}.Store.take(Store.java:${line})\n`,
);

function* lines() {
  for (let time = 0; time < logs; time++) {
    const first = (time * 7) % frames.length;
    const stackTraces = [...frames.slice(first), ...frames.slice(0, first)].join('');
    yield JSON.stringify({ time, logLevel: 'SEVERE', msg: `boom ${time}`, stackTraces });
  }
}

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-long-'));
  path = join(folder, 'long.duckdb');
  const bytes = toZip([{ name: 'logs.ndjson', content: [...lines()].join('\n') }]);
  await using into = await openCase(path, { access: 'write', create: true, memory: 'little' });
  const { parts } = await addFile(into, { name: 'long.zip', bytes });
  expect(parts).toMatchObject([{ logs, unreadable: 0 }]);
});
afterAll(() => rm(folder, { recursive: true }));

test('the index is built and finds what is there', async () => {
  const filter = resolve(parse('stackTraces:"depot36.Store.take store.java:36"').query);
  {
    await using into = await openCase(path, { access: 'write' });
    expect(await buildIndex(into)).toMatchObject({ indexed: logs });
  }
  const count = async (tokenIndex?: 'ignored') => {
    await using from = await openCase(path, { access: 'read', ...(tokenIndex && { tokenIndex }) });
    return await countLogs(from, filter);
  };
  expect(await count()).toBe(await count('ignored'));
});

test('verifying compares them in spans, and finds what was altered in each', async () => {
  const found = async () => {
    await using from = await openCase(path, { access: 'read' });
    return (await verifyCase(from)).deviations.map(({ code, message }) => `${code}: ${message}`);
  };
  expect(await found()).toEqual([]);
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(
    `UPDATE stored.logs SET "logLevel" = 'INFO' WHERE position IN (1, ${logs / 2}, ${logs})`,
  );
  await connection.run('UPDATE stored.logs SET position = NULL WHERE position = 2');
  connection.closeSync();
  instance.closeSync();
  expect(await found()).toEqual([
    // The index still has the words of the level before.
    expect.stringMatching(/^INDEX_ALTERED: The index of logs 1 to 3000/),
    expect.stringMatching(new RegExp(`^ROWS_ALTERED: 4 rows of part 1 .*: record 1, ${logs / 2}, ${logs}`)),
  ]);
});
