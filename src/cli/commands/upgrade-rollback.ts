import { checkRollback, startRollback } from '../../client/index.ts';
import type { RollbackRequest } from '../../protocol/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { openUpgrades } from '../deployment/open-upgrades.ts';
import { startAndWatch } from '../deployment/start-and-watch.ts';
import { readJsonFile } from '../files/read-file.ts';
import { readUpdateId } from '../input/read-update-id.ts';
import type { upgradeRollbackSpec } from '../specs/upgrade-rollback.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Rolls the deployment back. Sends nothing that the deployment does not offer. */
export const upgradeRollbackCommand: RunCommand<typeof upgradeRollbackSpec> = async ({
  arguments: written,
  options,
  terminal,
}) => {
  const id = readUpdateId(written.id);
  const settings =
    options.settings === undefined ? undefined : await readSettings(options.settings, terminal);
  const connection = await openUpgrades(options, terminal);
  await using client = connection.client;
  const offered = await checkRollback(client, { signal: terminal.interruption() });
  if (!offered.some((option) => option.id === id)) {
    const listed = offered.map((option) => escapeUnsafe(option.id)).join(', ') || 'nothing';
    terminal.say(`The deployment cannot be rolled back to "${escapeUnsafe(id)}". It offers: ${listed}.`);
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

async function readSettings(path: string, terminal: Terminal): Promise<RollbackRequest['settings']> {
  const body = await readJsonFile(path, terminal);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return Object.fromEntries(Object.entries(body));
  }
  throw new UsageError(`The file "${path}" must hold the settings of a rollback: a JSON object`);
}
