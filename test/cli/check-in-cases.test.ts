import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caseFindingHeadings } from '../../src/cli/commands/check.ts';
import { applyFix, type Finding } from '../../src/language/parse/finding.ts';
import { run } from './run-in-process.ts';

const sample: readonly { readonly msg: string; readonly logLevel: string }[] = readFileSync(
  'samples/incident.ndjson',
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const severe = sample.filter(({ logLevel }) => logLevel === 'SEVERE').length;
const timedOut = sample.filter(({ msg }) => /\btimed out\b/i.test(msg)).length;

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-in-cases-test-'));
  await run(['import', 'samples/incident.ndjson', '--into', at('case.duckdb')]);
  await writeFile(at('more.ndjson'), '{"msg":"timedout"}\n');
  await run(['import', at('more.ndjson'), '--into', at('more.duckdb')]);
});
afterAll(() => rm(folder, { recursive: true }));

interface Report {
  readonly query: string;
  readonly findings: readonly Finding[];
  readonly inCase?: { readonly count: number; readonly parts?: readonly object[] };
}

/** The reports of queries in the case of the sample. */
async function checked(...queries: readonly string[]): Promise<readonly Report[]> {
  const { out } = await run(['check', ...queries, '--case', at('case.duckdb'), '--json']);
  return JSON.parse(out);
}

describe('a query that selects nothing', () => {
  test('gets the number of logs of each part, and findings at the parts without logs', async () => {
    const [report] = await checked('logLevel:SEVERE AND msg:timedout AND NOT source:Nowhere');
    expect(report?.inCase).toEqual({
      count: 0,
      parts: [
        { text: 'logLevel:SEVERE', count: severe },
        { text: 'msg:timedout', count: 0 },
        { text: 'source:Nowhere', count: 0 },
      ],
    });
    expect(report?.findings).toMatchObject([
      { code: 'few-in-case', severity: 'warning', from: 0, to: 55 },
      { code: 'absent-in-case', from: 20, to: 32, message: expect.stringContaining('"timed out"') },
      { code: 'absent-in-case', message: expect.stringContaining('most frequent values of "source" are') },
    ]);
    expect(report?.findings[0]?.message).toBe(
      `The query selects no log of "case.duckdb"; each part alone: logLevel:SEVERE ${severe}, msg:timedout 0, source:Nowhere 0`,
    );
  });

  test('can be fixed by a near word, and selects its logs then', async () => {
    const [report] = await checked('msg:timedout');
    const [fix] = report?.findings[0]?.fixes ?? [];
    const fixed = fix ? applyFix('msg:timedout', fix) : '';
    expect(fixed).toBe('msg:"timed out"');
    expect((await checked(fixed))[0]?.inCase).toMatchObject({ count: timedOut });
  });

  test('names a time and a field that the case does not have', async () => {
    const [time, field] = await checked(
      'time:["2024-01-01T00:00:00Z" TO "2024-01-02T00:00:00Z"]',
      'elapsed:7',
    );
    expect(time?.findings).toMatchObject([
      { message: expect.stringContaining('the logs are from 2025-03-11 00:43:23.891') },
    ]);
    expect(field?.findings.map(({ code }) => code)).toContain('absent-in-case');
  });
});

test('a query with logs enough has no finding, and the summary counts them', async () => {
  const [report] = await checked('logLevel:SEVERE');
  expect(report).toEqual({ query: 'logLevel:SEVERE', findings: [], inCase: { count: severe } });
  const { code, out, err } = await run(['check', 'logLevel:SEVERE', '--case', at('case.duckdb')]);
  expect([code, out]).toEqual([0, '']);
  expect(err).toBe(`No findings in 1 query, which selects ${severe} logs.\n`);
});

test('a query with an error is not run', async () => {
  expect((await checked('(msg:timedout'))[0]).toMatchObject({ findings: [{ code: 'unclosed-group' }] });
  expect((await checked('(msg:timedout'))[0]?.inCase).toBeUndefined();
});

test('several cases are counted together', async () => {
  const cases = ['--case', at('case.duckdb'), '--case', at('more.duckdb')];
  const { out } = await run(['check', 'msg:timedout', ...cases, '--json']);
  expect(JSON.parse(out)).toMatchObject([
    {
      inCase: { count: 1, parts: [{ text: 'msg:timedout', count: 1 }] },
      findings: [{ code: 'few-in-case', severity: 'hint' }],
    },
  ]);
});

test('text, JSON and SARIF have the same findings', async () => {
  const words = ['check', 'msg:timedout AND logLevel:FATALITY', '--case', at('case.duckdb')];
  const findings: readonly Finding[] = JSON.parse((await run([...words, '--json'])).out)[0].findings;
  expect(findings.length).toBeGreaterThan(2);
  const { out: text } = await run(words);
  const [sarif] = JSON.parse((await run([...words, '--sarif'])).out).runs;
  for (const [index, { code, message }] of findings.entries()) {
    expect(text).toContain(`${message} [${code}]`);
    expect(sarif.results[index]).toMatchObject({ ruleId: code, message: { text: message } });
  }
  const rules: readonly { readonly id: string }[] = sarif.tool.driver.rules;
  expect(rules.map(({ id }) => id)).toEqual(expect.arrayContaining([...caseFindingHeadings.keys()]));
});

test('the severity of a finding can be set, and decides the exit code', async () => {
  const words = ['check', 'msg:timedout', '--case', at('case.duckdb')];
  expect((await run(words)).code).toBe(0);
  expect((await run([...words, '--fail-on', 'warning'])).code).toBe(1);
  expect((await run([...words, '--severity', 'absent-in-case=error'])).code).toBe(1);
  expect((await run([...words, '--severity', 'absent-in-case=off'])).out).toContain('[few-in-case]');
});

test('control characters of a case do not reach the terminal', async () => {
  await writeFile(at('evil.ndjson'), JSON.stringify({ msg: 'a', source: '\u001b[2Jx' }));
  await run(['import', at('evil.ndjson'), '--into', at('evil.duckdb')]);
  const { out } = await run(['check', 'source:y AND msg:a', '--case', at('evil.duckdb')]);
  expect(out).toContain('\\x1b[2Jx');
  expect(out).not.toContain('\u001b');
});

test('a case that is not there is wrong usage', async () => {
  const { code, err } = await run(['check', 'a', '--case', at('nowhere.duckdb')]);
  expect([code, err]).toEqual([2, expect.stringContaining('nowhere.duckdb')]);
});
