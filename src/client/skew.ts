import type { Client } from './client.ts';
import type { Clock } from './clock.ts';
import { withOwnSignal } from './own-signal.ts';
import type { Layer } from './transport.ts';

/** How far the clock of a deployment is from that of this machine, as far as replies have shown. */
export interface Skew {
  /** Milliseconds by which the deployment is ahead, at the least; negative where it is behind. Undefined before its first reply. */
  readonly get: () => number | undefined;
  /** Reads the header `Date` of every reply. */
  readonly layer: Layer;
}

/**
 * Observes the clock of a deployment. `Date` is cut to whole seconds and older
 * than its arrival, so each reply gives a lower bound, and the greatest counts:
 * a time by it is never in the future there.
 */
export function observeSkew(clock: Clock): Skew {
  let least: number | undefined;
  const layer: Layer = (next) => async (request) => {
    const response = await next(request);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) least = Math.max(least ?? Number.NEGATIVE_INFINITY, date - clock.now());
    return response;
  };
  return { get: () => least, layer };
}

/**
 * The time at the deployment, in milliseconds since the epoch, and by how much
 * its clock is ahead of that of this machine. Sends a call unless a reply has
 * come already; a deployment that names no time counts as on time.
 */
export async function deploymentTime(
  client: Client,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<{ readonly now: number; readonly skew: number }> {
  if (client.skew() === undefined) {
    const address = `${client.addresses.root}?f=json`;
    const response = await withOwnSignal(signal, (own) => client.read(new Request(address, { signal: own })));
    await response.body?.cancel();
  }
  const skew = client.skew() ?? 0;
  return { now: client.clock.now() + skew, skew };
}
