import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isForeign } from './access/sessions.ts';
import { crashLog, requestLog } from './activity/activity.ts';
import { createUpgradeRecorder } from './activity/record-upgrades.ts';
import { type PageContext, requestPath } from './pages/frame.ts';
import { type AnsweredRequest, answerRequest } from './requests/answer-request.ts';
import { sessionOf } from './requests/authorize.ts';
import { toResponse } from './respond.ts';
import { BrokenConnection, type NextEffects } from './site/faults.ts';
import { type Answer, type Operation, type RefusalAnswer, refuseWith } from './site/operation.ts';
import type { Site } from './site/site.ts';

/** Facts about a request that only the server knows. */
export interface Env {
  /** The address of the caller. */
  readonly caller: string;
}

type AppContext = Context<{ Bindings: Env }>;

// Limit of a body in bytes: forms take some kilobytes, templates and version manifests some hundred kilobytes.
const largestBody = 1024 * 1024;

/**
 * Creates the application: each operation at its path; each request is checked, answered and logged in the same
 * way.
 */
export function createApp(
  site: Site,
  operations: readonly Operation[],
  nextEffects: NextEffects,
): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>({ strict: false });
  const recordUpgrades = createUpgradeRecorder(site);
  app.use(async (_, next) => {
    recordUpgrades();
    await next();
  });
  const arrived = (c: AppContext) => ({ site, operations, request: c.req.raw, caller: c.env.caller });
  for (const operation of operations) {
    const onError = (c: AppContext) =>
      handle({ ...arrived(c), operation, run: () => unread(c.req.raw, tooLarge) });
    app.all(operation.path, bodyLimit({ maxSize: largestBody, onError }), (c) => {
      const { raw: request } = c.req;
      const about = { request, id: c.req.param('id') ?? '', caller: c.env.caller };
      const run = (requestID: string) => answerRequest(site, operation, { ...about, requestID, nextEffects });
      return handle({ ...arrived(c), operation, run });
    });
  }
  // An answer that cannot be written, such as one with an impossible status, would be printed otherwise.
  app.onError((error) => {
    if (error instanceof BrokenConnection) throw error;
    return toResponse(broken, { as: 'json' });
  });
  app.notFound((c) =>
    handle({ ...arrived(c), run: () => unread(c.req.raw, entrance(site, c.req.raw) ?? nothingHere) }),
  );
  return app;
}

const broken: RefusalAnswer = { ...refuseWith(500, 'Internal error.'), status: 500 };

const tooLarge: RefusalAnswer = {
  ...refuseWith(413, 'The body is too large.', `A body requires at most ${largestBody} bytes.`),
  status: 413,
};

const nothingHere: RefusalAnswer = {
  ...refuseWith(404, 'Not found.', 'There is no operation or resource at this address.'),
  status: 404,
};

/** Answers without reading the form: a page for a browser, JSON for a program. */
async function unread(request: Request, answer: Answer): Promise<AnsweredRequest> {
  return { answer, format: asksForPage(request) ? 'html' : 'json' };
}

/** True for a browser that opens an address: programs ask for JSON or for anything. */
function asksForPage({ headers, url }: Request): boolean {
  const isPage = (new URL(url).searchParams.get('f') || 'html') === 'html';
  return isPage && (headers.get('accept') ?? '').toLowerCase().includes('text/html');
}

/** Redirects browsers from the host or the deployment to the front page. */
function entrance({ context, root }: Site, request: Request): Answer | undefined {
  const path = requestPath({ url: new URL(request.url) });
  const isEntrance = request.method === 'GET' && (path === '/' || path === context);
  return isEntrance && asksForPage(request) ? { kind: 'redirect', location: root } : undefined;
}

interface Handled {
  readonly site: Site;
  readonly operations: readonly Operation[];
  readonly operation?: Operation;
  readonly request: Request;
  /** The address of the caller. */
  readonly caller: string;
  readonly run: (requestID: string) => Promise<AnsweredRequest>;
}

async function handle(handled: Handled): Promise<Response> {
  const { site, operation, request, run } = handled;
  const started = performance.now();
  const requestID = randomUUID();
  const tried = await run(requestID).catch((error: unknown) => {
    if (error instanceof BrokenConnection) throw error;
    site.record(crashLog(site.now(), requestID, error));
    return unread(request, broken);
  });
  const { answer, format, username } = tried;
  const response = toResponse(answer, {
    operation,
    as: format === 'html' ? frameOf(handled, tried) : format,
  });
  response.headers.set('date', new Date(site.now()).toUTCString());
  // Zero would mean "not measured".
  const elapsed = Math.max(1, Math.round(performance.now() - started)) / 1000;
  const { method } = request;
  site.record(requestLog({ time: site.now(), requestID, method, operation, username, answer, elapsed }));
  return response;
}

/** Describes the request for its page, after it was answered: signing out ends a session. */
function frameOf(
  { site, operations, operation, request, caller }: Handled,
  { parts }: AnsweredRequest,
): PageContext {
  const url = new URL(request.url);
  return {
    root: site.root,
    operations,
    operation,
    method: request.method,
    url,
    form: parts?.form ?? url.searchParams,
    session: sessionOf(site, { request, caller }),
    foreign: isForeign(request),
  };
}
