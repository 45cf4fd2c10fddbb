import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { StoreError } from '../../database/index.ts';
import { type Case, readCase, writeToCase } from '../file/case.ts';
import { type Action, recordAction } from '../file/chain.ts';

/**
 * A bookmark, comment or finding on logs. Each change of a note is an action in the chain of hashes, which also
 * holds the earlier texts. The chain is the only place of notes, so that none can be altered unnoticed.
 */
export interface Note {
  /** From 1; the number of a removed note is not used again. */
  readonly note: number;
  /** Ids of the logs that it is about; empty for a note on the case. */
  readonly logs: readonly number[];
  /** Empty for a bookmark. */
  readonly text: string;
  readonly tags: readonly string[];
  readonly author: string;
  /** Time of writing: milliseconds since the epoch. */
  readonly written: number;
  /** Last change; absent if there was none. */
  readonly changed?: NoteChange;
}

/** Author and time, in milliseconds since the epoch, of a change. */
export interface NoteChange {
  readonly author: string;
  readonly time: number;
}

/** Content of a new note. */
export type NewNote = Pick<Note, 'logs' | 'text' | 'tags' | 'author'>;

/** New text or tags of a note; what is absent stays. */
export interface NoteEdit extends Partial<Pick<Note, 'text' | 'tags'>> {
  readonly author: string;
}

/**
 * Adds a note to a case and returns it. Rejects with the `StoreError` `NO_SUCH_LOG` if the case lacks one of its
 * logs.
 *
 * ```ts
 * await addNote(incident, { logs: [17], text: 'first failure', tags: ['start'], author: 'ada' });
 * ```
 */
export function addNote(into: Case, { logs, text, tags, author }: NewNote): Promise<Note> {
  return writeToCase(into, async (connection) => {
    const ids = [...new Set(logs)];
    await requireLogs(into, connection, ids);
    const history = await readHistory(connection);
    const note = 1 + history.reduce((max, { details }) => Math.max(max, details.note), 0);
    const details = { note, logs: ids, text, tags: [...new Set(tags)], author };
    await recordAction(connection, 'add note', details);
    return await requireNote(into, connection, note);
  });
}

/** Changes the text or the tags of a note and returns it. Rejects with `NO_SUCH_NOTE`. */
export function changeNote(into: Case, note: number, { text, tags, author }: NoteEdit): Promise<Note> {
  return writeToCase(into, async (connection) => {
    const found = await requireNote(into, connection, note);
    const details = { text: text ?? found.text, tags: [...new Set(tags ?? found.tags)] };
    await recordAction(connection, 'change note', { note, ...details, author });
    return await requireNote(into, connection, note);
  });
}

/** Removes a note from the list and returns it; the chain keeps its text. Rejects with `NO_SUCH_NOTE`. */
export function removeNote(into: Case, note: number, { author }: Pick<Note, 'author'>): Promise<Note> {
  return writeToCase(into, async (connection) => {
    const found = await requireNote(into, connection, note);
    await recordAction(connection, 'remove note', { note, author });
    return found;
  });
}

/** Returns the notes of a case, the oldest first, without the removed ones. */
export function listNotes(from: Case): Promise<readonly Note[]> {
  return readCase(from, async (connection) => toNotes(await readHistory(connection)));
}

async function requireNote(into: Case, connection: DuckDBConnection, note: number): Promise<Note> {
  const found = toNotes(await readHistory(connection)).find((candidate) => candidate.note === note);
  if (found) return found;
  throw new StoreError('NO_SUCH_NOTE', `"${into.path}" has no note ${note}`);
}

async function requireLogs(into: Case, connection: DuckDBConnection, ids: readonly number[]): Promise<void> {
  const list = ids.map((id) => (Number.isSafeInteger(id) ? id : -1)).join(', ');
  if (list === '') return;
  const result = await connection.runAndReadAll(`SELECT id::DOUBLE FROM stored.logs WHERE id IN (${list})`);
  const found = new Set(result.getRowsJS().map(([id]) => Number(id)));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw new StoreError('NO_SUCH_LOG', `"${into.path}" has no log ${missing}`);
}

