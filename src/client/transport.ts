import {
  type Failure,
  failureCodes,
  firstWords,
  isSignInPage,
  joinTexts,
  likelyBase,
  parseReplyText,
} from '../protocol/index.ts';
import { ExactNumber } from '../records/index.ts';
import { addressWithoutQuery, ClientError, type ClientErrorCode, toNetworkError } from './errors.ts';

/** Sends one request. Everything that can reach a deployment is one of these; the reference deployment is one too. */
export type Transport = (request: Request) => Promise<Response>;

/** Adds one concern (retries, a token) to a transport. */
export type Layer = (next: Transport) => Transport;

/**
 * Wraps a transport in layers, the first one outermost.
 *
 * ```ts
 * const delayed: Layer = (next) => async (request) => {
 *   await new Promise((resolve) => setTimeout(resolve, 100));
 *   return next(request);
 * };
 * await using network = openNetwork();
 * const send = withLayers(network.send, delayed);
 * ```
 */
export function withLayers(transport: Transport, ...layers: readonly Layer[]): Transport {
  return layers.reduceRight((next, layer) => layer(next), transport);
}

/** Purpose of a request, as wording for the messages of its failures. */
export interface Purpose {
  /** Beginning of the sentence that reports the failure. */
  readonly failed: string;
  /** Required privilege, named if the deployment forbids the request. */
  readonly privilege: string;
  /** Expected content. Default JSON. */
  readonly wanted?: string;
  /** Advice if nothing exists at the address. Default: to check the address of the deployment. */
  readonly whenMissing?: string;
}

/** Returns advice for a missing operation that a later version of the deployment has. */
export function sinceVersion(version: string): string {
  return `check the address of the deployment; the operation requires version ${version}`;
}

/** Origin of a reply, and the function that hides secrets in its text. */
export interface CallOrigin {
  readonly address: string;
  readonly purpose: Purpose;
  readonly hide: (text: string) => string;
}

/** Returns the JSON of a reply. Throws a `ClientError` for every other reply and for failures in JSON. */
export async function jsonOf(
  response: Response,
  origin: CallOrigin,
  { parse }: { readonly parse?: ((text: string) => unknown) | undefined } = {},
): Promise<unknown> {
  const text = await replyText(response);
  if (text === undefined) throw badReply(origin, 'answered with a zip instead of JSON');
  const reply = parseReplyText(text, parse);
  const { status } = response;
  const { wanted = 'JSON' } = origin.purpose;
  if (reply.kind === 'failure') throw toRefusalError(reply.failure, status, origin);
  if (300 <= status && status < 400) throw redirected(response, origin);
  if (400 <= status)
    throw toRefusalError({ code: status, message: `HTTP ${status}`, details: [] }, status, origin);
  switch (reply.kind) {
    case 'json':
      return reply.body;
    case 'html':
      throw badReply(
        origin,
        `answered with a web page${quoted(origin, reply.title)} instead of ${wanted}: ${mayBeWrong(origin)}, or a sign-in page or a proxy stands before it`,
      );
    case 'other':
      throw badReply(origin, `answered with something that is not ${wanted}${quoted(origin, reply.start)}`);
  }
}

/** The error for JSON that is not what the interface describes. */
export function unexpectedReplyError(body: unknown, what: string, origin: CallOrigin): ClientError {
  return badReply(origin, `answered with JSON that is not ${what}${quoted(origin, JSON.stringify(body))}`);
}

/** The error for an answer that is not what the interface describes. */
export function badReply({ address, purpose }: CallOrigin, what: string): ClientError {
  return new ClientError('BAD_REPLY', `${purpose.failed}: "${addressWithoutQuery(address)}" ${what}`);
}

function quoted({ hide }: CallOrigin, text: string): string {
  return text === '' ? '' : ` ("${firstWords(hide(text))}")`;
}

function redirected(response: Response, origin: CallOrigin): ClientError {
  const location = response.headers.get('location');
  const target =
    location !== null && URL.canParse(location, origin.address) && new URL(location, origin.address);
  const where = target ? `to "${origin.hide(addressWithoutQuery(target.href))}"` : 'elsewhere';
  if (target && isSignInPage(target.href)) return badReply(origin, `redirects ${where}, ${signInPage}`);
  const base = likelyBase(origin.address);
  const what = base === undefined ? 'use the address of the deployment that it leads to' : tryBase(base);
  return badReply(origin, `redirects ${where}: ${what}`);
}

const signInPage =
  'a sign-in page: single sign-on or the web tier stands before the deployment and lets only browsers through. ' +
  'Use an address that does not lead through it, as within the network of the deployment, ' +
  'and a user that the deployment itself keeps';

