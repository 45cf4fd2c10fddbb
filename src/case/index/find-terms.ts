import type { TermFilter } from '../../language/index.ts';
import {
  type FoundTerm,
  fieldNumber,
  type IndexReader,
  lookUp,
  readPostingsOf,
} from '../../word-index/index.ts';
import { addPostings, idsOfPostings } from './add-postings.ts';
import { addId, bitsFor, emptyBitmap } from './bitmap.ts';
import { type LogSet, mostListed, setOfBits, setOfFew } from './log-set.ts';

/** Sets of logs by `termId`. */
export type TermMatches = ReadonlyMap<string, LogSet>;

/** Returns the key of a term in `TermMatches`. */
export function termId({ field, term }: Pick<TermFilter, 'field' | 'term'>): string {
  return `${fieldNumber(field)} ${term}`;
}

/** Looks up the logs of terms, all at once. Sets have ids up to `lastId`. */
export async function findTerms(
  reader: IndexReader,
  terms: readonly TermFilter[],
  lastId: number,
): Promise<TermMatches> {
  const asked = [...new Map(terms.map((each) => [termId(each), each])).values()];
  const found = await lookUp(
    reader,
    asked.map(({ field, term }) => ({ field: fieldNumber(field) ?? 0, term: String(term) })),
  );
  const postings = await readPostingsOf(reader, found.flat());
  let next = 0;
  return new Map(
    asked.map((each, index) => {
      const parts = (found[index] ?? []).map((term) => ({
        ...term,
        postings: postings[next++] ?? new Uint8Array(),
      }));
      return [termId(each), toLogSet(parts, lastId)];
    }),
  );
}

function toLogSet(parts: readonly (FoundTerm & { readonly postings: Uint8Array })[], lastId: number): LogSet {
  const bits = bitsFor(lastId);
  const count = parts.reduce((sum, { entry }) => sum + entry.logs, 0);
  if (count <= mostListed) {
    const ids = parts.flatMap(({ segment, entry, postings }) =>
      entry.only ? [entry.only.id] : idsOfPostings(postings, segment.firstId),
    );
    return setOfFew(Uint32Array.from(ids), bits);
  }
  const made = emptyBitmap(bits);
  for (const { segment, entry, postings } of parts) {
    if (entry.only) addId(made, entry.only.id);
    else addPostings(made, { bytes: postings, from: 0, to: postings.length, firstId: segment.firstId });
  }
  return setOfBits(made);
}
