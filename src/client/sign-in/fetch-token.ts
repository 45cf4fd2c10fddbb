import type { Addresses } from '../../protocol/index.ts';
import { wholeReplies } from '../transport/body.ts';
import { type Clock, systemClock } from '../transport/clock.ts';
import { type NetworkOptions, openNetwork } from '../transport/network.ts';
import { retry } from '../transport/retry.ts';
import { keepSecrets } from '../transport/secrets.ts';
import { type Transport, withLayers } from '../transport/transport.ts';
import { type PasswordCredentials, refererOf, signIn } from './sign-in.ts';

/** What a token is got with. Holds a secret. */
export interface FetchTokenOptions {
  readonly addresses: Addresses;
  readonly credentials: PasswordCredentials;
  readonly network?: NetworkOptions;
  /** What sends the request. Default: the network, opened with the options above. */
  readonly transport?: Transport;
  readonly clock?: Clock;
}

/** A token to be kept by the caller. Holds a secret. */
export interface FetchedToken {
  readonly token: string;
  /** When it ends, by the caller's clock, milliseconds since the epoch. */
  readonly expires: number;
  /** The referer that every request with it requires, if it is bound to one. */
  readonly referer?: string;
}

/**
 * Gets a token for a user, to be kept for later: the operation
 * `generateToken` of the field notes. A client that is opened with a user and a
 * password gets and renews its tokens by itself.
 */
export async function fetchToken(options: FetchTokenOptions): Promise<FetchedToken> {
  const { addresses, credentials, clock = systemClock, transport } = options;
  await using network = transport
    ? { send: transport, [Symbol.asyncDispose]: async () => {} }
    : openNetwork(options.network);
  const send = withLayers(network.send, retry({ requests: 'read', clock }), wholeReplies());
  const { token, lifetime } = await signIn({ send, addresses, secrets: keepSecrets(), clock }, credentials);
  // What never ends does so at the last date there is.
  const expires = Math.min(clock.now() + lifetime, 8.64e15);
  return { token, expires, ...refererOf(credentials, addresses) };
}
