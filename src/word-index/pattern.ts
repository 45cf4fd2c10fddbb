import {
  type FuzzyFilter,
  isInRange,
  isInTermRange,
  type NumberValue,
  type RangeFilter,
  type TermPattern,
  type TermRangeFilter,
  termTest,
  toNumberValue,
  type WildcardFilter,
  wildcardParts,
} from '../language/index.ts';
import type { ByteRange, TermReader } from './dictionary.ts';
import { addAll, addId, type Bitmap, bitsFor, emptyBitmap } from './log-set.ts';
import {
  findTerms,
  type IndexReader,
  joinRanges,
  type SegmentTerms,
  scanTerms,
  type TermRange,
} from './look-up.ts';
import { addPostings } from './postings.ts';
import { fieldNumber } from './segment-maker.ts';

/** Finds the logs with a term of a pattern, or of a range of terms or codes, by testing each term of the index that may be one. */
export async function logsOfPattern(
  reader: IndexReader,
  filter: TermPattern | TermRangeFilter | RangeFilter,
  lastId: number,
): Promise<Bitmap> {
  const bitmap = emptyBitmap(bitsFor(lastId));
  if (filter.kind === 'fuzzy' && filter.expansion) {
    const { field, expansion } = filter;
    const terms = expansion.map((term) => ({ kind: 'term', field, term }) as const);
    for (const found of (await findTerms(reader, terms, lastId)).values()) addAll(bitmap, found.bitmap());
    return bitmap;
  }
  const { range, isSelected } = planScan(filter);
  for await (const some of scanTerms(reader, range)) await addTerms(bitmap, some, isSelected);
  return bitmap;
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
const maxPendingBytes = 4 * 1024 * 1024;

/** Adds the logs of the selected terms. */
async function addTerms(
  bitmap: Bitmap,
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
        addPostings(bitmap, {
          bytes: read[index] ?? new Uint8Array(),
          from: at - range.at,
          to: at - range.at + length,
          firstId,
        });
    [pending, bytes] = [[], 0];
  };
  while (terms.next()) {
    if (!isSelected(terms)) continue;
    if (terms.logs === 1) addId(bitmap, terms.only);
    else {
      pending.push({ at: terms.postingsAt, length: terms.postingsLength });
      bytes += terms.postingsLength;
      if (maxPendingBytes < bytes) await addPending();
    }
  }
  if (0 < pending.length) await addPending();
}

/** The terms to visit for a pattern, and the test of each. */
interface TermScan {
  readonly range: TermRange;
  readonly isSelected: (terms: TermReader) => boolean;
}

/** Plans the visit of the terms that a pattern, or a range of terms or codes, may select. */
function planScan(filter: TermPattern | TermRangeFilter | RangeFilter): TermScan {
  const field = fieldNumber(filter.field) ?? 0;
  if (filter.kind === 'termRange') return planRange(field, filter);
  if (filter.kind === 'range') return planCodes(field, filter);
  const start = literalStart(filter);
  const test = termTest(filter);
  const mayPass = quickTest(filter);
  // Bytes have no order for a half of a surrogate pair.
  if (!start.isWellFormed())
    return { range: { field, from: lowest }, isSelected: (terms) => mayPass(terms) && test(terms.text()) };
  const [from, to] = [Buffer.from(start), Buffer.from(`${start}${afterTerms}`)];
  const isSelected =
    filter.kind === 'prefix'
      ? (terms: TermReader) => terms.startsWith(from)
      : (terms: TermReader) => terms.startsWith(from) && mayPass(terms) && test(terms.text());
  return { range: { field, from, to }, isSelected };
}

/** The greatest code point, which is in no term: those with a prefix sort before the prefix and this. */
const afterTerms = '\u{10ffff}';

/** Not after any term. */
const lowest = Buffer.alloc(0);

