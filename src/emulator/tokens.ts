import { createHash, randomBytes } from 'node:crypto';
import type { TokenRequest } from '../protocol/index.ts';
import type { User } from './accounts.ts';

/** Where a token may be used. Absent parts bind to nothing. */
export interface Binding {
  /** The `Referer` header that every request requires. */
  readonly referer?: string | undefined;
  /** The address that every request requires. */
  readonly address?: string | undefined;
}

/** A token and when it ends, in milliseconds since the epoch. Holds a secret. */
export interface Token {
  readonly token: string;
  readonly expires: number;
}

/** The tokens of a deployment. */
export interface Tokens {
  readonly issue: (user: User, binding: Binding, minutes: number) => Token;
  /**
   * A further token for the holder of one, bound as that is and ending no later;
   * undefined where the first one does not count.
   */
  readonly exchange: (token: string, used: Binding, minutes: number) => Token | undefined;
  /** Whose token it is; undefined for one that is unknown, has ended or is bound to something else. */
  readonly holder: (token: string, used: Binding) => User | undefined;
  /** A token ends now. Whether there was one is told. */
  readonly end: (token: string) => boolean;
  /** All tokens end now. */
  readonly expireAll: () => void;
  /** Forgets the tokens whose time is over. */
  readonly expire: () => void;
}

/** What the holder of a token asked it to be bound to. */
export function bindingOf(request: TokenRequest, caller: string): Binding {
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
  readonly binding: Binding;
  readonly expires: number;
}

/** Tokens of one user that are valid at the same time; the oldest end when there are more. */
const mostTokens = 1000;

/** Makes and knows tokens. It keeps only their hashes, and a look-up by hash tells nothing by the time it takes. */
export function createTokens(now: () => number): Tokens {
  const issued = new Map<string, Issued>();
  const hash = (token: string) => createHash('sha256').update(token).digest('base64');
  const expire = () => {
    for (const [key, { expires }] of issued) if (expires <= now()) issued.delete(key);
  };
  const add = (entry: Issued): Token => {
    expire();
    const own = [...issued].filter(([, { user }]) => user.username === entry.user.username);
    for (const [key] of own.slice(0, Math.max(0, own.length + 1 - mostTokens))) issued.delete(key);
    const token = randomBytes(48).toString('base64url');
    issued.set(hash(token), entry);
    return { token, expires: entry.expires };
  };
  const find = (token: string, used: Binding) => {
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
    end: (token) => issued.delete(hash(token)),
    expireAll: () => issued.clear(),
    expire,
  };
}

function fits(binding: Binding, used: Binding): boolean {
  const referer = binding.referer === undefined || binding.referer === used.referer;
  return referer && (binding.address === undefined || binding.address === used.address);
}
