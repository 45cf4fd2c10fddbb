import { type Addresses, parseReplyText } from '../protocol/index.ts';
import { ClientError, type ClientErrorCode } from './errors.ts';
import { type Network, type NetworkOptions, openNetwork } from './network.ts';
import {
  type Clock,
  limitRate,
  type RetryOptions,
  retry,
  spaceOut,
  systemClock,
  withOwnSignal,
} from './retry.ts';
import {
  fixedToken,
  noToken,
  type PasswordCredentials,
  refererOf,
  renewedToken,
  type SignInContext,
  signIn,
  suppliedToken,
  type TokenSource,
  withToken,
} from './sign-in.ts';
import {
  headerText,
  hideIn,
  jsonOf,
  keepSecrets,
  type Layer,
  type Purpose,
  replyText,
  type Transport,
  wholeReplies,
  withLayers,
} from './transport.ts';

/** A token that a caller brings along: it cannot be renewed. */
export interface TokenCredentials {
  readonly kind: 'token';
  readonly token: string;
  /** When it ends, milliseconds since the epoch, where that is known. */
  readonly expires?: number | undefined;
  /** The referer that the token is bound to, if it is. */
  readonly referer?: string | undefined;
}

/** Tokens that another party stores and renews. */
export interface SuppliedCredentials {
  readonly kind: 'supplied';
  /** Returns a currently valid token. Called again after a refusal. */
  readonly supply: () => Promise<string>;
  /** The referer that the tokens are bound to, if they are. */
  readonly referer?: string | undefined;
}

/** No credentials: only public resources can be requested. */
export interface NoCredentials {
  readonly kind: 'none';
}

/** Credentials for the deployment. May hold a secret. */
export type Credentials = PasswordCredentials | TokenCredentials | SuppliedCredentials | NoCredentials;

export interface ClientOptions {
  readonly addresses: Addresses;
  readonly credentials: Credentials;
  readonly network?: NetworkOptions;
  /** Transport of the requests. Default: the network, opened with the options above. */
  readonly transport?: Transport;
  readonly retry?: Omit<RetryOptions, 'requests' | 'clock'>;
  readonly clock?: Clock;
  /** Maximum number of requests per second, including sign-ins and retries. Default: no limit. */
  readonly maxRate?: number | undefined;
  /** Position of the token of a SOAP message. Default `header`; some deployments require the address, which others can read in logs. */
  readonly soapToken?: 'header' | 'address';
}

/** A connection to one deployment as one user. No member shows a secret. */
export interface Client extends AsyncDisposable {
  readonly addresses: Addresses;
  /**
   * Gets a token unless one is present, so that a refused login shows first. With `atLeast`,
   * also replaces a token that expires within that number of milliseconds: before a long job.
   */
  readonly signIn: (options?: { readonly atLeast?: number }) => Promise<void>;
  /**
   * Forgets the token and revokes it at the deployment. Returns false if it was not revoked: it
   * is then valid until it expires.
   */
  readonly signOut: () => Promise<boolean>;
  /** Expiry of the token, milliseconds since the epoch; undefined if unknown or without a token. */
  readonly tokenEnds: () => number | undefined;
  /** Sends requests that only read: repeated after a retryable failure. */
  readonly read: Transport;
  /** The same with one token: a refusal of it is passed on, and no other one is asked for. */
  readonly readWithOneToken: Transport;
  /** The same without a token, for a result whose address is a permission by itself. */
  readonly readWithoutToken: Transport;
  /** Sends requests that change something: repeated only if they certainly did not arrive. */
  readonly change: Transport;
  /** Sends submissions of jobs that are safe to repeat: also repeated while the queue of the deployment is full. */
  readonly submit: Transport;
  /** A text of the deployment without the password and the tokens of this client. */
  readonly hide: (text: string) => string;
  /** Milliseconds by which the clock of the deployment is ahead of this one, at the least; undefined before its first reply. */
  readonly skew: () => number | undefined;
  /**
   * The earliest present, milliseconds since the epoch: by the clock of this machine and by every `Date` of a
   * reply. Hosts behind one address can differ, and one that is behind still writes logs of earlier times.
   */
  readonly earliestNow: () => number;
  /** Number of replies that reported an overload, and of requests without a reply in time. */
  readonly overloads: () => number;
  /** The clock that all waiting for this deployment goes by. */
  readonly clock: Clock;
}

