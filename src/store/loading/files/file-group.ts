import type { DuckDBConnection } from '@duckdb/node-api';
import type { ConnectBeside } from '../../case/transaction.ts';
import { openPartGroup } from '../entries/part-group.ts';
import type { AddedFile } from './add-options.ts';
import { maxSharedBytes, maxSharedEntries } from './large-file.ts';
import { type AddedWholeFile, addFileAction, insertFiles, toAddedFile } from './open-stored-file.ts';
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
  /** Lists the parts and files, and records the actions. */
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
  const parts = await openPartGroup(connection, { beside, likelyBytes });
  const files: AddedWholeFile[] = [];
  let [written, entries, bytes, logs] = [0, 0, 0, 0];
  return { acceptsMore, write, finish, [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose]() };

  function acceptsMore(): boolean {
    return written < mostFiles && entries < maxSharedEntries && bytes < maxSharedBytes && logs < mostLogs;
  }

  async function write({ opened, prefetched, startProgress }: SmallFile): Promise<AddedFile | undefined> {
    const { context, present, missing, already, claimedBytes } = opened;
    written += 1;
    bytes += claimedBytes;
    entries += missing.length;
    // Its parts are replaced one by one.
    if (missing.some(({ number }) => present.has(number))) return undefined;
    startProgress();
    const found = new Map(present);
    for (const each of prefetched.entries) {
      const part = await parts.write(context, each).catch(() => undefined);
      if (!part) return undefined;
      logs += part.logs;
      found.set(part.entryNumber, part);
    }
    const all = opened.entries.flatMap(({ number }) => found.get(number) ?? []);
    if (!already) addWholeFile({ context, parts: all, added: Date.now() });
    return toAddedFile(opened, all);
  }

  function addWholeFile(file: AddedWholeFile): void {
    files.push(file);
    parts.record(addFileAction(file));
  }

  async function finish(): Promise<void> {
    await parts.finish();
    await insertFiles(connection, files);
  }
}
