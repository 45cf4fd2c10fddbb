import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TokenRequest } from '../protocol/index.ts';

/**
 * Privileges of a user. The rights to export and to download are different ones (field notes). Jobs belong to
 * the user who submitted them; `manageJobs` opens those of other users to administrators.
 */
export const allPrivileges = [
  'exportLogs',
  'manageLogs',
  'downloadUploads',
  'uploadFiles',
  'manageJobs',
  'manageProperties',
  'manageUpgrades',
] as const;

/** The name of a privilege. */
export type Privilege = (typeof allPrivileges)[number];

/** A user that can sign in. */
export interface User {
  readonly username: string;
  readonly privileges: readonly Privilege[];
}

/** An account for the start of a deployment. Holds a secret. */
export interface Account {
  readonly username: string;
  readonly password: string;
  /** Default: all privileges. */
  readonly privileges?: readonly Privilege[];
}

/** Returns the user with this name and password, or undefined. Takes the same time for every input. */
export type SignIn = (username: string, password: string) => User | undefined;

/** Makes the default account: an administrator with a random password. */
export function generateAccount(): Account {
  return { username: 'admin', password: randomBytes(12).toString('base64url') };
}

/**
 * Stores the accounts. Passwords are stored as digests only, under a key that lives as long as the deployment.
 */
export function createSignIn(accounts: readonly Account[]): SignIn {
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  const known = accounts.map(({ username, password, privileges: granted = allPrivileges }) => ({
    user: { username, privileges: granted },
    name: digest(username),
    password: digest(password),
  }));
  return (username, password) => {
    const submitted = { name: digest(username), password: digest(password) };
    // Compares every account: the time must reveal neither a name nor how much of a password was right.
    const found = known.filter((account) => {
      const name = timingSafeEqual(account.name, submitted.name);
      return timingSafeEqual(account.password, submitted.password) && name;
    });
    return found[0]?.user;
  };
}

