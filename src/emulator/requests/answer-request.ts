import {
  isVersionSince,
  type ReplyFormat,
  replyFormatOf,
  replyFormats,
  tokenOf,
} from '../../protocol/index.ts';
import { isForeign, sessionTokenOf } from '../access/sessions.ts';
import { BrokenConnection, effectOf, type NextEffects } from '../site/faults.ts';
import { type Answer, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { progressAt, releaseAt } from '../upgrade/progress.ts';
import { applyFaults, upstreamError } from './apply-faults.ts';
import { authenticate, authorize, type ParsedRequest } from './authorize.ts';
import { type RequestParts, readRequestParts } from './read-request.ts';

/** A request to an operation, before any check. */
export interface ArrivedRequest {
  readonly request: Request;
  readonly requestID: string;
  /** The value of `:id` in the path. */
  readonly id: string;
  /** The address of the caller. */
  readonly caller: string;
  readonly nextEffects: NextEffects;
}

/** The answer to a request and the facts that its log and page need. */
export interface AnsweredRequest {
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
export async function answerRequest(
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
