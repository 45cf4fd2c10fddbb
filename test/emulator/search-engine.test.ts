import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { openLogStore } from '../../src/emulator/log-store.ts';
import { openSearchEngine, type SearchEngineOptions } from '../../src/emulator/search-engine.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';

/** A search server of a few lines: it finds all of its logs, and does to a request what a test tells it. */
interface Double extends AsyncDisposable {
  readonly address: string;
  /** Answers the next requests, of which the path has a text, in another way. */
  readonly next: (path: string, ...answers: readonly Odd[]) => void;
  readonly indexes: ReadonlyMap<string, Set<string>>;
  /** The UTF-16 units of the largest request. */
  readonly largest: () => number;
}

type Odd = { readonly status: number; readonly body: string } | 'silence' | 'hang up';

async function startDouble(): Promise<Double> {
  const indexes = new Map<string, Set<string>>();
  const odd: { readonly path: string; readonly answers: Odd[] }[] = [];
  let largest = 0;
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    largest = Math.max(largest, text.length);
    const { method, url = '' } = request;
    const answer = odd.find(({ path, answers }) => url.includes(path) && 0 < answers.length)?.answers.shift();
    if (answer === 'silence') return;
    if (answer === 'hang up') return void request.socket.destroy();
    if (answer) return void response.writeHead(answer.status).end(answer.body);
    const [name = '', operation] = url.slice(1).split(/[/?]/);
    const index = name.replace(/-logs$/, '');
    const ids = indexes.get(index);
    if (method === 'PUT') indexes.set(index, new Set());
    else if (!ids)
      return void response.writeHead(404).end('{"error":{"root_cause":[{"reason":"no such index"}]}}');
    if (method === 'DELETE') indexes.delete(index);
    if (operation === '_bulk') {
      for (const [, id = ''] of text.matchAll(/"_id":"(\d+)"/g)) ids?.add(id);
      return void response.end('{"errors":false}');
    }
    const hits = [...(ids ?? [])].map((id) => ({ _id: id, _score: 1, sort: [1, Number(id)] }));
    return void response.end(JSON.stringify(operation === '_search' ? { hits: { hits } } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `opensearch://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (path, ...answers) => odd.push({ path, answers: [...answers] }),
    indexes,
    largest: () => largest,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const search = { text: 'msg:log', scored: resolveScored(parse('msg:log').query) };
const selection = { filter: matchAllFilter, search };
const log = (index: number): Log => ({ time: 1_700_000_000_000 + index, msg: `log ${index}` });
const busy: Odd = { status: 429, body: '{}' };
const away: Odd = { status: 503, body: 'away' };

async function opened(double: Double, logs: readonly Log[] = [log(0)], options: SearchEngineOptions = {}) {
  const engine = await openSearchEngine(double.address, options);
  const store = await openLogStore(logs, { engine });
  return { engine, store, count: () => store.count(selection) };
}

describe('a search server', () => {
  test('that was away gets what came meanwhile with the next search', async () => {
    await using double = await startDouble();
    const { store, count } = await opened(double);
    for (let index = 1; index < 5; index += 1) {
      store.record(log(index));
      double.next('_bulk', index % 2 === 0 ? away : 'hang up');
      await expect(count()).rejects.toMatchObject({ name: 'SearchEngineError' });
    }
    store.record(log(9));
    expect(await count()).toBe(6);
    // Without a query it is not asked.
    store.record(log(10));
    double.next('_bulk', away);
    expect(await store.count()).toBe(7);
    await store[Symbol.asyncDispose]();
  });

  test('has the later logs too after others were deleted', async () => {
    await using double = await startDouble();
    const { store, count } = await opened(double, [log(0), log(1), log(2)]);
    store.record(log(3));
    await store.remove(matchAllFilter);
    store.record(log(4));
    expect(await count()).toBe(1);
    store.record(log(5));
    expect(await count()).toBe(2);
    await store[Symbol.asyncDispose]();
  });

  test('that has too much to do is asked again, and large logs come in parts', async () => {
    await using double = await startDouble();
    double.next('_bulk', busy, busy);
    const large = Array.from({ length: 60 }, (_, index) => ({
      ...log(index),
      stackTraces: 'x'.repeat(100_000),
    }));
    const sent: number[] = [];
    const { store, count } = await opened(double, large, { onProgress: (logs) => sent.push(logs) });
    expect(await count()).toBe(60);
    expect(double.largest()).toBeLessThan(2_500_000);
    expect(sent.at(-1)).toBe(60);
    await store[Symbol.asyncDispose]();
  });

  test.each<[string, string, Odd, string]>([
    ['answers otherwise', '_bulk', { status: 200, body: '{}' }, 'answers in another way'],
    ['answers with a page', '_bulk', { status: 200, body: '<html>' }, 'answered 200: <html>'],
    [
      'takes no log',
      '_bulk',
      { status: 200, body: '{"errors":true,"items":[{"index":{"error":{"reason":"full"}}}]}' },
      'full',
    ],
    ['refuses', '', { status: 401, body: 'who?' }, 'answered 401: who?'],
    ['hangs up', '', 'hang up', 'No search server answers'],
  ])('that %s is named', async (_, path, answer, message) => {
    await using double = await startDouble();
    double.next(path, answer);
    await expect(opened(double)).rejects.toThrow(message);
  });

  test('that says nothing can be left at any time', async () => {
    await using double = await startDouble();
    double.next('_bulk', 'silence');
    const controller = new AbortController();
    const waiting = opened(double, [log(0)], { signal: controller.signal });
    controller.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
  });

  test('has no index in the end, or it is named', async () => {
    await using double = await startDouble();
    const left: string[] = [];
    const { engine } = await opened(double, [log(0)], { onLeft: (message) => left.push(message) });
    const [index = ''] = double.indexes.keys();
    double.next(index, away);
    await engine[Symbol.asyncDispose]();
    expect(left).toEqual([expect.stringContaining(`The index ${index} is left behind`)]);
    await engine[Symbol.asyncDispose]();
    expect([...double.indexes]).toEqual([]);
  });
});

test.each([
  'opensearch://127.0.0.1',
  'opensearch://127.0.0.1:9200/path',
  'opensearch://127.0.0.1:9200?a=b',
  'opensearch://127.0.0.1:9200#x',
  'opensearch://user:secret@127.0.0.1:9200',
  'opensearch://:9200',
  'http://127.0.0.1:9200',
  'nonsense',
])('%s is no address of a search server', async (address) => {
  const failed = String(await openSearchEngine(address).catch((error: unknown) => error));
  expect(failed).toContain('The address of a search server is opensearch://HOST:PORT');
  expect(failed).not.toContain('secret');
});
