import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run-in-process.ts';

const ids = ['4e4f6a0e-1', '4e4f6a0e-12', '4e4f6a0e-2', '9c*', '9c?x', 'é1'];
const start = 1741766400000;

let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trace-test-'));
  path = join(folder, 'case.duckdb');
  const file = join(folder, 'logs.ndjson');
  const logs = ids.flatMap((requestID, index) =>
    [0, 1].map((second) => ({
      time: start + 10_000 * index + 1000 * second,
      requestID,
      msg: `of ${requestID}`,
    })),
  );
  await writeFile(file, logs.map((log) => `${JSON.stringify(log)}\n`).join(''));
  await run(['import', file, '--into', path]);
});
afterAll(() => rm(folder, { recursive: true }));

describe('trace', () => {
  test.each([
    ['4e4f6a0e-1', '4e4f6a0e-1'],
    ['4e4f6a0e-12', '4e4f6a0e-12'],
    ['4e4f6a0e-2', '4e4f6a0e-2'],
    ['9c*', '9c*'],
    ['9c?', '9c?x'],
    ['é', 'é1'],
  ])('follows the request that "%s" names: %s', async (text, id) => {
    const { code, out, err } = await run(['trace', text, path, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out).map(({ log }: { log: { requestID: string } }) => log.requestID)).toEqual([id, id]);
    expect(err).toBe(text === id ? '2 logs in 1.0 s.\n' : `The request is "${id}".\n2 logs in 1.0 s.\n`);
  });

  test('lists the requests that begin alike', async () => {
    expect(await run(['trace', '4e', path])).toEqual({
      code: 2,
      out: '',
      err: 'error: The ids of several requests begin with "4e":\n  4e4f6a0e-1  2 logs\n  4e4f6a0e-12  2 logs\n  4e4f6a0e-2  2 logs\n',
    });
  });

  test('follows the only one of the time', async () => {
    const from = new Date(start + 20_000).toISOString();
    const { err } = await run(['trace', '4e', path, '--from', from]);
    expect(err).toBe('The request is "4e4f6a0e-2".\n2 logs in 1.0 s.\n');
  });

  test.each(['', 'nobody', '9C', '4e4f6a0e-123'])('finds no request for "%s"', async (text) => {
    const { code, err } = await run(['trace', text, path]);
    expect([code, err]).toEqual([0, `No log has the request "${text}".\n`]);
  });

  test('takes what a table of a terminal shows', async () => {
    const { out } = await run(['search', '*:*', path, '--columns', 'request,msg'], { width: 80 });
    const shown = out
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split('  ')[0] ?? '');
    expect(new Set(shown).size).toBe(ids.length);
    for (const each of new Set(shown)) expect((await run(['trace', each, path])).err).toContain('2 logs in');
  });
});
