import { withOwnSignal } from '../transport/own-signal.ts';
import type { Client } from './client.ts';

/**
 * The time at the deployment, in milliseconds since the epoch, and by how much
 * its clock is ahead of that of this machine. Sends a call unless a reply has
 * come already; a deployment that names no time counts as on time.
 *
 * ```ts
 * const { now, skew } = await deploymentTime(client);
 * ```
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
