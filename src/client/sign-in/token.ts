import { bearerHeader, failureCodes, failureOfFault, faultIn, parseReplyText } from '../../protocol/index.ts';
import { pauseAfter } from '../transport/back-off.ts';
import { replyText } from '../transport/body.ts';
import type { Clock } from '../transport/clock.ts';
import { headerText } from '../transport/header-text.ts';
import { spaceOut } from '../transport/rate.ts';
import type { Layer } from '../transport/transport.ts';

/** A source of tokens. */
export interface TokenSource {
  /** Returns a probably valid token, for at least `atLeast` milliseconds if it can be renewed; undefined without one. */
  readonly get: (atLeast?: number) => Promise<string | undefined>;
  /** Returns another token than the refused one; undefined if there is no other. */
  readonly renew: (refused: string) => Promise<string | undefined>;
  /** Forgets the token and returns it. */
  readonly forget: () => string | undefined;
  /** Expiry of the token, milliseconds since the epoch; undefined if unknown or without a token. */
  readonly endsAt: () => number | undefined;
}

/** No token: for public resources. */
export const noToken: TokenSource = {
  get: async () => undefined,
  renew: async () => undefined,
  forget: () => undefined,
  endsAt: () => undefined,
};

/** One token of the caller, with its expiry if known. */
export function fixedToken(token: string, expires?: number): TokenSource {
  let held: string | undefined = token;
  const forget = () => {
    const forgotten = held;
    held = undefined;
    return forgotten;
  };
  return { get: async () => held, renew: async () => undefined, forget, endsAt: () => expires };
}

/**
 * Tokens of another party, such as a program that stores them. It is called again after a refusal;
 * if it returns the refused token, there is no other.
 */
export function suppliedToken(supply: () => Promise<string>, clock: Clock): TokenSource {
  const obtain = async () => ({ token: await supply(), lifetime: Number.POSITIVE_INFINITY });
  const { renew, forget, ...source } = renewedToken(obtain, clock);
  return {
    ...source,
    renew: async (refused) => {
      const token = await renew(refused);
      return token === refused ? undefined : token;
    },
    // The token belongs to its supplier, so this client does not end it.
    forget: () => {
      forget();
      return undefined;
    },
  };
}

/** Tokens are renewed this long before they expire, in milliseconds, or a tenth of their life when that is less. */
const renewalMargin = 60_000;

/** Sign-ins of one source: one a second, so that tokens of one second do, and some at once after a quiet time. */
const signInRate = { perSecond: 1, burst: 10 };

