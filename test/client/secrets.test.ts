import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type Client, type Credentials, openClient } from '../../src/client/client.ts';
import { download, readJob, submitExport } from '../../src/client/exports.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { type FailureShape, toFailureBody } from '../../src/protocol/reply.ts';
import { addressesFor, clientOf, deploymentOf, gis, noPause, type Seen } from './deployment.ts';
import { serve } from './http-server.ts';

const password = 'p4ss "wörd" & more';
const token = 'tok/en+value==';
const tokenPath = '/arcgis/sharing/rest/generateToken';
const jobsUrl = `${gis.root}/jobs/j1`;
const ada: Credentials = { kind: 'password', username: 'ada', password };

/** Every form in which a secret could be read in a text. */
const forms = [password, token].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  new URLSearchParams({ s: secret }).toString().slice(2),
]);

function checkNoSecret(kept: unknown): void {
  const texts = [inspect(kept, { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null })];
  for (let error = kept; error instanceof Error; error = error.cause)
    texts.push(error.message, error.stack ?? '');
  if (!(kept instanceof Error)) texts.push(JSON.stringify(kept) ?? '');
  for (const text of texts) {
    for (const form of forms) expect(text).not.toContain(form);
  }
}

const echoes: readonly ((words: string) => Response)[] = [
  ...(['error', 'status error', 'status failed', 'success false'] satisfies FailureShape[]).map(
    (shape) => (words: string) =>
      Response.json(toFailureBody({ code: 400, message: words, details: [words] }, shape)),
  ),
  (words) => Response.json(toFailureBody({ code: 498, message: words, details: [] })),
  (words) => new Response(`<html><title>${words}</title>`),
  (words) => new Response(words),
  (words) => new Response(JSON.stringify({ oops: words })),
  (words) =>
    Response.json({ jobid: words, status: words, messages: [words], jobsUrl: `${jobsUrl}?token=${words}` }),
  (words) => Response.json({ jobid: 'j1', status: 'FAILED', result: { message: words } }),
  (words) =>
    new Response(null, {
      status: 302,
      headers: { location: `/x/${encodeURIComponent(words)}?token=${encodeURIComponent(words)}` },
    }),
  (words) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://x.example.com/?t=${encodeURIComponent(words)}` },
    }),
];

const operations: readonly ((client: Client, folder: string) => Promise<unknown>)[] = [
  (client) => client.signIn(),
  (client) => submitExport(client, newestLogsRequest),
  (client) => readJob(client, jobsUrl),
  (client, folder) => download(client, { upload: `${gis.root}/uploads/i1`, path: join(folder, 'x.zip') }),
];

test('nothing that is thrown or kept holds a secret, whatever the deployment quotes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-test-'));
  // Before the first login there is no token that could be known.
  const words = (login: boolean) => `not with ${password}${login ? ` nor ${token}` : ''}!`;
  const answer = (echo: (typeof echoes)[number], login: boolean) => (seen: Seen) =>
    login && seen.path === tokenPath
      ? Response.json({ token, expires: Date.now() + 3e6 })
      : echo(words(login));
  let outcomes = 0;
  for (const echo of echoes) {
    for (const login of [true, false]) {
      for (const operation of operations) {
        const client = clientOf(deploymentOf(answer(echo, login)).fetch, { credentials: ada });
        const outcome = await operation(client, folder).catch((error) => error);
        checkNoSecret(outcome);
        checkNoSecret(client);
        outcomes += 1;
      }
    }
  }
  await rm(folder, { recursive: true });
  expect(outcomes).toBe(echoes.length * operations.length * 2);
});

test('a connection that breaks tells no secret either, and no address holds one', async () => {
  const urls: string[] = [];
  await using server = await serve((request) => {
    urls.push(request.url ?? '');
    request.socket.destroy();
  });
  const addresses = addressesFor(`${server.url}/arcgis`);
  for (const credentials of [ada, { kind: 'token', token } as const]) {
    await using client = openClient({ addresses, credentials, retry: noPause });
    checkNoSecret(await submitExport(client, newestLogsRequest).catch((error) => error));
    checkNoSecret(await readJob(client, `${addresses.root}/jobs/j1`).catch((error) => error));
  }
  expect(urls.length).toBeGreaterThan(5);
  checkNoSecret(urls);
});
