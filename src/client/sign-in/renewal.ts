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
 * Milliseconds to wait before a request is sent with yet another token;
 * undefined when there have been enough. The first renewal costs no pause:
 * most tokens are refused because their time is over.
 */
export function nextRenewal({ refusals, isProven, waited }: Refusals): number | undefined {
  if ((isProven ? mostTokens : mostUnproven) <= refusals || patience <= waited) return undefined;
  return refusals === 1 ? 0 : pauseAfter(refusals - 1, pauses, Math.random);
}
