import { setTimeout as wait } from 'node:timers/promises';
import { BrokenConnection, type Effect, effectOf } from '../site/faults.ts';
import type { Answer } from '../site/operation.ts';
import type { Site } from '../site/site.ts';

/**
 * Applies the faults that all operations share. Returns the answer that replaces the operation's own, if any.
 */
export async function applyFaults(site: Site, effects: readonly Effect[]): Promise<Answer | undefined> {
  const delay = effectOf(effects, 'delay');
  if (delay) await wait(delay.milliseconds, undefined, { signal: site.closed });
  if (effectOf(effects, 'reset')) throw new BrokenConnection('The connection is reset');
  if (effectOf(effects, 'expireTokens')) site.tokens.expireAll();
  const status = effectOf(effects, 'status');
  if (status) return upstreamError(status);
  const page = effectOf(effects, 'page');
  if (page) return { kind: 'text', status: 200, type: 'text/html', text: loginPage };
  const refusal = effectOf(effects, 'refuse');
  if (!refusal) return undefined;
  return { kind: 'failure', failure: refusal.failure, ...(refusal.shape && { shape: refusal.shape }) };
}

/** Answer of a proxy in place of a deployment that does not answer. */
export function upstreamError({
  status,
  retryAfter,
}: {
  readonly status: number;
  readonly retryAfter?: number;
}): Answer {
  return {
    ...{ kind: 'text', status, type: 'text/plain', text: 'upstream connect error\n' },
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

// A typical page of a proxy in front of a deployment.
const loginPage = `<!DOCTYPE html>
<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Your session has ended.</p></body></html>
`;