/**
 * Opens a way to a deployment. Nothing is sent yet. Closing it ends the connections that it opened.
 *
 * ```ts
 * const addresses = addressesOf('https://gis.example.com/arcgis');
 * if ('problem' in addresses) throw new Error(addresses.problem);
 * await using client = openClient({ addresses, credentials: { kind: 'token', token: 'the token' } });
 * ```
 */
export function openClient(options: ClientOptions): Client {
  const { addresses, credentials, clock = systemClock, maxRate } = options;
  const { send: sendAtOnce, [Symbol.asyncDispose]: close } = networkOf(options);
  const overload = countOverloads();
  const skew = observeSkew(clock);
  const turn = maxRate === undefined ? undefined : spaceOut({ perSecond: maxRate, clock });
  const send = withLayers(sendAtOnce, overload.layer, ...(turn ? [limitRate(turn)] : []), skew.layer);
  const secrets = keepSecrets();
  const repeated = (requests: RetryOptions['requests']) => retry({ ...options.retry, requests, clock });
  const anonymous = withLayers(send, repeated('read'), wholeReplies());
  const source = tokensOf(credentials, { send: anonymous, addresses, secrets, clock });
  const bound = { ...boundOf(credentials, addresses), soapToken: options.soapToken };
  const tokenOptions = { origin: new URL(addresses.root).origin, ...bound, clock };
  const token = withToken(source, tokenOptions);
  const oneToken = withToken(source, { ...tokenOptions, maxTokens: 1 });
  return {
    addresses,
    signIn: async ({ atLeast } = {}) => void (await source.get(atLeast)),
    tokenEnds: source.endsAt,
    signOut: () => endToken({ send: anonymous, addresses, source, ...bound }),
    readWithoutToken: anonymous,
    read: withLayers(send, token, repeated('read'), wholeReplies()),
    readWithOneToken: withLayers(send, oneToken, repeated('read'), wholeReplies()),
    change: withLayers(send, token, repeated('change'), wholeReplies()),
    submit: withLayers(send, token, repeated('submit'), wholeReplies()),
    hide: secrets.hide,
    skew: skew.get,
    earliestNow: () => clock.now() + skew.behind(),
    overloads: overload.count,
    clock,
    [Symbol.asyncDispose]: close,
  };
}

function boundOf(credentials: Credentials, addresses: Addresses): { readonly referer?: string | undefined } {
  switch (credentials.kind) {
    case 'password':
      return refererOf(credentials, addresses);
    case 'token':
    case 'supplied':
      return { referer: credentials.referer };
    case 'none':
      return {};
  }
}

function networkOf({ transport, network }: ClientOptions): Network {
  return transport ? { send: transport, [Symbol.asyncDispose]: async () => {} } : openNetwork(network);
}

function tokensOf(credentials: Credentials, context: SignInContext): TokenSource {
  const { secrets, clock } = context;
  switch (credentials.kind) {
    case 'none':
      return noToken;
    case 'password':
      return renewedToken(() => signIn(context, credentials), clock);
    case 'token':
      secrets.add(credentials.token);
      return fixedToken(credentials.token, credentials.expires);
    case 'supplied':
      return suppliedToken(async () => {
        const token = await credentials.supply();
        secrets.add(token);
        return token;
      }, clock);
  }
}

