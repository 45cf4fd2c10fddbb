import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import {
  type DecodedXml,
  decodeXml,
  isVersionSince,
  type NamedFile,
  type ReplyFormat,
  readMultipart,
  replyFormatOf,
  replyFormats,
  tokenOf,
} from '../protocol/index.ts';
import { isForeign, sessionTokenOf, type User } from './access.ts';
import { crashLog, requestLog, upgradeLog } from './activity.ts';
import {
  type Answer,
  BrokenConnection,
  type Effect,
  effectOf,
  type NextEffects,
  type Operation,
  type RefusalAnswer,
  refuseWith,
  type Session,
} from './operation.ts';
import { type PageContext, requestPath, toResponse } from './respond.ts';
import type { Site } from './site.ts';
import { messagesOf, progressAt, releaseAt } from './upgrade.ts';

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
  response.headers.set('date', new Date(site.now() + site.settings.dateAhead).toUTCString());
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

/**
 * Creates a function that logs the messages of upgrades since its last call. The progress of an upgrade follows
 * from the clock, so it has to run before each read of the logs. Messages from before its creation are not
 * logged again.
 */
function createUpgradeRecorder(site: Site): () => void {
  const dueNow = () =>
    site.state.read().upgrades.map((run) => messagesOf(run).filter(({ when }) => when <= site.now()));
  let logged: readonly number[] = dueNow().map(({ length }) => length);
  return () => {
    const due = dueNow();
    site.state.read().upgrades.forEach((run, index) => {
      const all = messagesOf(run).length;
      due[index]?.slice(logged[index] ?? 0).forEach((message, at) => {
        const last = (logged[index] ?? 0) + at === all - 1;
        site.record(upgradeLog(message, run, last));
      });
    });
    logged = due.map(({ length }) => length);
  };
}

/** A request to an operation, before any check. */
interface ArrivedRequest {
  readonly request: Request;
  readonly requestID: string;
  /** The value of `:id` in the path. */
  readonly id: string;
  /** The address of the caller. */
  readonly caller: string;
  readonly nextEffects: NextEffects;
}

/** The answer to a request and the facts that its log and page need. */
interface AnsweredRequest {
  readonly answer: Answer;
  readonly format: ReplyFormat;
  /** Absent if the request could not be read. */
  readonly parts?: RequestParts;
  /** Name of the user of its token. */
  readonly username?: string;
}

/**
 * Answers a request: checks form, format, method, the state of the deployment, token and privilege, in this
 * order, and runs the operation.
 */
async function answerRequest(
  site: Site,
  operation: Operation,
  arrived: ArrivedRequest,
): Promise<AnsweredRequest> {
  const { request, nextEffects, caller } = arrived;
  const parts = await readRequestParts(request, operation);
  if ('problem' in parts)
    return { answer: refuseWith(400, 'Invalid request.', parts.problem), format: 'json' };
  const format = formatOf(operation, parts.form, request.method);
  if (!format) {
    const rule = `"f" requires one of ${replyFormats.map((known) => `"${known}"`).join(', ')}`;
    return { answer: refuseWith(400, 'Invalid parameters.', rule), format: 'json' };
  }
  const shown: ParsedRequest = { request, parts, format, caller };
  const misdirected = otherMethod(site, operation, { ...shown, id: arrived.id });
  if (misdirected) return { answer: misdirected, format, parts };
  const effects = nextEffects(operation.name);
  const interruption = (await applyFaults(site, effects)) ?? closedBy(site, operation);
  if (interruption) return { answer: interruption, format, parts };

  const entry = authorize(site, operation, shown);
  if ('refused' in entry) return { answer: entry.refused, format, parts };
  const { user } = entry;
  const answer = await operation.run({
    ...parts,
    requestID: arrived.requestID,
    id: arrived.id,
    method: methodOf(request),
    origin: new URL(request.url).origin,
    caller,
    referer: request.headers.get('referer') ?? undefined,
    user,
    carriesToken: tokenOf(parts.form, request.headers) !== undefined,
    identify: () => authenticate(site, shown),
    session: sessionTokenOf(request.headers),
    foreign: isForeign(request),
    effects,
  });
  if (effectOf(effects, 'loseAnswer')) throw new BrokenConnection('The answer is lost');
  return { answer, format, parts, ...(user && { username: user.username }) };
}

/** The requested format. A SOAP message requests none; an answer to it that is no SOAP is JSON. */
function formatOf({ reads }: Operation, form: URLSearchParams, method: string): ReplyFormat | undefined {
  return reads === 'soap' && method === 'POST' && !form.has('f') ? 'json' : replyFormatOf(form);
}

function methodOf({ method }: Request): string {
  return method === 'HEAD' ? 'GET' : method;
}

/**
 * The form of an operation that was requested with GET, or the refusal of the method; undefined for an allowed
 * method.
 */
