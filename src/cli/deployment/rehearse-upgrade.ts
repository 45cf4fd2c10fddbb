import {
  type Client,
  readAvailableUpdates,
  readUpgradeStatus,
  type UpgradeRequest,
  upgradeStageOf,
} from '../../client/index.ts';
import { printable } from '../terminal/printable.ts';
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
    terminal.say('An upgrade is under way already.');
    return false;
  }
  const updates = await readAvailableUpdates(client, { signal });
  if (!updates.some(({ id }) => id === request.id)) {
    const listed = updates.map(({ id }) => printable(id)).join(', ') || 'none';
    terminal.say(`"${printable(request.id)}" is not among the available updates: ${listed}.`);
    // A version manifest may name updates unknown to an offline deployment.
    return request.versionManifestFile !== undefined;
  }
  return true;
}
