import {
  checkRollback,
  getUpgradeSettings,
  readAvailableUpdates,
  readInstalledUpdates,
  uploadFile,
} from '../../client/index.ts';
import {
  checkSettings,
  isRequired,
  type NamedFile,
  toSettingsBody,
  type Update,
  type UpgradeSetting,
  upgradeSettingsOf,
  withLicense,
} from '../../protocol/index.ts';
import { readExactJson, writeExactJson } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { openUpgrades } from '../deployment/open-upgrades.ts';
import { readJsonFile, readNamedFile } from '../files/read-file.ts';
import { writeOutput } from '../files/write-output.ts';
import { readUpdateId } from '../input/read-update-id.ts';
import { findingsText } from '../output/administration-text.ts';
import { formatTable } from '../output/table.ts';
import type {
  upgradeAvailableSpec,
  upgradeCheckSpec,
  upgradeInstalledSpec,
  upgradeLicenseSpec,
  upgradeRollbackOptionsSpec,
  upgradeSettingsSpec,
} from '../specs/upgrade.ts';
import { toJson } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
  if (updates.length === 0) terminal.say('No patch is installed, so there is no rollback.');
  return exitCodes.done;
};

function updatesText(updates: readonly Update[], { data }: Terminal): string {
  const columns = ['id', 'type', 'version', 'build', 'released', 'name'].map((name) => ({ name }));
  const rows = updates.map(({ id, type = '', version = '', build = '', released, name = '' }) => {
    const day = released === undefined ? '' : new Date(released).toISOString().slice(0, 10);
    return [id, type, version, build, day, name];
  });
  return `${formatTable(columns, rows, data).join('\n')}\n`;
}

/** Gets the settings of an upgrade, to be completed. */
export const upgradeSettingsCommand: RunCommand<typeof upgradeSettingsSpec> = async ({
  arguments: written,
  options,
  terminal,
}) => {
  const id = readUpdateId(written.id);
  await using client = (await openUpgrades(options, terminal)).client;
  const settings = await getUpgradeSettings(client, id, { signal: terminal.interruption() });
  const body = `${toJson(toSettingsBody(settings), 2, writeExactJson)}\n`;
  if (options.out !== undefined) await writeOutput(body, { path: options.out, terminal });
  else await terminal.print(options.json ? body : settingsText(settings, terminal));
  const findings = checkSettings(settings);
  if (findings.length > 0)
    terminal.say(`Still missing: ${findings.map(({ message }) => message).join('; ')}.`);
  return exitCodes.done;
};

function settingsText(settings: readonly UpgradeSetting[], { data }: Terminal): string {
  const columns = ['id', 'type', 'required', 'value'].map((name) => ({ name, canShrink: name === 'value' }));
  const rows = settings.map((setting) => {
    const { id, type, value } = setting;
    const shown = typeof value === 'object' && value !== null ? writeExactJson(value) : String(value ?? '');
    return [id, type ?? '', isRequired(setting) ? 'yes' : 'no', shown];
  });
  return `${formatTable(columns, rows, data).join('\n')}\n`;
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
  await terminal.print(options.json ? `${toJson(findings, 2)}\n` : findingsText(findings, terminal.data));
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
