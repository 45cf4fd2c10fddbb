import { type BackOff, pauseAfter } from './back-off.ts';
import { ClientError } from './client-error.ts';
import { type Clock, systemClock } from './clock.ts';
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
  /** Maximum accepted `Retry-After`, milliseconds. Default 60 s. */
  readonly longestRetryAfter?: number;
  readonly clock?: Clock;
  /** A number from 0 to 1. */
  readonly random?: () => number;
}

/** Short, because a restarting host is back within seconds, and otherwise a person waits for the error. */
const defaultBackOff: BackOff = { first: 250, longest: 5000, growth: 2 };

/** Repeats retryable requests. Passes on the last reply or error. */
export function retry(options: RetryOptions): Layer {
  const { attempts = 4, backOff = defaultBackOff, clock = systemClock, random = Math.random } = options;
  const longest = options.longestRetryAfter ?? 60_000;
  return (next) => async (request) => {
    let queued = 0;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await toOutcome(next(request.clone()));
      if (isFault(request, outcome) || !mayPass(outcome, options.requests)) return unwrap(outcome);
      const pause = retryAfter(outcome, clock) ?? pauseAfter(attempt, backOff, random);
      const waits = options.requests === 'submit' && isAskedAgain(outcome) && queued < longestQueue;
      if (longest < pause || (attempts <= attempt && !waits)) return unwrap(outcome);
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
  const asked = outcome instanceof Response ? outcome.headers.get('retry-after')?.trim() : undefined;
  if (!asked) return undefined;
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const date = Date.parse(asked);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}
