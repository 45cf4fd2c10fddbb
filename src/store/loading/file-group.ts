import type { DuckDBConnection } from '@duckdb/node-api';
import { type Note, noteActions } from '../actions.ts';
import { deletePart, insertParts, nextNumbers, type Part, partNote } from '../parts.ts';
import { writePart } from './add-entry.ts';
import { toAdded } from './add-file.ts';
import type { AddedFile } from './add-options.ts';
import type { SmallFile } from './files-ahead.ts';
import { fileNote, insertFiles, type WholeFile } from './open-kept.ts';
import { openPartWriter } from './part-writer.ts';

/** Files that are written in one transaction. What there is to note of them is noted together. */
export interface FileGroup extends AsyncDisposable {
  /** Writes a small file. */
  readonly write: (file: SmallFile) => Promise<AddedFile>;
  /** Notes what is left to note. */
  readonly finish: () => Promise<void>;
}

/** Begins a group of files within the transaction of a connection. */
export async function openGroup(connection: DuckDBConnection): Promise<FileGroup> {
  const writer = await openPartWriter(connection);
  let numbers = await nextNumbers(connection);
  let parts: Part[] = [];
  let files: WholeFile[] = [];
  let notes: Note[] = [];
  return { write, finish, [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() };

  async function write({ opened, entries }: SmallFile): Promise<AddedFile> {
    const { adding, known, already } = opened;
    const found = new Map(known);
    for (const each of entries) {
      await replace(known.get(each.entry.number));
      const part = await writePart(writer, adding, { ...each, ...numbers });
      numbers = { part: part.part + 1, id: numbers.id + part.logs };
      parts.push(part);
      notes.push(partNote('add part', part));
      found.set(each.entry.number, part);
    }
    const all = opened.entries.flatMap(({ number }) => found.get(number) ?? []);
    if (!already) noteWhole({ adding, parts: all });
    return toAdded(opened, all);
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
