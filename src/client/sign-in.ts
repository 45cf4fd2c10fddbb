import {
  type Addresses,
  adminPath,
  bearerHeader,
  defaultTokenMinutes,
  failureCodes,
  failureOfFault,
  faultIn,
  infoPaths,
  isDeploymentInfo,
  parseReplyText,
  type TokenReply,
  type TokenRequest,
  tokenReplyOf,
  toTokenForm,
  usualContexts,
} from '../protocol/index.ts';
import { addressWithoutQuery, ClientError, type ClientErrorCode } from './errors.ts';
import { type NetworkOptions, openNetwork } from './network.ts';
import { type Clock, pauseAfter, retry, spaceOut, systemClock } from './retry.ts';
import {
  headerText,
  jsonOf,
  keepSecrets,
  type Layer,
  replyText,
  type Secrets,
  type Transport,
  wholeReplies,
  withLayers,
} from './transport.ts';

/** A user and a password. */
export interface PasswordCredentials {
  readonly kind: 'password';
  readonly username: string;
  readonly password: string;
  /** Binding of the tokens. Default `referer`, because the address of a caller can change. */
  readonly client?: TokenRequest['client'];
  /** The referer for the client `referer`. Default: the administrative base address. */
  readonly referer?: string;
  /** The address for the client `ip`. */
  readonly ip?: string;
  /** Requested lifetime of a token, minutes. Default 60. */
  readonly minutes?: number;
}

/** Context of a sign-in. */
export interface SignInContext {
  readonly send: Transport;
  readonly addresses: Addresses;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Gets a token for a user. A refusal is a `ClientError` with the code `REFUSED_LOGIN`. */
export async function signIn(context: SignInContext, credentials: PasswordCredentials): Promise<SignedIn> {
  const { send, addresses, secrets, clock } = context;
  secrets.add(credentials.password);
  const form = toTokenRequest(credentials, addresses);
  const response = await send(
    new Request(addresses.generateToken, {
      method: 'POST',
      body: toTokenForm(form),
      headers: form.referer === undefined ? {} : { referer: headerText(form.referer, 'The referer') },
    }),
  );
  const failed = `The user "${credentials.username}" could not be signed in`;
  const body = await loginBodyOf(response, failed, context);
  const reply = tokenReplyOf(body);
  if (!reply) {
    // The answer is not quoted: it may hold a token all the same.
    const address = addressWithoutQuery(addresses.generateToken);
    throw new ClientError('BAD_REPLY', `${failed}: "${address}" answered with JSON that holds no token`);
  }
  secrets.add(reply.token);
  return { token: reply.token, lifetime: lifetimeOf(reply, { response, clock, minutes: form.expiration }) };
}

function toTokenRequest(credentials: PasswordCredentials, addresses: Addresses): TokenRequest {
  const { username, password, client = 'referer', ip, minutes = defaultTokenMinutes } = credentials;
  return {
    username,
    password,
    client,
    ...refererOf(credentials, addresses),
    ...(ip !== undefined && { ip }),
    expiration: minutes,
  };
}

/** The referer that the tokens of a sign-in are bound to, where they are bound to one. */
export function refererOf(
  { client = 'referer', referer }: PasswordCredentials,
  { root }: Addresses,
): { readonly referer?: string } {
  return client === 'referer' ? { referer: referer ?? root } : {};
}

const refusals: readonly ClientErrorCode[] = ['REFUSED', 'FORBIDDEN', 'TOKEN_EXPIRED'];

async function loginBodyOf(response: Response, failed: string, context: SignInContext): Promise<unknown> {
  const purpose = { failed, privilege: 'sign in' };
  const { hide } = context.secrets;
  try {
    return await jsonOf(response, { address: context.addresses.generateToken, purpose, hide });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.code === 'BAD_REPLY') throw await withBase(error, context);
    if (!refusals.includes(error.code)) throw error;
    throw new ClientError('REFUSED_LOGIN', `${error.message}: check the user and the password`);
  }
}

/** The error for a host without a deployment at its top, with the address of the one that it has below. */
async function withBase(error: ClientError, { send, addresses }: SignInContext): Promise<ClientError> {
  const { origin, pathname } = new URL(addresses.root);
  const base = pathname === adminPath ? await findBase(send, origin) : undefined;
  if (base === undefined) return error;
  return new ClientError(
    error.code,
    `${error.message}; a deployment answers at "${base}": try "--url ${base}"`,
  );
}

interface Issue {
  readonly response: Response;
  readonly clock: Clock;
  readonly minutes: number;
}

