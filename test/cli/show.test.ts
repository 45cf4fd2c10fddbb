import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldStackTrace } from '../../src/cli/commands/show.ts';
import { run } from './run-in-process.ts';

let folder: string;
let path: string;
const frames = Array.from({ length: 8 }, (_, index) => `\tat com.example.A.step${index}(A.java:${index})`);
const trace = ['java.io.IOException: no\u001b[2J', ...frames, 'Caused by: it', ...frames.slice(0, 2)].join(
  '\n',
);
const record = JSON.stringify({ time: 1741768530123, msg: 'failed', stackTraces: trace, other: 1 });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-'));
  path = join(folder, 'one.duckdb');
  await writeFile(join(folder, 'one.ndjson'), `{"msg":"first"}\n${record}\n`);
  await run(['import', join(folder, 'one.ndjson'), '--into', path]);
});
afterAll(() => rm(folder, { recursive: true }));

test('a log is shown whole, its stack trace folded', async () => {
  const { code, out } = await run(['show', '2', path]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^id +2\ntime +2025-03-12 08:35:30\.123 UTC\nmsg +failed\nextra +\{"other":1\}\n\nStack trace\n/,
  );
  expect(out).toContain('step2(A.java:2)\n    … 5 more\nCaused by: it\n');
  expect(out).toContain(`Record\n${record}\n`);
  expect(out).toMatch(
    /Evidence\npart +1\nfile +one\.ndjson\nentry +\S+\nposition +2\nSHA-256 +[0-9a-f]{64}\n$/,
  );
  expect(out).not.toContain('\u001b');
});

test('--full shows all frames', async () => {
  expect((await run(['show', '2', path, '--full'])).out).toContain('step7');
});

test('JSON has all of it', async () => {
  const shown = JSON.parse((await run(['show', '2', path, '--json'])).out);
  expect(shown).toMatchObject({
    id: 2,
    position: 2,
    file: 'one.ndjson',
    raw: record,
    log: { stackTraces: trace },
  });
});

test.each([
  ['3', 'has no log with the id 3'],
  ['x', 'must be a whole number of at least 1, got "x"'],
])('%s is refused', async (id, reason) => {
  const { code, err } = await run(['show', id, path]);
  expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
});

test('a short stack trace stays as it is', () => {
  const short = ['E', ...frames.slice(0, 3)].join('\n');
  expect(foldStackTrace(short)).toBe(short);
});
