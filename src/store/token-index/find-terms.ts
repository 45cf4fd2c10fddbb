import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { TermFilter } from '../../meaning/filter.ts';
import { chunksOf } from '../database/chunks-of.ts';
import { fieldNumber } from '../index-tables/indexed-fields.ts';
import { type TokenRun, termsTable } from '../index-tables/runs.ts';
import { termHash } from '../index-tables/term-hash.ts';
import { bitsFor, emptyBitmap } from './bitmap.ts';
import { type LogSet, setOfBits, setOfFew } from './log-set.ts';
import { addTermEntry, entryColumns, readTermEntry, type TermEntry } from './term-entry.ts';

/** Index rows of terms by `termId`, one for each slice; a term without logs is absent. */
export type TermMatches<T> = ReadonlyMap<string, readonly T[]>;

/** Returns the key of a term in `TermMatches`. */
export function termId({ field, term }: Pick<TermFilter, 'field' | 'term'>): string {
  return `${fieldNumber(field)} ${term}`;
}

/** Columns to read of a term. */
interface Reading<T> {
  readonly columns: string;
  /** SQL condition on the slices; default: all slices. */
  readonly among?: string;
  /** Reads a row of a chunk, whose columns follow `others` other columns. */
  readonly read: (chunk: DuckDBDataChunk, row: number, others: number) => T;
}

/** Looks up terms, all at once. */
export async function lookUpTerms<T>(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  terms: readonly TermFilter[],
  { columns, among, read }: Reading<T>,
): Promise<TermMatches<T>> {
  const found = new Map<string, T[]>();
  const [asked, hashes] = [
    new Set(terms.map(termId)),
    new Set(terms.map(({ term }) => termHash(String(term)))),
  ];
  if (asked.size === 0) return found;
  const where = among === undefined ? '' : ` AND ${among}`;
  // One hash in each SELECT: with several, DuckDB reads the lists of all terms to select from them.
  const selects = [...hashes].flatMap((hash) =>
    runs.map(
      ({ run }) => `SELECT field, term, ${columns} FROM ${termsTable(run)} WHERE hash = ${hash}${where}`,
    ),
  );
  for (const chunk of chunksOf(await connection.run(selects.join(' UNION ALL ')))) {
    const [fields, texts] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let row = 0; row < chunk.rowCount; row++) {
      // Tells terms of the same hash apart, and skips those of other fields.
      const id = `${fields.getItem(row)} ${texts.getItem(row)}`;
      if (asked.has(id)) found.set(id, [...(found.get(id) ?? []), read(chunk, row, 2)]);
    }
  }
  return found;
}

/** Looks up the logs of terms. */
export function findTerms(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  terms: readonly TermFilter[],
): Promise<TermMatches<TermEntry>> {
  return lookUpTerms(connection, runs, terms, { columns: entryColumns, read: readTermEntry });
}

/** Up to this number, ids are stored as a list. */
const maxListedIds = 1000;

/** Returns the set of the logs of entries. */
export function logSetOf(entries: readonly TermEntry[], lastId: number): LogSet {
  const lists = entries.flatMap(({ logs }) => ('ids' in logs ? [logs.ids] : []));
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  if (lists.length === entries.length && count <= maxListedIds)
    return setOfFew(joined(lists, count), bitsFor(lastId));
  const made = emptyBitmap(bitsFor(lastId));
  for (const entry of entries) addTermEntry(made, entry);
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
