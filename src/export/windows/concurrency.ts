/** What became of one job, as far as it tells about the load of the deployment. */
export type JobOutcome =
  /** The job ended well, in so many milliseconds. */
  | { readonly kind: 'done'; readonly milliseconds: number }
  /** The deployment failed, did not answer in time, or asked for fewer requests. */
  | { readonly kind: 'overloaded' };

/** A number of parallel jobs that adapts to how the deployment answers. */
export interface Concurrency {
  /** The most jobs that may be under way now: 1 to `limit`. */
  readonly permits: number;
  readonly limit: number;
  /** Jobs that have ended well since the number changed last. */
  readonly calm: number;
  /** Outcomes that are not looked at: of jobs that began before the number was halved. */
  readonly ignored: number;
  /** Milliseconds of the quickest jobs of late; undefined until one has ended. */
  readonly quickest: number | undefined;
}

/** Begins with a number of permits that may grow to a limit. */
export function startConcurrency(permits: number, limit: number): Concurrency {
  return { permits: Math.min(permits, limit), limit, calm: 0, ignored: 0, quickest: undefined };
}

/** A job this much slower than the quickest ones waits for others: more jobs would not be done sooner. */
const slow = 3;

/** What counts as quick is forgotten by so much with each job: windows grow, and so do their jobs. */
const fade = 1.05;

/**
 * Adds one permit after as many good jobs as there are permits, and halves them
 * when the deployment is overloaded: additive increase, multiplicative decrease,
 * as in the congestion control of TCP (RFC 5681).
 */
export function observe(state: Concurrency, outcome: JobOutcome): Concurrency {
  if (outcome.kind === 'overloaded') {
    if (0 < state.ignored) return { ...state, ignored: state.ignored - 1, calm: 0 };
    const permits = Math.max(1, Math.floor(state.permits / 2));
    return { ...state, permits, calm: 0, ignored: state.permits - 1 };
  }
  const { milliseconds } = outcome;
  // A millisecond at the least: nothing would ever fade from zero.
  const quickest = Math.max(1, Math.min(milliseconds, (state.quickest ?? milliseconds) * fade));
  const isSlow = slow * quickest < milliseconds;
  const calm = isSlow ? 0 : state.calm + 1;
  const ignored = Math.max(0, state.ignored - 1);
  const grows = state.permits <= calm && state.permits < state.limit;
  return {
    ...{ limit: state.limit, ignored, quickest },
    permits: grows ? state.permits + 1 : state.permits,
    calm: grows ? 0 : calm,
  };
}
