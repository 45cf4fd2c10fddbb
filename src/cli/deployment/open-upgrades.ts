import { type Client, openClient } from '../../client/index.ts';
import type { OptionValues } from '../command-line/option.ts';
import type { connectionOptions } from '../specs/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readConnection } from './connection.ts';

/** An upgrade takes hours: its token is asked to live for half a day. */
const tokenMinutes = 12 * 60;

/** A way to the upgrades of a deployment. */
export interface UpgradesConnection {
  readonly client: Client;
  /** True if a token that expires can be replaced by another one. */
  readonly renewsTokens: boolean;
}

/** Opens a way to the upgrades of a deployment. The caller must dispose of the client. */
export async function openUpgrades(
  options: OptionValues<typeof connectionOptions>,
  terminal: Terminal,
): Promise<UpgradesConnection> {
  const connection = await readConnection(options, terminal);
  const { credentials } = connection;
  const renewsTokens = credentials.kind !== 'token';
  if (credentials.kind !== 'password') return { client: openClient(connection), renewsTokens };
  const minutes = tokenMinutes;
  return { client: openClient({ ...connection, credentials: { ...credentials, minutes } }), renewsTokens };
}
