import { setTimeout as wait } from 'node:timers/promises';
import { ClientError } from './errors.ts';
import type { Layer } from './transport.ts';

export interface RetryOptions {
  /**
   * Effect of the requests. `read` is repeated after any retryable failure; `change` only if it
   * certainly did not arrive, or was refused with 429. `submit`, a job that is safe to repeat, is
   * also repeated for minutes while the deployment sends `Retry-After`, because its queue is full.
   */
  readonly requests: 'read' | 'change' | 'submit';
  /** Maximum number of attempts. Default 4. */
  readonly attempts?: number;
  readonly backOff?: BackOff;
  /**
   * Milliseconds for which reads and submissions are repeated while the deployment is unavailable (503) and names
   * no time, as when it restarts. Default 0: no longer than other failures.
   */
  readonly patience?: number;
  /** Maximum accepted `Retry-After`, milliseconds. Default 60 s. */
  readonly longestRetryAfter?: number;
  readonly clock?: Clock;
  /** A number from 0 to 1. */
  readonly random?: () => number;
}

/** Short, because a restarting host is back within seconds, and otherwise a person waits for the error. */
const defaultBackOff: BackOff = { first: 250, longest: 5000, growth: 2 };

/**
 * Repeats retryable requests. Passes on the last reply or error.
 *
 * ```ts
 * await using network = openNetwork();
 * const send = withLayers(network.send, retry({ requests: 'read', attempts: 2 }));
 * ```
 */
export function retry(options: RetryOptions): Layer {
  const { attempts = 4, backOff = defaultBackOff, clock = systemClock, random = Math.random } = options;
  const { patience = 0 } = options;
  const longest = options.longestRetryAfter ?? 60_000;
  return (next) => async (request) => {
    let queued = 0;
    let waited = 0;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await toOutcome(next(request.clone()));
      const isPatient = options.requests !== 'change' && isUnavailable(outcome) && waited < patience;
      if (isFault(request, outcome) || !(isPatient || mayPass(outcome, options.requests)))
        return unwrap(outcome);
      const pause = retryAfter(outcome, clock) ?? pauseAfter(attempt, backOff, random);
      const waits = options.requests === 'submit' && isAskedAgain(outcome) && queued < longestQueue;
      if (longest < pause || (attempts <= attempt && !waits && !isPatient)) return unwrap(outcome);
      waited += Math.max(shortestTurn, pause);
      queued += Math.max(shortestTurn, pause);
      if (outcome instanceof Response) await outcome.body?.cancel();
      await clock.sleep(pause, request.signal);
    }
  };
}

type Outcome = Response | { readonly error: unknown };

async function toOutcome(promise: Promise<Response>): Promise<Outcome> {
  try {
    return await promise;
  } catch (error) {
    return { error };
  }
}

function unwrap(outcome: Outcome): Response {
  if (outcome instanceof Response) return outcome;
  throw outcome.error;
}

/** Reports if an outcome is a SOAP fault, which SOAP 1.1 sends with the HTTP status 500. */
function isFault(request: Request, outcome: Outcome): boolean {
  return request.headers.has('soapaction') && outcome instanceof Response && outcome.status === 500;
}

/** Too many requests: refused before anything was done. */
const turnedAway = 429;
/** Answers of an overloaded deployment or of the proxy before it. */
const passing = [turnedAway, 500, 502, 503, 504];

/** Unavailable: with `Retry-After` a refusal by the deployment itself (RFC 9110), else perhaps a proxy whose request got through. */
const unavailable = 503;

/** Time limit for a submission while the queue of the deployment is full, milliseconds. */
const longestQueue = 10 * 60_000;
/** Minimum length that a pause counts for, milliseconds, so that the wait ends even with `Retry-After: 0`. */
const shortestTurn = 1000;

/** Reports if the deployment refuses temporarily, with a time for the next attempt. */
function isAskedAgain(outcome: Outcome): boolean {
  const refused = outcome instanceof Response && [turnedAway, unavailable].includes(outcome.status);
  return refused && outcome.headers.has('retry-after');
}

/** Reports if the deployment, or the proxy before it, is unavailable and names no time for the next attempt. */
function isUnavailable(outcome: Outcome): boolean {
  return outcome instanceof Response && outcome.status === unavailable && !outcome.headers.has('retry-after');
}

function mayPass(outcome: Outcome, requests: RetryOptions['requests']): boolean {
  if (outcome instanceof Response) {
    if (requests === 'read') return passing.includes(outcome.status);
    return outcome.status === turnedAway || (requests === 'submit' && isAskedAgain(outcome));
  }
  const { error } = outcome;
  if (!(error instanceof ClientError) || (requests !== 'read' && error.arrived)) return false;
  // A name that does not exist will not exist in a second; EAI_AGAIN is the code of a look-up that failed.
  const unknownHost =
    error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ENOTFOUND';
  return (error.code === 'UNREACHABLE' && !unknownHost) || error.code === 'TIMED_OUT';
}

/** The pause that the deployment asks for, in milliseconds: it is given in seconds or as a date. */
function retryAfter(outcome: Outcome, clock: Clock): number | undefined {
  const header = outcome instanceof Response ? outcome.headers.get('retry-after')?.trim() : undefined;
  if (!header) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

/** The growth of the pauses between attempts. */
export interface BackOff {
  /** Milliseconds before the second attempt. */
  readonly first: number;
  /** Milliseconds that no pause exceeds. */
  readonly longest: number;
  /** By how much each pause is longer than the one before it. */
  readonly growth: number;
}

/**
 * The milliseconds to wait after this many attempts. Up to half of the pause is
 * left to chance, so that callers that failed together do not return together.
 */
export function pauseAfter(attempts: number, backOff: BackOff, random: () => number): number {
  const pause = Math.min(backOff.longest, backOff.first * backOff.growth ** (attempts - 1));
  return pause * (1 - random() / 2);
}

/** The time and pauses: a parameter of everything that waits, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Waits. An abort rejects with the reason of the signal. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  sleep: async (milliseconds, signal) => {
    try {
      await wait(milliseconds, undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** Waits until the caller may go ahead. An abort rejects with the reason of the signal; its turn is then lost. */
type Turn = (signal?: AbortSignal) => Promise<void>;

interface RateOptions {
  /** Turns for each second on the average. */
  readonly perSecond: number;
  /** Turns that may follow each other without a pause after a quiet time. Default 1. */
  readonly burst?: number;
  readonly clock: Clock;
}

/** Spaces callers out evenly. Those that wait are served in the order in which they came. */
export function spaceOut({ perSecond, burst = 1, clock }: RateOptions): Turn {
  const interval = 1000 / perSecond;
  const credit = interval * (burst - 1);
  let next = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const now = clock.now();
    const turn = Math.max(next, now - credit);
    next = turn + interval;
    if (now < turn) await clock.sleep(turn - now, signal);
  };
}

/** Sends requests no faster than turns allow. */
export function limitRate(turn: Turn): Layer {
  return (next) => async (request) => {
    await turn(request.signal);
    return next(request);
  };
}

/**
 * Makes a call with a signal of its own, which follows the caller's. A `Request` references its signal
 * until garbage collection, so a signal shared by thousands of calls would gather thousands of listeners.
 */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  call: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const abort = () => own.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    return await call(own.signal);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
