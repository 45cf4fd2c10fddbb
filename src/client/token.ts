import { bearer, failureCodes, replyOf } from '../protocol/index.ts';
import { textOf } from './body.ts';
import type { Clock } from './clock.ts';
import type { Layer } from './transport.ts';

/** Where tokens come from. */
export interface TokenSource {
  /** A token that should still be good. */
  readonly get: () => Promise<string>;
  /** Another token than the one that was refused; undefined where there is no other. */
  readonly renew: (refused: string) => Promise<string | undefined>;
}

/** The one token that a caller brought along. */
export function fixedToken(token: string): TokenSource {
  return { get: async () => token, renew: async () => undefined };
}

/** Tokens are renewed this long before they expire, in milliseconds, or a tenth of their life when that is less. */
const renewalMargin = 60_000;

/** Tokens of a sign-in, renewed before they expire. Callers that ask at the same time share one sign-in. */
export function renewedToken(signIn: () => Promise<SignedIn>, clock: Clock): TokenSource {
  let held: { readonly token: string; readonly renewAt: number } | undefined;
  let underWay: Promise<string> | undefined;

  const signInOnce = (): Promise<string> => {
    underWay ??= signInNow().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const signInNow = async () => {
    const { token, lifetime } = await signIn();
    held = { token, renewAt: clock.now() + lifetime - Math.min(renewalMargin, lifetime / 10) };
    return token;
  };
  return {
    get: async () => (held && clock.now() < held.renewAt ? held.token : signInOnce()),
    renew: async (refused) => (held && held.token !== refused ? held.token : signInOnce()),
  };
}

/** A token and how long it lives from now on, in milliseconds. */
export interface SignedIn {
  readonly token: string;
  readonly lifetime: number;
}

export interface TokenOptions {
  /** The origin of the deployment: no other one gets the token. */
  readonly origin: string;
  /** The referer that the tokens are bound to. */
  readonly referer?: string | undefined;
}

/**
 * Adds a token to every request to the deployment: to the form of a POST, else
 * as a header, never to an address. A request whose token is refused is sent
 * once more with a new one.
 */
export function withToken(source: TokenSource, options: TokenOptions): Layer {
  return (next) => async (request) => {
    if (new URL(request.url).origin !== options.origin) return next(request);
    request.signal.throwIfAborted();
    const token = await unlessAborted(source.get(), request.signal);
    const response = await next(await signed(request, token, options.referer));
    if (!(await refusesToken(response))) return response;
    const renewed = await unlessAborted(source.renew(token), request.signal);
    return renewed === undefined ? response : next(await signed(request, renewed, options.referer));
  };
}

/** A sign-in is shared, so the abort of one caller does not end it: that caller alone stops waiting. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function signed(request: Request, token: string, referer: string | undefined): Promise<Request> {
  const headers = new Headers(request.headers);
  if (referer !== undefined) headers.set('referer', referer);
  const { url, method, signal } = request;
  if (method === 'GET') {
    headers.set('authorization', bearer(token));
    return new Request(url, { headers, signal });
  }
  const form = new URLSearchParams(await request.clone().text());
  form.set('token', token);
  return new Request(url, { method, headers, signal, body: form });
}

const tokenFailures: readonly number[] = [failureCodes.invalidToken, failureCodes.tokenRequired];

/** Whether a reply says that the token is not valid: by its body, mostly with HTTP status 200, or by its status. */
async function refusesToken(response: Response): Promise<boolean> {
  if (response.status === 401 || tokenFailures.includes(response.status)) return true;
  const text = await textOf(response);
  const reply = text === undefined ? undefined : replyOf(text);
  return reply?.kind === 'failure' && tokenFailures.includes(reply.failure.code ?? 0);
}
