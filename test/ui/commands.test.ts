import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../src/database/files.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { commandOf, showCommandOf } from '../../src/page/format.ts';
import { comparedIntervals, firstState, type PageState, type View } from '../../src/page/page-state.ts';
import { run } from '../cli/run-in-process.ts';
import { rounds } from '../effort.ts';
import { ask, askProgressing, type ServedPage, serveFolder, servePage } from './serving.ts';

/** The words that a shell makes of command lines. */
function wordsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const script = lines.map((line) => `set -- ${line}\nprintf '%s\\0' "$@"\nprintf '\\0\\0'`).join('\n');
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  return printed
    .split('\0\0\0')
    .slice(0, -1)
    .map((each) => each.split('\0'));
}

/** A command line with `--json`, which an end of the options must follow. */
function withJson(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? [...words, '--json'] : words.toSpliced(end, 0, '--json');
}

test('a shell gets the words of the page, whatever a query or a path holds', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((each) => !each.includes('\0') && each.trim() !== '');
  const states = fc.record({ q: text, path: text, request: text });
  const given = fc.sample(states, rounds(200));
  const lines = given.flatMap(({ q, path, request }) => {
    const context = { paths: [path], span: {} };
    return [
      commandOf({ ...firstState, q }, context),
      commandOf({ ...firstState, view: 'patterns', q, zone: 'Europe/Berlin' }, context),
      commandOf({ ...firstState, view: 'trace', request }, context),
    ];
  });
  const expected = given.flatMap(({ q, path, request }) => [
    [q, path],
    [path, '--search', q, '--zone', 'Europe/Berlin'],
    [request, path],
  ]);
  const found = wordsOf(lines).map(([, , ...words]) => words.filter((word) => word !== '--').toSorted());
  expect(found).toEqual(expected.map((words) => words.filter((word) => word !== '--').toSorted()));
});

