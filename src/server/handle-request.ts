import * as v from 'valibot';
import type { RunAccess } from './access.ts';
import { refusalOf } from './access.ts';
import type { CallContext, SharedContext } from './api/opened.ts';
import { operations, sourceOperations } from './api/operations.ts';
import { readingStream, runReading } from './api/reading.ts';
import { PageRefusal } from './api/refusal.ts';
import type { LentCases, Workspace } from './api/workspace.ts';
import type { Asset } from './assets.ts';
import { type Downloads, downloadParameters, reportParameters } from './download.ts';
import { assetResponse, jsonResponse, linesResponse, textResponse } from './respond.ts';

/** Reply of a server. */
export interface PageSite {
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
export async function handleRequest(request: Request, site: PageSite): Promise<Response> {
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
  if (!access.hasCookie(headers)) return jsonResponse({ error: unknown }, 401);
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
  const ofSources = sourceOperations.get(name);
  const onCases = operations.get(name);
  if (ofSources) return respond(ofSources.respond(await parametersOf(request), { workspace, signal }));
  if (!onCases) return jsonResponse({ error: 'There is nothing at this address.' }, 404);
  const parameters = await parametersOf(request);
  return onLentCases(url, site, ({ opened, release }) =>
    respond(onCases.respond(parameters, { ...site.shared, opened, signal }), release),
  );
}

/** Responds on the cases that an address names; they are released when all is sent. */
async function onLentCases(
  { searchParams }: URL,
  { workspace }: PageSite,
  work: (lent: LentCases) => Promise<Response>,
): Promise<Response> {
  const lent = await workspace.lend(searchParams.getAll('case'));
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
  const asked: unknown = JSON.parse(new URLSearchParams(await bodyOf(request)).get('parameters') ?? '');
  return onLentCases(url, site, async ({ opened, release }) => {
    const context: CallContext = { ...shared, opened, signal };
    const { name, type, pieces } = await runReading(context, () =>
      url.pathname === '/report'
        ? downloads.report(v.parse(reportParameters, asked), context)
        : downloads.logs(v.parse(downloadParameters, asked), context),
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
  const asked = v.parse(receivedParameters, Object.fromEntries(searchParams));
  const bytes = request.body ?? new Blob([]).stream();
  return jsonResponse({ name: await workspace.receive({ ...asked, bytes, signal: request.signal }) });
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
