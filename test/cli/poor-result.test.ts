import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainPoorResult, queryParts } from '../../src/analysis/explain-poor-result.ts';
import { openCase } from '../../src/case/file/case.ts';
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

describe('options beside the query that select nothing', () => {
  const severe = sample.filter(({ logLevel }) => logLevel === 'SEVERE').length;
  const err = async (...words: readonly string[]) => (await run([...words, at('case.duckdb')])).err;

  test('are counted as parts of it', async () => {
    const text = await err('search', 'logLevel:FINE', '--level', 'SEVERE', '--from', '2025-03-12');
    const fine = sample.filter(({ logLevel }) => logLevel === 'FINE').length;
    expect(text).toContain(`\n  ${fine} logs: logLevel:FINE\n`);
    expect(text).toContain(`\n  ${severe} logs: --level SEVERE\n`);
    expect(text).toMatch(/\n {2}\d+ logs: --from 2025-03-12T00:00:00.000Z\n/);
  });

  test('show the values of the field, and those near to the searched one', async () => {
    const one = await err('search', '*:*', '--user', 'nobody');
    expect(one).toContain(
      'No log has --user nobody; the most frequent values of "username" are Anonymous user',
    );
    expect(one).not.toContain('Near');
    const near = await err('search', '*:*', '--source', 'sharing');
    expect(near).toMatch(/\nNear --source sharing \(0\): "Sharing" \d+\.\n/);
    const both = await err('search', '*:*', '--user', 'x', '--user', 'y');
    expect(both).toContain('No log has --user x --user y; the most frequent values of "username"');
  });

  test('report a time without logs once', async () => {
    const text = await err('search', 'msg:the', '--to', '2024-02-01');
    expect(text).toContain('--to selects no log');
    expect(text).not.toContain('No log is in');
  });

  test('help in histogram, top, patterns and trace too', async () => {
    const said = 'No log has --code 77; the most frequent values of "logCode" are';
    expect(await err('histogram', '--code', '77')).toContain(said);
    expect(await err('top', 'user', '--code', '77')).toContain(said);
    expect(await err('patterns', '--code', '77')).toContain(said);
    const traced = await err('trace', '9c4a3d89', '--level', 'SEVERE');
    expect(traced).toContain('The request is "9c4a3d89-314c-4e78-9737-36ba2c2ee712".');
    expect(traced).toContain('\n  4 logs: requestID:"9c4a3d89-314c-4e78-9737-36ba2c2ee712"\n');
    expect(traced).toContain(`\n  ${severe} logs: --level SEVERE\n`);
  });

  test('leave the output for programs alone', async () => {
    expect((await run(['top', 'user', at('case.duckdb'), '--code', '77', '--json'])).err).toBe('');
    expect((await run(['histogram', at('case.duckdb'), '--code', '77', '--json'])).err).toBe('');
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
  expect(err).toContain(`QUERY comes first: logquarry search 'msg:timed out' ${at('case.duckdb')}`);
});
