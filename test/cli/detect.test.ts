import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

let folder = '';
let incident = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'detect-test-'));
  incident = join(folder, 'incident.duckdb');
  await run(['import', 'samples/incident.ndjson', '--into', incident]);
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes files of rules into a folder of their own, and returns its path. */
async function rulesOf(files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(folder, 'rules-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(path, name, '..'), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return path;
}

const crashes = 'title: Crash\nlevel: high\ndetection: {s: {logCode: 7569}, condition: s}';

describe('the rules of the package', () => {
  // The story of the samples: samples/README.md.
  test('find what happened in the incident', async () => {
    const { code, out } = await run(['detect', incident, '--json']);
    expect(code).toBe(0);
    const { detections, unsupported } = JSON.parse(out);
    expect(unsupported).toEqual([]);
    const byName = Object.fromEntries(
      detections.map((each: { rule: { name: string } }) => [each.rule.name, each]),
    );
    const timeOf = (time: string) => Date.parse(`2025-03-12T${time}Z`);
    // The secret is rotated at 02:15; connections are refused until the restart at 10:04.
    expect(byName.secret_updated.last.time).toBe(timeOf('02:15:00'));
    expect(byName.certificate_updated).toMatchObject({ count: 1 });
    expect(byName.refused_after_secret).toMatchObject({
      first: { time: timeOf('02:15:00') },
      occurrences: [{ group: [] }],
    });
    expect(byName.store_refuses_credentials.last.time).toBeLessThan(timeOf('10:04:00'));
    // The pool is low from 07:15 and dry at 08:24:10, 09:00, 09:30 and 10:00.
    expect(byName.pool_running_dry).toMatchObject({
      occurrences: [{ group: [{ name: 'PoolName', value: 'hosted' }], last: { time: timeOf('10:00:00') } }],
    });
    expect(byName.pool_empty).toMatchObject({ count: 4, first: { time: timeOf('08:24:10') } });
    // Two processes crash, of different services; five services are restarted on request.
    expect(byName.service_crashed).toMatchObject({ count: 2, query: 'logCode:7569' });
    expect(byName.service_shut_down.count).toBe(5);
    expect(byName.services_restart_requested.first.time).toBe(timeOf('10:03:58'));
    // The level is raised and lowered again.
    expect(byName.log_level_changed).toMatchObject({
      count: 2,
      first: { time: timeOf('09:41:03') },
      last: { time: timeOf('10:30:10') },
    });
    for (const name of ['service_crash_loop', 'sign_in_refused', 'sign_in_burst', 'upgrade_step', 'silence'])
      expect(byName[name], name).toBeUndefined();
  });

  test('are listed, the most critical first, with what to look at', async () => {
    const { out, err } = await run(['detect', incident]);
    const lines = out.trimEnd().split('\n');
    expect(lines[1]).toMatch(/^critical +9 .* show 128 +Connection pool running dry \(PoolName hosted\)$/);
    expect(out).toContain("search 'logCode:7569'");
    expect(err).toBe('12 of 24 rules found something.\n');
  });

  largeTest('give SQL for exactly the logs that they find', async () => {
    const { detections } = JSON.parse((await run(['detect', incident, '--json'])).out);
    const withSql = detections.filter(({ sql }: { sql?: string }) => sql !== undefined);
    expect(withSql.length).toBeGreaterThan(8);
    const counts = withSql.map(({ sql }: { sql: string }) => `(SELECT count(*) FROM (${sql}))`).join(', ');
    const { out } = await run(['sql', `SELECT [${counts}] AS counts`, incident, '--json']);
    expect(JSON.parse(out).rows[0][0]).toEqual(withSql.map(({ count }: { count: number }) => count));
  });
});

describe('rules of users', () => {
  test('fail a pipeline at their level', async () => {
    const rules = await rulesOf({ 'a/crashes.yml': crashes, 'notes.txt': 'none' });
    const codeOf = async (level: string) =>
      (await run(['detect', incident, '--rules', rules, '--fail-on', level])).code;
    expect([await codeOf('high'), await codeOf('critical')]).toEqual([1, 0]);
    expect((await run(['detect', incident, '--rules', rules, '--fail-on', 'low', '--code', '1'])).code).toBe(
      0,
    );
  });

  test('that cannot be evaluated are listed, and the exit code says so', async () => {
    const rules = await rulesOf({
      'a.yml': `${crashes}\n---\ntitle: "W\u001b[31m"\ndetection: {s: {EventID: 1}, condition: s}`,
      'b.yaml': 'a: [',
    });
    const { code, out, err } = await run(['detect', incident, '--rules', rules]);
    expect(code).toBe(4);
    expect(out).toContain('Crash');
    expect(err).toContain('(a.yml, document 2): The field "EventID" is not mapped to a field of the logs');
    expect(err).toContain('Not evaluated: (b.yaml, document 1): The document is not YAML');
    expect(err).toContain('1 of 1 rule found something. 2 rules could not be evaluated.');
    expect(err).not.toContain('\u001b');
    const json = JSON.parse((await run(['detect', incident, '--rules', rules, '--json'])).out);
    expect(json.unsupported).toHaveLength(2);
  });

  test('have the mapping of their folder, or of the command line', async () => {
    const rule = 'title: W\ndetection: {s: {EventID: 7569}, condition: s}';
    const rules = await rulesOf({
      'a.yml': rule,
      'mapping.yml': 'fields: {EventID: logCode}',
      'b/other.txt': 'fields: {A: b}',
    });
    expect((await run(['detect', incident, '--rules', rules, '--csv'])).out).toContain(',2,');
    const { code, err } = await run([
      'detect',
      incident,
      '--rules',
      rules,
      '--mapping',
      join(rules, 'b/other.txt'),
    ]);
    expect([code, err]).toEqual([2, expect.stringContaining('is mapped to "b", which is none of')]);
  });

  test('that are missing are a mistake in the command line', async () => {
    const empty = await rulesOf({});
    expect(await run(['detect', incident, '--rules', join(empty, 'x')])).toMatchObject({ code: 2 });
    expect((await run(['detect', incident, '--rules', empty])).err).toContain('holds no rules');
  });

  test('are evaluated over several sources as one', async () => {
    const twice =
      'title: Base\nname: b\ndetection: {s: {logCode: 7569}, condition: s}\n---\ntitle: Two\ncorrelation: {type: event_count, rules: [b], timespan: 1s, condition: {gte: 2}}';
    const rules = await rulesOf({ 'a.yml': twice });
    const { out } = await run(['detect', incident, 'samples/incident.csv', '--rules', rules, '--json']);
    // Each of the two crashes is in both sources.
    expect(JSON.parse(out).detections).toMatchObject([
      { count: 4, occurrences: [{ count: 2 }, { count: 2 }] },
    ]);
  });
});