/** Answers of a deployment that has too much to do, or of the proxy before it. */
const overloaded: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Counts the answers of an overloaded deployment, and those that did not come in time, before they are repeated. */
function countOverloads(): { readonly layer: Layer; readonly count: () => number } {
  let count = 0;
  return {
    layer: (next) => async (request) => {
      try {
        const response = await next(request);
        if (overloaded.has(response.status)) count += 1;
        return response;
      } catch (error) {
        if (error instanceof ClientError && error.code === 'TIMED_OUT') count += 1;
        throw error;
      }
    },
    count: () => count,
  };
}

/** The observed difference of the clock of a deployment from that of this machine. */
interface Skew {
  /** Milliseconds by which the deployment is ahead, at the least; negative where it is behind. Undefined before its first reply. */
  readonly get: () => number | undefined;
  /** Milliseconds from the present to the earliest of all clocks: zero or negative. */
  readonly behind: () => number;
  /** Reads the header `Date` of every reply. */
  readonly layer: Layer;
}

/**
 * Observes the clock of a deployment. `Date` is cut to whole seconds and older
 * than its arrival, so each reply gives a lower bound. The greatest one counts: a
 * time by it is never in the future there.
 */
function observeSkew(clock: Clock): Skew {
  let min: number | undefined;
  let behind = 0;
  const layer: Layer = (next) => async (request) => {
    const sent = clock.now();
    const response = await next(request);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) {
      min = Math.max(min ?? Number.NEGATIVE_INFINITY, date - clock.now());
      behind = Math.min(behind, date - sent);
    }
    return response;
  };
  return { get: () => min, behind: () => behind, layer };
}

/** Context for ending a token. */
interface EndTokenContext {
  readonly send: Transport;
  readonly addresses: Addresses;
  readonly source: TokenSource;
  readonly referer?: string | undefined;
}

/** Forgets the token of a source and revokes it at the deployment; returns whether it was revoked. */
async function endToken({ send, addresses, source, referer }: EndTokenContext): Promise<boolean> {
  const token = source.forget();
  if (token === undefined) return false;
  const body = new URLSearchParams({ auth_token: token, token, client_id: 'logquarry', f: 'json' });
  try {
    const headers = referer === undefined ? {} : { referer: headerText(referer, 'The referer') };
    const response = await send(new Request(addresses.revokeToken, { method: 'POST', body, headers }));
    const reply = parseReplyText((await replyText(response)) ?? '');
    return response.ok && reply.kind === 'json';
  } catch (error) {
    // It is of no use to anyone who only wants to leave; the token ends by itself.
    if (error instanceof ClientError) return false;
    throw error;
  }
}

/**
 * The time at the deployment, in milliseconds since the epoch, and by how much
 * its clock is ahead of that of this machine. Sends a call unless a reply has
 * come already; a deployment that names no time counts as on time.
 *
 * ```ts
 * const { now, skew } = await deploymentTime(client);
 * ```
 */
