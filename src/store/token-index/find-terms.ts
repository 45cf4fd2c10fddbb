import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { Term } from '../../meaning/filter.ts';
import { chunksOf } from '../database/chunks-of.ts';
import { fieldNumber } from '../index-tables/indexed-fields.ts';
import { type TokenRun, termsTable } from '../index-tables/runs.ts';
import { hashOf } from '../index-tables/term-hash.ts';
import { bitsFor, emptyBitmap } from './bitmap.ts';
import { addEntry, type Entry, entryColumns, readEntry } from './entry.ts';
import { type LogSet, setOfBits, setOfFew } from './log-set.ts';

/** What the index says of terms, by `termId`, slice by slice; a term that no log has is not there. */
export type Found<T> = ReadonlyMap<string, readonly T[]>;

/** What a term is known by among those that were looked up. */
export function termId({ field, term }: Pick<Term, 'field' | 'term'>): string {
  return `${fieldNumber(field)} ${term}`;
}

/** What is read of a term. */
interface Reading<T> {
  readonly columns: string;
  /** The slices in which it is looked up, as SQL; all of them unless given. */
  readonly among?: string;
  /** Reads a row of a chunk whose columns are those, behind so many others. */
  readonly read: (chunk: DuckDBDataChunk, row: number, others: number) => T;
}

/** Looks up terms, all of them at once. */
export async function lookUp<T>(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  terms: readonly Term[],
  { columns, among, read }: Reading<T>,
): Promise<Found<T>> {
  const found = new Map<string, T[]>();
  const [asked, hashes] = [
    new Set(terms.map(termId)),
    new Set(terms.map(({ term }) => hashOf(String(term)))),
  ];
  if (asked.size === 0) return found;
  const where = among === undefined ? '' : ` AND ${among}`;
  // One hash at a time: given several, the database reads the lists of all terms to choose from them.
  const selects = [...hashes].flatMap((hash) =>
    runs.map(
      ({ run }) => `SELECT field, term, ${columns} FROM ${termsTable(run)} WHERE hash = ${hash}${where}`,
    ),
  );
  for (const chunk of chunksOf(await connection.run(selects.join(' UNION ALL ')))) {
    const [fields, texts] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let row = 0; row < chunk.rowCount; row++) {
      // Terms of the same hash are told apart by this, and those of other fields passed over.
      const id = `${fields.getItem(row)} ${texts.getItem(row)}`;
      if (asked.has(id)) found.set(id, [...(found.get(id) ?? []), read(chunk, row, 2)]);
    }
  }
  return found;
}

/** The logs of terms. */
export function findTerms(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  terms: readonly Term[],
): Promise<Found<Entry>> {
  return lookUp(connection, runs, terms, { columns: entryColumns, read: readEntry });
}

/** Up to so many ids are kept as they are. */
const fewIds = 1000;

/** The logs of entries. */
export function logsOf(entries: readonly Entry[], lastId: number): LogSet {
  const lists = entries.flatMap(({ logs }) => ('ids' in logs ? [logs.ids] : []));
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  if (lists.length === entries.length && count <= fewIds)
    return setOfFew(joined(lists, count), bitsFor(lastId));
  const made = emptyBitmap(bitsFor(lastId));
  for (const entry of entries) addEntry(made, entry);
  return setOfBits(made);
}

function joined(lists: readonly Uint32Array[], length: number): Uint32Array {
  const made = new Uint32Array(length);
  let at = 0;
  for (const list of lists) {
    made.set(list, at);
    at += list.length;
  }
  return made;
}
