import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { type Running, runDeployment } from '../e2e/deployment.ts';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';
import { wordsOf } from './words-of.ts';

let folder = '';
let deployment: Running;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journeys-test-'));
  const logs = incidentLogs({ count: 2500, until: Date.now() });
  deployment = await runDeployment({ logs, pace: { queued: 0, running: 0, perLog: 0 } });
  await call(`export --from now-2d --into CASE`);
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Runs a command line; CASE and FOLDER stand for paths. */
async function call(line: string) {
  const words = wordsOf(line).map((word) =>
    word === 'CASE' ? at('case.duckdb') : word.replace('FOLDER', folder),
  );
  return run(words, { environment: deployment.environment });
}

/** The first printed text that matches, without the program's name. */
function printed(out: string, pattern: RegExp): string {
  const [, found = ''] = pattern.exec(out) ?? [];
  expect(found).not.toBe('');
  return found;
}

largeTest(
  'users say that maps time out: the cause in four commands, without knowing a word to search for',
  async () => {
    const overview = await call('overview CASE');
    expect(overview.out).toContain('the request timed out');
    const investigated = await call('investigate CASE');
    expect(investigated.code).toBe(0);
    expect(investigated.out.replace(/\s+/g, ' ')).toContain('password authenticati');
    // The first change, by the query that is printed below it.
    const query = printed(investigated.out, /first sign[\s\S]*?\n +(\S*log[\s\S]*?\])\n/);
    const { out, code } = await run(['search', query, at('case.duckdb'), '--oldest', '--limit', '1']);
    expect([code, out]).toEqual([0, expect.stringContaining('password authentication failed for user')]);
    const traced = await call(`${printed(overview.out, /logquarry (trace \S+) /)} CASE`);
    expect(traced.out).toContain('found no free connection');
  },
);

describe('all severe logs of a user of the last week, for someone else', () => {
  const query = 'logLevel:SEVERE';

  test('are handed over as CSV and Parquet with a proof', async () => {
    const user = JSON.parse((await call(`top username CASE --search ${query} --json`)).out).values.find(
      ({ value }: { readonly value?: string }) => value !== undefined,
    ).value;
    const filters = ['--user', user, '--last', '7d'];
    const count = Number((await run(['search', query, at('case.duckdb'), ...filters, '--count'])).out);
    expect(count).toBeGreaterThan(0);
    const given = await run(['hand-over', query, at('case.duckdb'), ...filters, '--out', at('given')]);
    expect([given.code, given.err]).toEqual([0, given.err]);
    const csv = (await readFile(at('given/logs.csv'), 'utf8')).trimEnd();
    expect(csv.match(/SEVERE/g)?.length).toBeGreaterThanOrEqual(count);
    const rows = await run([
      'sql',
      `SELECT count(*) AS n FROM logs WHERE "logLevel" = 'SEVERE' AND username = '${user}'`,
      at('case.duckdb'),
      '--json',
    ]);
    expect(JSON.parse(rows.out).rows).toEqual([[count]]);
    expect((await readFile(at('given/logs.parquet'))).subarray(0, 4).toString()).toBe('PAR1');
    const manifest = JSON.parse(await readFile(at('given/manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ found: count, gaps: [] });
  });

  test('are verified by the receiver, with the case or without', async () => {
    expect((await call('verify FOLDER/given')).code).toBe(0);
    expect((await call('verify FOLDER/given --case CASE')).code).toBe(0);
    await appendFile(at('given/logs.csv'), 'one more\n');
    expect(await call('verify FOLDER/given')).toMatchObject({
      code: 1,
      out: expect.stringContaining('logs.csv'),
    });
  });
});

test('is my query right: its reading, what it finds, and what would be better', async () => {
  const mixed = 'logLevel:SEVERE OR logLevel:WARNING AND msg:timedout';
  const checked = await run(['check', mixed, '--case', at('case.duckdb')]);
  expect(checked.out).toContain('[mixed-operators]');
  expect(checked.out).toContain('[absent-in-case]');
  expect(checked.out).toContain('"timed out"');
  const right = '(logLevel:SEVERE OR logLevel:WARNING) AND msg:"timed out"';
  const { out, err } = await run(['check', right, '--case', at('case.duckdb')]);
  expect(out).toBe('');
  const count = Number(/which selects ([\d,]+) logs/.exec(err)?.[1]);
  expect(Number((await run(['search', right, at('case.duckdb'), '--count'])).out)).toBe(count);
  expect((await run(['explain', right])).out).toContain('timed out');
});

test('queries are checked in a pipeline: it fails, is fixed, and passes', async () => {
  await mkdir(at('queries'));
  await writeFile(at('queries/maps.txt'), '# name: Slow maps\nmsg:“timed out” AND logLevel:SEVERE\n');
  const words = ['check', '--file', at('queries'), '--fail-on', 'warning'];
  const failed = await run([...words, '--sarif']);
  expect(failed.code).toBe(1);
  const [sarif] = JSON.parse(failed.out).runs;
  expect(sarif.results).toMatchObject([{ locations: [{ physicalLocation: { region: { startLine: 2 } } }] }]);
  expect((await run([...words, '--fix'])).code).toBe(0);
  expect(await readFile(at('queries/maps.txt'), 'utf8')).toBe(
    '# name: Slow maps\nmsg:"timed out" AND logLevel:SEVERE\n',
  );
  expect((await run(words)).code).toBe(0);
});