export async function deploymentTime(
  client: Client,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<{ readonly now: number; readonly skew: number }> {
  if (client.skew() === undefined) {
    const address = `${client.addresses.root}?f=json`;
    const response = await withOwnSignal(signal, (own) => client.read(new Request(address, { signal: own })));
    await response.body?.cancel();
  }
  const skew = client.skew() ?? 0;
  return { now: client.clock.now() + skew, skew };
}

/** Options of every operation. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** One call of an operation with a form. */
export interface OperationCall extends CallOptions {
  readonly address: string;
  readonly body: URLSearchParams | FormData;
  readonly purpose: Purpose;
  /** Parser of the JSON of the answer. Default `JSON.parse`; `readExactJson` for values that are sent back. */
  readonly parse?: ((text: string) => unknown) | undefined;
}

/** Sends a form to an operation that only reads, and returns the JSON of its reply, without secrets of this client. */
export async function callReading(client: Client, call: OperationCall): Promise<unknown> {
  return send(client, call, (request) => client.read(request));
}

/** Sends a form to an operation that changes something, and returns the JSON of its reply. Never sends it twice. */
export async function callChanging(client: Client, call: OperationCall): Promise<unknown> {
  return send(client, call, (request) => client.change(request));
}

async function send(
  client: Client,
  { address, body, purpose, signal, parse }: OperationCall,
  transport: (request: Request) => Promise<Response>,
): Promise<unknown> {
  const response = await withOwnSignal(signal, (own) =>
    transport(new Request(address, { method: 'POST', body, signal: own })),
  );
  return hideIn(await jsonOf(response, { address, purpose, hide: client.hide }, { parse }), client.hide);
}

/** The JSON of a resource, by whatever method the deployment lets it be read. */
export async function readJson(
  client: Client,
  { address, body, purpose, signal, parse }: ResourceCall,
): Promise<unknown> {
  const response = await withOwnSignal(signal, (own) =>
    readResource(client, address, { form: body, signal: own }),
  );
  return hideIn(await jsonOf(response, { address, purpose, hide: client.hide }, { parse }), client.hide);
}

/** One reading of a resource. */
interface ResourceCall extends OperationCall {
  readonly body: URLSearchParams;
}

/** The form of an operation that takes nothing but the format of its answer. */
export function plainForm(parameters: Readonly<Record<string, string>> = {}): URLSearchParams {
  return new URLSearchParams({ ...parameters, f: 'json' });
}

/** The address below another one that an identifier names. An identifier that would lead elsewhere is refused. */
export function addressBelow(parent: string, identifier: string): string {
  // "." and ".." are steps in an address however they are written.
  if (/^\.{0,2}$/.test(identifier)) {
    const message = `"${identifier}" is no identifier of anything at the deployment`;
    throw new ClientError('REFUSED', message, { arrived: false });
  }
  return `${parent}/${encodeURIComponent(identifier)}`;
}

interface ReadOptions {
  /** The parameters of the request, without the token. */
  readonly form: URLSearchParams;
  readonly signal: AbortSignal;
  /** Default: with a token that is renewed. */
  readonly read?: Transport | undefined;
}

/**
 * Reads a resource of the deployment by POST, which keeps the token out of
 * addresses and their logs. An address that takes no POST, or is not the
 * deployment's, is read by GET.
 */
export async function readResource(client: Client, address: string, options: ReadOptions): Promise<Response> {
  const { form, signal, read = client.read } = options;
  const foreign = new URL(address).origin !== new URL(client.addresses.root).origin;
  if (!foreign) {
    const response = await read(new Request(address, { method: 'POST', body: form, signal }));
    if (response.status !== 405 && response.status !== 501) return response;
    await response.body?.cancel();
  }
  const url = new URL(address);
  for (const [parameter, value] of form) url.searchParams.set(parameter, value);
  return read(new Request(url, { signal }));
}

/** Failures after which a request may have been carried out: a proxy gives up waiting, or a gateway answers with a page of its own. */
export const openCodes: readonly ClientErrorCode[] = [
  'UNREACHABLE',
  'TIMED_OUT',
  'SERVER_ERROR',
  'BAD_REPLY',
];

/**
 * Reports if a failed request may still have changed something. A reply with a code from 400 to 499, or
 * without a code, refused it. One from 500 on can come from a proxy, or from the middle of the work.
 */
export function outcomeUnknown(error: unknown): error is ClientError {
  if (!(error instanceof ClientError) || !error.arrived || !openCodes.includes(error.code)) return false;
  return error.refusal === undefined || isOpen(error.refusal.code);
}

/** A timeout at the server (408) is no refusal. */
function isOpen(code: number | undefined): boolean {
  return code !== undefined && (code === 408 || 500 <= code);
}

/** The same error, in doubt, with words that say so. */
export function withDoubt(error: ClientError, doubt: string): ClientError {
  const { code, message, cause, refusal } = error;
  return new ClientError(code, `${message}. ${doubt}`, { cause, refusal, inDoubt: true });
}
