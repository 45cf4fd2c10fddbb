import { infoPaths, isDeploymentInfo, usualContexts } from '../../protocol/index.ts';
import type { Transport } from '../transport/transport.ts';

/** One that answers does so within this time, in milliseconds. */
const patience = 5000;

/**
 * The base address of a deployment on a host, where it has one of the usual
 * contexts; undefined where none answers. Sends nothing but reading requests
 * without credentials, so `send` must not add any.
 */
export async function findBase(send: Transport, origin: string): Promise<string | undefined> {
  for (const context of usualContexts) {
    const base = origin + context;
    for (const path of infoPaths) if (await isInfo(send, `${base}${path}?f=json`)) return base;
  }
  return undefined;
}

async function isInfo(send: Transport, address: string): Promise<boolean> {
  try {
    const response = await send(new Request(address, { signal: AbortSignal.timeout(patience) }));
    return response.status === 200 && isDeploymentInfo(JSON.parse(await response.text()));
  } catch {
    // Another server may reply with anything, or not at all.
    return false;
  }
}
