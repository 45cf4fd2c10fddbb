import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

let folder = '';
let incident = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redact-test-'));
  incident = join(folder, 'incident.duckdb');
  await run(['import', 'samples/incident.ndjson', '--into', incident, '--no-index']);
});
afterAll(() => rm(folder, { recursive: true }));

largeTest('a copy has the same pseudonyms with the same key, and others with another', async () => {
  const key = join(folder, 'redact.key');
  const users = async (name: string, ...options: string[]) => {
    const out = join(folder, name);
    const { code, err } = await run(['redact', incident, '--out', out, ...options]);
    return { code, err, top: (await run(['top', 'username', out, '--csv'])).out };
  };
  const first = await users('first.duckdb', '--key', key);
  expect([first.code, first.err.split('.')[0]]).toEqual([0, `Key written to "${join(folder, 'redact')}`]);
  if (process.platform !== 'win32') expect(statSync(key).mode & 0o777).toBe(0o600);
  const second = await users('second.duckdb', '--key', key);
  const third = await users('third.duckdb');
  expect(second).toEqual({ code: 0, err: '', top: first.top });
  expect(third.top).not.toBe(first.top);
  const counts = (csv: string) => csv.split('\n').map((line) => line.split(',')[1]);
  const { out: original } = await run(['top', 'username', incident, '--csv']);
  expect(counts(first.top)).toEqual(counts(original));
  // Neither a user nor a host of the samples is in a message of the copy.
  const names = async (field: string) =>
    (await run(['top', field, incident, '--csv'])).out
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0] ?? '');
  const { out: logs } = await run(['search', '*:*', join(folder, 'first.duckdb'), '--ndjson']);
  const all = [...(await names('username')), ...(await names('machine'))].filter((name) => name !== '');
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter((name) => new RegExp(`(?<![a-z0-9])${name}(?![a-z0-9])`, 'i').test(logs))).toEqual([]);
  const { out: report } = await run(['report', join(folder, 'first.duckdb'), '--to', 'md']);
  expect(report).toContain('The case is a redacted copy');
  expect((await run(['verify', join(folder, 'first.duckdb')])).code).toBe(0);
});

test('a target that exists, a wrong key and a missing --out are refused, and nothing is left', async () => {
  const wrong = join(folder, 'wrong.key');
  await writeFile(wrong, 'secret');
  const refused = async (...words: string[]) => {
    const { code, err } = await run(['redact', incident, ...words]);
    return [code, err.trim()];
  };
  expect(await refused()).toEqual([2, 'error: --out NEW is required: the case file to create']);
  expect(await refused('--out', wrong)).toEqual([
    ...[2, `error: "${wrong}" already exists and is not replaced: name another file`],
  ]);
  const out = join(folder, 'none.duckdb');
  expect(await refused('--out', out, '--key', wrong)).toEqual([
    ...[2, `error: The key file "${wrong}" must hold 64 hexadecimal digits`],
  ]);
  expect(existsSync(out)).toBe(false);
  expect(await readFile(wrong, 'utf8')).toBe('secret');
});

test('a copy that was interrupted is removed', async () => {
  const out = join(folder, 'interrupted.duckdb');
  const { code } = await run(['redact', incident, '--out', out], {
    signal: AbortSignal.abort(new Error('x')),
  });
  expect(code).not.toBe(0);
  expect(existsSync(out)).toBe(false);
});