function otherMethod(
  site: Site,
  operation: Operation,
  shown: ParsedRequest & { readonly id: string },
): Answer | undefined {
  const { methods } = operation;
  const method = methodOf(shown.request);
  const isAllowed = methods.some((allowed) => allowed === method);
  if (isAllowed && !(method === 'GET' && isToAsk(operation, shown))) return undefined;
  if (method === 'GET' && shown.format === 'html') {
    return closedBy(site, operation) ?? filledForm(site, operation, shown);
  }
  const rule = `This requires ${methods.join(' or ')}, not ${method}.`;
  return { ...refuseWith(405, 'Method not allowed.', rule), status: 405 };
}

function isToAsk({ asksFirst = false, fields }: Operation, { format, parts }: ParsedRequest): boolean {
  return asksFirst && format === 'html' && !fields.some(({ name }) => parts.form.has(name));
}

/**
 * The form of an operation, with the values of the address unless another site made it. A user with the
 * privilege also gets the initial values of the operation.
 */
function filledForm(
  site: Site,
  operation: Operation,
  shown: ParsedRequest & { readonly id: string },
): Answer {
  const form = isForeign(shown.request) ? new URLSearchParams() : shown.parts.form;
  const named = operation.fields.filter(({ type }) => type !== 'password' && type !== 'file');
  const entries = named.flatMap(({ name }) => {
    const value = form.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const values = Object.fromEntries(entries);
  if (!operation.initialForm || 'refused' in authorize(site, operation, shown))
    return { kind: 'form', values };
  const filled = operation.initialForm({ id: shown.id, form });
  return filled.kind === 'form' ? { ...filled, values: { ...values, ...filled.values } } : filled;
}

/** The refusal of an operation that is closed now or missing in this version; undefined for an open one. */
function closedBy(site: Site, { since, closed, path }: Operation): Answer | undefined {
  const now = site.now();
  const { status, readOnly, away } = progressAt(site.state.read(), now);
  if (away && path.startsWith(site.root)) return upstreamError({ status: 503 });
  const { version } = releaseAt(site.state.read(), now);
  if (since !== undefined && !isVersionSince(version, since)) {
    const rule = `This requires version ${since}, and the deployment has ${version}.`;
    return { ...refuseWith(404, 'Not found.', rule), status: 404 };
  }
  if (closed === 'during upgrades' && status.state === 'in_progress') {
    return {
      ...refuseWith(503, 'An upgrade is in progress.', 'This cannot be reached until it is over.'),
      status: 503,
    };
  }
  if (closed === 'in read-only mode' && readOnly) {
    return refuseWith(
      500,
      'The deployment is in read-only mode.',
      'Nothing can be changed until the upgrade is over.',
    );
  }
  return undefined;
}

/** The content of a request. */
interface RequestParts {
  /** The parameters of the body, and those of the address that the body lacks. */
  readonly form: URLSearchParams;
  /** The parameters of the body alone. */
  readonly body: URLSearchParams;
  readonly files: ReadonlyMap<string, NamedFile>;
  /** The text of a SOAP message, or the problem with its bytes; empty for forms. */
  readonly message: DecodedXml;
}

/** Reads the content of a request, or returns the problem with it. */
async function readRequestParts(
  request: Request,
  { reads }: Pick<Operation, 'reads'>,
): Promise<RequestParts | { readonly problem: string }> {
  const read = reads === 'soap' ? await readSoap(request) : await readForm(request, reads);
  if ('problem' in read) return read;
  const form = new URLSearchParams(read.body);
  for (const [name, value] of new URL(request.url).searchParams) {
    if (!read.body.has(name)) form.append(name, value);
  }
  return { ...read, form };
}

type Body = Omit<RequestParts, 'form'>;

const nothing: Body = { body: new URLSearchParams(), files: new Map(), message: { text: '' } };

async function readSoap(request: Request): Promise<Body> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return { ...nothing, message: decodeXml(bytes, request.headers.get('content-type') ?? '') };
}

/** The media types of forms (sections 4.2.1 to 4.2.5 of the interface document). */
const formTypes = {
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

async function readForm(
  request: Request,
  only: keyof typeof formTypes | undefined,
): Promise<Body | { readonly problem: string }> {
  const contentType = request.headers.get('content-type') ?? '';
  const isOf = (type: keyof typeof formTypes) =>
    (only ?? type) === type && contentType.toLowerCase().startsWith(formTypes[type]);
  if (isOf('multipart')) return readParts(request, contentType);
  const text = await request.text();
  // A form without parameters has no body; neither has a request for the page of an operation.
  const isEmpty = text === '' && (only !== 'multipart' || request.method !== 'POST');
  if (isEmpty || isOf('urlencoded')) return { ...nothing, body: new URLSearchParams(text) };
  return { problem: `The body requires the type ${formTypes[only ?? 'urlencoded']}` };
}

async function readParts(request: Request, type: string): Promise<Body | { readonly problem: string }> {
  const parts = readMultipart(new Uint8Array(await request.arrayBuffer()), type);
  if ('problem' in parts) return parts;
  const body = new URLSearchParams();
  const files = new Map<string, NamedFile>();
  for (const { name, filename, bytes } of parts) {
    if (filename === undefined) body.append(name, new TextDecoder().decode(bytes));
    // An empty field for a file has neither a name nor bytes.
    else if (filename !== '' || bytes.length > 0) files.set(name, { name: plainName(filename), bytes });
  }
  return { ...nothing, body, files };
}

/** Longest stored name of a file. */
const longestName = 200;

/** The name of a file without folders and without characters that end a line or a header. */
function plainName(name: string): string {
  const [last = ''] = name.split(/[\\/]/).slice(-1);
  const plain = last
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"]/gu, '')
    .trim()
    .slice(0, longestName);
  return /^\.*$/.test(plain) ? 'unnamed' : plain;
}

/** A request with its parts, as far as authentication needs them. */
interface ParsedRequest {
  readonly request: Request;
  readonly parts: RequestParts;
  readonly format: ReplyFormat;
  /** The address of the caller. */
  readonly caller: string;
}

/**
 * Checks the privilege that an operation requires. Returns the user (undefined for open operations) or the
 * refusal.
 */
function authorize(
  site: Site,
  { privilege }: Operation,
  shown: ParsedRequest,
): { readonly user: User | undefined } | { readonly refused: RefusalAnswer } {
  if (!privilege) return { user: undefined };
  const user = authenticate(site, shown);
  if ('kind' in user) return { refused: user };
  if (user.privileges.includes(privilege)) return { user };
  return {
    refused: refuseWith(403, 'Access denied.', `User '${user.username}' lacks the privilege "${privilege}".`),
  };
}

/**
 * Finds the user of a request's token: in its form, in a header or, for pages, in a cookie. Returns a refusal
 * for a missing or invalid token.
 */
function authenticate(site: Site, { request, parts, format, caller }: ParsedRequest): User | RefusalAnswer {
  const token = tokenOf(parts.form, request.headers);
  if (token) return holderOf(site, token, { request, caller });
  const session = sessionTokenOf(request.headers);
  const csrf = parts.body.get('csrf');
  const isPost = request.method === 'POST';
  // A program that sends the cookie uses no page: the refusal names the missing token.
  if (!session || (isPost && csrf === null && format !== 'html')) return refuseWith(499, 'Token Required.');
  const isRead = !isPost && format === 'html';
  if (!isRead && (isForeign(request) || (isPost && !site.sessions.accepts(session, csrf ?? '')))) {
    return refuseWith(
      403,
      'Access denied.',
      'The form is not from a page of this session: send it once more.',
    );
  }
  return holderOf(site, session, { request, caller });
}

/** The session of a user that is signed in by a cookie; undefined for all others. */
function sessionOf(
  site: Site,
  { request, caller }: Pick<ParsedRequest, 'request' | 'caller'>,
): Session | undefined {
  const token = sessionTokenOf(request.headers);
  if (token === undefined) return undefined;
  const holder = holderOf(site, token, { request, caller });
  return 'kind' in holder ? undefined : { username: holder.username, csrf: site.sessions.csrfOf(token) };
}

function holderOf(
  site: Site,
  token: string,
  { request, caller }: Pick<ParsedRequest, 'request' | 'caller'>,
): User | RefusalAnswer {
  const referer = request.headers.get('referer') ?? undefined;
  return site.tokens.holder(token, { referer, address: caller }) ?? refuseWith(498, 'Invalid token.');
}

/**
 * Applies the faults that all operations share. Returns the answer that replaces the operation's own, if any.
 */
async function applyFaults(site: Site, effects: readonly Effect[]): Promise<Answer | undefined> {
  const delay = effectOf(effects, 'delay');
  if (delay) await wait(delay.milliseconds, undefined, { signal: site.closed });
  if (effectOf(effects, 'reset')) throw new BrokenConnection('The connection is reset');
  if (effectOf(effects, 'expireTokens')) site.tokens.expireAll();
  const status = effectOf(effects, 'status');
  if (status) return upstreamError(status);
  const page = effectOf(effects, 'page');
  if (page) return { kind: 'text', status: 200, type: 'text/html', text: loginPage };
  const refusal = effectOf(effects, 'refuse');
  if (!refusal) return undefined;
  return { kind: 'failure', failure: refusal.failure, ...(refusal.shape && { shape: refusal.shape }) };
}

/** Answer of a proxy in place of a deployment that does not answer. */
function upstreamError({
  status,
  retryAfter,
}: {
  readonly status: number;
  readonly retryAfter?: number;
}): Answer {
  return {
    kind: 'text',
    status,
    type: 'text/plain',
    text: 'upstream connect error\n',
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

// A typical page of a proxy in front of a deployment.
const loginPage = `<!DOCTYPE html>
<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Your session has ended.</p></body></html>
`;
