import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StoredWindow, saveExportChanges } from '../../src/case/contents/exports.ts';
import { connectToCase, openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { shortOverview } from '../../src/cli/output/overview.ts';
import { sampled } from '../effort.ts';
import { run } from './run-in-process.ts';

interface SampleLog {
  readonly time: number;
  readonly logLevel: string;
  readonly logCode?: number;
  readonly source: string;
  readonly msg: string;
}

const lines = readFileSync('samples/incident.ndjson', 'utf8').trimEnd().split('\n');
const sample: readonly SampleLog[] = lines.map((line) => JSON.parse(line));
const severe = sample.filter(({ logLevel }) => logLevel === 'SEVERE');

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overview-test-'));
  const imported = await run(['import', 'samples/incident.ndjson', '--into', at('it is.duckdb')]);
  expect(imported.code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

const json = async (...sources: readonly string[]) => {
  const { code, out } = await run(['overview', ...sources, '--json']);
  expect(code).toBe(0);
  return JSON.parse(out);
};

/** Splits a command line as a POSIX shell does, for words with and without single quotes. */
function shellWords(line: string): string[] {
  const words = [...line.matchAll(/(?:[^\s'\\]|'[^']*'|\\')+/g)];
  return words.map(([word]) =>
    word.replace(/'([^']*)'|\\(')/g, (_all, quoted = '', mark = '') => quoted + mark),
  );
}

describe('the figures of the sample', () => {
  const countBy = <T>(logs: readonly T[], keyOf: (log: T) => unknown) => {
    const counts = new Map<unknown, number>();
    for (const each of logs) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
    return counts;
  };

  test('are those that its lines give', async () => {
    const found = await json(at('it is.duckdb'));
    const times = sample.map(({ time }) => time);
    expect(found).toMatchObject({
      logs: sample.length,
      timeless: 0,
      unreadable: 0,
      losses: [],
      gaps: [],
      first: Math.min(...times),
      last: Math.max(...times),
    });
    expect(found.coverage).toBeUndefined();
    const levels = new Map(
      found.levels.map(({ level, count }: { level: string; count: number }) => [level, count]),
    );
    expect(levels).toEqual(countBy(sample, ({ logLevel }) => logLevel));
    expect([...levels.keys()]).toEqual(['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG']);
    for (const { level, overTime, peak } of found.levels) {
      const own = sample.filter(({ logLevel }) => logLevel === level);
      const counted = overTime.map(
        (_count: number, index: number) =>
          own.filter(({ time }) => Math.floor((time - found.start) / found.every) === index).length,
      );
      expect(overTime).toEqual(counted);
      expect(peak.count).toBe(Math.max(...counted));
      expect((peak.start - found.start) / found.every).toBe(counted.indexOf(peak.count));
    }
  });

  test.each(sampled(['logCode', 'source'] as const, 1))('rank each %s by its severe logs', async (field) => {
    const found = await json(at('it is.duckdb'));
    const bad = countBy(severe, (log) => log[field]);
    const all = countBy(sample, (log) => log[field]);
    const ranked = [...all.keys()]
      .filter((value) => value !== undefined)
      .map((value) => ({ value, severe: bad.get(value) ?? 0, count: all.get(value) ?? 0 }))
      .sort(
        (a, b) => b.severe - a.severe || b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1),
      );
    const { values, hasMore } = field === 'source' ? found.sources : found.codes;
    expect(hasMore).toBe(true);
    expect(values.map(({ severe: s, count }: { severe: number; count: number }) => [s, count])).toEqual(
      ranked.slice(0, 5).map(({ severe: s, count }) => [s, count]),
    );
    for (const { value, firstSevere, lastSevere, message } of values) {
      const own = severe.filter((log) => log[field] === value).sort((a, b) => a.time - b.time);
      expect([firstSevere?.time, lastSevere?.time]).toEqual([own[0]?.time, own.at(-1)?.time]);
      if (field === 'logCode') expect(message).toBe(own[0]?.msg);
    }
  });

  test('of two cases are those of all their logs', async () => {
    await writeFile(at('a.ndjson'), lines.filter((_, index) => index % 3 === 0).join('\n'));
    await writeFile(at('b.ndjson'), lines.filter((_, index) => index % 3 !== 0).join('\n'));
    await run(['import', at('a.ndjson'), '--into', at('a.duckdb')]);
    const [one, two] = [await json(at('it is.duckdb')), await json(at('a.duckdb'), at('b.ndjson'))];
    const comparable = (found: typeof one) =>
      JSON.parse(
        JSON.stringify({ ...found, cases: 0, next: 0 }, (name, value) =>
          name === 'id' || name === 'ofCase' ? undefined : value,
        ),
      );
    expect(comparable(two)).toEqual(comparable(one));
  });
});

describe('the text', () => {
  test.each(sampled([50, 80, 120], 1))('fits %d columns, apart from commands', async (width) => {
    const { out } = await run(['overview', at('it is.duckdb')], { width });
    const wide = out.split('\n').filter((line) => width < line.length && !line.startsWith('  logquarry '));
    expect(wide).toEqual([]);
    expect(out).toContain('SEVERE');
    expect(out).toContain('2025-03-11 00:43:23 to 2025-03-12');
    expect(out).toContain('(UTC)');
  });

  test('ends with three commands that run and find logs', async () => {
    const { next } = await json(at('it is.duckdb'));
    expect(next).toHaveLength(3);
    for (const { run: line } of next) {
      const [program, ...words] = shellWords(line);
      expect(program).toBe('logquarry');
      const { code, out } = await run(words);
      expect({ line, code }).toEqual({ line, code: 0 });
      expect(out.split('\n').length).toBeGreaterThan(2);
    }
  });
});

test('an import ends with the same in five lines at most, but not with --json', async () => {
  const words = ['import', 'samples/incident.ndjson', '--into', at('short.duckdb')];
  const { err } = await run(words);
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(5);
  expect(err).toContain('The case has 220 logs, 2025-03-11 00:43:23 to 2025-03-12 11:28:37 (UTC).');
  expect(err).toContain('SEVERE 9, WARNING 38, INFO 72');
  expect(err).toContain('Severe codes: 110035 (4)');
  expect(err).toContain(`For more: logquarry overview ${at('short.duckdb')}\n`);
  expect((await run([...words.slice(0, 3), at('json.duckdb'), '--json'])).err).toBe('');
});

test('a case without logs has no figures and no commands', async () => {
  await (await openCase(at('empty.duckdb'), { access: 'write', create: true }))[Symbol.asyncDispose]();
  const { code, out } = await run(['overview', at('empty.duckdb')]);
  expect(code).toBe(0);
  expect(out).toMatch(/logs +0\ntime +no log has a time\n/);
  expect(out).not.toContain('Go on with');
});

test('logs without times, levels or codes are counted', async () => {
  await writeFile(at('timeless.ndjson'), '{"msg":"a"}\n{"msg":"b","logLevel":"SEVERE"}\nno log\n');
  const found = await json(at('timeless.ndjson'));
  expect(found).toMatchObject({ logs: 2, timeless: 2, unreadable: 1, overTime: [], codes: { values: [] } });
  expect(found.levels).toEqual([
    { level: 'SEVERE', count: 1, overTime: [] },
    { count: 1, overTime: [] },
  ]);
  const { out } = await run(['overview', at('timeless.ndjson')]);
  expect(out).toContain('2, 2 without a time');
  expect(out).toContain('1 record');
  expect(out).toContain('(none)');
});

test('values with control characters reach neither the terminal nor a command', async () => {
  const evil = '\u001b[2J\u202e\u0007\n';
  const log = {
    time: 1,
    logLevel: `SEVERE`,
    logCode: 7,
    source: evil,
    msg: evil,
    requestID: `$(reboot)${evil}`,
  };
  await writeFile(
    at('evil.ndjson'),
    [log, { ...log, logLevel: evil }].map((each) => JSON.stringify(each)).join('\n'),
  );
  for (const words of [
    ['overview', at('evil.ndjson')],
    ['import', at('evil.ndjson'), '--into', at('evil.duckdb')],
  ]) {
    const { out, err } = await run(words, { width: 80 });
    expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(out + err).not.toContain('reboot');
  }
});

test('gaps between and after exported intervals are listed', async () => {
  const path = at('gaps.duckdb');
  {
    await using into = await openCase(path, { access: 'write', create: true });
    await addLogs(into, [{ time: 1_000 }, { time: 9_000 }], { part: 'all' });
    const stored = {
      export: 1,
      deployment: 'https://gis.example.com/admin',
      request: {},
      learnt: {},
      started: 0,
      settings: { via: 'search', windowBy: 'auto', timeField: 'time', from: '', to: '' },
      oldest: 1_000,
      newest: 6_999,
    };
    const window = { export: 1, attempts: 0, updated: 0 };
    const windows: readonly StoredWindow[] = [
      { ...window, window: 1, oldest: 1_000, newest: 1_999, state: 'loaded' },
      { ...window, window: 2, oldest: 2_000, newest: 2_999, state: 'loaded', missing: 1 },
      { ...window, window: 3, oldest: 4_000, newest: 4_999, state: 'failed' },
      { ...window, window: 4, oldest: 5_000, newest: 6_999, state: 'loaded' },
    ];
    await saveExportChanges(into, () => ({ export: stored, windows }));
  }
  const found = await json(path);
  expect(found.coverage).toBe('open');
  expect(found.gaps).toEqual([
    { oldest: 2_000, newest: 2_999, state: 'capped' },
    { oldest: 3_000, newest: 3_999, state: 'never' },
    { oldest: 4_000, newest: 4_999, state: 'open' },
  ]);
  expect(found.coveredUntil).toBe(6_999);
  expect(found.next[0].run).toBe(`logquarry coverage ${path}`);
  const { out } = await run(['overview', path]);
  expect(out.replace(/\s+/g, ' ')).toContain('requested until 1970-01-01 00:00:06.999: later logs are there');
  const narrow = (await run(['overview', path], { width: 50 })).out.split('\n');
  expect(narrow.filter((line) => 50 < line.length && !line.startsWith('  logquarry '))).toEqual([]);
  expect(out).toContain('1970-01-01 00:00:03.000 to 1970-01-01 00:00:03.999  · never requested');
});

test('a case whose older logs are not exported yet is not called complete', async () => {
  const path = at('unfinished.duckdb');
  {
    await using into = await openCase(path, { access: 'write', create: true });
    await addLogs(into, [{ time: 5_000 }, { time: 9_000 }], { part: 'all' });
    const stored = {
      export: 1,
      deployment: 'https://gis.example.com/admin',
      request: {},
      learnt: {},
      started: 0,
      settings: { via: 'search', windowBy: 'auto', timeField: 'time', from: '', to: '' },
      oldest: 1_000,
      newest: 6_999,
    };
    const window = { export: 1, attempts: 0, updated: 0 };
    const windows: readonly StoredWindow[] = [
      { ...window, window: 1, oldest: 1_000, newest: 4_999, state: 'failed' },
      { ...window, window: 2, oldest: 5_000, newest: 6_999, state: 'loaded' },
    ];
    await saveExportChanges(into, () => ({ export: stored, windows }));
  }
  const { out } = await run(['overview', path]);
  expect(out).toMatch(/^coverage +░ incomplete: see the gaps below/m);
  expect(out).not.toMatch(/complete until/);
});

test('a summary that fails is one line, since the logs are in the case by then', async () => {
  await using broken = await openCase(':memory:', { access: 'write', create: true });
  await addLogs(broken, [{ time: 1 }], { part: 'a' });
  const connection = await connectToCase(broken);
  await connection.run('DROP TABLE stored.logs');
  connection.closeSync();
  expect(await shortOverview(broken)).toEqual([
    expect.stringMatching(/^The case cannot be summarised: .*logs/),
  ]);
});
