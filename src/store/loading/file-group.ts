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

/** Files that are written in one transaction. What there is to note of them is noted together. */
export interface FileGroup extends AsyncDisposable {
  /** Whether another file should be written. */
  readonly hasRoom: () => boolean;
  /** Writes a file. Undefined where some of it cannot be read here: what is missing is left to who adds it by itself. */
  readonly write: (file: SharingFile) => Promise<AddedFile | undefined>;
  /** Notes what is left to note. */
  readonly finish: () => Promise<void>;
}

/** Keeping a file takes as long as loading a thousand logs of it: so many tiny ones take about a second. */
const mostFiles = 200;

/** As much work as `mostBytesOfSharing`, where logs are short. */
const mostLogs = 500_000;

/**
 * Begins a group of files within the transaction of a connection, and others
 * beside it where there are many logs: as many as if each file held as many
 * bytes as the first.
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
    // What takes the place of a part has to be read before that one is gone for good.
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

  /** Writes a part. Nothing of it is left where it could not be read to its end. */
  async function tryPart(adding: Adding, entry: GivenEntry): Promise<Part | undefined> {
    try {
      return await writePart(writer, adding, { ...entry, ...numbers });
    } catch {
      // What could not be written fails again here, and with it the transaction.
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
