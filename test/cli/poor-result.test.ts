import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainPoorResult } from '../../src/analysis/index.ts';
import { queryParts } from '../../src/analysis/poor-result/query-parts.ts';
import { openCase } from '../../src/store/index.ts';
import { run } from './run-in-process.ts';

const sample: readonly { readonly msg: string; readonly logLevel: string; readonly logCode?: number }[] =
  readFileSync('samples/incident.ndjson', 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poor-result-test-'));
  await run(['import', 'samples/incident.ndjson', '--into', at('case.duckdb')]);
});
afterAll(() => rm(folder, { recursive: true }));

const said = async (query: string, ...sources: readonly string[]) =>
  (await run(['search', query, ...(sources.length === 0 ? [at('case.duckdb')] : sources)])).err;

describe('a query that finds nothing', () => {
  test('shows how many logs each part finds alone', async () => {
    const level = sample.filter(({ logLevel }) => logLevel === 'SEVERE').length;
    const err = await said('logLevel:SEVERE AND logCode:9029 AND NOT (msg:xyzzy)');
    expect(err).toContain('No log matches.\nEach part of the query alone finds:\n');
    expect(err).toContain(`\n  ${level} logs: logLevel:SEVERE\n`);
    const code = sample.filter(({ logCode }) => logCode === 9029).length;
    expect(err).toContain(`\n  ${code} logs: logCode:9029\n`);
    expect(err).toContain('\n  0 logs: msg:xyzzy\n');
  });

  test('shows near words with their counts: misspelt, joined and split', async () => {
    const withPhrase = sample.filter(({ msg }) => /\btimed out\b/i.test(msg)).length;
    const joined = await said('msg:timedout');
    expect(joined).toContain(`Near msg:timedout (0): "timed out" ${withPhrase}`);
    expect(await said('msg:timeout')).toMatch(new RegExp(`"timed out" ${withPhrase}\\b`));
    const withWord = sample.filter(({ msg }) => /\bconnection\b/i.test(msg)).length;
    expect(await said('msg:conection')).toContain(`"connection" ${withWord}`);
    expect(await said('msg:"con nection"')).toContain(`"connection" ${withWord}`);
  });

  test('shows the values that a field has', async () => {
    const fine = sample.filter(({ logLevel }) => logLevel === 'FINE').length;
    const err = await said('logLevel:FATALITY');
    expect(err).toContain('No log has logLevel:FATALITY; the most frequent values of "logLevel" are FINE');
    expect(err).toContain(`FINE (${fine})`);
    expect(await said('logCode:123456')).toContain('No log has logCode:123456; ');
  });

  test('shows the time span of the logs for a time outside of it', async () => {
    expect(await said('time:["2024-01-01T00:00:00Z" TO "2024-01-02T00:00:00Z"]')).toContain(
      ': the logs are from 2025-03-11 00:43:23.891 to 2025-03-12 11:28:37',
    );
  });

  test('adds nothing for programs, and nothing to a good result', async () => {
    expect((await run(['search', 'msg:timedout', at('case.duckdb'), '--json'])).err).toBe('');
    expect(await said('logLevel:WARNING')).not.toContain('Near');
  });
});

test('several cases are counted together', async () => {
  await writeFile(at('more.ndjson'), '{"msg":"connection"}\n{"msg":"connection"}\n');
  const withWord = sample.filter(({ msg }) => /\bconnection\b/i.test(msg)).length;
  const err = await said('msg:conection', at('case.duckdb'), at('more.ndjson'));
  expect(err).toContain(`"connection" ${withWord + 2}`);
});

test('an empty case and one without times say so', async () => {
  await (await openCase(at('empty.duckdb'), { access: 'write', create: true }))[Symbol.asyncDispose]();
  expect(await said('logLevel:SEVERE', at('empty.duckdb'))).toContain('No log has a value in "logLevel"');
  await writeFile(at('timeless.ndjson'), '{"msg":"a"}\n');
  const time = 'time:["2024-01-01T00:00:00Z" TO "2024-01-02T00:00:00Z"]';
  expect(await said(time, at('timeless.ndjson'))).toContain('No log has a time');
});

test('control characters of values and queries do not reach the terminal', async () => {
  await writeFile(at('evil.ndjson'), JSON.stringify({ msg: 'a', source: '\u001b[2Jx', logLevel: '\u202e' }));
  const err = await said('source:"y\u001b[31m" AND logLevel:z', at('evil.ndjson'));
  expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(err).toContain('\\x1b[2Jx');
});

test('no statement starts after the time limit', async () => {
  await using from = await openCase(at('case.duckdb'), { access: 'read' });
  const parts = queryParts('msg:timedout AND logLevel:FATALITY', undefined);
  expect(await explainPoorResult([from], parts, { limit: 0 })).toEqual({ parts: [], isComplete: false });
});

test('a swapped query and source are named with the right command', async () => {
  const { code, err } = await run(['search', at('case.duckdb'), 'msg:timed out']);
  expect(code).toBe(2);
  expect(err).toContain(`the query comes first: logquarry search 'msg:timed out' ${at('case.duckdb')}`);
});
