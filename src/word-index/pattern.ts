import {
  type Automaton,
  isInRange,
  isInTermRange,
  type NumberValue,
  type RangeFilter,
  type TermPattern,
  type TermRangeFilter,
  termAutomaton,
  termTest,
  toNumberValue,
} from '../language/index.ts';
import { kindOf, type TermReader } from './dictionary.ts';
import { addAll, addId, type Bitmap, bitsFor, emptyBitmap } from './log-set.ts';
import {
  findTerms,
  type IndexReader,
  joinRanges,
  postingsRange,
  scanTerms,
  type TermSelection,
} from './look-up.ts';
import { addPostings } from './postings.ts';
import { fieldNumber } from './segment-maker.ts';
import type { Segment, SegmentRange } from './stored-segments.ts';

/**
 * Finds the logs with a term of a pattern, or of a range of terms or codes. Reads the blocks of the dictionaries that may
 * have one, and tests their terms.
 */
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
  const scan = planScan(filter);
  let pending: SegmentRange[] = [];
  let bytes = 0;
  for await (const some of scanTerms(reader, scan)) {
    const { terms } = some;
    while (terms.next()) {
      if (!scan.isSelected(terms)) continue;
      if (terms.logs === 1) addId(bitmap, terms.only);
      else {
        pending.push(postingsRange(some));
        bytes += terms.postingsLength;
        if (bytes <= maxPendingBytes) continue;
        await addPending(bitmap, reader, pending);
        [pending, bytes] = [[], 0];
      }
    }
  }
  await addPending(bitmap, reader, pending);
  return bitmap;
}

/** Returns the terms of the index that a pattern selects, each at least once. */
export async function termsOfPattern(reader: IndexReader, filter: TermPattern): Promise<readonly string[]> {
  const found: string[] = [];
  const scan = planScan(filter);
  for await (const { terms } of scanTerms(reader, scan))
    while (terms.next()) if (scan.isSelected(terms)) found.push(terms.text());
  return found;
}

/** Postings that wait to be read. */
const maxPendingBytes = 4 * 1024 * 1024;

/** Adds the logs of postings, which ascend within each segment. */
async function addPending(
  bitmap: Bitmap,
  { cache, connection }: IndexReader,
  pending: readonly SegmentRange[],
): Promise<void> {
  const bySegment = new Map<Segment, SegmentRange[]>();
  for (const range of pending) {
    const ranges = bySegment.get(range.segment) ?? [];
    bySegment.set(range.segment, ranges);
    ranges.push(range);
  }
  const joined = [...bySegment].flatMap(([segment, ranges]) =>
    joinRanges(ranges).map(({ range, parts }) => ({ ...range, segment, parts })),
  );
  const read = await cache.read(connection, joined);
  for (const [index, { at: start, segment, parts }] of joined.entries())
    for (const { at, length } of parts)
      addPostings(bitmap, {
        bytes: read[index] ?? new Uint8Array(),
        from: at - start,
        to: at - start + length,
        firstId: segment.firstId,
      });
}

/** The terms to visit for a pattern, and the test of each, which is called for all terms in their order. */
export interface TermScan extends TermSelection {
  readonly isSelected: (terms: TermReader) => boolean;
}

/** Plans the visit of the terms that a pattern, or a range of terms or codes, may select. */
function planScan(filter: TermPattern | TermRangeFilter | RangeFilter): TermScan {
  const field = fieldNumber(filter.field) ?? 0;
  if (filter.kind === 'termRange') return planRange(field, filter);
  if (filter.kind === 'range') return planCodes(field, filter);
  const automaton = termAutomaton(filter);
  if (automaton && automaton.accepts.length <= maxStates) return { field, ...scanByAutomaton(automaton) };
  const test = termTest(filter);
  return { field, kinds: 0, mayHave: () => true, isSelected: (terms) => test(terms.text()) };
}

/** States of an automaton whose moves fit into half a MiB; larger ones are slower than a test of each term. */
const maxStates = 1000;

/** No move: a state that no term leaves. */
const dead = -1;

/**
 * Plans the visit of the terms that an automaton over bytes accepts, each of whose states leads to an accepting one. A
 * block is read if its terms have the bytes that all accepted ones have, and if the automaton accepts anything between
 * its first term and that of the next block.
 */
export function scanByAutomaton(automaton: Automaton): Omit<TermScan, 'field'> {
  const next = nextStates(automaton);
  return {
    kinds: requiredKinds(automaton),
    mayHave: intervalTest(automaton, next),
    isSelected: sequenceTest(automaton, next),
  };
}

/** Returns the state after each state and byte, 256 for a state. */
function nextStates({ accepts, moves }: Automaton): Int16Array {
  const next = new Int16Array(256 * accepts.length).fill(dead);
  for (const [state, own] of moves.entries())
    for (const { min, max, to } of own) next.fill(to, 256 * state + min, 256 * state + max + 1);
  return next;
}

