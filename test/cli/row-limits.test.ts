import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

/*
 * No rows are cut in silence: a terminal gets a page, every other output all rows unless --limit is given.
 */

const logCount = 90;
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-'));
  path = join(folder, 'many.duckdb');
  const logs = Array.from({ length: logCount }, (_, index) =>
    JSON.stringify({ time: 1000 * index, msg: `log ${index}`, source: `s${index}` }),
  );
  await writeFile(join(folder, 'many.ndjson'), logs.join('\n'));
  await run(['import', join(folder, 'many.ndjson'), '--into', path]);
});
afterAll(() => rm(folder, { recursive: true }));

const linesOf = (text: string) => text.trimEnd().split('\n');

describe.each([
  ['search', ['search', '*:*'], 20],
  ['search --best', ['search', 'log', '--best'], 20],
  ['top', ['top', 'source'], 20],
] as const)('%s', (_name, words, page) => {
  test.each(sampled(['--csv', '--ndjson'], 1))('%s in a pipe gets all rows', async (format) => {
    const { out } = await run([...words, path, format]);
    expect(linesOf(out).length).toBe(logCount + (format === '--csv' ? 1 : 0));
  });

  test('a table in a pipe gets all rows', async () => {
    const { out } = await run([...words, path]);
    expect(linesOf(out).length).toBe(logCount + 1);
  });

  test('a terminal gets a page and a note', async () => {
    const { out, err } = await run([...words, path, '--csv'], { width: 200 });
    expect(linesOf(out).length).toBe(page + 1);
    expect(err).toContain('--limit N');
  });

  test('--limit holds everywhere', async () => {
    for (const width of [80, undefined]) {
      const { out } = await run([...words, path, '--ndjson', '--limit', '3'], width ? { width } : {});
      expect(linesOf(out).length).toBe(3);
    }
  });
});

test('a Parquet file gets all rows from a terminal too', async () => {
  const parquet = join(folder, 'all.parquet');
  const { err } = await run(['search', '*:*', path, '--parquet', parquet], { width: 80 });
  expect(err).toBe(`90 of 90 logs written to "${parquet}".\n`);
});

describe('sql', () => {
  const many = ['sql', 'SELECT range AS n FROM range(2500)'];

  const forms: [string, number][] = [
    ['--csv', 2501],
    ['--ndjson', 2500],
    ['--markdown', 2502],
  ];

  test.each(sampled(forms, 1))('%s in a pipe gets all rows', async (format, lines) => {
    const { out, err } = await run([...many, path, format]);
    expect([linesOf(out).length, err]).toEqual([lines, '2,500 rows.\n']);
  });

  largeTest('tables and JSON in a pipe get all rows', async () => {
    expect(linesOf((await run([...many, path])).out).length).toBe(2501);
    const { rows, more } = JSON.parse((await run([...many, path, '--json'])).out);
    expect([rows.length, more]).toEqual([2500, false]);
  });

  test('a terminal gets a page and a note', async () => {
    const { out, err } = await run([...many, path], { width: 80 });
    expect([linesOf(out).length, err]).toEqual([1001, 'The first 1,000 rows; --limit N shows more.\n']);
  });
});
