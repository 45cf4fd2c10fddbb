import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from './run-in-process.ts';

let folder: string;
let caseFile: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-test-'));
  caseFile = join(folder, 'case.duckdb');
});
afterEach(() => rm(folder, { recursive: true }));

const logs = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({
    ...{ time: 1_700_000_000_000 + (from + at) * 1000, logLevel: 'INFO', msg: `m${from + at}` },
  }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const ndjson = (all: readonly object[]) => all.map((each) => `${JSON.stringify(each)}\n`).join('');

test('the same logs in two files are said by import and coverage, and left out on request', async () => {
  const files = [write('a.ndjson', ndjson(logs(0, 10))), write('b.ndjson', ndjson(logs(7, 20)))];
  const text = '"b.ndjson": 3 of 13 logs are also in "a.ndjson"; ';
  const twice = `${text}they count twice. --no-duplicates leaves such logs out.`;
  const first = await run(['import', ...files, '--into', caseFile]);
  expect(first).toMatchObject({ code: 0, err: expect.stringContaining(twice) });
  expect((await run(['coverage', caseFile])).err).toContain(twice);
  await rm(caseFile);
  await rm(`${caseFile}.evidence`, { recursive: true });
  const second = await run(['import', ...files, '--into', caseFile, '--no-duplicates']);
  expect(second).toMatchObject({
    code: 0,
    out: expect.stringContaining('3 logs already in the case'),
    err: expect.stringContaining(`${text}they were left out, and are kept in the original.`),
  });
  expect((await run(['coverage', caseFile])).err).not.toContain('b.ndjson');
  expect(await run(['verify', caseFile])).toMatchObject({ code: 0 });
  const again = JSON.parse((await run(['import', ...files, '--into', caseFile, '--json'])).out);
  expect(again).toMatchObject({ files: [{ already: true }, { already: true }], overlaps: [] });
});

test('--no-duplicates is refused for a cluster', async () => {
  const file = write('a.ndjson', ndjson(logs(0, 2)));
  const result = await run(['import', file, '--into', 'clickhouse://127.0.0.1:1/x', '--no-duplicates']);
  expect(result).toMatchObject({ code: 2, err: expect.stringContaining('--no-duplicates requires a case') });
  expect(existsSync(caseFile)).toBe(false);
});
