import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClient } from '../../src/client/client.ts';
import { type DownloadOptions, download } from '../../src/client/exports.ts';
import { toFailureBody } from '../../src/protocol/reply.ts';
import { addressesFor, clientOf, deploymentOf, emptyZip, gis, noPause } from './deployment.ts';
import { serve } from './http-server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'download-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const upload = `${gis.root}/uploads/i1`;
const zipReply = () => new Response(emptyZip, { headers: { 'content-type': 'application/octet-stream' } });
const forbidden = () => Response.json(toFailureBody({ code: 403, message: 'No privilege.', details: [] }));

let files = 0;
function nextPath(): string {
  files += 1;
  return join(folder, `${files}.zip`);
}

describe('where the zip is', () => {
  test('at the address of the bytes of the upload', async () => {
    const { fetch, seen } = deploymentOf(zipReply);
    const path = nextPath();
    const counts: number[] = [];
    const got = await download(clientOf(fetch), { upload, path, onBytes: (bytes) => counts.push(bytes) });
    expect(seen.map(({ method, path, search, form }) => [method, path, search, form])).toEqual([
      ['POST', '/arcgis/admin/uploads/i1/download', '', { f: 'json', token: 'token-1' }],
    ]);
    expect(new Uint8Array(await readFile(path))).toEqual(emptyZip);
    expect(got).toEqual({
      bytes: emptyZip.length,
      sha256: createHash('sha256').update(emptyZip).digest('hex'),
    });
    expect(counts.at(-1)).toBe(emptyZip.length);
  });

  test.each([
    [
      'a failure',
      () => Response.json(toFailureBody({ code: 404, message: 'No such resource.', details: [] })),
    ],
    ['HTTP 404', () => new Response('', { status: 404 })],
    ['a page', () => new Response('<html></html>')],
    ['a description of the upload', () => Response.json({ item: { itemName: 'logs.zip' } })],
    ['what an object store says', forbidden],
  ])('at its own address, where the other answers with %s', async (_what, answer) => {
    const { fetch, seen } = deploymentOf(({ path }) => (path.endsWith('/download') ? answer() : zipReply()));
    const path = nextPath();
    await download(clientOf(fetch), { upload, path });
    expect(existsSync(path)).toBe(true);
    expect(seen.map((one) => one.path)).toEqual([
      '/arcgis/admin/uploads/i1/download',
      '/arcgis/admin/uploads/i1',
    ]);
  });

  test('at an address that already is that of the bytes', async () => {
    const { fetch, seen } = deploymentOf(() => new Response('', { status: 404 }));
    const call = download(clientOf(fetch), { upload: `${upload}/download`, path: nextPath() });
    await expect(call).rejects.toMatchObject({ code: 'BAD_REPLY' });
    expect(seen).toHaveLength(1);
  });

  test('behind a GET, where a POST is not taken', async () => {
    const { fetch, seen } = deploymentOf(({ method }) =>
      method === 'GET' ? zipReply() : new Response('', { status: 405 }),
    );
    await download(clientOf(fetch), { upload, path: nextPath() });
    expect(seen.map(({ method, headers }) => [method, headers.get('authorization')])).toEqual([
      ['POST', null],
      ['GET', 'Bearer token-1'],
    ]);
  });

  test('in an object store, behind a redirect, which gets no token', async () => {
    const { fetch, seen } = deploymentOf(({ path }) =>
      path.endsWith('/download')
        ? new Response(null, {
            status: 302,
            headers: { location: 'https://store.example.com/b/x.zip?X-Sig=1' },
          })
        : zipReply(),
    );
    await download(clientOf(fetch), { upload, path: nextPath() });
    const [, store] = seen;
    expect(store).toMatchObject({ method: 'GET', path: '/b/x.zip', search: '?X-Sig=1', form: {} });
    expect(JSON.stringify([...(store?.headers ?? [])])).not.toContain('token-1');
  });

  test('nowhere: redirects in a circle end', async () => {
    const { fetch, seen } = deploymentOf(
      ({ path }) => new Response(null, { status: 302, headers: { location: path } }),
    );
    const call = download(clientOf(fetch), { upload, path: nextPath() });
    await expect(call).rejects.toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining('redirects to'),
    });
    expect(seen.length).toBeLessThan(15);
  });
});