/** Tokens of a sign-in, renewed before they expire and when one is refused. Callers that ask at the same time share one sign-in. */
export function renewedToken(signIn: () => Promise<SignedIn>, clock: Clock): TokenSource {
  const turn = spaceOut({ ...signInRate, clock });
  let held: { readonly token: string; readonly renewAt: number; readonly endsAt: number } | undefined;
  let underWay: Promise<string> | undefined;

  const signInOnce = (): Promise<string> => {
    underWay ??= signInNow().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const signInNow = async () => {
    await turn();
    const { token, lifetime } = await signIn();
    const endsAt = clock.now() + lifetime;
    held = { token, renewAt: endsAt - Math.min(renewalMargin, lifetime / 10), endsAt };
    return token;
  };
  const lives = (atLeast: number) =>
    held !== undefined && clock.now() < held.renewAt && clock.now() + atLeast <= held.endsAt;
  return {
    endsAt: () => (held && Number.isFinite(held.endsAt) ? held.endsAt : undefined),
    get: async (atLeast = 0) => (held && lives(atLeast) ? held.token : signInOnce()),
    renew: async (refused) => (held && held.token !== refused && lives(0) ? held.token : signInOnce()),
    forget: () => {
      const token = held?.token;
      held = undefined;
      return token;
    },
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
  /** The position of the token of a SOAP message. Default `header`, because logs contain addresses. */
  readonly soapToken?: 'header' | 'address' | undefined;
  readonly clock: Clock;
}

/**
 * Adds a token to every request to the deployment: to the form of a POST, else as a header, and to an
 * address only with `soapToken`. Repeats a request with a new token after a refusal, as often as
 * `nextRenewal` allows; then passes on the refusal.
 */
export function withToken(source: TokenSource, options: TokenOptions): Layer {
  const { clock } = options;
  let isProven = false;
  return (next) => async (request) => {
    const { url, signal } = request;
    if (new URL(url).origin !== options.origin) return next(request);
    signal.throwIfAborted();
    const first = await unlessAborted(source.get(), signal);
    if (first === undefined) return next(request);
    let token = first;
    const started = clock.now();
    for (let refusals = 1; ; refusals += 1) {
      const response = await next(await signed(request, token, options));
      if (!(await refusesToken(response))) {
        isProven = true;
        return response;
      }
      const pause = nextRenewal({ refusals, isProven, waited: clock.now() - started });
      if (pause === undefined) return response;
      if (0 < pause) await clock.sleep(pause, signal);
      const renewed: string | undefined = await unlessAborted(source.renew(token), signal);
      if (renewed === undefined) return response;
      token = renewed;
    }
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

async function signed(request: Request, token: string, options: TokenOptions): Promise<Request> {
  const headers = new Headers(request.headers);
  if (options.referer !== undefined) headers.set('referer', headerText(options.referer, 'The referer'));
  const { url, method, signal } = request;
  const form = method === 'POST' ? await formOf(request) : undefined;
  if (form) {
    form.set('token', token);
    // The boundary of a multipart form is another one now.
    headers.delete('content-type');
    return new Request(url, { method, headers, signal, body: form });
  }
  const address = new URL(url);
  if (method === 'POST' && options.soapToken === 'address') address.searchParams.set('token', token);
  else headers.set('authorization', bearerHeader(headerText(token, 'The token')));
  const body = method === 'POST' ? { body: await request.clone().text() } : {};
  return new Request(address, { method, headers, signal, ...body });
}

async function formOf(request: Request): Promise<URLSearchParams | FormData | undefined> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) return request.clone().formData();
  return type.startsWith('text/xml') ? undefined : new URLSearchParams(await request.clone().text());
}

const tokenFailures: readonly number[] = [failureCodes.invalidToken, failureCodes.tokenRequired];

/** Reports if a reply refuses the token: by its body, mostly with HTTP status 200, or by its status. */
async function refusesToken(response: Response): Promise<boolean> {
  if (response.status === 401 || tokenFailures.includes(response.status)) return true;
  const text = await replyText(response);
  if (text === undefined) return false;
  const fault = faultIn(text);
  const reply = parseReplyText(text);
  const failure = fault ? failureOfFault(fault) : reply.kind === 'failure' ? reply.failure : undefined;
  return tokenFailures.includes(failure?.code ?? 0);
}

/** History of one request. */
interface Refusals {
  /** Number of consecutively refused tokens of this request. */
  readonly refusals: number;
  /** True if the deployment has accepted any token of this client before. */
  readonly isProven: boolean;
  /** Milliseconds since the request was first sent. */
  readonly waited: number;
}

/** A restarting deployment may refuse new tokens for this long, milliseconds; beyond that, the refusal is final. */
const patience = 180_000;

/** Maximum number of tokens for one request, independent of the time. */
const mostTokens = 20;

/** Limit before any token was accepted: a wrong referer or account is more likely than a temporary failure. */
const mostUnproven = 3;

const pauses = { first: 1000, longest: 15_000, growth: 2 };

/**
 * Returns the pause before the next attempt with a new token, milliseconds; undefined after the last.
 * The first renewal has no pause, because most refused tokens are expired.
 */
function nextRenewal({ refusals, isProven, waited }: Refusals): number | undefined {
  if ((isProven ? mostTokens : mostUnproven) <= refusals || patience <= waited) return undefined;
  return refusals === 1 ? 0 : pauseAfter(refusals - 1, pauses, Math.random);
}
