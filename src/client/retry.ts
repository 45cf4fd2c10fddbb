import { type BackOff, pauseAfter } from './back-off.ts';
import { ClientError } from './client-error.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Layer } from './transport.ts';

export interface RetryOptions {
  /**
   * What the requests do. One that only reads is repeated after any failure
   * that may pass; one that changes something only when it certainly did not
   * reach the deployment, or was turned away at the door.
   */
  readonly requests: 'read' | 'change';
  /** How often a request is sent at most. Default 4. */
  readonly attempts?: number;
  readonly backOff?: BackOff;
  /** The longest `Retry-After` that is waited for, in milliseconds. Default 60 s. */
  readonly longestRetryAfter?: number;
  readonly clock?: Clock;
  /** A number from 0 to 1. */
  readonly random?: () => number;
}

/** A host that restarts is back within seconds, and a person waits for the message when it is not. */
const defaultBackOff: BackOff = { first: 250, longest: 5000, growth: 2 };

/** Repeats requests that may succeed the next time. The last answer or error is passed on. */
export function retry(options: RetryOptions): Layer {
  const { attempts = 4, backOff = defaultBackOff, clock = systemClock, random = Math.random } = options;
  const longest = options.longestRetryAfter ?? 60_000;
  return (next) => async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await settle(next(request.clone()));
      const final = attempt === attempts || isFault(request, outcome) || !mayPass(outcome, options.requests);
      if (final) return unwrap(outcome);
      const pause = retryAfter(outcome, clock) ?? pauseAfter(attempt, backOff, random);
      if (longest < pause) return unwrap(outcome);
      if (outcome instanceof Response) await outcome.body?.cancel();
      await clock.sleep(pause, request.signal);
    }
  };
}

type Outcome = Response | { readonly error: unknown };

async function settle(promise: Promise<Response>): Promise<Outcome> {
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

/** Whether an outcome is the refusal of a SOAP message: SOAP 1.1 has it come with the HTTP status 500. */
function isFault(request: Request, outcome: Outcome): boolean {
  return request.headers.has('soapaction') && outcome instanceof Response && outcome.status === 500;
}

/** Too many requests: refused before anything was done. */
const turnedAway = 429;
/** Answers of an overloaded deployment or of the proxy before it. */
const passing = [turnedAway, 500, 502, 503, 504];

function mayPass(outcome: Outcome, requests: RetryOptions['requests']): boolean {
  if (outcome instanceof Response) {
    return requests === 'read' ? passing.includes(outcome.status) : outcome.status === turnedAway;
  }
  const { error } = outcome;
  if (!(error instanceof ClientError) || (requests === 'change' && error.arrived)) return false;
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
