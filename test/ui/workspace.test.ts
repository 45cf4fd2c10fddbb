import { copyFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { indexState } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { makeTemporaryFolder } from '../../src/database/files.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { sampled } from '../effort.ts';
import { ask, type ServedPage, serveFolder } from './serving.ts';

/** Some logs, a second apart. */
function logs(count: number): Log[] {
  return Array.from({ length: count }, (_, index) => ({ time: 1000 * index, msg: `log ${index}` }));
}

let folder: string;
let page: ServedPage;
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  const inner = join(folder, 'page');
  await mkdir(inner);
  for (const [name, count] of [
    ['a.duckdb', 30],
    ['b.duckdb', 20],
  ] as const) {
    await using into = await openCase(join(inner, name), { access: 'write', create: true });
    await addLogs(into, logs(count), { part: 'logs' });
  }
  await writeFile(join(inner, 'few.ndjson'), '{"time":1000,"msg":"one"}\n{"time":2000,"msg":"two"}\n');
  await writeFile(join(inner, 'prose.txt'), 'This is a letter.\n\nIt holds no log at all.\n');
  await writeFile(join(folder, 'outside.ndjson'), '{"time":1000,"msg":"secret"}\n');
  await symlink(join(folder, 'outside.ndjson'), join(inner, 'link.ndjson'));
  await writeFile(join(inner, '.hidden.ndjson'), '{"time":1000}\n');
  page = await serveFolder({ folder: inner });
});
afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The lines with which opening a source is reported. */
async function open(name: string): Promise<string> {
  return (await page.call('open', { name })).text();
}

/** The number of logs of some sources, or the refusal. */
async function count(...cases: string[]): Promise<unknown> {
  const query = cases.map((name) => `case=${encodeURIComponent(name)}`).join('&');
  const response = await page.call(`histogram?${query}`, { query: '', now: 0, buckets: 1 });
  const { total, timeless, error } = (await response.json()) as Record<string, unknown>;
  return error ?? Number(total) + Number(timeless);
}

async function upload(
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
  into?: string,
  to: ServedPage = page,
) {
  const cookie = (await fetch(to.url)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const query = new URLSearchParams({ name, ...(into !== undefined && { into }) });
  const response = await fetch(`${to.origin}/upload?${query}`, {
    method: 'POST',
    headers: { origin: to.origin, cookie },
    body,
  });
  return (await response.json()) as { readonly name?: string; readonly error?: string };
}

describe('a page without sources', () => {
  test('has no logs, and offers the case files and log files of its folder alone', async () => {
    expect((await ask(page, 'about', {})).names).toEqual([]);
    const { files, given } = await ask(page, 'offers', {});
    expect(given).toEqual([]);
    expect(files.map(({ name, kind }) => [name, kind]).toSorted()).toEqual([
      ['a.duckdb', 'case'],
      ['b.duckdb', 'case'],
      ['few.ndjson', 'logs'],
      ['prose.txt', 'logs'],
    ]);
  });

  test.each(
    sampled(['../outside.ndjson', 'link.ndjson', '.hidden.ndjson', '/etc/passwd', 'c.duckdb', '', '..'], 2),
  )('does not open %s', async (name) => {
    expect(await open(name)).toContain('The folder of the page has no case file and no log file');
    expect(await count(name)).toContain('no case file and no log file');
  });

  test('opens cases and log files on demand, one or several', async () => {
    expect(await open('few.ndjson')).toContain('{"kind":"opened","name":"few.ndjson"}');
    expect([await count('few.ndjson'), await count('a.duckdb'), await count('b.duckdb', 'a.duckdb')]).toEqual(
      [2, 30, 50],
    );
    const { files } = await ask(page, 'offers', {});
    expect(files.find(({ name }) => name === 'few.ndjson')?.isOpen).toBe(true);
  });

  test('refuses what is no log, in words', async () => {
    expect(await open('prose.txt')).toContain('No log can be read in \\"prose.txt\\"');
  });

  test('says that a case is gone, also while it is open', async () => {
    const [from, to] = [join(folder, 'page/a.duckdb'), join(folder, 'page/gone.duckdb')];
    await copyFile(from, to);
    expect(await count('gone.duckdb')).toBe(30);
    await rm(to);
    expect(await count('gone.duckdb')).toContain('is not there; it may have been deleted or renamed');
  });
});

describe('a file that is sent', () => {
  test('is opened under its name, or a similar one that is free', async () => {
    const logs = '{"time":1000,"msg":"sent"}\n';
    expect(await upload('sent.ndjson', logs)).toEqual({ name: 'sent.ndjson' });
    expect(await upload('sent.ndjson', logs + logs)).toEqual({ name: 'sent.ndjson (2)' });
    expect([await count('sent.ndjson'), await count('sent.ndjson (2)')]).toEqual([1, 2]);
    expect(await readdir(join(folder, 'page'))).not.toContain('sent.ndjson');
  });

  test('becomes a case file of the folder where it has a name', async () => {
    expect(await upload('sent.ndjson', '{"time":1000,"msg":"kept"}\n', 'kept.duckdb')).toEqual({
      name: 'kept.duckdb',
    });
    expect(await count('kept.duckdb')).toBe(1);
    expect((await upload('sent.ndjson', '{}', 'kept.duckdb')).error).toContain('exists already');
  });

  test('is read in the zone and the unit of times of the page', async () => {
    const own = join(folder, 'zoned');
    await mkdir(own);
    await using zoned = await serveFolder({ folder: own, logZone: '+02:00 s' });
    const lines = '{"time":"2025-03-12T02:00:00","msg":"a"}\n{"time":1741737600,"msg":"b"}\n';
    expect(await upload('sent.ndjson', lines, 'kept.duckdb', zoned)).toEqual({ name: 'kept.duckdb' });
    await using kept = await openCase(join(own, 'kept.duckdb'), { access: 'read' });
    const found = await findLogs(kept, matchAllFilter, { limit: 5 });
    expect(found.map(({ log }) => log.time)).toEqual([1741737600_000, 1741737600_000]);
  });

  test('leaves out what a configuration says, as the command does', async () => {
    const own = join(folder, 'configured');
    await mkdir(own);
    const path = join(own, 'config.json');
    await writeFile(path, JSON.stringify({ import: { 'no-index': true } }));
    await using configured = await serveFolder({ folder: own, environment: { LOGQUARRY_CONFIG: path } });
    const lines = Array.from({ length: 10_000 }, (_, index) => `{"time":${index},"msg":"x"}`).join('\n');
    for (const [to, name, indexed] of [
      [configured, 'without.duckdb', 0],
      [page, 'with.duckdb', 10_000],
    ] as const) {
      expect(await upload('sent.ndjson', lines, name, to)).toEqual({ name });
      await using kept = await openCase(join(to.path, name), { access: 'read' });
      expect((await indexState(kept)).indexed).toBe(indexed);
    }
  });

  test('is refused if it holds no log, in words', async () => {
    expect(await upload('picture.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47]))).toEqual({
      name: 'picture.png',
    });
    expect(await open('picture.png')).toContain('No log can be read in \\"picture.png\\"');
    const kept = await upload('letter.txt', 'This is a letter.\n', 'letter.duckdb');
    expect(kept.error).toMatch(/letter\.txt/);
  });

  test.each(sampled(['../x.ndjson', 'a/b.ndjson', '.hidden', 'a\\b', 'a\u0000b', ''], 2))(
    'is refused as %j',
    async (name) => {
      expect((await upload(name, '{}')).error).toContain('not valid');
      expect((await upload('x.ndjson', '{}', `${name}.duckdb`)).error).toContain('not valid');
    },
  );
});
