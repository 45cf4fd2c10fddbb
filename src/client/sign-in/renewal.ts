import { pauseAfter } from '../transport/back-off.ts';

/** History of one request. */
export interface Refusals {
  /** Number of consecutively refused tokens of this request. */
  readonly refusals: number;
  /** True if the deployment has accepted any token of this client before. */
  readonly isProven: boolean;
  /** Milliseconds since the request was first sent. */
  readonly waited: number;
}

/** A restarting deployment may refuse new tokens for this long, milliseconds; beyond that, the refusal is final. */
const patience = 180_000;

/** Maximum number of tokens for one request, independent of the time. */
const mostTokens = 20;

/** Limit before any token was accepted: a wrong referer or account is more likely than a temporary failure. */
const mostUnproven = 3;

const pauses = { first: 1000, longest: 15_000, growth: 2 };

/**
 * Returns the pause before the next attempt with a new token, milliseconds; undefined after the last.
 * The first renewal has no pause, because most refused tokens are expired.
 */
export function nextRenewal({ refusals, isProven, waited }: Refusals): number | undefined {
  if ((isProven ? mostTokens : mostUnproven) <= refusals || patience <= waited) return undefined;
  return refusals === 1 ? 0 : pauseAfter(refusals - 1, pauses, Math.random);
}
