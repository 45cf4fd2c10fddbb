import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type Client,
  ClientError,
  checkRollback,
  checkSettings,
  getUpgradeSettings,
  type NamedFile,
  openClient,
  readAvailableUpdates,
  readExactJson,
  startUpgrade,
  type Update,
  type UpgradeSetting,
  uploadFile,
  withLicense,
  writeExactJson,
} from '../../client/index.ts';
import { isRequired, toSettingsBody, upgradeSettingsOf } from '../../protocol/index.ts';
import type { Run } from '../command-line/command.ts';
import type { OptionValues } from '../command-line/option.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readConnection } from '../deployment/connection.ts';
import type { MessageKeeper } from '../deployment/keep-messages.ts';
import { tellPrograms } from '../deployment/tell-upgrade.ts';
import { watch } from '../deployment/watch-upgrade.ts';
import { exitCodes } from '../exit-code.ts';
import { confirmed } from '../input/confirmed.ts';
import { isSendable } from '../input/is-sendable.ts';
import { readJsonFile } from '../input/read-json-file.ts';
import { findingsText } from '../output/administration-text.ts';
import { table } from '../output/table.ts';
import { writeOutput } from '../output/write-output.ts';
import type { connectionOptions } from '../specs/connection.ts';
import type {
  upgradeAvailableSpec,
  upgradeCheckSpec,
  upgradeLicenseSpec,
  upgradeRollbackOptionsSpec,
  upgradeSettingsSpec,
  upgradeStartSpec,
  upgradeWatchSpec,
} from '../specs/upgrade.ts';
import { toJson } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** An upgrade takes hours: its token is asked to live for half a day. */
const tokenMinutes = 12 * 60;

async function openUpgrades(
  options: OptionValues<typeof connectionOptions>,
  terminal: Terminal,
): Promise<Client> {
  const connection = await readConnection(options, terminal);
  const { credentials } = connection;
  if (credentials.kind !== 'password') return openClient(connection);
  return openClient({ ...connection, credentials: { ...credentials, minutes: tokenMinutes } });
}

/** Lists what the deployment can be upgraded to. */
export const upgradeAvailable: Run<typeof upgradeAvailableSpec> = async ({ options, terminal }) => {
  await using client = await openUpgrades(options, terminal);
  const updates = await readAvailableUpdates(client, { signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(updates, 2)}\n` : updatesText(updates, terminal));
  return exitCodes.done;
};

/** Lists what the deployment can be rolled back to. */
export const upgradeRollbackOptions: Run<typeof upgradeRollbackOptionsSpec> = async ({
  options,
  terminal,
}) => {
  await using client = await openUpgrades(options, terminal);
  const updates = await checkRollback(client, { signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(updates, 2)}\n` : updatesText(updates, terminal));
  if (updates.length === 0) terminal.say('No patch is installed, so there is nothing to roll back to.');
  return exitCodes.done;
};

function updatesText(updates: readonly Update[], { data }: Terminal): string {
  const columns = ['id', 'type', 'version', 'build', 'released', 'name'].map((name) => ({ name }));
  const rows = updates.map(({ id, type = '', version = '', build = '', released, name = '' }) => {
    const day = released === undefined ? '' : new Date(released).toISOString().slice(0, 10);
    return [id, type, version, build, day, name];
  });
  return `${table(columns, rows, data).join('\n')}\n`;
}

/** Gets the settings of an upgrade, to be filled in. */
export const upgradeSettings: Run<typeof upgradeSettingsSpec> = async ({
  arguments: { id },
  options,
  terminal,
}) => {
  await using client = await openUpgrades(options, terminal);
  const settings = await getUpgradeSettings(client, id, { signal: terminal.interruption() });
  const body = `${toJson(toSettingsBody(settings), 2, writeExactJson)}\n`;
  if (options.out !== undefined) await writeOutput(body, { path: options.out, terminal });
  else await terminal.print(options.json ? body : settingsText(settings, terminal));
  const findings = checkSettings(settings);
  if (findings.length > 0) terminal.say(`To be done: ${findings.map(({ message }) => message).join('; ')}.`);
  return exitCodes.done;
};

