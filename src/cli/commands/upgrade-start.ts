import {
  type Client,
  ClientError,
  getUpgradeSettings,
  readAvailableUpdates,
  readUpgradeStatus,
  startUpgrade,
} from '../../client/index.ts';
import {
  checkSettings,
  type UpgradeRequest,
  type UpgradeSetting,
  upgradeStageOf,
} from '../../protocol/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { openUpgrades } from '../deployment/open-upgrades.ts';
import { openMessageKeeper, startAndWatch } from '../deployment/start-and-watch.ts';
import { watchAndReport } from '../deployment/watch-upgrade.ts';
import { readNamedFile } from '../files/read-file.ts';
import { maySend } from '../input/may-send.ts';
import { readUpdateId } from '../input/read-update-id.ts';
import { findingsText } from '../output/administration-text.ts';
import type { upgradeStartSpec, upgradeWatchSpec } from '../specs/upgrade.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readLicense, readSettings } from './upgrade.ts';

/** Starts an upgrade. */
export const upgradeStartCommand: RunCommand<typeof upgradeStartSpec> = async (call) => {
  const { options, terminal } = call;
  const request = await requestOf(call);
  const connection = await openUpgrades(options, terminal);
  await using client = connection.client;
  const given = request.settings && (await givenSettings(client, request.id, terminal));
  const findings = checkSettings(request.settings ?? [], given);
  if (findings.length > 0) terminal.say(findingsText(findings, terminal.talk).trimEnd());
  if (!maySend(findings, { force: options.force, terminal })) return exitCodes.no;
  if (options.dryRun && !(await dryRunUpgrade(client, request, terminal))) return exitCodes.no;
  return await startAndWatch({
    ...connection,
    options,
    terminal,
    name: 'upgrade',
    about: `The deployment at ${client.addresses.root} will be upgraded with "${escapeUnsafe(request.id)}". It is read-only during the upgrade, which can take hours.`,
    start: (start) => startUpgrade(client, request, start),
  });
};

async function requestOf({
  arguments: { id },
  options,
  terminal,
}: CommandCall<typeof upgradeStartSpec>): Promise<UpgradeRequest> {
  const { settings, license, versionManifest, updateToLatestPatch } = options;
  return {
    id: readUpdateId(id),
    ...(settings !== undefined && { settings: await readSettings(settings, terminal) }),
    ...(license !== undefined && { licenseFile: await readLicense(license) }),
    ...(versionManifest !== undefined && { versionManifestFile: await readNamedFile(versionManifest) }),
    ...(updateToLatestPatch !== undefined && { updateToLatestPatch: updateToLatestPatch === 'true' }),
  };
}

/** Reads the settings of the deployment, to find changes; undefined if it has none for this upgrade. */
async function givenSettings(
  client: Client,
  id: string,
  terminal: Terminal,
): Promise<readonly UpgradeSetting[] | undefined> {
  try {
    return await getUpgradeSettings(client, id, { signal: terminal.interruption() });
  } catch (error) {
    if (error instanceof ClientError && ['REFUSED', 'BAD_REPLY'].includes(error.code)) return undefined;
    throw error;
  }
}

/** Watches the running upgrade. */
export const upgradeWatchCommand: RunCommand<typeof upgradeWatchSpec> = async ({ options, terminal }) => {
  const { client: opened } = await openUpgrades(options, terminal);
  await using client = opened;
  const keeper = await openMessageKeeper(options.into, terminal);
  return await watchAndReport(client, { options, terminal, keeper });
};

/**
 * Checks that no upgrade is running and that the update is available. Reports obstacles, and returns
 * true if there are none.
 */
async function dryRunUpgrade(client: Client, request: UpgradeRequest, terminal: Terminal): Promise<boolean> {
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
