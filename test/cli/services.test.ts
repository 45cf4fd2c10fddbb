import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

let folder = '';
let incident = '';
let coarse = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'services-test-'));
  incident = join(folder, 'incident.duckdb');
  await run(['import', 'samples/incident.ndjson', '--into', incident, '--no-index']);
  coarse = join(folder, 'coarse.ndjson');
  const logs = [
    { time: 0, logLevel: 'INFO', logCode: 9029, source: 'Rest\u001b[31m\u202e', elapsed: '0.0' },
    { time: 60_000, logLevel: 'SEVERE', logCode: 9003, source: '=1+1', msg: 'a\u001b]8;;x\u0007b' },
  ];
  await writeFile(coarse, logs.map((log) => JSON.stringify(log)).join('\n'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('services', () => {
  test('report the incident: who is slow, and which errors came when', async () => {
    const { code, out, err } = await run(['services', incident]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^logs {8}220 logs, 9 errors, 38 warnings\nrequests {4}48 measured: mean /);
    for (const heading of ['By service', 'Response times', 'Slowest requests', 'Errors and warnings'])
      expect(out).toContain(`\n${heading}\n`);
    // The pool has run dry from 08:24:10 on, and a process crashed on both days.
    expect(out).toMatch(
      /\n +4 +SEVERE +110035 +2025-03-12 08:24:10\.000 +2025-03-12 10:00:00\.000 +Utilities/,
    );
    expect(out).toMatch(
      /\n +2 +SEVERE +7569 +2025-03-11 14:31:47\.000 +2025-03-12 09:22:08\.000 +Enterprise/,
    );
    expect(out).toContain('measured logs of no request, such as health checks');
  });

  largeTest('as JSON have the same figures as a query in SQL', async () => {
    const { out } = await run(['services', incident, '--json', '--code', '100004']);
    const { groups, total, others } = JSON.parse(out);
    const sql = `SELECT source, count(*), quantile_cont(elapsed, 0.95), stddev_samp(elapsed), sum(elapsed)
      FROM logs WHERE logCode = 100004 GROUP BY source ORDER BY sum(elapsed) DESC`;
    const { rows } = JSON.parse((await run(['sql', sql, incident, '--json'])).out);
    expect(rows.length).toBeGreaterThan(5);
    expect(groups.map((each: { key: { service: string } }) => each.key.service)).toEqual(
      rows.map(([source]: [string]) => source),
    );
    for (const [index, [, count, p95, deviation, sum]] of rows.entries()) {
      const { elapsed } = groups[index];
      expect(elapsed).toMatchObject({ count: Number(count), p95: expect.closeTo(p95, 9) });
      expect(elapsed.sum).toBeCloseTo(sum, 9);
      if (deviation !== null) expect(elapsed.deviation).toBeCloseTo(deviation, 9);
    }
    expect(total.requests).toBe(
      rows.reduce((sum: number, [, count]: [string, string]) => sum + Number(count), 0),
    );
    expect(others).toEqual({ groups: 0, errors: 0 });
  });

  test('by hour are in order of time, and each part has its rows', async () => {
    const byHour = await run(['services', incident, '--by', 'hour,service', '--csv']);
    const [head, ...lines] = byHour.out.trimEnd().split('\n');
    expect(head).toMatch(/^logs,requests,share,errors,warnings,min,mean,p50,.*,hour,service$/);
    const hours = lines.map((line) => line.split(',').at(-2) ?? '').filter((hour) => hour !== '');
    expect(hours).toEqual(hours.toSorted());
    const slowest = await run(['services', incident, '--part', 'slowest', '--limit', '2', '--ndjson']);
    expect(
      slowest.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).took),
    ).toEqual([49.628, 30.024]);
    const errors = await run(['services', incident, '--part', 'errors', '--limit', '1', '--csv']);
    expect(errors.out).toMatch(/^logs,level,code,.*\n4,SEVERE,110035,/);
    expect(errors.err).toMatch(/^\d more with --limit \d+\.\n$/);
    const responses = await run(['services', incident, '--part', 'responses', '--csv']);
    expect(responses.out).toMatch(/^from,requests,share,to\n0,27,0\.5625,0\.1\n/);
  });

  test('say so where nothing was measured', async () => {
    const { out } = await run(['services', coarse], { width: 80 });
    expect(out).toContain('requests    No elapsed time at this level: deployments measure requests at level');
    expect(out).not.toMatch(/mean|P95| 0\.000/);
    expect(out).not.toMatch(/[\u001b\u202e\u0007]/);
    const { out: json, err } = await run(['services', coarse, '--json']);
    expect(json).not.toContain('"elapsed"');
    expect(err).toContain('No elapsed time at this level');
    expect((await run(['services', coarse, '--csv'])).out).toContain("'=1+1");
  });

  test.each([50, 80, 120])('fit %d columns', async (width) => {
    const { out } = await run(['services', incident], { width });
    const wide = out.split('\n').filter((line) => width < [...line].length);
    expect(wide).toEqual([]);
  });

  test.each([
    [['--by', 'hours'], 2, '--by must be one of service, user'],
    [['--by', ''], 2, '--by must not be empty'],
    [['--part', 'all'], 2, '--part must be one of groups'],
    [['--search', 'a AND ('], 1, 'error:'],
    [['--csv', '--json'], 2, 'exclude each other'],
  ])('refuse %j', async (options, code, message) => {
    const ran = await run(['services', incident, ...options]);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(message);
  });
});
