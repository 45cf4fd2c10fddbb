import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase, startOpening } from '../../src/case/file/case.ts';
import { tamperWith } from '../store/tamper.ts';
import { run } from './run-in-process.ts';

/*
 * A case is opened while the query is still being read.
 */

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-opening-'));
  await writeFile(at('a.ndjson'), '{"time":1,"msg":"timeout"}\n');
  await run(['import', at('a.ndjson'), '--into', at('good.duckdb')]);
  await cp(at('good.duckdb'), at('altered.duckdb'));
  await tamperWith(at('altered.duckdb'), ['CREATE MACRO contains(a, b) AS false']);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Fails if the case is still open anywhere. */
async function checkClosed(name: string): Promise<void> {
  await (await openCase(at(name), { access: 'write' }))[Symbol.asyncDispose]();
}

const commands = (query: string, name: string) => [
  ['search', '--count', query, at(name)],
  ['top', 'source', at(name), '--search', query],
  ['histogram', at(name), '--search', query],
];

test('a mistake in the query is reported alone, and the case closed', async () => {
  for (const words of commands('timeout AND (', 'good.duckdb')) {
    const { code, out, err } = await run(words);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('[empty-group]');
    await checkClosed('good.duckdb');
  }
  const { err } = await run(['search', 'timeout AND (', at('altered.duckdb')]);
  expect(err).not.toContain('CASE_ALTERED');
});

test('an altered case is refused as ever, and so is one that another writes to', async () => {
  for (const words of commands('timeout', 'altered.duckdb'))
    expect(await run(words)).toMatchObject({ out: '', err: expect.stringContaining('[CASE_ALTERED]') });
  await using _writer = await openCase(at('good.duckdb'), { access: 'write' });
  for (const words of commands('timeout', 'good.duckdb'))
    expect(await run(words)).toMatchObject({ out: '', err: expect.stringContaining('[CASE_LOCKED]') });
});

test('a case is closed after the answer', async () => {
  for (const words of commands('timeout', 'good.duckdb')) {
    expect(await run(words)).toMatchObject({ code: 0, out: expect.stringContaining('1') });
    await checkClosed('good.duckdb');
  }
  expect(await run(['search', '--count', 'timeout', at('good.duckdb'), at('good.duckdb')])).toMatchObject({
    out: '1\n',
  });
  await checkClosed('good.duckdb');
});

test('what has begun is opened as ever, or rejects later', async () => {
  const { opened } = await startOpening(at('good.duckdb'));
  await (await opened)[Symbol.asyncDispose]();
  const missing = await startOpening(at('none.duckdb'));
  await expect(missing.opened).rejects.toMatchObject({ code: 'CASE_NOT_FOUND' });
});