/**
 * Returns the remaining lifetime of a token, milliseconds. The deployment's clock can differ from ours,
 * so the expiry is relative to the date of the reply. Without an expiry in the future, the lifetime is
 * the requested one.
 */
function lifetimeOf(reply: TokenReply, { response, clock, minutes }: Issue): number {
  const date = Date.parse(response.headers.get('date') ?? '');
  const lifetime = (reply.expires ?? 0) - (Number.isNaN(date) ? clock.now() : date);
  return 0 < lifetime ? lifetime : minutes * 60_000;
}

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
interface SignedIn {
  readonly token: string;
  readonly lifetime: number;
}

interface TokenOptions {
  /** The origin of the deployment: no other one gets the token. */
  readonly origin: string;
  /** The referer that the tokens are bound to. */
  readonly referer?: string | undefined;
  /** The position of the token of a SOAP message. Default `header`, because logs contain addresses. */
  readonly soapToken?: 'header' | 'address' | undefined;
  /** Maximum number of tokens for one request. Default: as many as `nextRenewal` allows. */
  readonly maxTokens?: number;
  readonly clock: Clock;
}

/**
 * Adds a token to every request to the deployment: to the form of a POST, else as a header, and to an
 * address only with `soapToken`. Repeats a request with a new token after a refusal, as often as
 * `nextRenewal` allows; then passes on the refusal.
 */
export function withToken(source: TokenSource, options: TokenOptions): Layer {
  const { clock, maxTokens = mostTokens } = options;
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
      if (maxTokens <= refusals) return response;
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
const maxRenewalTime = 180_000;

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
  if ((isProven ? mostTokens : mostUnproven) <= refusals || maxRenewalTime <= waited) return undefined;
  return refusals === 1 ? 0 : pauseAfter(refusals - 1, pauses, Math.random);
}

/** One that answers does so within this time, in milliseconds. */
const baseTimeout = 5000;

/**
 * The base address of a deployment on a host, where it has one of the usual
 * contexts; undefined where none answers. Sends nothing but reading requests
 * without credentials, so `send` must not add any.
 */
export async function findBase(send: Transport, origin: string): Promise<string | undefined> {
  for (const context of usualContexts) {
    const base = origin + context;
    for (const path of infoPaths) if (await isInfo(send, `${base}${path}?f=json`)) return base;
  }
  return undefined;
}

async function isInfo(send: Transport, address: string): Promise<boolean> {
  try {
    const response = await send(new Request(address, { signal: AbortSignal.timeout(baseTimeout) }));
    return response.status === 200 && isDeploymentInfo(JSON.parse(await response.text()));
  } catch {
    // Another server may reply with anything, or not at all.
    return false;
  }
}

/** Options for fetching a token. Holds a secret. */
export interface FetchTokenOptions {
  readonly addresses: Addresses;
  readonly credentials: PasswordCredentials;
  readonly network?: NetworkOptions;
  /** Transport of the request. Default: the network, opened with the options above. */
  readonly transport?: Transport;
  readonly clock?: Clock;
}

/** A token for the caller to store. Holds a secret. */
export interface FetchedToken {
  readonly token: string;
  /** Expiry by the caller's clock, milliseconds since the epoch. */
  readonly expires: number;
  /** The referer that every request with it requires, if it is bound to one. */
  readonly referer?: string;
}

/**
 * Gets a token for a user, to be stored: the operation `generateToken` of the field notes. A client
 * opened with a user and a password gets and renews its tokens itself.
 *
 * ```ts
 * const addresses = addressesOf('https://gis.example.com/arcgis');
 * if ('problem' in addresses) throw new Error(addresses.problem);
 * const credentials = { kind: 'password', username: 'admin', password: 'the password' } as const;
 * const { token, expires } = await fetchToken({ addresses, credentials });
 * ```
 */
export async function fetchToken(options: FetchTokenOptions): Promise<FetchedToken> {
  const { addresses, credentials, clock = systemClock, transport } = options;
  await using network = transport
    ? { send: transport, [Symbol.asyncDispose]: async () => {} }
    : openNetwork(options.network);
  const send = withLayers(network.send, retry({ requests: 'read', clock }), wholeReplies());
  const { token, lifetime } = await signIn({ send, addresses, secrets: keepSecrets(), clock }, credentials);
  // A token without an expiry gets the last date that a `Date` can express.
  const expires = Math.min(clock.now() + lifetime, 8.64e15);
  return { token, expires, ...refererOf(credentials, addresses) };
}
