import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { read } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listNotes } from '../../src/case/contents/notes.ts';
import { findActions } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { ask, type ServedPage, servePage } from './serving.ts';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage([
    { time: 1_000, logLevel: 'SEVERE', source: 'Sharing', msg: '=1+1 <b>timed out</b>', logCode: 9003 },
    { time: 2_000, logLevel: 'INFO', source: 'Sharing', msg: 'done', logCode: 2n ** 62n },
    { time: 3_000, logLevel: 'SEVERE', msg: "Connection pool 'a' has run dry: 0 of 4 left", logCode: 110035 },
  ]);
});
afterAll(() => page[Symbol.asyncDispose]());

const all = { query: '', now: 0 };
const value = async (name: string, parameters: unknown) => {
  const response = await page.call(name, parameters);
  return [response.status, (await response.json()) as { readonly error?: string }] as const;
};

describe('notes', () => {
  test('are added, changed, listed with their logs, and removed; the chain keeps all of it', async () => {
    const added = await value('addNote', {
      ofCase: 0,
      logs: [1, 2],
      text: 'first failure',
      tags: [' start '],
    });
    expect(added).toMatchObject([200, { note: 1, logs: [1, 2], tags: ['start'], author: 'ada' }]);
    await value('addNote', { ofCase: 0, logs: [], text: '', tags: ['case'] });
    await value('changeNote', { ofCase: 0, note: 1, text: '<b>pool</b>', tags: [] });
    expect(await ask(page, 'notes', {})).toMatchObject([
      { note: 1, ofCase: 0, text: '<b>pool</b>', tags: [], shown: [{ id: 1 }, { id: 2 }] },
      { note: 2, tags: ['case'], shown: [] },
    ]);
    expect(await value('removeNote', { ofCase: 0, note: 2 })).toMatchObject([200, { note: 2 }]);
    expect(await ask(page, 'notes', {})).toHaveLength(1);
    // The page reads again: another reader sees the notes, and the chain is whole.
    await using from = await openCase(page.path, { access: 'read' });
    expect(await listNotes(from)).toHaveLength(1);
    expect((await findActions(from)).slice(-4).map(({ action }) => action)).toEqual([
      ...['add note', 'add note', 'change note', 'remove note'],
    ]);
    expect((await verifyCase(from)).deviations).toEqual([]);
  });

  test('of no log, no case, another type or another site are refused', async () => {
    const note = { ofCase: 0, logs: [1], text: 'x', tags: [] };
    expect((await page.call('addNote', { ...note, logs: [99] })).status).toBe(422);
    expect((await page.call('addNote', { ...note, ofCase: 7 })).status).toBe(404);
    expect((await page.call('addNote', { ...note, text: 'x'.repeat(20_000) })).status).toBe(400);
    expect((await page.call('addNote', { ...note, tags: [''] })).status).toBe(400);
    expect((await page.call('changeNote', { ofCase: 0, note: 99, text: '', tags: [] })).status).toBe(422);
    expect((await page.call('addNote', note, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await page.call('addNote', note, { cookie: '' })).status).toBe(401);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await page.call('addNote', note, form)).status).toBe(415);
    expect(await ask(page, 'notes', {})).toHaveLength(1);
  });

  test('wait for their turn among many views', async () => {
    const views = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0
        ? value('addNote', { ofCase: 0, logs: [1], text: `${index}`, tags: ['turn'] })
        : value('histogram', { ...all, buckets: 10 }),
    );
    expect((await Promise.all(views)).map(([status]) => status)).toEqual(views.map(() => 200));
    const tagged = (await ask(page, 'notes', {})).filter(({ tags }) => tags.includes('turn'));
    expect(tagged.map(({ text }) => text)).toEqual(['0', '3', '6', '9']);
  });

  test('are refused while another process reads the case, which stays open here', async () => {
    const reader = promisify(execFile)(process.execPath, ['-e', readWhile], {
      env: { ...process.env, CASE: page.path },
    });
    await new Promise<void>((resolve) => reader.child.stdout?.once('data', () => resolve()));
    const [status, { error }] = await value('addNote', { ofCase: 0, logs: [1], text: 'late', tags: [] });
    expect([status, error]).toEqual([422, expect.stringMatching(/is open in another process.*try again/)]);
    expect((await ask(page, 'notes', {})).map(({ text }) => text)).not.toContain('late');
    reader.child.kill();
    await reader.catch(() => undefined);
    expect((await value('addNote', { ofCase: 0, logs: [1], text: 'late', tags: [] }))[0]).toBe(200);
  });
});

