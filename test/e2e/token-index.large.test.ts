import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { indexState } from '../../src/case/index/build.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { countLogs, findLogs } from '../../src/case/searching/find-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolve as resolveQuery } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import { fractionOf } from '../run-seed.ts';
import { toZip } from '../store/zips.ts';
import { run, type Started, start, startProgram } from './process.ts';

const store = pathToFileURL(resolve('dist/index.js')).href;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-killed-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const words = ['disk', 'full', 'timed', 'out', 'error'];

/** So many logs, each of a few words. */
function logsOf(count: number, first: number): readonly Log[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const text = [1, 3, 7].map((step) => words[Math.floor(number / step) % words.length]);
    return { time: number, msg: `${text.join(' ')} ${number}`, logLevel: number % 3 ? 'INFO' : 'SEVERE' };
  });
}

const queries = [
  'msg:disk',
  'msg:"timed out"',
  'disk AND NOT full',
  'msg:1*',
  'NOT error',
  'logLevel:SEVERE',
];

/** Starts a process that does something with the case, and resolves once it has begun. */
async function begun(program: string): Promise<Started> {
  const text = `import { addFile, buildIndex, openCase } from ${JSON.stringify(store)};
    const into = await openCase(${JSON.stringify(path)}, { access: 'write', create: true });
    console.log('open');
    ${program}
    await into[Symbol.asyncDispose]();`;
  const started = startProgram(process.execPath, ['--input-type=module', '-e', text]);
  await started.printed('open');
  return started;
}

/** Ends a process after some milliseconds, unless it has ended by itself before. */
async function killed({ child, ended }: Started, after: number): Promise<void> {
  await new Promise((go) => setTimeout(go, after));
  child.kill('SIGKILL');
  await ended;
}

/** Everything is found that is there, with the index and without it, and nothing is left of what was not finished. */
async function check(): Promise<{ readonly logs: number; readonly indexed: number }> {
  await using used = await openCase(path, { access: 'read' });
  await using ignored = await openCase(path, { access: 'read', tokenIndex: 'ignored' });
  const there = await findLogs(used, matchAllFilter, { limit: 1e6 });
  for (const query of queries) {
    const filter = resolveQuery(parse(query).query, { now: 0 });
    const expected = there.filter(({ log }) => match(filter, log)).map(({ id }) => id);
    const found = await findLogs(used, filter, { limit: 1e6 });
    expect({ query, ids: found.map(({ id }) => id) }).toEqual({ query, ids: expected });
    expect(await countLogs(used, filter)).toBe(expected.length);
    expect(await countLogs(ignored, filter)).toBe(expected.length);
  }
  const { deviations } = await verifyCase(used);
  expect(deviations.filter(({ code }) => code !== 'FILE_UNLISTED')).toEqual([]);
  return await indexState(used);
}

test('searches find just what is there after kill -9 at random moments of loading and of building', async () => {
  const entries = Array.from({ length: 5 }, (_, number) => ({
    name: `${number}.ndjson`,
    content: logsOf(2500, 2500 * number)
      .map((log) => `${JSON.stringify(log)}\n`)
      .join(''),
  }));
  const file = join(folder, 'logs.zip');
  await writeFile(file, toZip(entries));
  const load = `await addFile(into, ${JSON.stringify(file)});`;
  // Small segments, so that there are moments between them; in this thread, in one beside it, and in two.
  const buildIn = (threads: number) =>
    `await buildIndex(into, { segmentBytes: 20_000, threads: ${threads} });`;
  const seen = new Set<number>();
  let before = 0;
  // A slow machine needs more time until something is there.
  for (let kill = 0; kill < 36 || seen.size === 1; kill++) {
    const build = buildIn(kill % 3);
    const longest = 90 * (1 + (kill % 8) + Math.floor(kill / 36));
    // In turns: loading and building in one process, building alone.
    await killed(await begun(kill % 2 ? build : `${load} ${build}`), fractionOf(`kill ${kill}`) * longest);
    const { logs, indexed } = await check();
    expect(logs).toBeGreaterThanOrEqual(before);
    expect(logs % 2500).toBe(0);
    seen.add(indexed);
    before = logs;
  }
  const last = await begun(`${load} ${buildIn(1)}`);
  expect((await last.ended).code).toBe(0);
  const { indexed: after } = await check();
  expect(after).toBe(12_500);
});

test.each(['SIGKILL', 'SIGINT'] as const)(
  'the command that indexes goes on after %s while a thread collects words',
  async (signal) => {
    // As many logs as the command uses a thread for.
    const logs = logsOf(60_000, 0);
    const options = { cwd: folder };
    await writeFile(join(folder, 'logs.ndjson'), logs.map((log) => `${JSON.stringify(log)}\n`).join(''));
    const load = await run(['import', 'logs.ndjson', '--into', 'loaded.duckdb', '--no-index'], options);
    expect(load).toMatchObject({ code: 0 });
    const renew = async () => {
      await rm(`${path}.wal`, { force: true });
      await cp(join(folder, 'loaded.duckdb'), path);
      await cp(join(folder, 'loaded.duckdb.evidence'), `${path}.evidence`, { recursive: true });
    };
    await renew();
    const begin = performance.now();
    expect(await run(['index', path], options)).toMatchObject({ code: 0 });
    let whole = performance.now() - begin;
    let isHeard = signal === 'SIGKILL';
    for (let early = 0; early < 4 || !isHeard; ) {
      await renew();
      const { child, ended } = start(['index', path], options);
      await new Promise((go) => setTimeout(go, (0.4 + 0.6 * fractionOf(`${signal} ${early}`)) * whole));
      child.kill(signal);
      const end = await ended;
      // The next one is ended earlier where this one was over already.
      if (end.code === 0) whole *= 0.8;
      else early++;
      // Before the command listens, the signal itself ends it.
      if (end.signal === null) expect([0, 130]).toContain(end.code);
      isHeard ||= end.code === 130;
      const { indexed } = await check();
      expect(indexed === 0 || indexed === logs.length).toBe(true);
      const again = await run(['index', path], options);
      expect(again).toMatchObject({
        code: 0,
        out: expect.stringContaining('60,000 of 60,000 logs are indexed'),
      });
    }
    await check();
  },
);

test('searches find just what is there while parts are added and segments are built', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  const filter = resolveQuery(parse('msg:"timed out" AND NOT full').query, { now: 0 });
  const { buildIndex } = await import('../../src/case/index/build.ts');
  let isOver = false;
  const writer = (async () => {
    for (let part = 0; part < 6; part++) {
      const content = logsOf(1000, 1000 * part).map((log) => `${JSON.stringify(log)}\n`);
      const bytes = new TextEncoder().encode(content.join(''));
      await addFile(into, { name: `${part}.ndjson`, bytes });
      await buildIndex(into, { segmentBytes: part % 2 ? 1 : 1e9 });
    }
    isOver = true;
  })();
  const expected = Array.from(
    { length: 7 },
    (_, parts) => logsOf(1000 * parts, 0).filter((log) => match(filter, log)).length,
  );
  let searches = 0;
  while (!isOver) {
    const found = await findLogs(into, filter, { limit: 1e6, order: 'oldest' });
    const count = await countLogs(into, filter);
    // One state of the case or a later one, never something in between.
    expect(expected).toContain(found.length);
    expect(expected).toContain(count);
    expect(count).toBeGreaterThanOrEqual(found.length);
    for (const { log } of found) expect(match(filter, log)).toBe(true);
    searches++;
  }
  await writer;
  expect(searches).toBeGreaterThan(5);
  expect(await countLogs(into, filter)).toBe(expected.at(-1));
});
