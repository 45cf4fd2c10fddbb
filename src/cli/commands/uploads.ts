import { deleteUpload, openClient, readUpload, readUploads, uploadFile } from '../../client/index.ts';
import type { UploadedItem } from '../../protocol/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { readNamedFile } from '../command-line/files.ts';
import { readConnection } from '../deployment/connection.ts';
import { requireConfirmation, sendChange } from '../deployment/send-change.ts';
import { formatTimeToSecond, memberLines } from '../output/member-lines.ts';
import { formatTable } from '../output/table.ts';
import type {
  uploadsAddSpec,
  uploadsDeleteSpec,
  uploadsListSpec,
  uploadsShowSpec,
} from '../specs/deployment-specs.ts';
import { formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';

/** Lists the uploads. */
export const uploadsListCommand: RunCommand<typeof uploadsListSpec> = async ({ options, terminal }) => {
  await using client = openClient(await readConnection(options, terminal));
  const items = await readUploads(client, { signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(items, 2)}\n` : listText(items, terminal));
  return exitCodes.done;
};

function listText(items: readonly UploadedItem[], { stdout }: Terminal): string {
  if (items.length === 0) return 'No uploads.\n';
  const columns = [
    ...[{ name: 'id' }, { name: 'uploaded (UTC)' }, { name: 'bytes', align: 'right' as const }],
    ...[{ name: 'name' }, { name: 'description', canShrink: true }],
  ];
  const rows = items.map(({ itemID, itemName = '', description = '', date, size }) => [
    ...[itemID, formatTimeToSecond(date), size === undefined ? '' : formatNumber(size)],
    ...[itemName, description],
  ]);
  return `${formatTable(columns, rows, stdout).join('\n')}\n`;
}

/** Shows one upload. */
export const uploadsShowCommand: RunCommand<typeof uploadsShowSpec> = async ({
  arguments: { id },
  options,
  terminal,
}) => {
  await using client = openClient(await readConnection(options, terminal));
  const item = await readUpload(client, id, { signal: terminal.interruption() });
  await terminal.print(itemText(item, options.json));
  return exitCodes.done;
};

function itemText(item: UploadedItem, isJson: boolean): string {
  if (isJson) return `${toJson(item, 2)}\n`;
  const time = formatTimeToSecond(item.date);
  return memberLines([
    ['id', item.itemID],
    ['name', item.itemName],
    ['description', item.description],
    ['uploaded', time === '' ? '' : `${time} UTC`],
    ['bytes', item.size === undefined ? undefined : formatNumber(item.size)],
    ['type', item.contentType],
    ['complete', item.committed === undefined ? undefined : item.committed ? 'yes' : 'no'],
  ]);
}

/** Uploads a file. */
export const uploadsAddCommand: RunCommand<typeof uploadsAddSpec> = async ({
  arguments: { file },
  options,
  terminal,
}) => {
  const named = await readNamedFile(file);
  await using client = openClient(await readConnection(options, terminal));
  const { description } = options;
  const item = await uploadFile(client, named, { description, signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(item, 2)}\n` : `${escapeUnsafe(item.itemID)}\n`);
  terminal.message(`Uploaded "${escapeUnsafe(named.name)}".`);
  return exitCodes.done;
};

/** Deletes one upload. */
export const uploadsDeleteCommand: RunCommand<typeof uploadsDeleteSpec> = async ({
  arguments: { id },
  options,
  terminal,
}) => {
  const signal = terminal.interruption();
  await using client = openClient(await readConnection(options, terminal));
  await terminal.print(itemText(await readUpload(client, id, { signal }), options.json));
  if (options.dryRun) {
    terminal.message('Nothing was deleted.');
    return exitCodes.done;
  }
  if (!(await requireConfirmation(terminal, { yes: options.yes, question: 'Delete it permanently?' }))) {
    terminal.message('Nothing was deleted.');
    return exitCodes.no;
  }
  const doubt = () =>
    'It may have been deleted, if the request was already sent: check with "logquarry uploads list".';
  await sendChange(() => deleteUpload(client, id, { signal }), { terminal, doubt });
  terminal.message('The upload was deleted.');
  return exitCodes.done;
};
