import {
  type Client,
  ClientError,
  checkRollback,
  getUpgradeSettings,
  readAvailableUpdates,
  readInstalledUpdates,
  readUpgradeStatus,
  startRollback,
  startUpgrade,
  uploadFile,
} from '../../client/index.ts';
import {
  checkSettings,
  isRequired,
  isUpdateId,
  type NamedFile,
  type RollbackRequest,
  toSettingsBody,
  type Update,
  type UpgradeRequest,
  type UpgradeSetting,
  upgradeSettingsOf,
  upgradeStageOf,
  withLicense,
} from '../../protocol/index.ts';
import { readExactJson, writeExactJson } from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readJsonFile, readNamedFile } from '../command-line/files.ts';
import { writeOutput } from '../command-line/write-output.ts';
import { maySend } from '../deployment/send-change.ts';
import {
  openMessageKeeper,
  openUpgrades,
  startAndWatch,
  watchAndReport,
} from '../deployment/watch-upgrade.ts';
import { findingsText } from '../output/administration-text.ts';
import { formatTable } from '../output/table.ts';
import type {
  upgradeAvailableSpec,
  upgradeCheckSpec,
  upgradeInstalledSpec,
  upgradeLicenseSpec,
  upgradeRollbackOptionsSpec,
  upgradeRollbackSpec,
  upgradeSettingsSpec,
  upgradeStartSpec,
  upgradeWatchSpec,
} from '../specs/deployment-specs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';

/** Lists the available releases and patches. */
export const upgradeAvailableCommand: RunCommand<typeof upgradeAvailableSpec> = async ({
  options,
  terminal,
}) => {
  await using client = (await openUpgrades(options, terminal)).client;
  const updates = await readAvailableUpdates(client, { signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(updates, 2)}\n` : updatesText(updates, terminal));
  return exitCodes.done;
};

/** Lists the installed releases and patches. */
export const upgradeInstalledCommand: RunCommand<typeof upgradeInstalledSpec> = async ({
  options,
  terminal,
}) => {
  await using client = (await openUpgrades(options, terminal)).client;
  const updates = await readInstalledUpdates(client, { signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(updates, 2)}\n` : updatesText(updates, terminal));
  return exitCodes.done;
};

/** Lists the targets of a rollback. */
export const upgradeRollbackOptionsCommand: RunCommand<typeof upgradeRollbackOptionsSpec> = async ({
  options,
  terminal,
}) => {
  await using client = (await openUpgrades(options, terminal)).client;
  const updates = await checkRollback(client, { signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(updates, 2)}\n` : updatesText(updates, terminal));
  if (updates.length === 0) terminal.message('No patch is installed, so there is no rollback.');
  return exitCodes.done;
};

function updatesText(updates: readonly Update[], { stdout }: Terminal): string {
  const columns = ['id', 'type', 'version', 'build', 'released', 'name'].map((name) => ({ name }));
  const rows = updates.map(({ id, type = '', version = '', build = '', released, name = '' }) => {
    const day = released === undefined ? '' : new Date(released).toISOString().slice(0, 10);
    return [id, type, version, build, day, name];
  });
  return `${formatTable(columns, rows, stdout).join('\n')}\n`;
}

/** Gets the settings of an upgrade, to be completed. */
export const upgradeSettingsCommand: RunCommand<typeof upgradeSettingsSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const id = readUpdateId(values.id);
  await using client = (await openUpgrades(options, terminal)).client;
  const settings = await getUpgradeSettings(client, id, { signal: terminal.interruption() });
  const body = `${toJson(toSettingsBody(settings), 2, writeExactJson)}\n`;
  if (options.out !== undefined) await writeOutput(body, { path: options.out, terminal });
  else await terminal.print(options.json ? body : settingsText(settings, terminal));
  const findings = checkSettings(settings);
  if (findings.length > 0)
    terminal.message(`Still missing: ${findings.map(({ message }) => message).join('; ')}.`);
  return exitCodes.done;
};

function settingsText(settings: readonly UpgradeSetting[], { stdout }: Terminal): string {
  const columns = ['id', 'type', 'required', 'value'].map((name) => ({ name, canShrink: name === 'value' }));
  const rows = settings.map((setting) => {
    const { id, type, value } = setting;
    const shown = typeof value === 'object' && value !== null ? writeExactJson(value) : String(value ?? '');
    return [id, type ?? '', isRequired(setting) ? 'yes' : 'no', shown];
  });
  return `${formatTable(columns, rows, stdout).join('\n')}\n`;
}

/** Checks the settings of an upgrade. */
export const upgradeCheckCommand: RunCommand<typeof upgradeCheckSpec> = async ({
  arguments: { file },
  options,
  terminal,
}) => {
  const original =
    options.original === undefined ? undefined : await readSettings(options.original, terminal);
  const findings = checkSettings(await readSettings(file, terminal), original);
  await terminal.print(options.json ? `${toJson(findings, 2)}\n` : findingsText(findings, terminal.stdout));
  return findings.some(({ severity }) => severity === 'error') ? exitCodes.no : exitCodes.done;
};

/** Reads the settings of a file. Throws `UsageError` if it holds none. */
export async function readSettings(path: string, terminal: Terminal): Promise<readonly UpgradeSetting[]> {
  const settings = upgradeSettingsOf(await readJsonFile(path, terminal, readExactJson));
  if (settings) return settings;
  throw new UsageError(
    `The file "${path}" must hold the settings of an upgrade: an object with the list "userInputs"`,
  );
}

/** Uploads a license, and adds it to the settings if requested. */
export const upgradeLicenseCommand: RunCommand<typeof upgradeLicenseSpec> = async ({
  arguments: { file },
  options,
  terminal,
}) => {
  const settings =
    options.settings === undefined ? undefined : await readSettings(options.settings, terminal);
  const license = await readLicense(file);
  await using client = (await openUpgrades(options, terminal)).client;
  const { description } = options;
  const item = await uploadFile(client, license, { description, signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(item, 2)}\n` : `${item.itemID}\n`);
  if (settings) {
    const body = `${toJson(toSettingsBody(withLicense(settings, item.itemID)), 2, writeExactJson)}\n`;
    await writeOutput(body, { path: options.settings, terminal });
  }
  return exitCodes.done;
};

