import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createAdaptorServer } from '@hono/node-server';
import * as v from 'valibot';
import type { RuleSet } from '../analysis/index.ts';
import type { Schema } from '../language/index.ts';
import {
  type CallContext,
  makeReadWriteLock,
  PageRefusal,
  readingStream,
  runReading,
  type SharedContext,
} from './call-context.ts';
import { type Downloads, downloadParameters, reportParameters } from './download.ts';
import { operationOf } from './operations.ts';
import type { LentCases, Workspace } from './workspace.ts';

/** Sources of the page, and the port that it listens on. */
export interface ServeUiOptions {
  readonly workspace: Workspace;
  /** 0: any free port. */
  readonly port: number;
  readonly downloads: Downloads;
  /** Rules of the view of detections. */
  readonly rules: RuleSet;
  /** Their folder or file; absent for the rules of Logquarry. */
  readonly rulesPath?: string | undefined;
  /** Author of notes and saved searches. */
  readonly author: string;
  /** Fields of the query bar; the documented ones unless given. */
  readonly schema?: Schema;
}

/** Longest time of sending a file to the server, in milliseconds. */
const longestRequest = 3_600_000;

/** A page that listens. */
export interface ServedUi extends AsyncDisposable {
  /** The first address, with the secret of this run: it opens the page for who knows it. */
  readonly url: string;
}

/**
 * Starts to listen for the page of some sources, on the loopback interface alone. Rejects with the
 * system's error if the port is not available.
 */
