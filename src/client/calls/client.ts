import type { Addresses } from '../../protocol/index.ts';
import { endToken } from '../sign-in/end-token.ts';
import { type PasswordCredentials, refererOf, type SignInContext, signIn } from '../sign-in/sign-in.ts';
import {
  fixedToken,
  noToken,
  renewedToken,
  suppliedToken,
  type TokenSource,
  withToken,
} from '../sign-in/token.ts';
import { wholeReplies } from '../transport/body.ts';
import { type Clock, systemClock } from '../transport/clock.ts';
import { type Network, type NetworkOptions, openNetwork } from '../transport/network.ts';
import { countOverloads } from '../transport/overload.ts';
import { limitRate, spaceOut } from '../transport/rate.ts';
import { type RetryOptions, retry } from '../transport/retry.ts';
import { keepSecrets } from '../transport/secrets.ts';
import { observeSkew } from '../transport/skew.ts';
import { type Transport, withLayers } from '../transport/transport.ts';

/** A token that a caller brings along: it cannot be renewed. */
export interface TokenCredentials {
  readonly kind: 'token';
  readonly token: string;
  /** When it ends, milliseconds since the epoch, where that is known. */
  readonly expires?: number | undefined;
  /** The referer that the token is bound to, if it is. */
  readonly referer?: string | undefined;
}

/** Tokens that someone else keeps and renews. */
export interface SuppliedCredentials {
  readonly kind: 'supplied';
  /** A token that is good at the moment. It is asked for again when that one is refused. */
  readonly supply: () => Promise<string>;
  /** The referer that the tokens are bound to, if they are. */
  readonly referer?: string | undefined;
}

/** Nothing to show: only what the deployment shows to everyone can be asked for. */
export interface NoCredentials {
  readonly kind: 'none';
}

/** What a caller shows to the deployment. May hold a secret. */
export type Credentials = PasswordCredentials | TokenCredentials | SuppliedCredentials | NoCredentials;

export interface ClientOptions {
  readonly addresses: Addresses;
  readonly credentials: Credentials;
  readonly network?: NetworkOptions;
  /** What sends the requests. Default: the network, opened with the options above. */
  readonly transport?: Transport;
  readonly retry?: Omit<RetryOptions, 'requests' | 'clock'>;
  readonly clock?: Clock;
  /** The most requests a second, sign-ins and repetitions among them. Default: no limit. */
  readonly maxRate?: number | undefined;
  /** Where the token of a SOAP message goes. Default `header`; some deployments want it in the address, which others can read in logs. */
  readonly soapToken?: 'header' | 'address';
}

/** A way to one deployment, in the name of one user. Nothing in it shows a secret. */
export interface Client extends AsyncDisposable {
  readonly addresses: Addresses;
  /**
   * Gets a token unless one is held already, so that a refused login shows before
   * anything else is done. With `atLeast`, one is got too where the token that is
   * held lives less than so many milliseconds: before a long job.
   */
  readonly signIn: (options?: { readonly atLeast?: number }) => Promise<void>;
  /**
   * Forgets the token that is held and asks the deployment to end it. False where
   * it did not: then the token ends when its time is over.
   */
  readonly signOut: () => Promise<boolean>;
  /** When the token that is held ends, milliseconds since the epoch; undefined where that is not known or none is held. */
  readonly tokenEnds: () => number | undefined;
  /** Sends what only reads: it is repeated after a failure that may pass. */
  readonly read: Transport;
  /** Sends what changes something: it is repeated only when it certainly did not arrive. */
  readonly change: Transport;
  /** Sends what submits a job that nobody would miss: also repeated while the queue of the deployment is full. */
  readonly submit: Transport;
  /** A text of the deployment without the password and the tokens of this client. */
  readonly hide: (text: string) => string;
  /** Milliseconds by which the clock of the deployment is ahead of this one, at the least; undefined before its first reply. */
  readonly skew: () => number | undefined;
  /** How often the deployment has answered that it is overloaded, or has not answered in time. */
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
