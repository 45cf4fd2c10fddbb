import type { Addresses } from '../protocol/index.ts';
import { wholeReplies } from './body.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Network, type NetworkOptions, openNetwork } from './network.ts';
import { type RetryOptions, retry } from './retry.ts';
import { keepSecrets } from './secrets.ts';
import { type PasswordCredentials, refererOf, type SignInContext, signIn } from './sign-in.ts';
import { fixedToken, renewedToken, type TokenSource, withToken } from './token.ts';
import { type Transport, withLayers } from './transport.ts';

/** A token that a caller brings along: it cannot be renewed. */
export interface TokenCredentials {
  readonly kind: 'token';
  readonly token: string;
  /** The referer that the token is bound to, if it is. */
  readonly referer?: string | undefined;
}

/** What a caller shows to the deployment. Holds a secret. */
export type Credentials = PasswordCredentials | TokenCredentials;

export interface ClientOptions {
  readonly addresses: Addresses;
  readonly credentials: Credentials;
  readonly network?: NetworkOptions;
  /** What sends the requests. Default: the network, opened with the options above. */
  readonly transport?: Transport;
  readonly retry?: Omit<RetryOptions, 'requests' | 'clock'>;
  readonly clock?: Clock;
}

/** A way to one deployment, in the name of one user. Nothing in it shows a secret. */
export interface Client extends AsyncDisposable {
  readonly addresses: Addresses;
  /** Gets a token unless one is held already, so that a refused login shows before anything else is done. */
  readonly signIn: () => Promise<void>;
  /** Sends what only reads: it is repeated after a failure that may pass. */
  readonly read: Transport;
  /** Sends what changes something: it is repeated only when it certainly did not arrive. */
  readonly change: Transport;
  /** A text of the deployment without the password and the tokens of this client. */
  readonly hide: (text: string) => string;
  /** The clock that all waiting for this deployment goes by. */
  readonly clock: Clock;
}

/** Opens a way to a deployment. Nothing is sent yet. Closing it ends the connections that it opened. */
export function openClient(options: ClientOptions): Client {
  const { addresses, credentials, clock = systemClock } = options;
  const { send, [Symbol.asyncDispose]: close } = networkOf(options);
  const secrets = keepSecrets();
  const repeated = (requests: RetryOptions['requests']) => retry({ ...options.retry, requests, clock });
  const anonymous = withLayers(send, repeated('read'), wholeReplies());
  const source = tokensOf(credentials, { send: anonymous, addresses, secrets, clock });
  const bound =
    credentials.kind === 'password' ? refererOf(credentials, addresses) : { referer: credentials.referer };
  const token = withToken(source, { origin: new URL(addresses.root).origin, ...bound });
  return {
    addresses,
    signIn: async () => void (await source.get()),
    read: withLayers(send, token, repeated('read'), wholeReplies()),
    change: withLayers(send, token, repeated('change'), wholeReplies()),
    hide: secrets.hide,
    clock,
    [Symbol.asyncDispose]: close,
  };
}

function networkOf({ transport, network }: ClientOptions): Network {
  return transport ? { send: transport, [Symbol.asyncDispose]: async () => {} } : openNetwork(network);
}

function tokensOf(credentials: Credentials, context: SignInContext): TokenSource {
  if (credentials.kind === 'password') return renewedToken(() => signIn(context, credentials), context.clock);
  context.secrets.add(credentials.token);
  return fixedToken(credentials.token);
}