/** Holds a case open for reading until it is killed. */
const readWhile = `
  const { DuckDBInstance } = require('@duckdb/node-api');
  DuckDBInstance.create(process.env.CASE, { access_mode: 'READ_ONLY' }).then((instance) => {
    console.log('open');
    setInterval(() => instance, 1000);
  });
`;

test('saved searches keep a query with its interval', async () => {
  const search = { ofCase: 0, name: 'timeouts', query: 'msg:"timed out"' };
  expect((await value('saveSearch', { ...search, from: 1_000 }))[0]).toBe(200);
  expect((await value('saveSearch', { ...search, name: 'b', to: 5 }))[0]).toBe(200);
  expect(await ask(page, 'searches', {})).toMatchObject([
    { name: 'b', to: 5 },
    { name: 'timeouts', query: 'msg:"timed out"', from: 1_000, author: 'ada', ofCase: 0 },
  ]);
  expect((await value('saveSearch', { ...search, name: ' ' }))[0]).toBe(400);
  expect((await value('removeSearch', { ofCase: 0, name: 'b' }))[0]).toBe(200);
  expect(await ask(page, 'searches', {})).toHaveLength(1);
});

test('detections are those of the rules, with their queries', async () => {
  const { rules, detections, unsupported } = await ask(page, 'detections', all);
  expect([0 < rules, unsupported]).toEqual([true, []]);
  expect(detections).toMatchObject([{ count: 1, first: { id: 3, case: 0 } }]);
  const { sql = '' } = detections[0] ?? {};
  expect(await (await page.call('sql', { sql, ofCase: 0, limit: 10 })).text()).toContain('has run dry');
  expect((await ask(page, 'detections', { ...all, query: 'logLevel:INFO' })).detections).toEqual([]);
});

describe('files to take away', () => {
  async function file(path: string, parameters: object): Promise<Response> {
    const cookie = (await fetch(page.url)).headers.get('set-cookie')?.split(';')[0] ?? '';
    return fetch(`${page.origin}${path}`, {
      method: 'POST',
      headers: { origin: page.origin, cookie },
      body: new URLSearchParams({ parameters: JSON.stringify({ ...all, ...parameters }) }),
    });
  }

  test('a workbook has all logs, exact codes and no formula', async () => {
    const response = await file('/download', { order: 'oldest', format: 'xlsx' });
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="logs.xlsx"');
    const sheet = read(await response.arrayBuffer()).Sheets.Logs ?? {};
    expect(sheet.E2).toMatchObject({ t: 's', v: "'=1+1 <b>timed out</b>" });
    expect(sheet.C3).toMatchObject({ t: 's', v: String(2n ** 62n) });
    expect(sheet.C2).toMatchObject({ t: 'n', v: 9003 });
    expect(Object.values(sheet).filter((cell) => cell?.f !== undefined)).toEqual([]);
  });

  test('a report covers the selection, as a page and as a workbook', async () => {
    const html = await file('/report', { ofCase: 0, format: 'html', query: 'logLevel:SEVERE' });
    expect(html.headers.get('content-disposition')).toBe('attachment; filename="report.html"');
    const text = await html.text();
    expect(text).toContain('2 logs of 2 sources');
    expect(text).toContain('Only logs of the case with the query logLevel:SEVERE.');
    expect(text).toContain('&lt;b&gt;timed out&lt;/b&gt;');
    const book = read(await (await file('/report', { ofCase: 0, format: 'xlsx' })).arrayBuffer());
    expect(book.SheetNames).toContain('Times of requests');
    const zoned = await file('/report', { ofCase: 0, format: 'html', zone: 'Europe/Berlin' });
    expect(await zoned.text()).toContain('All times are in Europe/Berlin.');
    expect((await file('/report', { ofCase: 0, format: 'html', zone: 'Nowhere' })).status).toBe(400);
    expect((await file('/report', { ofCase: 3, format: 'html' })).status).toBe(404);
    expect((await file('/report', { ofCase: 0, format: 'exe' })).status).toBe(400);
  });
});
