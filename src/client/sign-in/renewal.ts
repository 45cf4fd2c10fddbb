import { pauseAfter } from '../transport/back-off.ts';

/** What became of one request so far. */
export interface Refusals {
  /** Tokens of this request that were refused, one after the other. */
  readonly refusals: number;
  /** Whether the deployment has accepted a token of this client before, for any request. */
  readonly isProven: boolean;
  /** Milliseconds since the request was sent first. */
  readonly waited: number;
}

/** A deployment that restarts may refuse new tokens for a while; more than this is no passing trouble. Milliseconds. */
const patience = 180_000;

/** Tokens for one request, whatever the clock says. */
const mostTokens = 20;

/** Where no token has ever been accepted, a wrong referer or account is more likely than trouble that passes. */
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