export async function serveUi({
  workspace,
  port,
  downloads,
  rules,
  author,
  schema,
  rulesPath,
}: ServeUiOptions): Promise<ServedUi> {
  const assets = await readAssets(pageFolder(import.meta.url));
  let site: PageSite | undefined;
  const server = createAdaptorServer({
    fetch: (request) => (site ? handleRequest(request, site) : new Response(null, { status: 503 })),
    overrideGlobalObjects: false,
    serverOptions: { requestTimeout: longestRequest, headersTimeout: 10_000 },
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const own = typeof bound === 'object' && bound ? bound.port : port;
  const shared = {
    lock: makeReadWriteLock(lockTimeout),
    rules,
    author,
    ...(schema && { schema }),
    ...(rulesPath !== undefined && { rulesPath }),
  };
  site = { assets, access: makeAccess(own), port: own, workspace, shared, downloads };
  const close = async () => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${own}/?key=${site.access.secret}`, [Symbol.asyncDispose]: close };
}

/** Longest wait of a note for views and downloads that still read, in milliseconds. */
const lockTimeout = 10_000;

/** A file of the page. */
interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

const html = 'text/html; charset=utf-8';

const types: Readonly<Record<string, string>> = {
  html,
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Reads the files of the page, by the names in their addresses. They are all that is served: a
 * path is looked up among these names, never in the file system.
 */
async function readAssets(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  for (const name of await readdir(folder)) {
    const type = types[name.split('.').at(-1) ?? ''];
    if (type === undefined) continue;
    const bytes = new Uint8Array(await readFile(new URL(name, folder)));
    assets.set(`/${name}`, { bytes, type });
  }
  return assets;
}

/** The folder of the built page. Under test the sources run directly and use the page in `dist`. */
function pageFolder(importer: string): URL {
  const built = importer.endsWith('.ts') ? importer.replace(/\/src\/server\/.*/, '/dist/bin/x') : importer;
  return new URL('page/', built);
}

/** Reply of a server. */
interface PageSite {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly access: RunAccess;
  readonly port: number;
  readonly workspace: Workspace;
  readonly shared: SharedContext;
  readonly downloads: Downloads;
}

/** Longest body of a call, in bytes. */
const longestBody = 1_000_000;

/** Answers a request of the page. */
async function handleRequest(request: Request, site: PageSite): Promise<Response> {
  const refusal = refusalOf(request, site.port);
  if (refusal !== undefined) return jsonResponse({ error: refusal }, 403);
  const url = new URL(request.url);
  if (request.method === 'GET') return page(url, request.headers, site);
  if (request.method !== 'POST') return jsonResponse({ error: 'Only GET and POST are known.' }, 405);
  if (!site.access.hasCookie(request.headers)) return jsonResponse({ error: unknown }, 401);
  try {
    return await answer(url, request, site);
  } catch (error) {
    return failure(error);
  }
}

const unknown = 'This page belongs to another run: open the address that "logquarry ui" printed.';

function page(url: URL, headers: Headers, { access, assets }: PageSite): Response {
  const index = assets.get('/index.html');
  if (index && url.pathname === '/' && access.hasKey(url))
    return assetResponse(index, { 'set-cookie': access.cookie });
  if (!access.hasCookie(headers))
    return url.pathname === '/' && headers.get('accept')?.includes('text/html')
      ? openAgainResponse()
      : jsonResponse({ error: unknown }, 401);
  const asset = url.pathname === '/' ? index : assets.get(url.pathname);
  return asset ? assetResponse(asset) : jsonResponse({ error: 'There is nothing at this address.' }, 404);
}

async function answer(url: URL, request: Request, site: PageSite): Promise<Response> {
  const { pathname } = url;
  const { signal } = request;
  const { workspace } = site;
  if (pathname === '/upload') return receive(url, request, workspace);
  if (pathname === '/download' || pathname === '/report') return sendFile(url, request, site);
  const name = /^\/api\/(\w+)$/.exec(pathname)?.[1] ?? '';
  const operation = operationOf(name);
  if (!operation) return jsonResponse({ error: 'There is nothing at this address.' }, 404);
  const parameters = await parametersOf(request);
  if (operation.on === 'sources') return respond(operation.respond(parameters, { workspace, signal }));
  return onLentCases(url, site, ({ opened, release }) =>
    respond(operation.respond(parameters, { ...site.shared, opened, signal }), release),
  );
}

/** Responds on the cases that an address names; they are released when all is sent. */
async function onLentCases(
  { searchParams }: URL,
  { workspace }: PageSite,
  work: (lent: LentCases) => Promise<Response>,
): Promise<Response> {
  const lent = await workspace.acquire(searchParams.getAll('case'));
  try {
    return await work(lent);
  } catch (error) {
    lent.release();
    throw error;
  }
}

async function parametersOf(request: Request): Promise<unknown> {
  if (!request.headers.get('content-type')?.startsWith('application/json'))
    throw new PageRefusal('A call must be application/json.', 415);
  return JSON.parse(await bodyOf(request));
}

/** Responds with a value, or with the lines of a stream; calls `onEnd` when all of them were sent or nobody reads on. */
async function respond(
  answered: Promise<unknown> | AsyncIterable<unknown>,
  onEnd: () => void = () => {},
): Promise<Response> {
  if (Symbol.asyncIterator in answered)
    return linesResponse(answered, { failureOf: (error) => describe(error).error, onEnd });
  const response = jsonResponse(await answered);
  onEnd();
  return response;
}

async function sendFile(url: URL, request: Request, site: PageSite): Promise<Response> {
  const { shared, downloads } = site;
  const { signal } = request;
  const parameters: unknown = JSON.parse(new URLSearchParams(await bodyOf(request)).get('parameters') ?? '');
  return onLentCases(url, site, async ({ opened, release }) => {
    const context: CallContext = { ...shared, opened, signal };
    const { name, type, pieces } = await runReading(context, () =>
      url.pathname === '/report'
        ? downloads.report(v.parse(reportParameters, parameters), context)
        : downloads.logs(v.parse(downloadParameters, parameters), context),
    );
    const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
    return textResponse(
      readingStream(context, () => pieces),
      { headers, onEnd: release },
    );
  });
}

/** Names of files that a browser may send: no paths, no control characters. */
const fileName = v.pipe(v.string(), v.maxLength(200), v.regex(/^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u));
const receivedParameters = v.object({
  name: fileName,
  into: v.optional(v.pipe(fileName, v.endsWith('.duckdb'))),
});

async function receive({ searchParams }: URL, request: Request, workspace: Workspace): Promise<Response> {
  const parameters = v.parse(receivedParameters, Object.fromEntries(searchParams));
  const bytes = request.body ?? new Blob([]).stream();
  return jsonResponse({ name: await workspace.receive({ ...parameters, bytes, signal: request.signal }) });
}

async function bodyOf(request: Request): Promise<string> {
  if (longestBody < Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY))
    throw new PageRefusal('The call is too long.', 413);
  return request.text();
}

function failure(error: unknown): Response {
  const { error: message, status } = describe(error);
  return jsonResponse({ error: message }, status);
}

/** The message and the status of an error. A failure is the user's to know: the page is on the same machine. */
function describe(error: unknown): { readonly error: string; readonly status: number } {
  if (error instanceof PageRefusal) return { error: error.message, status: error.status };
  if (error instanceof v.ValiError || error instanceof SyntaxError)
    return { error: `The parameters are not valid: ${error.message}`, status: 400 };
  if (error instanceof RangeError) return { error: error.message, status: 400 };
  if (error instanceof Error && 'code' in error) return { error: error.message, status: 422 };
  return { error: error instanceof Error ? error.message : String(error), status: 500 };
}

/** The secret of one run, and the requests that know it. */
interface RunAccess {
  /** Stands in the first address, as `key`. */
  readonly secret: string;
  /** The `Set-Cookie` header for a page that was opened with the secret. */
  readonly cookie: string;
  /** True if a request has the secret in its address. */
  readonly hasKey: (url: URL) => boolean;
  /** True if a request has the cookie. */
  readonly hasCookie: (headers: Headers) => boolean;
}

/** Makes the secret of a run. Cookies of one host are shared by all ports: the name has the port. */
function makeAccess(port: number): RunAccess {
  const secret = randomBytes(24).toString('base64url');
  const name = `logquarry-${port}`;
  return {
    secret,
    cookie: `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict`,
    hasKey: (url) => isSecret(url.searchParams.get('key')),
    hasCookie: (headers) =>
      (headers.get('cookie') ?? '')
        .split(/; */)
        .some((cookie) => cookie.startsWith(`${name}=`) && isSecret(cookie.slice(name.length + 1))),
  };

  function isSecret(candidate: string | null): boolean {
    return candidate !== null && timingSafeEqual(digest(candidate), digest(secret));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Claimed origin and target of a request. */
interface Named {
  readonly method: string;
  readonly headers: Headers;
}

/**
 * Returns why a request is refused, or undefined. Its `Host` must be this server by a loopback
 * name, against DNS rebinding; its `Origin` must be the page itself, against other sites. A call
 * that changes or reads something is a POST, for which a browser always names the origin.
 */
function refusalOf({ method, headers }: Named, port: number): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const host = headers.get('host') ?? '';
  if (!hosts.includes(host)) return 'The page is not known under this host.';
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${host}`) return 'Requests of other sites are refused.';
  if (method === 'POST' && origin === null) return 'A call needs the header "Origin".';
  return undefined;
}

/**
 * Headers of every response. Scripts and styles come from this server alone, nothing is embedded,
 * stored or told to others.
 */
const always = {
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // Without an own referrer, a browser names no origin for a form.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** A file of the page. */
function assetResponse({ bytes, type }: Asset, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(bytes, { headers: { ...always, 'content-type': type, ...headers } });
}

const openAgainStyle = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
main { max-width: 36rem; margin: 15vh auto; padding: 0 1rem }
h1 { font-size: 1.3rem }`;

/** What a browser without the secret sees at an address of the page, such as a bookmark of an earlier run. */
const openAgain = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Logquarry: open the page again</title>
<style>${openAgainStyle}</style>
</head>
<body>
<main>
<h1>Open the page again</h1>
<p>This browser has no key for the server that runs now: it was started again, or this link came from elsewhere. What the link
shows is not lost.</p>
<ol>
<li>In the terminal of <code>logquarry ui</code>, open the address that it printed, with <code>?key=</code> in it.</li>
<li>Then <a href="">open this link again</a>.</li>
</ol>
</main>
</body>
</html>
`;

/** Says how to open the page again. Its style is named by its hash, as nothing else inline is let in. */
function openAgainResponse(): Response {
  const hash = createHash('sha256').update(openAgainStyle).digest('base64');
  const policy = always['content-security-policy'].replace("style-src 'self'", `style-src 'sha256-${hash}'`);
  const headers = { ...always, 'content-type': html, 'content-security-policy': policy };
  return new Response(openAgain, { status: 401, headers });
}

/** A JSON value. Integers that a double does not hold are texts. */
function jsonResponse(value: unknown, status = 200): Response {
  const headers = { ...always, 'content-type': 'application/json; charset=utf-8' };
  return new Response(toJsonText(value), { status, headers });
}

/** Options of a response of lines. */
interface LinesOptions {
  /** Describes a failure for the last line. */
  readonly failureOf: (error: unknown) => unknown;
  /** Called once, when all is sent or nobody reads on. */
  readonly onEnd: () => void;
}

/** Values as lines of JSON, each sent when it is there. A failure on the way is the last line, as `error`. */
function linesResponse(values: AsyncIterable<unknown>, { failureOf, onEnd }: LinesOptions): Response {
  async function* lines(): AsyncGenerator<string, void, undefined> {
    try {
      for await (const value of values) yield `${toJsonText({ value })}\n`;
    } catch (error) {
      yield `${toJsonText({ error: failureOf(error) })}\n`;
    }
  }
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' };
  return textResponse(lines(), { headers, onEnd });
}

/** Options of a response in pieces. */
interface TextOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Called when all is sent, at a failure, or when nobody reads on. */
  readonly onEnd: () => void;
}

/** A text in pieces, for instance a file to download. */
function textResponse(pieces: AsyncIterable<string | Uint8Array>, { headers, onEnd }: TextOptions): Response {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await iterator.next().catch((error: unknown) => {
        onEnd();
        throw error;
      });
      if (next.done) onEnd();
      if (next.done) controller.close();
      else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
    },
    async cancel() {
      await iterator.return?.();
      onEnd();
    },
  });
  return new Response(body, { headers: { ...always, ...headers } });
}

function toJsonText(value: unknown): string {
  return (
    JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)) ?? 'null'
  );
}
