import { type Client, readAvailableUpdates, readUpgradeStatus } from '../../client/index.ts';
import { type UpgradeRequest, upgradeStageOf } from '../../protocol/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Checks that no upgrade is running and that the update is available. Reports obstacles, and returns
 * true if there are none.
 */
export async function dryRunUpgrade(
  client: Client,
  request: UpgradeRequest,
  terminal: Terminal,
): Promise<boolean> {
  const signal = terminal.interruption();
  if (upgradeStageOf(await readUpgradeStatus(client, { signal })) === 'running') {
    terminal.say('An upgrade is already running.');
    return false;
  }
  const updates = await readAvailableUpdates(client, { signal });
  if (!updates.some(({ id }) => id === request.id)) {
    const listed = updates.map(({ id }) => escapeUnsafe(id)).join(', ') || 'none';
    terminal.say(`"${escapeUnsafe(request.id)}" is not one of the available updates: ${listed}.`);
    // A version manifest may name updates unknown to an offline deployment.
    return request.versionManifestFile !== undefined;
  }
  return true;
}
