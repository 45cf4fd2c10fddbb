import type { DuckDBConnection } from '@duckdb/node-api';
import { type Note, noteActions } from '../actions.ts';
import type { Case } from '../case.ts';
import { deletePart, insertParts, nextNumbers, type Part, partNote } from '../parts.ts';
import { type Adding, type GivenEntry, writePart } from './add-entry.ts';
import { toAdded } from './add-file.ts';
import type { AddedFile, AddOptions } from './add-options.ts';
import type { GroupFile, SmallFile } from './files-ahead.ts';
import { fileNote, insertFiles, openKept, type WholeFile } from './open-kept.ts';
import { openPartWriter } from './part-writer.ts';
import { readEntry } from './read-entry.ts';
import { rowGroup } from './row-group.ts';

/** Files that are written in one transaction. What there is to note of them is noted together. */
export interface FileGroup extends AsyncDisposable {
  /** Whether another file should be written. */
  readonly hasRoom: () => boolean;
  /** Writes a file. Undefined where some of it cannot be read here: what is missing is left to who adds it by itself. */
  readonly write: (file: GroupFile) => Promise<AddedFile | undefined>;
  /** Notes what is left to note. */
  readonly finish: () => Promise<void>;
}

/** Keeping a file takes as long as loading a thousand logs of it: so many tiny ones take about a second. */
const mostFiles = 200;

/** Two or three seconds of work: a process that is killed loses no more. */
const mostRows = 4 * rowGroup;

/** Inflated bytes, as the files claim, of nearly half a million usual logs. Of long ones, fewer are written together. */
const mostBytes = 192 * 1024 * 1024;

/**
 * Whether so many rows are enough for a transaction. Where they are more than
 * DuckDB compresses at a time, it does so as they come, and the last ones as
 * the transaction ends. When those are few, it puts them together with others
 * later, which are compressed anew; where more than half as many are left, they
 * stay.
 */
function isFull(rows: number): boolean {
  return mostRows <= rows || (rowGroup <= rows && rowGroup / 2 < rows % rowGroup);
}

/** Begins a group of files within the transaction of a connection. */
export async function openGroup(
  connection: DuckDBConnection,
  into: Case,
  options: AddOptions,
): Promise<FileGroup> {
  const writer = await openPartWriter(connection);
  let numbers = await nextNumbers(connection);
  let parts: Part[] = [];
  let files: WholeFile[] = [];
  let notes: Note[] = [];
  let [written, rows, bytes] = [0, 0, 0];
  const hasRoom = () => written < mostFiles && bytes < mostBytes && !isFull(rows);
  return { hasRoom, write, finish, [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() };

  async function write(file: GroupFile): Promise<AddedFile | undefined> {
    written += 1;
    if (file.size === 'small') return await writeEntries(file);
    using opened = await openKept(into, file.kept, options);
    // What takes the place of a part has to be read before that one is gone for good.
    if (opened.missing.some(({ number }) => opened.known.has(number))) return undefined;
    const reading = { ...opened.adding, isTogether: true };
    const entries = opened.missing.map(
      (entry): GivenEntry => ({ entry, give: (take) => readEntry(reading, entry, take) }),
    );
    return await writeEntries({ opened, entries });
  }

  async function writeEntries({
    opened,
    entries,
  }: Pick<SmallFile, 'opened' | 'entries'>): Promise<AddedFile | undefined> {
    const { adding, known, already, claimedBytes } = opened;
    bytes += claimedBytes;
    const found = new Map(known);
    for (const each of entries) {
      await replace(known.get(each.entry.number));
      const part = await tryPart(adding, each);
      if (!part) return undefined;
      numbers = { part: part.part + 1, id: numbers.id + part.logs };
      rows += part.logs;
      parts.push(part);
      notes.push(partNote('add part', part));
      found.set(each.entry.number, part);
    }
    const all = opened.entries.flatMap(({ number }) => found.get(number) ?? []);
    if (!already) noteWhole({ adding, parts: all });
    return toAdded(opened, all);
  }

  /** Writes a part. Nothing of it is left where it could not be read to its end. */
  async function tryPart(adding: Adding, entry: GivenEntry): Promise<Part | undefined> {
    try {
      return await writePart(writer, adding, { ...entry, ...numbers });
    } catch {
      // What could not be written fails again here, and with it the transaction.
      await writer.finish();
      await deletePart(connection, numbers.part);
      return undefined;
    }
  }

  /** Takes the part away whose place another one takes; its number may be free then. */
  async function replace(earlier: Part | undefined): Promise<void> {
    if (!earlier) return;
    await finish();
    await deletePart(connection, earlier.part);
    notes.push({ action: 'remove part', details: { part: earlier.part } });
    numbers = await nextNumbers(connection);
  }

  function noteWhole(file: WholeFile): void {
    files.push(file);
    notes.push(fileNote(file));
  }

  async function finish(): Promise<void> {
    await insertParts(connection, parts);
    await insertFiles(connection, files);
    await noteActions(connection, notes);
    [parts, files, notes] = [[], [], []];
  }
}
