import * as v from 'valibot';
import {
  addNote as addNoteTo,
  type Case,
  changeNote as changeNoteOf,
  listNotes,
  listSearches,
  type Note,
  readLog,
  removeNote as removeNoteOf,
  removeSearch as removeSearchOf,
  type SavedSearch,
  saveSearch as saveSearchIn,
  writeBetweenReads,
} from '../case/index.ts';
import { type CallContext, PageRefusal } from './call-context.ts';
import { type PageLog, toPageLog } from './log-operations.ts';
import { answer, write } from './operation.ts';
import { interval } from './selection.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = v.pipe(v.string(), v.maxLength(10_000));
const tags = v.pipe(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100))), v.maxLength(20));
const nothing = v.object({});

/** A note with the first of its logs. */
export interface NoteOfCase extends Note {
  readonly ofCase: number;
  /** The first logs, as `PageLog`; more are in `logs`. */
  readonly shown: readonly PageLog[];
}

/** Most logs of a note that are shown. */
const mostLogs = 5;

/** The notes of all cases, the oldest first in each. */
export const notes = answer(nothing, async (_, { opened: { cases } }): Promise<readonly NoteOfCase[]> => {
  const all = await Promise.all(cases.map((from, ofCase) => notesOf(from, ofCase)));
  return all.flat();
});

async function notesOf(from: Case, ofCase: number): Promise<readonly NoteOfCase[]> {
  const found = await listNotes(from);
  return Promise.all(
    found.map(async (note) => {
      const logs = await Promise.all(note.logs.slice(0, mostLogs).map((id) => readLog(from, id)));
      const shown = logs.flatMap((log) => (log ? [toPageLog({ ...log, ofCase })] : []));
      return { ...note, ofCase, shown };
    }),
  );
}

const addParameters = v.object({
  ofCase: count,
  logs: v.pipe(v.array(count), v.maxLength(1000)),
  text,
  tags,
});

/** Adds a note to a case. */
export const addNote = write(
  addParameters,
  ({ ofCase, ...note }, context): Promise<Note> =>
    writeTo(ofCase, context, (into) => addNoteTo(into, { ...note, author: context.author })),
);

const changeParameters = v.object({ ofCase: count, note: count, text, tags });

/** Changes the comment and the tags of a note. */
export const changeNote = write(
  changeParameters,
  ({ ofCase, note, ...edit }, context): Promise<Note> =>
    writeTo(ofCase, context, (into) => changeNoteOf(into, note, { ...edit, author: context.author })),
);

const removeParameters = v.object({ ofCase: count, note: count });

/** Removes a note from the list. */
export const removeNote = write(
  removeParameters,
  ({ ofCase, note }, context): Promise<Note> =>
    writeTo(ofCase, context, (into) => removeNoteOf(into, note, { author: context.author })),
);

/** A saved search with the index of its case. */
export interface SearchOfCase extends SavedSearch {
  readonly ofCase: number;
}

/** The saved searches of all cases, by name in each. */
export const searches = answer(
  nothing,
  async (_, { opened: { cases } }): Promise<readonly SearchOfCase[]> => {
    const all = await Promise.all(cases.map(listSearches));
    return all.flatMap((found, ofCase) => found.map((search) => ({ ...search, ofCase })));
  },
);

const name = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200));
const searchParameters = v.object({
  ofCase: count,
  name,
  query: v.pipe(v.string(), v.maxLength(100_000)),
  ...interval.entries,
});

/** Saves a query and its interval under a name, in place of an earlier one. */
export const saveSearch = write(searchParameters, async ({ ofCase, ...search }, context): Promise<null> => {
  await writeTo(ofCase, context, (into) => saveSearchIn(into, { ...search, author: context.author }));
  return null;
});

const searchName = v.object({ ofCase: count, name });

/** Removes a saved search from the list. */
export const removeSearch = write(searchName, async ({ ofCase, name: removed }, context): Promise<null> => {
  const { author } = context;
  await writeTo(ofCase, context, (into) => removeSearchOf(into, { name: removed, author }));
  return null;
});

/** Runs work on a case that is open for writing for the moment. */
function writeTo<T>(
  ofCase: number,
  { opened, lock }: CallContext,
  work: (into: Case) => Promise<T>,
): Promise<T> {
  const of = opened.cases[ofCase];
  if (!of) throw new PageRefusal(`There is no case ${ofCase}`, 404);
  if (of.originals === 'in place')
    throw new PageRefusal(
      'A case file keeps notes and searches: load the files into one with "logquarry import"',
    );
  // An export into the case has it open for writing already.
  return lock.write(() => (of.access === 'write' ? work(of) : writeBetweenReads(of, work)));
}