describe('a copied command gives what the page shows', () => {
  let page: ServedPage;
  beforeAll(async () => {
    page = await servePage(incidentLogs({ count: 600 }));
    await page.call('addNote', { ofCase: 0, logs: [7], text: 'first', tags: ['start'] });
  });
  afterAll(() => page[Symbol.asyncDispose]());

  /** Runs the command of a view, and resolves with its JSON beside the state. */
  const shown = async (view: View, change: Partial<PageState> = {}) => {
    const { overview, paths } = await ask(page, 'about', {});
    const state: PageState = { ...firstState, view, ...change };
    const [words = []] = wordsOf([commandOf(state, { paths, span: overview })]);
    const { code, out, err } = await run(withJson(words.slice(1)));
    expect([code, err.includes('error')]).toEqual([0, false]);
    const selection = {
      query: state.q,
      ...(state.from !== undefined && { from: state.from }),
      ...(state.to !== undefined && { to: state.to }),
      now: Date.now(),
    };
    return { state, selection, overview, json: JSON.parse(out) };
  };
  const narrow = async () => {
    const { overview } = await ask(page, 'about', {});
    const { first = 0, last = 0 } = overview;
    return { q: '-logLevel:FINE', from: Math.floor((first + last) / 2), to: last - 1 };
  };

  test('search', async () => {
    const { json, selection } = await shown('search', { ...(await narrow()), order: 'oldest' });
    const logs = await ask(page, 'logs', { ...selection, order: 'oldest', page: 0 });
    expect(logs.length).toBeGreaterThan(5);
    const ids = json.logs.map(({ id }: { id: number }) => id);
    expect(ids.slice(0, 100)).toEqual(logs.map(({ id }) => id));
  });

  test('patterns', async () => {
    const { json, selection } = await shown('patterns', await narrow());
    const { progress, result } = await askProgressing(page, 'patterns', selection);
    const { patterns, total } = result;
    expect(progress.at(-1)).toMatchObject({ logs: total, of: total });
    expect(json.total).toBe(total);
    expect(json.patterns.map(({ id }: { id: string }) => id).slice(0, patterns.length)).toEqual(
      patterns.map(({ id }) => id).slice(0, json.patterns.length),
    );
  });

  test('services', async () => {
    const { json, selection } = await shown('services', await narrow());
    const { total } = await ask(page, 'services', selection);
    expect(total.logs).toBeGreaterThan(5);
    expect(json.total).toEqual(total);
  });

  test('detections', async () => {
    const { json, selection } = await shown('detections', await narrow());
    const found = await ask(page, 'detections', selection);
    const hits = json.detections.filter(({ count }: { count: number }) => 0 < count);
    expect(
      hits.map(({ rule, count }: { rule: { title: string }; count: number }) => [rule.title, count]),
    ).toEqual(found.detections.map(({ title, count }) => [title, count]));
  });

  test('investigate, whose query is a symptom', async () => {
    const { json, selection } = await shown('investigate', await narrow());
    const { progress, result: found } = await askProgressing(page, 'investigate', selection);
    expect(progress.at(-1)).toMatchObject({ logs: found.logs, of: found.logs });
    const whole = await askProgressing(page, 'investigate', { query: '', now: 0 });
    expect(whole.result.main).toBeDefined();
    expect(whole.progress.at(-1)?.found?.main?.start).toBe(whole.result.main?.start);
    expect([json.logs, json.examined, json.changes.length]).toEqual([
      found.logs,
      found.examined,
      found.changes.length,
    ]);
    expect(found.logs).toBeGreaterThan(100);
  });

  test.each([
    ['those that the page begins with', {}],
    ['chosen ones', { before: '2025-03-11T00:00:00.000Z~2025-03-11T23:59:59.999Z' }],
    ['an afternoon', { from: Date.UTC(2025, 2, 12, 2), to: Date.UTC(2025, 2, 12, 10, 59, 59, 999) }],
  ])('changes between intervals: %s', async (_, change) => {
    const { json, state, overview } = await shown('changes', { q: 'NOT logLevel:FINE', ...change });
    const { before = { from: 0, to: 0 }, after = { from: 0, to: 0 } } = comparedIntervals(state, overview);
    const found = await ask(page, 'changes', { query: state.q, now: 0, before, after });
    expect([json.before, json.after, json.sameHours]).toEqual([found.before, found.after, found.sameHours]);
    expect(json.groups.length).toBe(found.groups.length);
    expect(found.after).toBeGreaterThan(5);
  });

  test('log files, whose times have no zone', async () => {
    const folder = await makeTemporaryFolder();
    const file = join(folder, 'plain file.ndjson');
    await writeFile(file, '{"time":"2025-07-12 08:00:00","msg":"one"}\n');
    await using ofFile = await serveFolder({ folder, given: [file], logZone: 'Europe/Berlin' });
    const about = await ask(ofFile, 'about', {});
    const [words = []] = wordsOf([commandOf({ ...firstState }, { ...about, span: about.overview })]);
    const { logs } = JSON.parse((await run(withJson(words.slice(1)))).out);
    expect(logs[0].log.time).toBe(Date.UTC(2025, 6, 12, 6));
    expect(about.overview.first).toBe(Date.UTC(2025, 6, 12, 6));
    await rm(folder, { recursive: true });
  });

  test('a request, SQL, notes, an overview and one log', async () => {
    const [{ log: { requestID = '' } = {} } = {}] = await ask(page, 'logs', {
      query: 'requestID:*',
      now: 0,
      order: 'newest',
      page: 0,
    });
    const { json: traced } = await shown('trace', { request: requestID });
    expect(traced).toHaveLength((await ask(page, 'trace', { request: requestID })).length);
    const { json: rows } = await shown('sql', { sql: '-- all\nSELECT count(*) AS logs FROM logs' });
    expect(JSON.stringify(rows)).toContain('600');
    const { json: noted } = await shown('notes', { tag: 'start' });
    expect(JSON.stringify(noted)).toContain('first');
    expect((await shown('overview')).json.logs).toBe(600);
    const [words = []] = wordsOf([showCommandOf(7, page.path)]);
    expect(JSON.parse((await run([...words.slice(1), '--json'])).out).log.msg).toBe(
      (await ask(page, 'log', { ofCase: 0, id: 7 })).log.msg,
    );
  });
});