/** The binding of a token. Absent parts bind to nothing. */
interface TokenBinding {
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

/**
 * Sessions of the pages in a browser. A session is a token in a cookie. A browser sends cookies for every form,
 * so each form of a session carries a value that only the pages of this deployment know.
 */
export interface Sessions {
  /** The value in the forms of a session. */
  readonly csrfOf: (token: string) => string;
  /** True if a form carries that value. Takes the same time for every input. */
  readonly accepts: (token: string, csrf: string) => boolean;
}

/** Creates sessions under a key that lives as long as the deployment. */
export function createSessions(): Sessions {
  const key = randomBytes(32);
  const csrfOf = (token: string) => createHmac('sha256', key).update(token).digest('base64url');
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  return {
    csrfOf,
    accepts: (token, csrf) => timingSafeEqual(digest(csrfOf(token)), digest(csrf)),
  };
}

/** The name of the cookie of a session. */
const cookieName = 'reference_session';

/** Lifetime of a session, in minutes. */
export const sessionMinutes = 60;

/** The token in the cookie of a request. */
export function sessionTokenOf(headers: Headers): string | undefined {
  const cookies = (headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return (
    cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) || undefined
  );
}

/**
 * A cookie with a token, out of reach of scripts and other sites. Without a token: a cookie that ends the
 * session.
 */
export function sessionCookie(token: string | undefined, { path, secure }: CookieScope): string {
  const life = token === undefined ? 0 : sessionMinutes * 60;
  const attributes = [
    `Path=${path}`,
    `Max-Age=${life}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
  ];
  return [`${cookieName}=${token ?? ''}`, ...attributes].join('; ');
}

/** Scope of a cookie. */
interface CookieScope {
  readonly path: string;
  /** True for TLS only. */
  readonly secure: boolean;
}

/** True if a page of another site may have sent a request. Browsers report that in two headers. */
export function isForeign({ headers, url }: Request): boolean {
  const origin = headers.get('origin');
  if (origin !== null && origin !== new URL(url).origin) return true;
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

/** One attempt to sign in. Holds a secret: a name may be a password in the wrong field. */
export interface SignInAttempt {
  readonly username: string;
  /** The address of the caller. */
  readonly address: string;
}

/** Failed sign-ins slow down the next ones of the same user from the same address. */
interface SignInDelay {
  /**
   * Checks a sign-in after the delay that earlier failures require. Attempts of one user from one address are
   * checked one after the other. `check` returns undefined for a wrong name or password. Returns `too many`
   * without a check if too many attempts wait.
   */
  readonly attempt: <T>(by: SignInAttempt, check: () => T | undefined) => Promise<T | undefined | 'too many'>;
  /** Deletes old failures. */
  readonly expire: () => void;
}

interface SignInDelayOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Waits a number of milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/**
 * Failures without a delay: people mistype. An address has more of them, because several people can share one.
 */
const freeFailures = { user: 3, address: 20 } as const;
/** The first and the longest delay in milliseconds: the longest wait of the right password in its own turn. */
const delays = { first: 250, longest: 4000 } as const;
/**
 * Limits of attempts that wait for their turn (one user, one address) and of delayed attempts (all together).
 */
const mostWaiting = { user: 5, all: 100 } as const;
/** Time after the last failure until failures expire, in milliseconds. */
const memory = 15 * 60_000;
/** Limit of users and addresses with remembered failures; the oldest are dropped. */
const mostRemembered = 1000;

interface Failures {
  count: number;
  last: number;
}

/** Remembers failed sign-ins by hashes of names, within a fixed number of entries. */
export function createSignInDelay({ now, sleep }: SignInDelayOptions): SignInDelay {
  const failures = new Map<string, Failures>();
  let delayed = 0;
  const turns = new Map<string, { waiting: number; last: Promise<unknown> }>();

  return {
    attempt: async (by, check) => {
      const [user, address] = keysOf(by);
      return takeTurn(user, async () => {
        const delay = Math.max(
          delayAfter(countOf(user) - freeFailures.user),
          delayAfter(countOf(address) - freeFailures.address),
        );
        if (0 < delay && mostWaiting.all <= delayed) return 'too many';
        if (0 < delay) await pause(delay);
        const found = check();
        if (found === undefined) for (const key of [user, address]) fail(key);
        // Resets this user only: knowing one password must not allow guessing the others without delay.
        else failures.delete(user);
        return found;
      });
    },
    expire: () => {
      for (const [key, { last }] of failures) if (last + memory <= now()) failures.delete(key);
    },
  };

  /** Runs attempts of one key one after the other, so that many at once guess no faster. */
  async function takeTurn<T>(key: string, work: () => Promise<T>): Promise<T | 'too many'> {
    const turn = turns.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (mostWaiting.user <= turn.waiting) return 'too many';
    turn.waiting += 1;
    turns.set(key, turn);
    const own = turn.last.then(work, work);
    turn.last = own;
    try {
      return await own;
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) turns.delete(key);
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    delayed += 1;
    try {
      await sleep(milliseconds);
    } finally {
      delayed -= 1;
    }
  }

  function countOf(key: string): number {
    const found = failures.get(key);
    return found && now() < found.last + memory ? found.count : 0;
  }

  function fail(key: string): void {
    const count = countOf(key) + 1;
    // The newest failure is the last entry.
    failures.delete(key);
    failures.set(key, { count, last: now() });
    const [oldest] = failures.keys();
    if (oldest !== undefined && mostRemembered < failures.size) failures.delete(oldest);
  }
}

/** Milliseconds before the next check, by the number of failures beyond the free ones. */
function delayAfter(failed: number): number {
  return failed < 0 ? 0 : Math.min(delays.longest, delays.first * 2 ** Math.min(failed, 10));
}

/** The keys of the user at the address and of the address alone. A name can be long, a hash is not. */
function keysOf({ username, address }: SignInAttempt): readonly [string, string] {
  const name = createHash('sha256').update(username).digest('base64');
  return [`${name} ${address}`, address];
}
