import * as v from 'valibot';
import type { CallContext, SharedContext } from '../api/opened.ts';
import { Refusal } from '../api/operation.ts';
import { operations } from '../api/operations.ts';
import type { Access } from './access.ts';
import { refusalOf } from './access.ts';
import type { Asset } from './assets.ts';
import { type DownloadedFile, type Downloads, downloadParameters, reportParameters } from './download.ts';
import { assetResponse, jsonResponse, linesResponse, textResponse } from './respond.ts';

/** Reply of a server. */
export interface Site {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly access: Access;
  readonly port: number;
  readonly shared: SharedContext;
  readonly downloads: Downloads;
}

/** Longest body of a call, in bytes. */
const longestBody = 1_000_000;

/** Answers a request of the page. */
export async function handleRequest(request: Request, site: Site): Promise<Response> {
  const refusal = refusalOf(request, site.port);
  if (refusal !== undefined) return jsonResponse({ error: refusal }, 403);
  const url = new URL(request.url);
  if (request.method === 'GET') return page(url, request.headers, site);
  if (request.method !== 'POST') return jsonResponse({ error: 'Only GET and POST are known.' }, 405);
  if (!site.access.hasCookie(request.headers)) return jsonResponse({ error: unknown }, 401);
  try {
    return await answer(url.pathname, request, site);
  } catch (error) {
    return failure(error);
  }
}

const unknown = 'This page belongs to another run: open the address that "logquarry ui" printed.';

function page(url: URL, headers: Headers, { access, assets }: Site): Response {
  const index = assets.get('/index.html');
  if (index && url.pathname === '/' && access.hasKey(url))
    return assetResponse(index, { 'set-cookie': access.cookie });
  if (!access.hasCookie(headers)) return jsonResponse({ error: unknown }, 401);
  const asset = url.pathname === '/' ? index : assets.get(url.pathname);
  return asset ? assetResponse(asset) : jsonResponse({ error: 'There is nothing at this address.' }, 404);
}

async function answer(path: string, request: Request, site: Site): Promise<Response> {
  const context: CallContext = { ...site.shared, signal: request.signal };
  const text = await bodyOf(request);
  if (path === '/download' || path === '/report') {
    const asked: unknown = JSON.parse(new URLSearchParams(text).get('parameters') ?? '');
    const { logs, report } = site.downloads;
    return await fileResponse(context, () =>
      path === '/report'
        ? report(v.parse(reportParameters, asked), context)
        : logs(v.parse(downloadParameters, asked), context),
    );
  }
  const operation = operations.get(/^\/api\/(\w+)$/.exec(path)?.[1] ?? '');
  if (!operation) return jsonResponse({ error: 'There is nothing at this address.' }, 404);
  if (!request.headers.get('content-type')?.startsWith('application/json'))
    return jsonResponse({ error: 'A call must be application/json.' }, 415);
  const responded = operation.respond(JSON.parse(text), context);
  return Symbol.asyncIterator in responded
    ? linesResponse(responded, (error) => describe(error).error)
    : jsonResponse(await responded);
}

async function fileResponse({ turns }: CallContext, write: () => Promise<DownloadedFile>): Promise<Response> {
  const { name, type, pieces } = await turns.read(write);
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
  return textResponse(
    turns.stream(() => pieces),
    headers,
  );
}

async function bodyOf(request: Request): Promise<string> {
  if (longestBody < Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY))
    throw new Refusal('The call is too long.', 413);
  return request.text();
}

function failure(error: unknown): Response {
  const { error: message, status } = describe(error);
  return jsonResponse({ error: message }, status);
}

/** The message and the status of an error. A failure is the user's to know: the page is on the same machine. */
function describe(error: unknown): { readonly error: string; readonly status: number } {
  if (error instanceof Refusal) return { error: error.message, status: error.status };
  if (error instanceof v.ValiError || error instanceof SyntaxError)
    return { error: `The parameters are not valid: ${error.message}`, status: 400 };
  if (error instanceof RangeError) return { error: error.message, status: 400 };
  if (error instanceof Error && 'code' in error) return { error: error.message, status: 422 };
  return { error: error instanceof Error ? error.message : String(error), status: 500 };
}
