import type { Clock } from './clock.ts';
import type { Layer } from './transport.ts';

/** Waits until the caller may go ahead. An abort rejects with the reason of the signal; its turn is then lost. */
export type Turn = (signal?: AbortSignal) => Promise<void>;

export interface RateOptions {
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
