import { type Client, openClient } from '../../client/index.ts';
import type { OptionValues } from '../command-line/option.ts';
import type { connectionOptions } from '../specs/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readConnection } from './connection.ts';

/** Requested lifetime of the token of an upgrade, which takes hours. */
const tokenMinutes = 12 * 60;

/** A connection for the upgrades of a deployment. */
export interface UpgradesConnection {
  readonly client: Client;
  /** True if an expiring token can be renewed. */
  readonly renewsTokens: boolean;
}

/** Opens a connection for the upgrades of a deployment. The caller must dispose of the client. */
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
