import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filter, Term } from '../../meaning/filter.ts';
import { type Bitmap, bitsFor, emptyBitmap } from './bitmap.ts';
import { addEntry, type Entry, entryColumns, logColumns, readEntry } from './entry.ts';
import { fieldNumber } from './indexed-fields.ts';
import { wordsOf } from './plan.ts';
import { type TokenRun, termsTable } from './runs.ts';
import { hashOf } from './term-hash.ts';

/** What the index says of terms, by `termId`; a term that no log has is not there. */
export type FoundTerms = ReadonlyMap<string, readonly Entry[]>;

/** What a term is known by among those that were looked up. */
export function termId({ field, term }: Term): string {
  return `${fieldNumber(field)} ${term}`;
}

/** Looks up the terms of leaves, all of them at once, with their positions where a phrase asks for them. */
export async function findTerms(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  leaves: readonly Filter[],
): Promise<FoundTerms> {
  const found = new Map<string, Entry[]>();
  const asked = new Set(leaves.flatMap(termsOf).map(termId));
  const columns = columnsByTerm(leaves);
  if (columns.size === 0) return found;
  // One hash at a time: given several, the database reads the lists of all terms to choose from them.
  const selects = [...columns].flatMap(([term, read]) =>
    runs.map(({ run }) => `SELECT field, term, ${read} FROM ${termsTable(run)} WHERE hash = ${hashOf(term)}`),
  );
  const result = await connection.run(selects.join(' UNION ALL '));
  for (const chunk of await result.fetchAllChunks()) {
    const [fields, terms] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let row = 0; row < chunk.rowCount; row++) {
      // Terms of the same hash are told apart by this, and those of other fields passed over.
      const id = `${fields.getItem(row)} ${terms.getItem(row)}`;
      if (asked.has(id)) found.set(id, [...(found.get(id) ?? []), readEntry(chunk, row, 2)]);
    }
  }
  return found;
}

/** The terms of a leaf that are looked up. */
function termsOf(leaf: Filter): readonly Term[] {
  if (leaf.kind === 'phrase') return wordsOf(leaf);
  return leaf.kind === 'term' ? [leaf] : [];
}

/** What has to be read of each term: the sets of those in phrases would be a waste. */
function columnsByTerm(leaves: readonly Filter[]): ReadonlyMap<string, string> {
  const termsIn = (kind: Filter['kind']) =>
    new Set(
      leaves
        .filter((leaf) => leaf.kind === kind)
        .flatMap(termsOf)
        .map(({ term }) => String(term)),
    );
  const [alone, inPhrases] = [termsIn('term'), termsIn('phrase')];
  if (inPhrases.size === 0) return new Map([...alone].map((term) => [term, logColumns]));
  return new Map(
    [...alone, ...inPhrases].map((term) => [
      term,
      entryColumns({ bits: alone.has(term), positions: inPhrases.has(term) }),
    ]),
  );
}

/** The logs of entries. */
export function logsOf(entries: readonly Entry[], lastId: number): Bitmap {
  const made = emptyBitmap(bitsFor(lastId));
  for (const entry of entries) addEntry(made, entry);
  return made;
}
