import {
  introducedIn,
  isSuccess,
  type LogSettings,
  logSettingsOf,
  logSettingsPath,
  toLogSettingsForm,
} from '../../protocol/index.ts';
import { type CallOptions, callChanging, plainForm, readJson } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { mayBeCarriedOut, withDoubt } from '../calls/in-doubt.ts';
import { sinceVersion, unexpectedReplyError } from '../transport/answer.ts';

/**
 * Reads which logs the deployment writes, and for how long it keeps them (public documentation of `logs/settings`).
 *
 * ```ts
 * const settings = await readLogSettings(client);
 * ```
 */
export async function readLogSettings(client: Client, options: CallOptions = {}): Promise<LogSettings> {
  const address = client.addresses.root + logSettingsPath;
  const purpose = {
    failed: 'The log settings could not be read',
    privilege: 'see the log settings',
    whenMissing: sinceVersion(introducedIn.logSettings),
  };
  const body = await readJson(client, { ...options, address, body: plainForm(), purpose });
  const settings = logSettingsOf(body);
  if (!settings) throw unexpectedReplyError(body, 'log settings', { address, purpose, hide: client.hide });
  return settings;
}

/**
 * Changes the log settings (public documentation of `logs/settings/edit`). All
 * of them are sent, so that those stay which `readLogSettings` gave. Where the
 * connection breaks before the answer, the error says that the edit may have been made.
 *
 * ```ts
 * await editLogSettings(client, await readLogSettings(client));
 * ```
 */
export async function editLogSettings(
  client: Client,
  settings: LogSettings,
  options: CallOptions = {},
): Promise<void> {
  const address = `${client.addresses.root}${logSettingsPath}/edit`;
  const purpose = { failed: 'The log settings were not edited', privilege: 'edit the log settings' };
  await client.signIn();
  try {
    const body = await callChanging(client, {
      ...options,
      address,
      body: toLogSettingsForm(settings),
      purpose,
    });
    // The form of a success is undocumented: a reply with the new settings counts as one too.
    if (isSuccess(body) || logSettingsOf(body)) return;
    throw unexpectedReplyError(body, 'the success of an edit', { address, purpose, hide: client.hide });
  } catch (error) {
    if (!mayBeCarriedOut(error)) throw error;
    throw withDoubt(error, 'The edit may have been made all the same: read the log settings to see');
  }
}