/** Returns a test if an automaton accepts anything from a term on and before another, or the end. */
function intervalTest({ accepts, moves }: Automaton, next: Int16Array): TermSelection['mayHave'] {
  const after = (state: number, byte = 0): number => next[256 * state + byte] ?? dead;

  function moveBetween(state: number, min: number, max: number): boolean {
    for (const move of moves[state] ?? []) if (move.min <= max && min <= move.max) return true;
    return false;
  }

  /** Reports if a state accepts the rest of a term from an index on, or a text after it. */
  function acceptsFrom(start: number, term: Uint8Array, from: number): boolean {
    let state = start;
    for (let at = from; at < term.length && state !== dead; at++) {
      const byte = term[at] ?? 0;
      if (moveBetween(state, byte + 1, 255)) return true;
      state = after(state, byte);
    }
    return state !== dead;
  }

  /** Reports if a state accepts a text before the rest of a term from an index on. */
  function acceptsBefore(start: number, term: Uint8Array, from: number): boolean {
    let state = start;
    for (let at = from; at < term.length && state !== dead; at++) {
      const byte = term[at] ?? 0;
      if (accepts[state] || moveBetween(state, 0, byte - 1)) return true;
      state = after(state, byte);
    }
    return false;
  }

  return (from, to) => {
    if (accepts.length === 0) return false;
    if (!to) return acceptsFrom(0, from, 0);
    let [state, at] = [0, 0];
    for (; at < from.length && from[at] === to[at]; at++) {
      state = after(state, from[at]);
      if (state === dead) return false;
    }
    if (at === from.length) return acceptsBefore(state, to, at);
    const [low = 0, high = 0] = [from[at], to[at]];
    return (
      moveBetween(state, low + 1, high - 1) ||
      acceptsFrom(after(state, low), from, at + 1) ||
      acceptsBefore(after(state, high), to, at + 1)
    );
  };
}

/**
 * Returns a test of terms in the order of a dictionary: it follows the bytes that a term does not share with the one
 * before.
 */
function sequenceTest({ accepts }: Automaton, next: Int16Array): TermScan['isSelected'] {
  /** States after the first bytes of the last term, and the number of bytes until it was dead or ended. */
  let path = new Int16Array(256);
  let known = 0;
  return ({ term, length, shared }) => {
    if (known < shared) return false;
    if (path.length <= length) path = Int16Array.from({ length: 2 * length }, (_, at) => path[at] ?? 0);
    let state = path[shared] ?? 0;
    for (known = shared; known < length; known++) {
      state = next[256 * state + (term[known] ?? 0)] ?? dead;
      if (state === dead) return false;
      path[known + 1] = state;
    }
    return accepts[state] ?? false;
  };
}

/** Returns the kinds of bytes without which an automaton accepts nothing. */
function requiredKinds({ accepts, moves }: Automaton): number {
  const steps = moves.map((own) => own.map(({ min, max, to }) => ({ kinds: kindsBetween(min, max), to })));
  let required = 0;
  for (const kind of eachKind) {
    const reached = new Set([0]);
    for (const state of reached)
      for (const { kinds, to } of steps[state] ?? []) if ((kinds & ~kind) !== 0) reached.add(to);
    if (![...reached].some((state) => accepts[state])) required |= kind;
  }
  return required;
}

const byteKinds = Array.from({ length: 256 }, (_, byte) => kindOf(byte));
const eachKind = new Set(byteKinds);

function kindsBetween(min: number, max: number): number {
  let kinds = 0;
  for (let byte = min; byte <= max; byte++) kinds |= byteKinds[byte] ?? 0;
  return kinds;
}

/** Terms are sorted as ranges compare them: by code points. */
function planRange(field: number, filter: TermRangeFilter): TermScan {
  const { lower, upper } = filter;
  const isExact = [lower, upper].every((bound) => bound?.value.isWellFormed() ?? true);
  // Bytes have no order for a half of a surrogate pair.
  if (!isExact)
    return {
      field,
      kinds: 0,
      mayHave: () => true,
      isSelected: (terms) => isInTermRange(filter, terms.text()),
    };
  const [from, to] = [lower, upper].map((bound) => bound && Buffer.from(bound.value));
  const isSelected = (terms: TermReader) => {
    const above = from ? terms.compare(from) : 1;
    const below = to ? -terms.compare(to) : 1;
    return (
      (above === 0 ? lower?.inclusive === true : 0 < above) &&
      (below === 0 ? upper?.inclusive === true : 0 < below)
    );
  };
  return { field, kinds: 0, mayHave: overlaps(from, to), isSelected };
}

/** Terms are sorted as texts, and a range of codes has few: all are visited, unless it has one. */
function planCodes(field: number, filter: RangeFilter): TermScan {
  const { lower, upper } = filter;
  const only = lower && lower.value === upper?.value ? Buffer.from(String(lower.value)) : undefined;
  return {
    field,
    kinds: 0,
    mayHave: overlaps(only, only),
    isSelected: (terms) => isInRange(filter, codeOf(terms)),
  };
}

function codeOf(terms: TermReader): NumberValue {
  const text = terms.text();
  if (!/^-?\d{1,19}$/.test(text)) throw new RangeError('A code in the index is not a number');
  return toNumberValue(BigInt(text));
}

/** Returns a test if terms from one on and before another, or the end, may be within bounds. */
function overlaps(lower: Uint8Array | undefined, upper: Uint8Array | undefined): TermSelection['mayHave'] {
  return (from, to) =>
    (!lower || !to || Buffer.compare(lower, to) < 0) && (!upper || Buffer.compare(from, upper) <= 0);
}
