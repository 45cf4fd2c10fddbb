import type { DuckDBConnection } from '@duckdb/node-api';
import {
  insertParts,
  nextNumbers,
  partAction,
  type StoredPart,
  unreadableDigests,
} from '../../case/parts.ts';
import type { ConnectBeside } from '../../case/transaction.ts';
import { type NewAction, recordActions } from '../../chain/actions.ts';
import { type AddContext, type EntrySource, writePart } from '../entries/add-entry.ts';
import { openPartWriter } from '../entries/part-writer.ts';
import { toAddedFile } from './add-file.ts';
import type { AddedFile } from './add-options.ts';
import { maxSharedBytes } from './large-file.ts';
import { type AddedWholeFile, addFileAction, insertFiles } from './open-stored-file.ts';
import type { SmallFile } from './prefetch-files.ts';

/** Files written in one transaction. Their actions are recorded together. */
export interface FileGroup extends AsyncDisposable {
  /** Reports if another file may be added. */
  readonly acceptsMore: () => boolean;
  /**
   * Writes a file. Returns undefined if some of it cannot be read here: the caller then adds the
   * file alone.
   */
  readonly write: (file: SmallFile) => Promise<AddedFile | undefined>;
  /** Records the remaining actions. */
  readonly finish: () => Promise<void>;
}

/**
 * Storing a file takes as long as loading a thousand of its logs: this many tiny files take about a
 * second.
 */
const mostFiles = 200;

/** Most logs of a group. With short logs, they are as much work as `maxSharedBytes`. */
const mostLogs = 500_000;

/**
 * Opens a file group within the transaction of a connection. Expects all files to be as large as
 * the first; for many logs, further connections write concurrently.
 */
export async function openFileGroup(
  connection: DuckDBConnection,
  beside: ConnectBeside,
  { first, remaining }: { readonly first: SmallFile; readonly remaining: number },
): Promise<FileGroup> {
  const claimedBytes = first.opened.claimedBytes * Math.min(mostFiles, remaining);
  const likelyBytes = Math.min(maxSharedBytes, claimedBytes);
  const writer = await openPartWriter(connection, { beside, likelyBytes });
  let numbers = await nextNumbers(connection);
  let parts: StoredPart[] = [];
  let files: AddedWholeFile[] = [];
  let actions: ((digests: ReadonlyMap<number, string>) => NewAction)[] = [];
  let [written, bytes, logs] = [0, 0, 0];
  const acceptsMore = () => written < mostFiles && bytes < maxSharedBytes && logs < mostLogs;
  return { acceptsMore, write, finish, [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() };

  async function write({ opened, prefetched, startProgress }: SmallFile): Promise<AddedFile | undefined> {
    const { context, present, missing, already, claimedBytes } = opened;
    written += 1;
    bytes += claimedBytes;
    // A replacement must be read before the old part is deleted.
    if (missing.some(({ number }) => present.has(number))) return undefined;
    startProgress();
    const found = new Map(present);
    for (const each of prefetched.entries) {
      const part = await tryPart(context, each);
      if (!part) return undefined;
      const firstId = numbers.id;
      numbers = { part: part.part + 1, id: firstId + part.logs };
      logs += part.logs;
      parts.push(part);
      actions.push((digests) =>
        partAction('add part', part, { firstId, unreadableSha256: digests.get(part.part) }),
      );
      found.set(part.entryNumber, part);
    }
    const all = opened.entries.flatMap(({ number }) => found.get(number) ?? []);
    if (!already) addWholeFile({ context, parts: all, added: Date.now() });
    return toAddedFile(opened, all);
  }

  /** Writes a part; leaves nothing of it if it cannot be read completely. */
  async function tryPart(context: AddContext, entry: EntrySource): Promise<StoredPart | undefined> {
    try {
      return await writePart(writer, context, { ...entry, ...numbers });
    } catch {
      // A write failure recurs here, and fails the transaction.
      await writer.discardPart();
      return undefined;
    }
  }

  function addWholeFile(file: AddedWholeFile): void {
    files.push(file);
    actions.push(() => addFileAction(file));
  }

  async function finish(): Promise<void> {
    await writer.finish();
    await insertParts(connection, parts);
    await insertFiles(connection, files);
    const digests = await unreadableDigests(connection, parts);
    await recordActions(
      connection,
      actions.map((toAction) => toAction(digests)),
    );
    [parts, files, actions] = [[], [], []];
  }
}
