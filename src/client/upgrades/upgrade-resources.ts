import {
  introducedIn,
  isUpdateId,
  listedUpdatesOf,
  rollbackOptionsOf,
  toUpdateId,
  type Update,
  type UpgradeSetting,
  type UpgradeStatus,
  upgradeSettingsOf,
  upgradeStatusOf,
} from '../../protocol/index.ts';
import { readExactJson } from '../../records/index.ts';
import { type CallOptions, callReading, type OperationCall, plainForm, readJson } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { type Purpose, sinceVersion, unexpectedReplyError } from '../transport/answer.ts';
import { ClientError } from '../transport/client-error.ts';

/**
 * State of the latest upgrade, with its messages (section 2.8 of the interface document).
 *
 * ```ts
 * const status = await readUpgradeStatus(client);
 * ```
 */
export async function readUpgradeStatus(client: Client, options: CallOptions = {}): Promise<UpgradeStatus> {
  return (await receiveUpgradeStatus(client, options)).status;
}

/**
 * Returns the state of the latest upgrade and the reply, unchanged but without secrets of this client.
 *
 * ```ts
 * const { status, received } = await receiveUpgradeStatus(client);
 * ```
 */
export async function receiveUpgradeStatus(
  client: Client,
  { signal }: CallOptions = {},
): Promise<{ readonly status: UpgradeStatus; readonly received: unknown }> {
  const address = client.addresses.upgrades;
  const purpose = { failed: 'The state of the upgrade could not be read', privilege: 'see upgrades' };
  const body = await readJson(client, { address, body: plainForm(), purpose, signal });
  const status = upgradeStatusOf(body);
  if (!status)
    throw unexpectedReplyError(body, 'the state of an upgrade', { address, purpose, hide: client.hide });
  return { status, received: body };
}

/**
 * The releases and patches that the deployment can be upgraded to. The operation is known from the field notes.
 *
 * ```ts
 * const updates = await readAvailableUpdates(client);
 * ```
 */
export async function readAvailableUpdates(
  client: Client,
  options: CallOptions = {},
): Promise<readonly Update[]> {
  return askChild(client, {
    ...options,
    operation: 'available',
    form: plainForm(),
    failed: 'The available updates could not be read',
    what: 'a list of updates',
    read: listedUpdatesOf,
  });
}

/**
 * The releases and patches that are installed. The operation is that of the public documentation of the vendor, which
 * has its history as a page only.
 *
 * ```ts
 * const updates = await readInstalledUpdates(client);
 * ```
 */
export async function readInstalledUpdates(
  client: Client,
  options: CallOptions = {},
): Promise<readonly Update[]> {
  return askChild(client, {
    ...options,
    operation: 'installed',
    since: introducedIn.installed,
    form: plainForm(),
    failed: 'The installed updates could not be read',
    what: 'a list of updates',
    read: listedUpdatesOf,
  });
}

/**
 * The settings that an upgrade to a release or patch requires (section 4.2.3 of
 * the interface document), for deployments of version 11.0 and later. Filled
 * in, they are part of the upgrade.
 *
 * ```ts
 * const settings = await getUpgradeSettings(client, 'update');
 * ```
 */
export async function getUpgradeSettings(
  client: Client,
  id: string,
  options: CallOptions = {},
): Promise<readonly UpgradeSetting[]> {
  checkUpdateId(id);
  return askChild(client, {
    ...options,
    operation: 'getUpgradeSettings',
    since: introducedIn.getUpgradeSettings,
    form: plainForm({ upgradeId: toUpdateId(id) }),
    failed: `The settings of the upgrade to "${id}" could not be read`,
    what: 'settings of an upgrade',
    read: upgradeSettingsOf,
    parse: readExactJson,
  });
}

/** Throws a `ClientError` for an identifier that cannot be one of a release or patch, before anything is sent. */
export function checkUpdateId(id: string): void {
  if (isUpdateId(id)) return;
  const message = `${JSON.stringify(id)} is no identifier of a release or patch`;
  throw new ClientError('REFUSED', message, { arrived: false });
}

/**
 * Returns the possible rollbacks; empty if no patch is installed (section 4.2.4 of the interface document).
 *
 * ```ts
 * const updates = await checkRollback(client);
 * ```
 */
export async function checkRollback(client: Client, options: CallOptions = {}): Promise<readonly Update[]> {
  return askChild(client, {
    ...options,
    operation: 'checkRollback',
    form: plainForm(),
    failed: 'The rollback options could not be read',
    what: 'rollback options',
    read: rollbackOptionsOf,
  });
}

interface ChildCall<T> extends CallOptions {
  readonly operation: string;
  /** The version that brought the operation, where that is known. */
  readonly since?: string;
  readonly form: URLSearchParams;
  readonly failed: string;
  readonly what: string;
  readonly parse?: OperationCall['parse'];
  readonly read: (body: unknown) => T | undefined;
}

async function askChild<T>(client: Client, call: ChildCall<T>): Promise<T> {
  const { operation, since, form, failed, what, read, signal, parse } = call;
  const address = `${client.addresses.upgrades}/${operation}`;
  const missing = since !== undefined && { whenMissing: sinceVersion(since) };
  const purpose: Purpose = { failed, privilege: 'manage upgrades', ...missing };
  // Settings are sent back, so their numbers stay as they are written.
  const body = await callReading(client, { address, body: form, purpose, signal, ...(parse && { parse }) });
  const found = read(body);
  if (found === undefined) throw unexpectedReplyError(body, what, { address, purpose, hide: client.hide });
  return found;
}
