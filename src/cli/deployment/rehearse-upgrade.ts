import {
  type Client,
  checkSettings,
  getUpgradeSettings,
  readAvailableUpdates,
  readUpgradeStatus,
  type UpgradeRequest,
  upgradeStageOf,
} from '../../client/index.ts';
import { findingsText } from '../output/administration-text.ts';
import { printable } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Asks the deployment all that can be asked without changing it: whether an
 * upgrade is under way, whether the update is available, and whether the
 * settings are those that it wants. Says what speaks against the upgrade, and
 * returns whether nothing does.
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
  if (!request.settings) return true;
  const original = await getUpgradeSettings(client, request.id, { signal });
  const findings = checkSettings(request.settings, original);
  if (findings.length > 0) terminal.say(findingsText(findings, terminal.talk).trimEnd());
  return !findings.some(({ severity }) => severity === 'error');
}
