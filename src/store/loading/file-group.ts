import type { DuckDBConnection } from '@duckdb/node-api';
import { insertParts, nextNumbers, type Part, partNote, unreadableDigests } from '../case/parts.ts';
import type { Beside } from '../case/transaction.ts';
import { type Note, noteActions } from '../chain/actions.ts';
import { type Adding, type GivenEntry, writePart } from './add-entry.ts';
import { toAdded } from './add-file.ts';
import type { AddedFile } from './add-options.ts';
import type { SharingFile } from './files-ahead.ts';
import { mostBytesOfSharing } from './large-file.ts';
import { fileNote, insertFiles, type WholeFile } from './open-kept.ts';
import { openPartWriter } from './part-writer.ts';

/** Files written in one transaction. Their actions are recorded together. */
export interface FileGroup extends AsyncDisposable {
  /** Reports if another file may be added. */
  readonly hasRoom: () => boolean;
  /**
   * Writes a file. Returns undefined if some of it cannot be read here: the caller then adds the
   * file alone.
   */
  readonly write: (file: SharingFile) => Promise<AddedFile | undefined>;
  /** Records the remaining actions. */
  readonly finish: () => Promise<void>;
}

/**
 * Storing a file takes as long as loading a thousand of its logs: this many tiny files take about a
 * second.
 */
const mostFiles = 200;

/** As much work as `maxSharedBytes` if logs are short. */
const mostLogs = 500_000;

/**
 * Opens a file group within the transaction of a connection. Expects all files to be as large as
 * the first; for many logs, further connections write concurrently.
 */
export async function openGroup(
  connection: DuckDBConnection,
  beside: Beside,
  { first, left }: { readonly first: SharingFile; readonly left: number },
): Promise<FileGroup> {
  const claimedBytes = first.opened.claimedBytes * Math.min(mostFiles, left);
  const likelyBytes = Math.min(mostBytesOfSharing, claimedBytes);
  const writer = await openPartWriter(connection, { beside, likelyBytes });
  let numbers = await nextNumbers(connection);
  let parts: Part[] = [];
  let files: WholeFile[] = [];
  let notes: ((digests: ReadonlyMap<number, string>) => Note)[] = [];
  let [written, bytes, logs] = [0, 0, 0];
  const hasRoom = () => written < mostFiles && bytes < mostBytesOfSharing && logs < mostLogs;
  return { hasRoom, write, finish, [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() };

  async function write({ opened, ahead, tell }: SharingFile): Promise<AddedFile | undefined> {
    const { adding, known, missing, already, claimedBytes } = opened;
    written += 1;
    bytes += claimedBytes;
    // A replacement must be read before the old part is deleted.
    if (missing.some(({ number }) => known.has(number))) return undefined;
    tell();
    const found = new Map(known);
    for (const each of ahead.entries) {
      const part = await tryPart(adding, each);
      if (!part) return undefined;
      const firstId = numbers.id;
      numbers = { part: part.part + 1, id: firstId + part.logs };
      logs += part.logs;
      parts.push(part);
      notes.push((digests) =>
        partNote('add part', part, { firstId, unreadableSha256: digests.get(part.part) }),
      );
      found.set(part.entryNumber, part);
    }
    const all = opened.entries.flatMap(({ number }) => found.get(number) ?? []);
    if (!already) noteWhole({ adding, parts: all, added: Date.now() });
    return toAdded(opened, all);
  }

  /** Writes a part; leaves nothing of it if it cannot be read completely. */
  async function tryPart(adding: Adding, entry: GivenEntry): Promise<Part | undefined> {
    try {
      return await writePart(writer, adding, { ...entry, ...numbers });
    } catch {
      // A write failure recurs here, and fails the transaction.
      await writer.undo();
      return undefined;
    }
  }

  function noteWhole(file: WholeFile): void {
    files.push(file);
    notes.push(() => fileNote(file));
  }

  async function finish(): Promise<void> {
    await writer.finish();
    await insertParts(connection, parts);
    await insertFiles(connection, files);
    const digests = await unreadableDigests(connection, parts);
    await noteActions(
      connection,
      notes.map((note) => note(digests)),
    );
    [parts, files, notes] = [[], [], []];
  }
}