function tryBase(base: string): string {
  return `the address of the deployment is likely "${base}": try "--url ${base}"`;
}

function mayBeWrong({ address }: CallOrigin): string {
  const base = likelyBase(address);
  return base === undefined ? 'the address of the deployment may be wrong' : tryBase(base);
}

/** The error for a refusal, which says what to do about it. */
export function toRefusalError(failure: Failure, status: number, origin: CallOrigin): ClientError {
  const number = failure.code ?? (400 <= status ? status : undefined);
  const said = wordsOf(failure, number, origin.hide);
  // With which code this is refused is not documented.
  const code = /read-?\s?only/i.test(said) ? 'READ_ONLY' : codeOf(number);
  const message = `${origin.purpose.failed}: ${reasonOf(code, { number, said }, origin)}`;
  return new ClientError(code, message, { refusal: { code: number, said } });
}

function reasonOf(
  code: ClientErrorCode,
  { number, said }: { readonly number: number | undefined; readonly said: string },
  { address, purpose }: CallOrigin,
): string {
  const base = likelyBase(address);
  const { privilege, whenMissing = 'check the address of the deployment' } = purpose;
  switch (code) {
    case 'READ_ONLY':
      return `the deployment is in read-only mode (${said}): wait until the upgrade is over`;
    case 'TOKEN_EXPIRED':
      return number === failureCodes.tokenRequired
        ? `the deployment requires a token (${said}): sign in, or pass a token`
        : `the deployment does not accept the token (${said}): sign in again, or pass a token that is still valid`;
    case 'FORBIDDEN':
      return `the user lacks the privilege to ${privilege} (${said})`;
    case 'SERVER_ERROR':
      return `the deployment is in trouble or overloaded (${said}): try again later`;
    case 'BAD_REPLY':
      return `there is nothing at "${addressWithoutQuery(address)}" (${said}): ${base === undefined ? whenMissing : tryBase(base)}`;
    default:
      return `the deployment refused the request (${said})`;
  }
}

function codeOf(code: number | undefined): ClientErrorCode {
  if (code === failureCodes.invalidToken || code === failureCodes.tokenRequired || code === 401)
    return 'TOKEN_EXPIRED';
  if (code === failureCodes.forbidden) return 'FORBIDDEN';
  if (code === failureCodes.notFound) return 'BAD_REPLY';
  return code !== undefined && ((500 <= code && code < 600) || code === 429) ? 'SERVER_ERROR' : 'REFUSED';
}

/** Of each text of a refusal this many characters are shown: a stack trace may be among them. */
const longestText = 200;

function wordsOf(failure: Failure, code: number | undefined, hide: CallOrigin['hide']): string {
  const texts = [failure.message, ...failure.details].map((text) => firstWords(hide(text), longestText));
  const told = [...new Set(texts)].filter((text) => text !== '').slice(0, 5);
  const said = joinTexts(told) || 'no reason given';
  return code === undefined || said.includes(String(code)) ? said : `${code}: ${said}`;
}

/** Limits of a reply that is not a file. */
interface ReplyLimits {
  /** The largest job resources, those of an upgrade, hold some 100 kB of messages. */
  readonly bytes: number;
  /** Milliseconds from the beginning of the reply to its end. */
  readonly milliseconds: number;
}

/** 16 MB in a minute. */
export const replyLimits: ReplyLimits = { bytes: 16_000_000, milliseconds: 60_000 };

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The type of a reply that is a zip, after `wholeReplies`, whatever the deployment called it. */
const zipType = 'application/zip';

/**
 * Reads every reply whole before passing it on, except a zip, which stays a stream. A connection that
 * breaks during a reply is then a failure of its request, which outer layers can repeat.
 */
export function wholeReplies(limits: ReplyLimits = replyLimits): Layer {
  return (next) => async (request) => {
    const response = await next(request);
    // Numbers beyond those that HTTP defines reach this line, but no reply can be made with them.
    if (response.status < 200 || 599 < response.status) {
      const said = `"${addressWithoutQuery(request.url)}" answered with the status ${response.status}, which HTTP does not define`;
      throw new ClientError('BAD_REPLY', said);
    }
    const body = response.body && (await readWhole(response.body.getReader(), request, limits));
    const headers = new Headers(response.headers);
    headers.set('content-type', body instanceof ReadableStream ? zipType : 'text/plain');
    return new Response(body, { status: response.status, headers });
  };
}

/** The text of a reply, after `wholeReplies`; undefined where it is a zip. The reply can still be read. */
export async function replyText(response: Response): Promise<string | undefined> {
  return response.headers.get('content-type') === zipType ? undefined : await response.clone().text();
}

