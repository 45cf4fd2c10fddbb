import { createHash, randomBytes } from 'node:crypto';
import type { TokenRequest } from '../../protocol/index.ts';
import type { User } from './accounts.ts';

/** The binding of a token. Absent parts bind to nothing. */
export interface TokenBinding {
  /** The required `Referer` header. */
  readonly referer?: string | undefined;
  /** The required address of the caller. */
  readonly address?: string | undefined;
}

/** A token and the time of its end, milliseconds since the epoch. Holds a secret. */
export interface IssuedToken {
  readonly token: string;
  readonly expires: number;
}

/** The tokens of a deployment. */
export interface Tokens {
  readonly issue: (user: User, binding: TokenBinding, minutes: number) => IssuedToken;
  /**
   * Issues a further token to the holder of one, with the same binding and no later end. Returns undefined for
   * an invalid token.
   */
  readonly exchange: (token: string, used: TokenBinding, minutes: number) => IssuedToken | undefined;
  /** The user of a token; undefined if it is unknown, expired or bound otherwise. */
  readonly holder: (token: string, used: TokenBinding) => User | undefined;
  /** Revokes a token; returns whether it existed. */
  readonly revoke: (token: string) => boolean;
  /** Revokes all tokens. */
  readonly expireAll: () => void;
  /** Deletes expired tokens. */
  readonly expire: () => void;
}

/** The binding that a request for a token asks for. */
export function bindingOf(request: TokenRequest, caller: string): TokenBinding {
  switch (request.client) {
    case 'referer':
      return { referer: request.referer };
    case 'ip':
      return { address: request.ip };
    case 'requestip':
      return { address: caller };
  }
}

interface Issued {
  readonly user: User;
  readonly binding: TokenBinding;
  readonly expires: number;
}

/** Most valid tokens of one user; beyond that the oldest are revoked. */
const mostTokens = 1000;

/** Creates the token store. It stores hashes only, so the time of a look-up reveals no token. */
export function createTokens(now: () => number): Tokens {
  const issued = new Map<string, Issued>();
  const hash = (token: string) => createHash('sha256').update(token).digest('base64');
  const expire = () => {
    for (const [key, { expires }] of issued) if (expires <= now()) issued.delete(key);
  };
  const add = (entry: Issued): IssuedToken => {
    expire();
    const own = [...issued].filter(([, { user }]) => user.username === entry.user.username);
    for (const [key] of own.slice(0, Math.max(0, own.length + 1 - mostTokens))) issued.delete(key);
    const token = randomBytes(48).toString('base64url');
    issued.set(hash(token), entry);
    return { token, expires: entry.expires };
  };
  const find = (token: string, used: TokenBinding) => {
    const found = issued.get(hash(token));
    return found && now() < found.expires && fits(found.binding, used) ? found : undefined;
  };
  return {
    issue: (user, binding, minutes) => add({ user, binding, expires: now() + minutes * 60_000 }),
    exchange: (token, used, minutes) => {
      const found = find(token, used);
      return found && add({ ...found, expires: Math.min(found.expires, now() + minutes * 60_000) });
    },
    holder: (token, used) => find(token, used)?.user,
    revoke: (token) => issued.delete(hash(token)),
    expireAll: () => issued.clear(),
    expire,
  };
}

function fits(binding: TokenBinding, used: TokenBinding): boolean {
  const referer = binding.referer === undefined || binding.referer === used.referer;
  return referer && (binding.address === undefined || binding.address === used.address);
}
