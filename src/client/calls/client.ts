import { type Addresses, parseReplyText } from '../../protocol/index.ts';
import { type PasswordCredentials, refererOf, type SignInContext, signIn } from '../sign-in/sign-in.ts';
import {
  fixedToken,
  noToken,
  renewedToken,
  suppliedToken,
  type TokenSource,
  withToken,
} from '../sign-in/token.ts';
import { replyText, wholeReplies } from '../transport/body.ts';
import { ClientError } from '../transport/client-error.ts';
import { type Clock, systemClock } from '../transport/clock.ts';
import { headerText } from '../transport/header-text.ts';
import { type Network, type NetworkOptions, openNetwork } from '../transport/network.ts';
import { limitRate, spaceOut } from '../transport/rate.ts';
import { type RetryOptions, retry } from '../transport/retry.ts';
import { keepSecrets } from '../transport/secrets.ts';
import { type Layer, type Transport, withLayers } from '../transport/transport.ts';

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
  /** Sends requests that change something: repeated only if they certainly did not arrive. */
  readonly change: Transport;
  /** Sends submissions of jobs that are safe to repeat: also repeated while the queue of the deployment is full. */
  readonly submit: Transport;
  /** A text of the deployment without the password and the tokens of this client. */
  readonly hide: (text: string) => string;
  /** Milliseconds by which the clock of the deployment is ahead of this one, at the least; undefined before its first reply. */
  readonly skew: () => number | undefined;
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
  const token = withToken(source, { origin: new URL(addresses.root).origin, ...bound, clock });
  return {
    addresses,
    signIn: async ({ atLeast } = {}) => void (await source.get(atLeast)),
    tokenEnds: source.endsAt,
    signOut: () => endToken({ send: anonymous, addresses, source, ...bound }),
    read: withLayers(send, token, repeated('read'), wholeReplies()),
    change: withLayers(send, token, repeated('change'), wholeReplies()),
    submit: withLayers(send, token, repeated('submit'), wholeReplies()),
    hide: secrets.hide,
    skew: skew.get,
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
  /** Reads the header `Date` of every reply. */
  readonly layer: Layer;
}

/**
 * Observes the clock of a deployment. `Date` is cut to whole seconds and older
 * than its arrival, so each reply gives a lower bound. The greatest one counts: a
 * time by it is never in the future there.
 */
function observeSkew(clock: Clock): Skew {
  let least: number | undefined;
  const layer: Layer = (next) => async (request) => {
    const response = await next(request);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) least = Math.max(least ?? Number.NEGATIVE_INFINITY, date - clock.now());
    return response;
  };
  return { get: () => least, layer };
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