function settingsText(settings: readonly UpgradeSetting[], { data }: Terminal): string {
  const columns = ['id', 'type', 'required', 'value'].map((name) => ({ name, canShrink: name === 'value' }));
  const rows = settings.map((setting) => {
    const { id, type, value } = setting;
    const shown = typeof value === 'object' && value !== null ? writeExactJson(value) : String(value ?? '');
    return [id, type ?? '', isRequired(setting) ? 'yes' : 'no', shown];
  });
  return `${table(columns, rows, data).join('\n')}\n`;
}

/** Says what is wrong with the settings of an upgrade. */
export const upgradeCheck: Run<typeof upgradeCheckSpec> = async ({
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

async function readSettings(path: string, terminal: Terminal): Promise<readonly UpgradeSetting[]> {
  const settings = upgradeSettingsOf(await readJsonFile(path, terminal, readExactJson));
  if (settings) return settings;
  throw new UsageError(
    `The file "${path}" requires the settings of an upgrade: an object with the list "userInputs"`,
  );
}

/** Uploads a license, and fills it in where that is wanted. */
export const upgradeLicense: Run<typeof upgradeLicenseSpec> = async ({
  arguments: { file },
  options,
  terminal,
}) => {
  const settings =
    options.settings === undefined ? undefined : await readSettings(options.settings, terminal);
  const license = await readLicense(file);
  await using client = await openUpgrades(options, terminal);
  const { description } = options;
  const item = await uploadFile(client, license, { description, signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(item, 2)}\n` : `${item.itemID}\n`);
  if (settings) {
    const body = `${toJson(toSettingsBody(withLicense(settings, item.itemID)), 2, writeExactJson)}\n`;
    await writeOutput(body, { path: options.settings, terminal });
  }
  return exitCodes.done;
};

/** A license is checked here already: the deployment would find out in the middle of an upgrade. */
async function readLicense(path: string): Promise<NamedFile> {
  if (!/\.json$/i.test(path)) throw new UsageError(`A license requires a ".json" file, unlike "${path}"`);
  const bytes = await readFile(path).catch((error: unknown) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
  });
  try {
    JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new UsageError(`The file "${path}" requires a license, which is JSON`, { cause });
  }
  return { name: basename(path), bytes: new Uint8Array(bytes) };
}

/** Starts an upgrade. */
export const upgradeStart: Run<typeof upgradeStartSpec> = async ({
  arguments: { id },
  options,
  terminal,
}) => {
  const settings =
    options.settings === undefined ? undefined : await readSettings(options.settings, terminal);
  const licenseFile = options.license === undefined ? undefined : await readLicense(options.license);
  await using client = await openUpgrades(options, terminal);
  const findings = checkSettings(settings ?? [], settings && (await givenSettings(client, id, terminal)));
  if (findings.length > 0) terminal.say(findingsText(findings, terminal.talk).trimEnd());
  if (!isSendable(findings, { force: options.force, terminal })) return exitCodes.no;
  terminal.say(
    `The deployment at ${client.addresses.root} is to be upgraded by "${id}". It is read-only until that is over, which can take hours.`,
  );
  if (!(await confirmed(terminal, { yes: options.yes, question: 'Start the upgrade?' }))) {
    terminal.say('Nothing was sent.');
    return exitCodes.no;
  }
  const kept = await keeperOf(options.into, terminal);
  const request = { id, ...(settings && { settings }), ...(licenseFile && { licenseFile }) };
  const status = await startUpgrade(client, request, { signal: terminal.interruption() });
  terminal.say(`The upgrade has started (${status.state}).`);
  if (options.watch) return await watch(client, { options, terminal, kept });
  if (options.json) await tellPrograms(terminal).tell({ kind: 'status', status, received: undefined });
  terminal.say('"logquarry upgrade watch" shows how it goes on.');
  return exitCodes.done;
};

/** The settings as the deployment gives them, to tell what was changed; none where it has none for this upgrade. */
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

/** Watches the upgrade that is under way. */
export const upgradeWatch: Run<typeof upgradeWatchSpec> = async ({ options, terminal }) => {
  await using client = await openUpgrades(options, terminal);
  const kept = await keeperOf(options.into, terminal);
  return await watch(client, { options, terminal, kept });
};

/** The database is loaded for those only who want a case. */
async function keeperOf(into: string | undefined, terminal: Terminal): Promise<MessageKeeper | undefined> {
  if (into === undefined) return undefined;
  const { keepMessages } = await import('../deployment/keep-messages.ts');
  return keepMessages(into, terminal);
}
