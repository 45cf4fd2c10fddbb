import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Case } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { sampled } from '../effort.ts';
import { ask, type ServedPage, servePage } from './serving.ts';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage([
    { time: 1_000, logLevel: 'SEVERE', source: 'Sharing', msg: 'timed out', logCode: 9003, requestID: 'r1' },
    { time: 2_000, logLevel: 'INFO', source: 'Sharing', msg: 'done', logCode: 2n ** 62n, requestID: 'r1' },
    { logLevel: 'INFO', source: 'Admin', msg: 'without a time', stackTraces: 'x'.repeat(100_000) },
  ]);
});
afterAll(() => page[Symbol.asyncDispose]());

const all = { query: '', now: 0 };

/** A request with any header, which `fetch` would not send. */
function raw(
  path: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<number | undefined> {
  const { hostname, port } = new URL(page.origin);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

describe('nobody else is let in', () => {
  test('the first address gives a cookie that scripts and other sites cannot use', async () => {
    const first = await fetch(page.url);
    expect(first.status).toBe(200);
    expect(first.headers.get('set-cookie')).toMatch(
      /^logquarry-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(await first.text()).not.toContain(new URL(page.url).searchParams.get('key'));
  });

  test.each(sampled(['/', '/?key=', '/?key=wrong', '/page.js', '/index.html', '/api/about', '/nothing'], 2))(
    'GET %s without the secret is refused',
    async (path) => expect((await fetch(page.origin + path)).status).toBe(401),
  );

  test('a bookmark of an earlier run says how to open it again', async () => {
    const again = await fetch(`${page.origin}/?q=logLevel:SEVERE`, { headers: { accept: 'text/html,*/*' } });
    expect([again.status, again.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    const text = await again.text();
    expect(text).toContain('open the address that it printed');
    const style = /<style>([^<]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(again.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
    expect(again.headers.get('set-cookie')).toBeNull();
  });

  test('a call without the cookie is refused', async () => {
    expect((await page.call('about', {}, { cookie: '' })).status).toBe(401);
    expect((await page.call('about', {}, { cookie: 'logquarry-1=x' })).status).toBe(401);
    expect((await page.call('about', {})).status).toBe(200);
  });

  test('another host is refused, as a page of DNS rebinding names it', async () => {
    const { host, port } = new URL(page.origin);
    const path = `/?key=${new URL(page.url).searchParams.get('key')}`;
    expect(await raw(path, { host })).toBe(200);
    expect(await raw(path, { host: `localhost:${port}` })).toBe(200);
    for (const other of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${Number(port) + 1}`,
      `127.0.0.1.evil.example:${port}`,
    ])
      expect([other, await raw(path, { host: other })]).toEqual([other, 403]);
  });

  test('another origin is refused, and none', async () => {
    for (const origin of ['http://evil.example', 'null', page.origin.replace('http', 'https')])
      expect([origin, (await page.call('about', {}, { origin })).status]).toEqual([origin, 403]);
    expect(await raw('/api/about', { host: new URL(page.origin).host }, 'POST')).toBe(403);
    expect((await page.call('about', {}, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test.each(
    sampled(
      [
        '/../package.json',
        '/%2e%2e/package.json',
        '/..%2flogquarry.js',
        '//etc/passwd',
        '/page.js/',
        '/constructor',
        '/%00',
      ],
      2,
    ),
  )('no path reaches a file: %s', async (path) => {
    const cookie = (await fetch(page.url)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const status = await raw(path, { host: new URL(page.origin).host, cookie });
    expect([404, 400]).toContain(status);
  });

  test('nothing is stored, embedded or run inline', async () => {
    const { headers } = await fetch(page.url);
    expect(headers.get('cache-control')).toBe('no-store');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('the calls', () => {
  test('a page of logs has exact codes and short texts', async () => {
    const logs = await ask(page, 'logs', { ...all, order: 'newest', page: 0 });
    expect(logs.map(({ log }) => log.msg)).toEqual(['done', 'timed out', 'without a time']);
    expect(logs[0]?.log.logCode).toBe(String(2n ** 62n));
    expect(logs[2]?.log.stackTraces?.length).toBeLessThan(3000);
    const whole = await ask(page, 'log', { ofCase: 0, id: logs[2]?.id ?? 0 });
    expect(whole.log.stackTraces).toHaveLength(100_000);
  });

  test('a query and an interval select', async () => {
    const found = async (parameters: object) =>
      (await ask(page, 'logs', { ...all, ...parameters, order: 'oldest', page: 0 })).length;
    expect(await found({ query: 'logLevel:SEVERE' })).toBe(1);
    expect(await found({ from: 1_500 })).toBe(1);
    expect(await found({ from: 1_000, to: 2_000 })).toBe(2);
    expect(await found({ query: 'nothing' })).toBe(0);
  });

  test('a query with errors is refused with its finding', async () => {
    const refused = await page.call('histogram', { ...all, query: '(msg:timeout', buckets: 10 });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('not closed');
  });

  test.each(
    sampled(
      [
        ['logs', { query: '', now: 0, order: 'newest', page: -1 }],
        ['logs', { query: '', now: 0, order: 'any', page: 0 }],
        ['logs', {}],
        ['histogram', { query: '', now: 0, by: '"; DROP TABLE logs', buckets: 10 }],
        ['facets', { query: '', now: 0, fields: ['nothing'], limit: 1 }],
        ['log', { ofCase: 0, id: 99 }],
        ['pattern', { query: '', now: 0, id: 'x' }],
        ['toString', {}],
      ],
      2,
    ),
  )('%s refuses %o', async (name, parameters) => {
    const { status } = await page.call(name, parameters);
    expect([400, 404]).toContain(status);
  });

  test('context, request and facets are those of the case', async () => {
    const context = await ask(page, 'context', { ofCase: 0, id: 1, around: 5 });
    expect(context.map(({ id }) => id)).toEqual([1, 2, 3]);
    const trace = await ask(page, 'trace', { request: 'r1' });
    expect(trace).toHaveLength(2);
    const lines = (
      await (await page.call('facets', { ...all, fields: ['source', 'logLevel'], limit: 5 })).text()
    )
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).value);
    expect(lines.map(({ field, total }) => [field, total])).toEqual([
      ['source', 3],
      ['logLevel', 3],
    ]);
  });

  test('SQL can read and nothing else', async () => {
    const run = async (sql: string) => (await page.call('sql', { sql, ofCase: 0, limit: 10 })).text();
    expect(await run('SELECT count(*) AS n FROM logs')).toContain('"rows":[[3]]');
    expect(await run('DELETE FROM logs')).toContain('error');
    expect(await run("SELECT * FROM read_text('/etc/passwd')")).toContain('error');
  });

  test('a download has all logs', async () => {
    const download = (format: string) => page.download({ ...all, order: 'oldest', format });
    const ndjson = await download('ndjson');
    expect(ndjson.headers.get('content-disposition')).toBe('attachment; filename="logs.ndjson"');
    expect((await ndjson.text()).trim().split('\n')).toHaveLength(3);
    expect(await (await download('csv')).text()).toContain('timed out');
    expect((await (await download('parquet')).text()).startsWith('PAR1')).toBe(true);
    expect((await download('exe')).status).toBe(400);
  });
});

test('the page gets what was said of the files of its case', async () => {
  const csv = `time;eventText\n${'2025-03-12 08:00:00;one\n'.repeat(9)}`;
  const fill = async (into: Case) => void (await addFile(into, { name: 'x.csv', bytes: Buffer.from(csv) }));
  await using served = await servePage([], { fill });
  const { remarks } = await ask(served, 'about', {});
  expect(remarks).toContain('"x.csv": no log has a message; "eventText" may be it.');
  expect((await ask(page, 'about', {})).remarks).toEqual([]);
});
