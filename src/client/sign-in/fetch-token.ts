import type { Addresses } from '../../protocol/index.ts';
import { wholeReplies } from '../transport/body.ts';
import { type Clock, systemClock } from '../transport/clock.ts';
import { type NetworkOptions, openNetwork } from '../transport/network.ts';
import { retry } from '../transport/retry.ts';
import { keepSecrets } from '../transport/secrets.ts';
import { type Transport, withLayers } from '../transport/transport.ts';
import { type PasswordCredentials, refererOf, signIn } from './sign-in.ts';

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
