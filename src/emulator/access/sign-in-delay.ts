import { createHash } from 'node:crypto';

/** One attempt to sign in. Holds a secret: a name may be a password in the wrong field. */
export interface SignInAttempt {
  readonly username: string;
  /** The address of the caller. */
  readonly address: string;
}

/** Failed sign-ins slow down the next ones of the same user from the same address. */
export interface SignInDelay {
  /**
   * Checks a sign-in after the delay that earlier failures require. Attempts of one user from one address are
   * checked one after the other. `check` returns undefined for a wrong name or password. Returns `too many`
   * without a check if too many attempts wait.
   */
  readonly attempt: <T>(by: SignInAttempt, check: () => T | undefined) => Promise<T | undefined | 'too many'>;
  /** Deletes old failures. */
  readonly expire: () => void;
}

export interface SignInDelayOptions {
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
