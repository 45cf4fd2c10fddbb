import type { RangeFilter, TermPattern, TermRangeFilter } from '../../language/index.ts';
import type { ByteRange, TermReader } from '../../word-index/index.ts';
import { type IndexReader, joinRanges, type SegmentTerms, scanTerms } from '../../word-index/index.ts';
import { addPostings } from './add-postings.ts';
import { addAll, addId, type Bitmap, bitsFor, emptyBitmap } from './bitmap.ts';
import { findTerms } from './find-terms.ts';
import { planScan } from './plan-scan.ts';

/** Finds the logs with a term of a pattern, or of a range of terms or codes, by testing each term of the index that may be one. */
export async function logsOfPattern(
  reader: IndexReader,
  filter: TermPattern | TermRangeFilter | RangeFilter,
  lastId: number,
): Promise<Bitmap> {
  const made = emptyBitmap(bitsFor(lastId));
  if (filter.kind === 'fuzzy' && filter.expansion) {
    const { field, expansion } = filter;
    const terms = expansion.map((term) => ({ kind: 'term', field, term }) as const);
    for (const found of (await findTerms(reader, terms, lastId)).values()) addAll(made, found.bitmap());
    return made;
  }
  const { range, isSelected } = planScan(filter);
  for await (const some of scanTerms(reader, range)) await addTerms(made, some, isSelected);
  return made;
}

/** Returns the terms of the index that a pattern selects, each at least once. */
export async function termsOfPattern(reader: IndexReader, filter: TermPattern): Promise<readonly string[]> {
  const found: string[] = [];
  const { range, isSelected } = planScan(filter);
  for await (const { terms } of scanTerms(reader, range))
    while (terms.next()) if (isSelected(terms)) found.push(terms.text());
  return found;
}

/** Postings that are read at a time. */
const mostBytes = 4 * 1024 * 1024;

/** Adds the logs of the selected terms. */
async function addTerms(
  made: Bitmap,
  { terms, firstId, readPostings }: SegmentTerms,
  isSelected: (terms: TermReader) => boolean,
): Promise<void> {
  let pending: ByteRange[] = [];
  let bytes = 0;
  const addPending = async () => {
    const ranges = joinRanges(pending);
    const read = await readPostings(ranges.map(({ range }) => range));
    for (const [index, { range, parts }] of ranges.entries())
      for (const { at, length } of parts)
        addPostings(made, {
          bytes: read[index] ?? new Uint8Array(),
          from: at - range.at,
          to: at - range.at + length,
          firstId,
        });
    [pending, bytes] = [[], 0];
  };
  while (terms.next()) {
    if (!isSelected(terms)) continue;
    if (terms.logs === 1) addId(made, terms.only);
    else {
      pending.push({ at: terms.postingsAt, length: terms.postingsLength });
      bytes += terms.postingsLength;
      if (mostBytes < bytes) await addPending();
    }
  }
  if (0 < pending.length) await addPending();
}