/** Terms are sorted as ranges compare them: by code points. */
function planRange(field: number, filter: TermRangeFilter): TermScan {
  const { lower, upper } = filter;
  const isExact = [lower, upper].every((bound) => bound?.value.isWellFormed() ?? true);
  if (!isExact)
    return { range: { field, from: lowest }, isSelected: (terms) => isInTermRange(filter, terms.text()) };
  const [from, to] = [lower, upper].map((bound) => bound && Buffer.from(bound.value));
  const isSelected = (terms: TermReader) => {
    const above = from ? terms.compare(from) : 1;
    const below = to ? -terms.compare(to) : 1;
    return (
      (above === 0 ? lower?.inclusive === true : 0 < above) &&
      (below === 0 ? upper?.inclusive === true : 0 < below)
    );
  };
  return { range: { field, from: from ?? lowest, to }, isSelected };
}

/** Terms are sorted as texts, and a range of codes has few: all are visited, unless it has one. */
function planCodes(field: number, filter: RangeFilter): TermScan {
  const { lower, upper } = filter;
  const only = lower && lower.value === upper?.value ? Buffer.from(String(lower.value)) : undefined;
  return {
    range: { field, from: only ?? lowest, to: only },
    isSelected: (terms) => isInRange(filter, codeOf(terms)),
  };
}

function codeOf(terms: TermReader): NumberValue {
  const text = terms.text();
  if (!/^-?\d{1,19}$/.test(text)) throw new RangeError('A code in the index is not a number');
  return toNumberValue(BigInt(text));
}

/** Returns a quick test of bytes that all selected terms pass: making a text of each term would take most of the time. */
function quickTest(filter: TermPattern): (terms: TermReader) => boolean {
  switch (filter.kind) {
    case 'fuzzy':
      return fuzzyTest(filter);
    case 'wildcard':
      return literalTest(filter);
    case 'prefix':
    case 'regexp':
      return () => true;
  }
}

/** A near term lacks at most as many letters as there are edits. */
function fuzzyTest({ term, edits }: FuzzyFilter): (terms: TermReader) => boolean {
  const letters = lettersOf(Buffer.from(term.replace(/[^\0-\x7f]/gu, '')), Number.POSITIVE_INFINITY);
  const minLength = [...term].length - edits;
  return (terms) =>
    minLength <= terms.length && bitCount(letters & ~lettersOf(terms.term, terms.length)) <= edits;
}

/** Returns a set of the last five bits of the first bytes. */
function lettersOf(bytes: Uint8Array, length: number): number {
  let letters = 0;
  for (let at = 0; at < length && at < bytes.length; at++) letters |= 1 << ((bytes[at] ?? 0) & 31);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** All terms of a wildcard pattern have its literal parts. */
function literalTest({ pattern }: WildcardFilter): (terms: TermReader) => boolean {
  const literal = wildcardParts(pattern)
    .map((part) => (typeof part === 'number' ? String.fromCodePoint(part) : '\n'))
    .join('')
    .split('\n')
    .reduce((longest, piece) => (longest.length < piece.length ? piece : longest), '');
  if (!literal.isWellFormed()) return () => true;
  const bytes = Buffer.from(literal);
  return (terms) => terms.includes(bytes);
}

/**
 * Returns a common prefix of all terms that a pattern selects. Comparing it leaves few terms to test. Empty if
 * there is no obvious one.
 */
export function literalStart(filter: TermPattern | TermRangeFilter): string {
  switch (filter.kind) {
    case 'prefix':
      return filter.prefix;
    case 'wildcard': {
      const parts = wildcardParts(filter.pattern);
      const end = parts.findIndex((part) => typeof part !== 'number');
      const literal = parts.slice(0, end === -1 ? parts.length : end);
      return literal.map((part) => (typeof part === 'number' ? String.fromCodePoint(part) : '')).join('');
    }
    case 'regexp':
      return startOfRegexp(filter.pattern);
    case 'fuzzy':
    case 'termRange':
      return '';
  }
}

/**
 * Letters and digits at the start of a regular expression. A quantifier may make the last one optional, a
 * choice or complement all of them.
 */
function startOfRegexp(pattern: string): string {
  if (/[|&~]/.test(pattern)) return '';
  const [, start = '', next = ''] = /^([a-z0-9]*)([\s\S]?)/.exec(pattern) ?? [];
  return /[?*+{]/.test(next) ? start.slice(0, -1) : start;
}
