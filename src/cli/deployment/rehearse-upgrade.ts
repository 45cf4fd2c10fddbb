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
 * Asks the deployment whether an upgrade is under way and whether the update is
 * available. Says what speaks against the upgrade, and returns whether nothing does.
 */
export async function rehearseUpgrade(
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
    // A manifest may name what a deployment without a way out cannot know.
    return request.versionManifestFile !== undefined;
  }
  return true;
}