const text = v.string();
const tags = v.array(v.string());
const note = v.number();
const author = v.string();
const entry = v.variant('action', [
  v.object({
    action: v.literal('add note'),
    done: v.number(),
    details: v.object({ note, logs: v.array(v.number()), text, tags, author }),
  }),
  v.object({
    action: v.literal('change note'),
    done: v.number(),
    details: v.object({ note, text, tags, author }),
  }),
  v.object({ action: v.literal('remove note'), done: v.number(), details: v.object({ note, author }) }),
]);

type Entry = v.InferOutput<typeof entry>;

/** Reads an action about a note; undefined for any other, and for one that was altered. */
export function readNoteAction({ action, done, details }: Action): Entry | undefined {
  const { success, output } = v.safeParse(entry, { action, done, details: parseJson(details) });
  return success ? output : undefined;
}

async function readHistory(connection: DuckDBConnection): Promise<readonly Entry[]> {
  const result = await connection.runAndReadAll(
    `SELECT action, epoch_ms(done)::DOUBLE AS done, details FROM stored.actions
     WHERE action IN ('add note', 'change note', 'remove note') ORDER BY number`,
  );
  return result.getRowObjectsJS().flatMap((row) => {
    const details: unknown = parseJson(row.details);
    // Unreadable details were altered, which the chain of hashes reveals.
    const { success, output } = v.safeParse(entry, { ...row, details });
    return success ? [output] : [];
  });
}

function parseJson(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}

function toNotes(history: readonly Entry[]): readonly Note[] {
  const notes = new Map<number, Note>();
  for (const { action, done, details } of history) {
    const found = notes.get(details.note);
    if (action === 'add note') notes.set(details.note, { ...details, written: done });
    else if (action === 'remove note') notes.delete(details.note);
    else if (found) {
      const { text, tags, author } = details;
      notes.set(details.note, { ...found, text, tags, changed: { author, time: done } });
    }
  }
  return [...notes.values()];
}

/** A query that is stored in the case under a name. */
export interface SavedSearch {
  readonly name: string;
  readonly query: string;
  /** Interval of the search, both ends included, in milliseconds since the epoch; absent for no bound. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly author: string;
  /** Time of saving: milliseconds since the epoch. */
  readonly saved: number;
}

/**
 * Saves a query in the chain of a case, in place of an earlier one of this name. The chain keeps the earlier one.
 *
 * ```ts
 * await saveSearch(incident, { name: 'timeouts', query: 'msg:timeout', author: 'ada' });
 * ```
 */
export function saveSearch(into: Case, search: Omit<SavedSearch, 'saved'>): Promise<void> {
  const { name, query, from, to, author } = search;
  const details = {
    name,
    query,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    author,
  };
  return writeToCase(into, (connection) => recordAction(connection, 'save search', details));
}

/** Removes a saved search from the list; does nothing if there is none of this name. */
export function removeSearch(
  into: Case,
  { name, author }: Pick<SavedSearch, 'name' | 'author'>,
): Promise<void> {
  return writeToCase(into, (connection) => recordAction(connection, 'remove search', { name, author }));
}

const bound = v.nullable(v.number());
const row = v.tuple([v.string(), v.string(), bound, bound, v.string(), v.number()]);

/** Returns the saved searches of a case by name. */
export function listSearches(from: Case): Promise<readonly SavedSearch[]> {
  return readCase(from, async (connection) => {
    // Unreadable details were altered, which the chain of hashes reveals.
    const result = await connection.runAndReadAll(
      `SELECT name, query, first, last, author, saved FROM (
         SELECT action, epoch_ms(done)::DOUBLE AS saved, number,
           try_cast(details AS JSON)->>'name' AS name, try_cast(details AS JSON)->>'query' AS query,
           try_cast(try_cast(details AS JSON)->>'from' AS DOUBLE) AS first,
           try_cast(try_cast(details AS JSON)->>'to' AS DOUBLE) AS last,
           try_cast(details AS JSON)->>'author' AS author
         FROM stored.actions WHERE action IN ('save search', 'remove search')
         QUALIFY row_number() OVER (PARTITION BY name ORDER BY number DESC) = 1)
       WHERE action = 'save search' AND name IS NOT NULL AND query IS NOT NULL AND author IS NOT NULL
       ORDER BY name`,
    );
    return result.getRowsJS().map((values) => {
      const [name, query, from, to, author, saved] = v.parse(row, values);
      return { name, query, ...(from !== null && { from }), ...(to !== null && { to }), author, saved };
    });
  });
}
