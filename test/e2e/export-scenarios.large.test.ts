import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readScenario, type Scenario, scenarioOptions } from '../../src/emulator/scenario.ts';
import { runDeployment } from './deployment.ts';
import { folder, run, start } from './process.ts';

/** A deployment that behaves as a sample says, or as what it is changed to, and how the command line reaches it. */
async function rehearse(name: string, change = (sample: Scenario) => sample) {
  const read = readScenario(readFileSync(`samples/scenarios/${name}.json`, 'utf8'));
  if ('problem' in read) throw new Error(read.problem);
  const scenario = change(read.scenario);
  const deployment = await runDeployment(scenarioOptions(scenario));
  const here = await folder();
  const cap = scenario.exports?.cap ?? 10_000;
  const { environment } = deployment;
  const runExport = (...words: string[]) => run(['export', ...words], { cwd: here.path, environment });
  const order = ['--to', '2025-03-12T13:00', '--cap', String(cap)];
  return {
    export: (...words: string[]) => runExport(...order, '--json', ...words),
    exportAll: (...words: string[]) => runExport('--cap', String(cap), '--json', ...words),
    follow: (...words: string[]) => runExport(...order, '--ndjson', ...words),
    retryGaps: () => runExport('--retry-gaps', 'case.duckdb', '--json'),
    resume: (...words: string[]) => runExport('--resume', 'case.duckdb', '--json', ...words),
    run: (...words: string[]) => run(words, { cwd: here.path }),
    files: () => readdirSync(here.path).sort(),
    [Symbol.asyncDispose]: async () => {
      await deployment[Symbol.asyncDispose]();
      await here[Symbol.asyncDispose]();
    },
  };
}

const into = ['--into', 'case.duckdb'];

test.concurrent('a millisecond of 25,000 logs comes whole where fields tell them apart; where nothing does, it is named', async () => {
  const [cap, count] = [10_000, 25_000];
  await using rehearsal = await rehearse('crowded-millisecond', ({ logs, exports, ...sample }) => {
    const crowds = logs?.crowds?.map((crowd) => ({ ...crowd, count }));
    return {
      ...sample,
      ...(logs && crowds && { logs: { ...logs, crowds } }),
      exports: { ...exports, cap },
    };
  });
  const exported = await rehearsal.export(...into);
  expect(exported.code).toBe(4);
  const { logs, complete, gaps } = JSON.parse(exported.out);
  // All of the first crowd, both ends of the second.
  expect({ logs, complete }).toEqual({ logs: 5000 + count + 2 * cap, complete: false });
  expect(gaps).toMatchObject([
    { kind: 'capped', missing: 1, slice: expect.stringContaining('logCode:9003') },
  ]);
  expect(gaps[0].oldest).toBe(gaps[0].newest);
  // The manual shows the very line.
  const [shown = ''] = /^INCOMPLETE: .+$/m.exec(readFileSync('docs/exports.md', 'utf8')) ?? [];
  expect(exported.err.split('\n')).toContain(shown);
  const perCrowd =
    "SELECT msg[:7] AS crowd, count(*) FROM logs WHERE msg LIKE 'Crowd%' GROUP BY crowd ORDER BY crowd";
  expect(await rehearsal.run('sql', perCrowd, 'case.duckdb', '--csv')).toMatchObject({
    out: `crowd,count_star()\nCrowd 0,${count}\nCrowd 1,${2 * cap}\n`,
  });
  expect(await rehearsal.run('coverage', 'case.duckdb')).toMatchObject({
    code: 4,
    // Nothing but that millisecond is missing, and no time lies between the stretches.
    out: expect.stringMatching(
      /^ {2}complete [^\n]+\n {2}capped {4}(\S+ \S+) to \1\n {2}complete [^\n]+\n {2}Not proved of export 1: /m,
    ),
  });
});

test.concurrent('a bad day costs calls, but no log', async () => {
  await using rehearsal = await rehearse('bad-day');
  const exported = await rehearsal.export(...into);
  expect(exported).toMatchObject({ code: 0 });
  expect(JSON.parse(exported.out)).toMatchObject({ logs: 5000, complete: true });
});

test.concurrent.each([
  ['whole-seconds', 4000, []],
  ['local-time', 2000, ['--log-zone', 'Asia/Kolkata']],
])('%s: all logs come, and the case is that of its originals', async (name, logs, words) => {
  await using rehearsal = await rehearse(name);
  const exported = await rehearsal.export(...into, ...words, '--jobs', 'auto', '--max-rate', '100');
  expect(exported).toMatchObject({ code: 0 });
  expect(JSON.parse(exported.out)).toMatchObject({ logs, complete: true });
  expect(await rehearsal.run('verify', 'case.duckdb')).toMatchObject({ code: 0 });
});