describe('a result that is not had', () => {
  const failed = 'The result of the export could not be downloaded: ';

  async function checkFailure(
    answer: () => Response,
    expected: object,
    options: Partial<DownloadOptions> = {},
  ) {
    const { fetch } = deploymentOf(answer);
    const path = nextPath();
    await expect(download(clientOf(fetch), { upload, path, ...options })).rejects.toMatchObject(expected);
    expect(existsSync(path)).toBe(false);
  }

  test('because the user may export but not download', async () => {
    await checkFailure(forbidden, {
      code: 'FORBIDDEN',
      message: `${failed}the user lacks the privilege to download uploads, which is not the privilege to export logs (403: No privilege.)`,
    });
  });

  test.each([
    [
      'a page',
      () => new Response('<html><title>Sign In</title>'),
      'answered with a web page ("Sign In") instead of a zip',
    ],
    ['a text', () => new Response('gone'), 'answered with something that is not a zip ("gone")'],
    ['JSON', () => Response.json({ a: 1 }), 'answered with JSON that is not a zip ("{"a":1}")'],
    ['nothing', () => new Response(''), 'answered with something that is not a zip'],
    [
      'three bytes of a zip',
      () => new Response(emptyZip.slice(0, 3)),
      'answered with something that is not a zip ("PK")',
    ],
  ])('because the answer is %s', async (_what, answer, message) => {
    await checkFailure(answer, { code: 'BAD_REPLY', message: expect.stringContaining(message) });
  });

  test('because it is too big', async () => {
    await checkFailure(
      zipReply,
      { code: 'BAD_REPLY', message: expect.stringContaining('is larger than 10 bytes') },
      { limits: { bytes: 10 } },
    );
  });

  test('because the job names no usable address', async () => {
    await checkFailure(zipReply, { code: 'BAD_REPLY' }, { upload: 'ftp://h/x.zip' });
  });

  test('because it cannot be written', async () => {
    const { fetch } = deploymentOf(zipReply);
    const path = join(folder, 'no-such-folder', 'x.zip');
    await expect(download(clientOf(fetch), { upload, path })).rejects.toMatchObject({
      code: 'UNWRITABLE',
      message: expect.stringContaining(`The file "${path}" could not be written`),
    });
  });
});

describe('a download over HTTP', () => {
  const bytes = Buffer.concat([emptyZip, Buffer.alloc(3_000_000, 7)]);

  async function downloadFrom(
    listener: (request: IncomingMessage, response: ServerResponse, count: number) => void,
    options: Partial<DownloadOptions> = {},
  ) {
    let requests = 0;
    await using server = await serve((request, response) => {
      requests += 1;
      listener(request, response, requests);
    });
    const addresses = addressesFor(`${server.url}/arcgis`);
    await using client = openClient({
      addresses,
      credentials: { kind: 'token', token: 't' },
      retry: noPause,
    });
    const path = nextPath();
    const outcome = await download(client, {
      upload: `${addresses.root}/uploads/i1`,
      path,
      ...options,
    }).catch((error) => error);
    return { outcome, requests, kept: existsSync(path) ? await readFile(path) : undefined };
  }

  test('streams to the file', async () => {
    const { outcome, kept } = await downloadFrom((_request, response) => response.end(bytes));
    expect(kept?.equals(bytes)).toBe(true);
    expect(outcome).toEqual({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  test.each([
    ['within its length', { 'content-length': String(bytes.length) }],
    ['within its chunks', {}],
  ])('that breaks off %s is begun anew', async (_where, headers) => {
    const counts: number[] = [];
    const { outcome, requests, kept } = await downloadFrom(
      (_request, response, count) => {
        response.writeHead(200, headers);
        if (count === 1) response.write(bytes.subarray(0, 1_000_000), () => response.destroy());
        else response.end(bytes);
      },
      { onBytes: (count) => counts.push(count) },
    );
    expect(outcome).toMatchObject({ bytes: bytes.length });
    expect(requests).toBe(2);
    expect(kept?.equals(bytes)).toBe(true);
  });

  test('that always breaks off leaves no file', async () => {
    const { outcome, requests, kept } = await downloadFrom((_request, response) => {
      response.writeHead(200, { 'content-length': String(bytes.length) });
      response.write(bytes.subarray(0, 1000), () => response.destroy());
    });
    expect(outcome).toMatchObject({ code: 'UNREACHABLE', message: expect.stringContaining('broke before') });
    expect([requests, kept]).toEqual([3, undefined]);
  });

  test('that never ends is given up', async () => {
    const { outcome, kept } = await downloadFrom(
      (_request, response) => {
        response.write(emptyZip);
        const drip = setInterval(() => response.write('x'), 5);
        response.on('close', () => clearInterval(drip));
      },
      { limits: { milliseconds: 150 } },
    );
    expect(outcome).toMatchObject({
      code: 'TIMED_OUT',
      message: expect.stringContaining('took longer than 0.15 s'),
    });
    expect(kept).toBeUndefined();
  });

  test('that is aborted ends with the reason and leaves no file', async () => {
    const abort = new AbortController();
    const reason = new Error('interrupted');
    const { outcome, kept } = await downloadFrom((_request, response) => void response.write(bytes), {
      signal: abort.signal,
      onBytes: (count) => 1_000_000 < count && abort.abort(reason),
    });
    expect(outcome).toBe(reason);
    expect(kept).toBeUndefined();
  });
});
