/** Outcome of one job, as a sign of the load of the deployment. */
export type JobOutcome =
  /** The job ended well; `milliseconds` is its duration. */
  | { readonly kind: 'done'; readonly milliseconds: number }
  /** The deployment failed, did not answer in time, or asked for fewer requests. */
  | { readonly kind: 'overloaded' };

/** An adaptive number of parallel jobs. */
export interface Concurrency {
  /** Maximum number of parallel jobs now: 1 to `limit`. */
  readonly permits: number;
  readonly limit: number;
  /** Jobs that ended well since `permits` changed last. */
  readonly calm: number;
  /** Outcomes to ignore: those of jobs that began before `permits` was halved. */
  readonly ignored: number;
  /** Duration of the quickest recent jobs, in milliseconds; undefined until one has ended. */
  readonly quickest: number | undefined;
}

/** Starts with `permits` parallel jobs, which may grow to `limit`. */
export function startConcurrency(permits: number, limit: number): Concurrency {
  return { permits: Math.min(permits, limit), limit, calm: 0, ignored: 0, quickest: undefined };
}

/** A job slower than the quickest ones by this factor queues behind others, so more jobs would not help. */
const slow = 3;

/** Factor by which the quickest duration grows with each job: windows grow, and so do their jobs. */
const fade = 1.05;

/**
 * Adds one permit after as many good jobs as there are permits, and halves them
 * when the deployment is overloaded. This is additive increase and
 * multiplicative decrease, as in TCP congestion control (RFC 5681).
 */
export function adaptConcurrency(state: Concurrency, outcome: JobOutcome): Concurrency {
  if (outcome.kind === 'overloaded') {
    if (0 < state.ignored) return { ...state, ignored: state.ignored - 1, calm: 0 };
    const permits = Math.max(1, Math.floor(state.permits / 2));
    return { ...state, permits, calm: 0, ignored: state.permits - 1 };
  }
  const { milliseconds } = outcome;
  // At least one millisecond: zero would never grow.
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