test.concurrent('a stubborn deployment gives all that a query selects', async () => {
  await using rehearsal = await rehearse('stubborn');
  const exported = await rehearsal.export(...into, '--search', 'logLevel:INFO AND source:Sharing');
  expect(exported).toMatchObject({ code: 0 });
  await rehearsal.export('--into', 'all.duckdb');
  const { logs } = JSON.parse(exported.out);
  expect(logs).toBeGreaterThan(300);
  const sql = `SELECT count(*) FROM logs WHERE logLevel = 'INFO' AND source = 'Sharing'`;
  expect(await rehearsal.run('sql', sql, 'all.duckdb', '--csv')).toMatchObject({
    out: `count_star()\n${logs}\n`,
  });
});

test.concurrent('a job that is stuck ends the export with 3, and it goes on', async () => {
  await using rehearsal = await rehearse('stuck-job');
  const stuck = await rehearsal.export(...into, '--max-wait', '2s');
  expect(stuck).toMatchObject({ code: 3, err: expect.stringContaining('--resume case.duckdb') });
  const resumed = await rehearsal.resume('--max-wait', '2s');
  expect(resumed).toMatchObject({ code: 0 });
  expect(JSON.parse(resumed.out)).toMatchObject({ logs: 3000, complete: true });
});

test.concurrent('odd zips lose no log, and what is odd is said', async () => {
  await using rehearsal = await rehearse('odd-zips');
  const exported = await rehearsal.export(...into, '--jobs', '1');
  expect(exported).toMatchObject({ code: 0 });
  const { logs, complete, notes } = JSON.parse(exported.out);
  expect({ logs, complete }).toEqual({ logs: 1600, complete: true });
  expect(notes).toEqual(
    expect.arrayContaining([
      { kind: 'no log file', entry: 'README.txt', format: 'text', files: expect.any(Number) },
      { kind: 'no log file', entry: 'logo.png', format: 'image', files: expect.any(Number) },
      {
        kind: 'same logs',
        entries: ['../../logs.ndjson', 'copy.ndjson'],
        isLeftOut: true,
        files: expect.any(Number),
      },
    ]),
  );
  expect(exported.err).toContain('"README.txt" is not a log file (text), in ');
  expect(exported.err).toContain('hold the same logs');
  const entries = "SELECT count(*) FROM logs WHERE entry = 'logs.zip!/logs.ndjson'";
  expect((await rehearsal.run('sql', entries, 'case.duckdb', '--csv')).out).toMatch(/\n[1-9]\d+\n$/);
  expect(await rehearsal.run('verify', 'case.duckdb')).toMatchObject({ code: 0 });
  expect(rehearsal.files()).toEqual(['case.duckdb', 'case.duckdb.evidence']);
});

test.concurrent('a deployment with a cap of its own loses no log, nor does one whose zips are empty now and then', async () => {
  await using rehearsal = await rehearse('own-cap');
  const exported = await rehearsal.export(...into);
  expect(exported).toMatchObject({ code: 0 });
  expect(JSON.parse(exported.out)).toMatchObject({ logs: 3000, complete: true });
  expect(await rehearsal.run('coverage', 'case.duckdb')).toMatchObject({
    code: 0,
    out: expect.stringContaining('complete  the beginning to 2025-03-12 13:00'),
  });
});

test.concurrent('a cap that falls during the export loses no log where the deployment sorts, by one job and by four', async () => {
  await using rehearsal = await rehearse('changing-cap');
  for (const jobs of ['1', '4']) {
    const exported = await rehearsal.export('--into', `${jobs}.duckdb`, '--jobs', jobs);
    expect(exported).toMatchObject({ code: 0 });
    expect(JSON.parse(exported.out)).toMatchObject({ logs: 4000, complete: true });
  }
});

test.concurrent('a cap that falls during the export costs many calls where the deployment does not sort, but no log', async () => {
  await using rehearsal = await rehearse('changing-cap', ({ logs, exports, ...sample }) => ({
    ...sample,
    logs: { ...logs, count: 700 },
    exports: { ...exports, order: 'unsorted' },
  }));
  const exported = await rehearsal.export(...into, '--jobs', '4');
  expect(exported).toMatchObject({ code: 0, err: expect.stringContaining('a changing number of logs') });
  expect(JSON.parse(exported.out)).toMatchObject({ logs: 700, complete: true });
});

test.concurrent.each([
  ['byte-limit', 600],
  ['mixed-order', 400],
  ['level-limit', 400],
] as const)('%s: a limit that is no number of logs hides none', async (name, count) => {
  await using rehearsal = await rehearse(name);
  const exported = await rehearsal.export(...into);
  const { logs, complete, gaps } = JSON.parse(exported.out);
  expect(complete ? logs : gaps.length > 0 && count).toBe(count);
  expect(exported.code).toBe(complete ? 0 : 4);
});

