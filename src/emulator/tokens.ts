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

/** The tokens of a deployment. */
export interface Tokens {
  /** A new token and when it ends, in milliseconds since the epoch. */
  readonly issue: (user: User, binding: Binding, minutes: number) => { token: string; expires: number };
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
  return {
    issue: (user, binding, minutes) => {
      expire();
      const own = [...issued].filter(
        ([
          ,
          {
            user: { username },
          },
        ]) => username === user.username,
      );
      for (const [key] of own.slice(0, Math.max(0, own.length + 1 - mostTokens))) issued.delete(key);
      const token = randomBytes(48).toString('base64url');
      const expires = now() + minutes * 60_000;
      issued.set(hash(token), { user, binding, expires });
      return { token, expires };
    },
    holder: (token, used) => {
      const found = issued.get(hash(token));
      if (!found || found.expires <= now()) return undefined;
      return fits(found.binding, used) ? found.user : undefined;
    },
    end: (token) => issued.delete(hash(token)),
    expireAll: () => issued.clear(),
    expire,
  };
}

function fits(binding: Binding, used: Binding): boolean {
  const referer = binding.referer === undefined || binding.referer === used.referer;
  return referer && (binding.address === undefined || binding.address === used.address);
}
