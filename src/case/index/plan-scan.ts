import type { FuzzyFilter, RangeFilter, TermRangeFilter, WildcardFilter } from '../../language/index.ts';
import {
  isInRange,
  isInTermRange,
  type NumberValue,
  type TermPattern,
  termTest,
  toNumberValue,
  wildcardParts,
} from '../../language/index.ts';
import type { AskedRange, TermReader } from '../../word-index/index.ts';
import { fieldNumber } from '../../word-index/index.ts';
import { literalStart } from './literal-start.ts';

/** The terms to visit for a pattern, and the test of each. */
export interface TermScan {
  readonly range: AskedRange;
  readonly isSelected: (terms: TermReader) => boolean;
}

/** Plans the visit of the terms that a pattern, or a range of terms or codes, may select. */
export function planScan(filter: TermPattern | TermRangeFilter | RangeFilter): TermScan {
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
  const least = [...term].length - edits;
  return (terms) =>
    least <= terms.length && bitCount(letters & ~lettersOf(terms.term, terms.length)) <= edits;
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
    .reduce((longest, each) => (longest.length < each.length ? each : longest), '');
  if (!literal.isWellFormed()) return () => true;
  const bytes = Buffer.from(literal);
  return (terms) => terms.includes(bytes);
}