test.concurrent('replies that differ are told, whatever came', async () => {
  await using rehearsal = await rehearse('other-replies');
  const exported = await rehearsal.export(...into);
  expect(exported).toMatchObject({
    code: 4,
    err: expect.stringContaining('INCOMPLETE'),
  });
  expect(JSON.parse(exported.out)).toMatchObject({ complete: false });
});

test.concurrent('logs that are deleted during the export are missing, and that is said', async () => {
  await using rehearsal = await rehearse('retention');
  const exported = await rehearsal.export(...into, '--jobs', '1');
  expect(exported).toMatchObject({ code: 4, err: expect.stringContaining('deleted its oldest logs') });
});

test.concurrent.each(['internal-host', 'restart'])(
  '%s: addresses and restarts lose no log, and no password is shown',
  async (name) => {
    await using rehearsal = await rehearse(name);
    const exported = await rehearsal.export(...into);
    expect(exported).toMatchObject({ code: 0, err: expect.not.stringContaining('hunter2') });
    expect(JSON.parse(exported.out)).toMatchObject({ logs: 600, complete: true });
  },
);

test.concurrent('a date that is behind cuts no time that was named', async () => {
  await using rehearsal = await rehearse('slow-date');
  const exported = await rehearsal.export(...into);
  expect(JSON.parse(exported.out)).toMatchObject({ logs: 300, complete: true });
});

test.concurrent('a date that is ahead claims no time that is not over', async () => {
  await using rehearsal = await rehearse('wrong-date');
  const exported = await rehearsal.exportAll(...into);
  expect(exported).toMatchObject({ code: 0, err: expect.stringContaining('The clock of this machine is') });
  expect(JSON.parse(exported.out).newest).toBeLessThanOrEqual(Date.now());
});

test.concurrent('where only filters tell a millisecond apart, what they cannot select is named, and asked for again', async () => {
  await using rehearsal = await rehearse('filters-only');
  const exported = await rehearsal.export(...into);
  expect(exported).toMatchObject({ code: 4, err: expect.stringContaining('no filter selects') });
  expect(JSON.parse(exported.out)).toMatchObject({ logs: 1900, complete: false });
  const again = await rehearsal.retryGaps();
  expect(again).toMatchObject({ code: 4 });
  expect(JSON.parse(again.out)).toMatchObject({ logs: 1900, complete: false });
  expect(await rehearsal.run('search', '*:*', 'case.duckdb', '--count')).toMatchObject({ out: '1900\n' });
});

test.concurrent('bursts of 60,000 logs come whole through a mix of faults, by four jobs', async () => {
  await using rehearsal = await rehearse('bursts');
  const exported = await rehearsal.export(...into, '--jobs', '4');
  expect(exported).toMatchObject({ code: 0 });
  expect(JSON.parse(exported.out)).toMatchObject({ logs: 60_000, complete: true });
});

test.concurrent('a plan checks what it assumes, and the deployment counts beside what came', async () => {
  await using rehearsal = await rehearse('counts');
  const planned = await rehearsal.export('--plan', '--into', 'case.duckdb');
  const { logs, exact } = JSON.parse(planned.out);
  expect({ logs, exact }).toEqual({ logs: 4000, exact: true });
  expect(planned.err).toContain('The clock of this machine is');
  const exported = await rehearsal.export(...into);
  expect(exported).toMatchObject({ code: 0, err: expect.stringContaining('reports 4,000 logs') });
  expect(JSON.parse(exported.out)).toMatchObject({ logs: 4000, counted: 4000, complete: true });
});

test.concurrent('what happens can be followed as JSON, a line for each event', async () => {
  await using rehearsal = await rehearse('stuck-job');
  const { out: lines } = await rehearsal.follow(...into, '--max-wait', '1s');
  const events = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(new Set(events)).toEqual(
    new Set(['begun', 'window', 'totals', 'trouble', 'result'].filter((each) => events.includes(each))),
  );
  expect([events[0], events.at(-1)]).toEqual(['begun', 'result']);
  expect(events).toContain('window');
});

test.concurrent('emulate takes a scenario, and says what is wrong with one', async () => {
  await using here = await folder();
  const scenario = resolve('samples/scenarios/bad-day.json');
  const { child, ended, printed } = start(['emulate', '--scenario', scenario, '--port', '0'], {
    cwd: here.path,
  });
  await printed('holds 5,000 logs');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130 });
  const wrong = await run(['emulate', '--scenario', resolve('package.json')], { cwd: here.path });
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('is not valid: ') });
});