/** Reads a license and checks that it is JSON: the deployment would fail in the middle of an upgrade. */
export async function readLicense(path: string): Promise<NamedFile> {
  if (!/\.json$/i.test(path)) throw new UsageError(`A license must be a ".json" file, got "${path}"`);
  const file = await readNamedFile(path);
  try {
    JSON.parse(new TextDecoder().decode(file.bytes));
  } catch (cause) {
    throw new UsageError(`The file "${path}" must hold a license in JSON`, { cause });
  }
  return file;
}

/** Returns the identifier of a release or patch. Throws `UsageError` if it is malformed. */
function readUpdateId(text: string): string {
  if (isUpdateId(text)) return text;
  throw new UsageError(
    `ID must be the identifier of a release or patch, such as "rel_20062023_3480", got ${JSON.stringify(text)}`,
  );
}

/** Starts an upgrade. */
export const upgradeStartCommand: RunCommand<typeof upgradeStartSpec> = async (call) => {
  const { options, terminal } = call;
  const request = await requestOf(call);
  const connection = await openUpgrades(options, terminal);
  await using client = connection.client;
  const original = request.settings && (await givenSettings(client, request.id, terminal));
  const findings = checkSettings(request.settings ?? [], original);
  if (findings.length > 0) terminal.message(findingsText(findings, terminal.stderr).trimEnd());
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
    terminal.message('An upgrade is already running.');
    return false;
  }
  const updates = await readAvailableUpdates(client, { signal });
  if (!updates.some(({ id }) => id === request.id)) {
    const listed = updates.map(({ id }) => escapeUnsafe(id)).join(', ') || 'none';
    terminal.message(`"${escapeUnsafe(request.id)}" is not one of the available updates: ${listed}.`);
    // A version manifest may name updates unknown to an offline deployment.
    return request.versionManifestFile !== undefined;
  }
  return true;
}

/** Rolls the deployment back. Sends nothing that the deployment does not offer. */
export const upgradeRollbackCommand: RunCommand<typeof upgradeRollbackSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const id = readUpdateId(values.id);
  const settings =
    options.settings === undefined ? undefined : await readRollbackSettings(options.settings, terminal);
  const connection = await openUpgrades(options, terminal);
  await using client = connection.client;
  const offered = await checkRollback(client, { signal: terminal.interruption() });
  if (!offered.some((option) => option.id === id)) {
    const listed = offered.map((option) => escapeUnsafe(option.id)).join(', ') || 'nothing';
    terminal.message(`The deployment cannot be rolled back to "${escapeUnsafe(id)}". It offers: ${listed}.`);
    return exitCodes.no;
  }
  const request: RollbackRequest = { id, ...(settings && { settings }) };
  return await startAndWatch({
    ...connection,
    options,
    terminal,
    name: 'rollback',
    about: `The deployment at ${client.addresses.root} will be rolled back to "${escapeUnsafe(id)}", which removes the patches installed since. It is read-only during the rollback.`,
    start: (start) => startRollback(client, request, start),
  });
};

async function readRollbackSettings(path: string, terminal: Terminal): Promise<RollbackRequest['settings']> {
  const body = await readJsonFile(path, terminal);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return Object.fromEntries(Object.entries(body));
  }
  throw new UsageError(`The file "${path}" must hold the settings of a rollback: a JSON object`);
}