async function readWhole(reader: Reader, request: Request, limits: ReplyLimits) {
  const deadline = AbortSignal.timeout(limits.milliseconds);
  const stop = AbortSignal.any([deadline, request.signal]);
  const cancel = () => void reader.cancel().catch(() => {});
  stop.addEventListener('abort', cancel);
  try {
    return await collect(reader, stop, limits.bytes);
  } catch (error) {
    cancel();
    request.signal.throwIfAborted();
    const address = addressWithoutQuery(request.url);
    if (deadline.aborted) {
      throw new ClientError(
        'TIMED_OUT',
        `The answer of "${address}" took longer than ${limits.milliseconds / 1000} s`,
      );
    }
    if (error instanceof TooLong) {
      throw new ClientError(
        'BAD_REPLY',
        `The answer of "${address}" is longer than ${limits.bytes} bytes and is no zip`,
      );
    }
    throw toNetworkError(error, request.url);
  } finally {
    stop.removeEventListener('abort', cancel);
  }
}

class TooLong extends Error {}

async function collect(
  reader: Reader,
  stop: AbortSignal,
  limit: number,
): Promise<Buffer<ArrayBuffer> | ReadableStream> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let zip: boolean | undefined;
  for (;;) {
    // A cancelled reader ends like a complete one.
    const { done, value } = await reader.read();
    stop.throwIfAborted();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
    bytes += value.length;
    if (zip === undefined && zipMark <= bytes) zip = isZip(Buffer.concat(chunks));
    if (zip) return streamOf(chunks, reader);
    if (limit < bytes) throw new TooLong();
  }
}

/** Length of the signature at the beginning of a zip, bytes. */
const zipMark = 4;

/** Reports if bytes begin a zip: its first entry, or the directory of an empty one. */
function isZip(start: Buffer): boolean {
  return start.readUInt32BE(0) === 0x504b0304 || start.readUInt32BE(0) === 0x504b0506;
}

function streamOf(start: readonly Uint8Array[], reader: Reader): ReadableStream<Uint8Array> {
  const ahead = [...start];
  return new ReadableStream({
    async pull(controller) {
      const next = ahead.shift();
      if (next) return controller.enqueue(next);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Checks a text for a header. Throws a `ClientError` if no header can carry it, without quoting it: it may be a secret. */
export function headerText(text: string, what: string): string {
  // A character beyond Latin-1 would throw an error that quotes the text; a line break would start another header.
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  const message = `${what} holds a character that no header can carry, such as a line break: it was not copied whole or holds more than that`;
  throw new ClientError('REFUSED', message, { arrived: false });
}

/**
 * The secrets of a client, to remove them from the texts of the deployment.
 * These may quote a password or a token.
 */
export interface Secrets {
  readonly add: (secret: string) => void;
  /** A text of the deployment with every secret replaced. */
  readonly hide: (text: string) => string;
}

/** An empty set of secrets. They live in a closure, where no inspection of the value shows them. */
export function keepSecrets(): Secrets {
  const hidden = new Map<string, RegExp>();
  return {
    add(secret) {
      if (secret === '') return;
      const inForm = new URLSearchParams({ secret }).toString().slice('secret='.length);
      const inJson = JSON.stringify(secret).slice(1, -1);
      for (const form of [secret, encodeURIComponent(secret), inForm, inJson])
        hidden.set(form, patternOf(form));
    },
    hide: (text) =>
      // The longest first: one secret can be part of another.
      [...hidden]
        .sort(([a], [b]) => b.length - a.length)
        .reduce((shorn, [, pattern]) => shorn.replace(pattern, '[hidden]'), text),
  };
}

/** A secret of fewer characters than this occurs within ordinary words, where hiding it would reveal it. */
const longEnough = 8;

function patternOf(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    secret.length < longEnough ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal,
    'gu',
  );
}

/** The keys of a reply that hold addresses, which must go on working. */
const addressKeys = ['jobsUrl', 'URL'];

/** A value of JSON with every secret in its texts replaced, and every parameter with a secret dropped from its addresses. */
export function hideIn(value: unknown, hide: Secrets['hide']): unknown {
  return hideAt('', value, hide);
}

function hideAt(key: string, value: unknown, hide: Secrets['hide']): unknown {
  if (typeof value === 'string') return addressKeys.includes(key) ? hideInAddress(value, hide) : hide(value);
  if (Array.isArray(value)) return value.map((item) => hideAt('', item, hide));
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, hideAt(name, member, hide)]));
}

function hideInAddress(address: string, hide: Secrets['hide']): string {
  if (!URL.canParse(address)) return hide(address);
  const url = new URL(address);
  for (const [parameter, value] of [...url.searchParams]) {
    if (hide(value) !== value) url.searchParams.delete(parameter);
  }
  return url.href;
}
