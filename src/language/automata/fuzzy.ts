import type { Engine } from '../parse/engine.ts';
import {
  type Automaton,
  addState,
  costOfMove,
  type Draft,
  type Effort,
  type EngineRefusal,
  type Move,
  maxCodePoint,
  maxStates,
  spendEffort,
  TooComplex,
  toAutomaton,
  tooManyStates,
  withoutDeadStates,
} from './automaton.ts';
import { determinize, toByteAutomaton } from './determinize.ts';

/** The numbers of edits that the engine supports. */
export type Edits = 0 | 1 | 2;

/**
 * Returns the number of edits that a `~` allows. `written` is the text after it; `termLength`
 * counts code points.
 *
 * A number from 1 on is the edits themselves. A smaller one is the part of the term that stays
 * unchanged: `~0.7` allows one edit in a term of four, and none in one of three. Without a number
 * it is two edits, or depends on the length of the term: none up to two code points, one up to
 * five (section 6 of the language specification). OpenSearch takes the whole part of a number. A
 * number that `checkSimilarity` refuses is clamped.
 */
export function fuzzyEdits(
  text: string,
  termLength: number,
  { bareTilde, tildeNumber }: Pick<Engine, 'bareTilde' | 'tildeNumber'>,
): Edits {
  const isAutomatic = tildeNumber !== 'similarity' && /^auto$/i.test(text);
  if (isAutomatic || (bareTilde === 'auto' && text === '')) return automaticEdits(termLength);
  const similarity = parseFloat32(text) ?? 2;
  const isShare = tildeNumber === 'similarity' && similarity !== 0 && similarity < 1;
  const edits = isShare ? (1 - similarity) * termLength : similarity;
  if (2 <= edits) return 2;
  return 1 <= edits ? 1 : 0;
}

function automaticEdits(termLength: number): Edits {
  if (termLength <= 2) return 0;
  return termLength <= 5 ? 1 : 2;
}

/** Returns why an engine refuses the text after the `~` of a word, or undefined if it accepts it. */
export function checkSimilarity(
  text: string,
  { tildeNumber }: Pick<Engine, 'tildeNumber'>,
): EngineRefusal | undefined {
  switch (tildeNumber) {
    case 'similarity':
      return checkNumber(text);
    case 'edits':
      return checkEdits(text);
    case 'wholePart':
      return checkWholePart(text);
  }
}

/** OpenSearch accepts `~AUTO`, or a number whose whole part is not negative. */
function checkWholePart(text: string): EngineRefusal | undefined {
  if (text === '' || /^auto$/i.test(text)) return undefined;
  // The server writes it in upper case before it reads it, which makes "Infinity" no number.
  if (!/infinity/i.test(text) && -1 < (parseFloat32(text) ?? -1)) return undefined;
  return { message: `The number of edits must be a number of at least 0, or AUTO, got "${text}"` };
}

/** Elasticsearch accepts `~AUTO`, or any spelling of the numbers 0, 1 and 2. */
function checkEdits(text: string): EngineRefusal | undefined {
  if (text === '' || /^auto$/i.test(text)) return undefined;
  if ([0, 1, 2].includes(parseFloat32(text) ?? -1)) return undefined;
  return { message: `The number of edits must be 0, 1, 2 or AUTO, got "${text}"` };
}

function checkNumber(text: string): EngineRefusal | undefined {
  const similarity = parseFloat32(text) ?? 2;
  if (similarity < 0) return { message: `The similarity must be a number of at least 0, got "${text}"` };
  // The engine compares the number with its 32-bit integer, which larger numbers overflow.
  const fits = Number.isInteger(similarity) && similarity <= 2 ** 31;
  if (1 <= similarity && !fits) {
    return { message: `The number of edits must be a whole number, got "${text}"` };
  }
  return undefined;
}

/**
 * Returns a test for texts at most `edits` away from a term. An edit adds, removes or replaces a
 * code point, or swaps two neighbours; swapped code points are not edited again, as in the engine.
 *
 * The test accepts every text that is near enough: an engine's limit on expanded terms depends on
 * its whole index.
 */
export function fuzzyTest(term: string, edits: Edits): (text: string) => boolean {
  // The engine treats the empty term as its own unchanged prefix.
  if (edits === 0 || term === '') return (text) => text === term;
  const termPoints = codePointsOf(term);
  return (text) => {
    // A code point has one or two units, so this excludes most texts early.
    if (2 * (termPoints.length + edits) < text.length || text.length + edits < termPoints.length)
      return false;
    const found = codePointsOf(text);
    return edits === 1 ? isOneEditAway(termPoints, found) : distance(termPoints, found, edits) <= edits;
  };
}

/**
 * Returns why the engine refuses a term with this number of edits, or undefined if it accepts it. The automaton over the
 * bytes of UTF-8 must have at most `maxStates` states, which is so for each term of `alwaysFits` bytes. That of ASCII
 * alone is deterministic as it is, and then the engine does not count.
 */
export function checkFuzzy(term: string, edits: Edits, effort: Effort): EngineRefusal | undefined {
  // A unit takes three bytes at most.
  if (edits === 0 || 3 * term.length <= alwaysFits || isAscii(term)) return undefined;
  if (codePointsOf(term).reduce((sum, code) => sum + bytesIn(code), 0) <= alwaysFits) return undefined;
  try {
    fuzzyStates(term, edits, effort);
    return undefined;
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { message: error.message === tooManyStates ? tooLongForEdits : error.message };
  }
}

/** Bytes of a term with fewer states than the limit: those of the worst terms take 120 states each. */
const alwaysFits = 64;

const tooLongForEdits =
  'The term is too long for a "~": the engine would need more than 10,000 states for it';

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (0x7f < text.charCodeAt(at)) return false;
  return true;
}

function bytesIn(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/**
 * The number of states that the engine counts for a term: of the deterministic automaton over bytes. Between two
 * states over code points it has others, which depend on the ranges of the moves alone. Throws `TooComplex` above
 * `maxStates`.
 */
export function fuzzyStates(term: string, edits: 1 | 2, effort: Effort): number {
  const { accepts, moves } = fuzzyAutomaton(term, edits, effort);
  const between = new Map<string, number>();
  let states = accepts.length;
  for (const own of moves) {
    const key = own.map(({ min, max }) => `${min}-${max}`).join();
    const count = between.get(key) ?? statesBetween(own, effort);
    between.set(key, count);
    states += count;
    if (maxStates < states) throw new TooComplex(tooManyStates);
  }
  return states;
}

/** The number of states within the code points of some moves: those of their bytes, but for both ends. */
function statesBetween(moves: readonly Move[], effort: Effort): number {
  // Targets of their own keep the ranges apart.
  const own = moves.map(({ min, max }, index) => ({ min, max, to: index + 1 }));
  const automaton = { accepts: [false, ...own.map(() => true)], moves: [own, ...own.map(() => [])] };
  return determinize(toByteAutomaton(automaton, effort), effort).accepts.length - automaton.accepts.length;
}

/** A position in a term after some edits. One that swaps has read the code point after the next, and waits for that. */
interface Position {
  readonly at: number;
  readonly spent: number;
  readonly swaps: boolean;
}

/** A term and the edits that are allowed. */
interface Near {
  readonly term: readonly number[];
  readonly edits: number;
}

/**
 * The automaton of the texts at most `edits` away from a term. Its states are sets of positions, as Schulz and Mihov
 * define them, and as many as in the engine. Throws `TooComplex` above `maxStates`.
 */
function fuzzyAutomaton(text: string, edits: 1 | 2, effort: Effort): Automaton {
  const term = codePointsOf(text);
  const draft: Draft = { accepts: [], moves: [] };
  const sets: (readonly Position[])[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (positions: readonly Position[]): number => {
    const key = positions.map(({ at, spent, swaps }) => 6 * at + 2 * spent + Number(swaps)).join();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (sets.length === maxStates) throw new TooComplex(tooManyStates);
    numbers.set(key, sets.push(positions) - 1);
    const accepts = positions.some(({ at, spent, swaps }) => !swaps && term.length - at <= edits - spent);
    return addState(draft, accepts);
  };
  numberOf([{ at: 0, spent: 0, swaps: false }]);
  for (const [state, positions] of sets.entries()) {
    const first = positions[0]?.at ?? 0;
    const near = [...new Set(term.slice(first, first + 2 * edits + 1))].sort((a, b) => a - b);
    spendEffort(effort, costOfMove * (1 + near.length) * positions.length);
    const follow = (code: number | undefined, min: number, max: number): void => {
      const next = min <= max ? positionsAfter(positions, code, { term, edits }) : [];
      if (0 < next.length) draft.moves[state]?.push({ min, max, to: numberOf(next) });
    };
    for (const code of near) follow(code, code, code);
    for (const [index, code] of [...near, maxCodePoint + 1].entries())
      follow(undefined, (near[index - 1] ?? -1) + 1, code - 1);
  }
  return toAutomaton(draft);
}

/**
 * Returns the deterministic automaton over bytes that accepts what one over code points does, or the texts near to a term.
 * It has no dead states. Throws `TooComplex` if the effort is spent.
 */
export function toBytes(
  source: Automaton | { readonly term: string; readonly edits: 1 | 2 },
  effort: Effort,
): Automaton {
  const automaton = 'term' in source ? fuzzyAutomaton(source.term, source.edits, effort) : source;
  return withoutDeadStates(determinize(toByteAutomaton(automaton, effort), effort));
}

/**
 * The positions after a code point, which is undefined if it is none of those near. They keep the order in which they
 * are found where the engine's do: it takes another order for another state.
 */
function positionsAfter(
  positions: readonly Position[],
  code: number | undefined,
  { term, edits }: Near,
): readonly Position[] {
  const found: Position[] = [];
  const add = (at: number, spent: number, swaps = false): void => {
    if (spent <= edits && at <= term.length) found.push({ at, spent, swaps });
  };
  const has = (at: number): boolean => code !== undefined && term[at] === code;
  for (const { at, spent, swaps } of positions) {
    if (swaps) {
      if (has(at)) add(at + 2, spent);
    } else if (has(at)) {
      add(at + 1, spent);
    } else {
      if (has(at + 1)) add(at, spent + 1, true);
      add(at, spent + 1);
      add(at + 1, spent + 1);
      const skipped = [1, 2].find((count) => has(at + count));
      if (skipped !== undefined) add(at + skipped + 1, spent + skipped);
    }
  }
  return found
    .filter(
      (position, index) =>
        !found.some((other) => subsumes(other, position)) &&
        found.findIndex((other) => isSamePosition(other, position)) === index,
    )
    .sort((a, b) => a.at - b.at || a.spent - b.spent);
}

/** Returns whether a position leads to all that another one leads to, with fewer edits. */
function subsumes(one: Position, other: Position): boolean {
  const more = other.spent - one.spent;
  if (more <= 0) return false;
  if (one.swaps) return other.swaps && one.at === other.at;
  return Math.abs(other.at - one.at + Number(other.swaps)) <= more;
}

function isSamePosition(a: Position, b: Position): boolean {
  return a.at === b.at && a.spent === b.spent && a.swaps === b.swaps;
}

/**
 * Returns the engine's similarity of a term and a text within `edits`: 1 if they are equal, less
 * with each edit and more so for shorter texts. Undefined for a text further away.
 */
export function fuzzySimilarity(term: string, edits: Edits, text: string): number | undefined {
  if (text === term) return 1;
  if (!fuzzyTest(term, edits)(text)) return undefined;
  const [termPoints, found] = [codePointsOf(term), codePointsOf(text)];
  const away = Math.fround(distance(termPoints, found, edits) / Math.min(termPoints.length, found.length));
  return Math.fround(1 - away);
}

/** Reports if two texts are equal but for one edit at most: what they share at both ends leaves no more than that. */
function isOneEditAway(term: readonly number[], found: readonly number[]): boolean {
  const shorter = Math.min(term.length, found.length);
  let start = 0;
  while (start < shorter && term[start] === found[start]) start += 1;
  let end = 0;
  while (end < shorter - start && term[term.length - 1 - end] === found[found.length - 1 - end]) end += 1;
  const [own, other] = [term.length - start - end, found.length - start - end];
  if (own <= 1 && other <= 1) return true;
  const areSwapped = term[start] === found[start + 1] && term[start + 1] === found[start];
  return own === 2 && other === 2 && areSwapped;
}

function codePointsOf(text: string): readonly number[] {
  const codePoints: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const codePoint = text.codePointAt(at) ?? 0;
    if (0xffff < codePoint) at += 1;
    codePoints.push(codePoint);
  }
  return codePoints;
}

/**
 * The edit distance of two texts, or any larger value than `edits` when it exceeds them. A row
 * holds the distances between a prefix of the one and prefixes of the other, on the diagonals that
 * `edits` can reach. Three rows are used in turn: a query of a thousand words meets a log of
 * a thousand.
 */
function distance(termPoints: readonly number[], found: readonly number[], edits: number): number {
  if (edits < Math.abs(found.length - termPoints.length)) return far;
  const diagonals = 2 * edits + 1;
  let before: number[] = [];
  let last = Array.from({ length: diagonals }, (_, diagonal) => (diagonal < edits ? far : diagonal - edits));
  let own: number[] = [];
  for (let row = 1; row <= termPoints.length; row += 1) {
    const here = termPoints[row - 1];
    const previous = termPoints[row - 2];
    let nearest = far;
    for (let diagonal = 0; diagonal < diagonals; diagonal += 1) {
      const column = row + diagonal - edits;
      const same = here === found[column - 1];
      const swapped = here === found[column - 2] && previous === found[column - 1];
      let min = (last[diagonal] ?? far) + (same ? 0 : 1);
      const added = (last[diagonal + 1] ?? far) + 1;
      if (added < min) min = added;
      const removed = 0 < diagonal ? (own[diagonal - 1] ?? far) + 1 : far;
      if (removed < min) min = removed;
      if (swapped && (before[diagonal] ?? far) + 1 < min) min = (before[diagonal] ?? far) + 1;
      if (column < 0) min = far;
      own[diagonal] = min;
      if (min < nearest) nearest = min;
    }
    if (edits < nearest) return far;
    [before, last, own] = [last, own, before];
  }
  return last[found.length - termPoints.length + edits] ?? far;
}

/** The distance of an unreachable cell. */
const far = Number.POSITIVE_INFINITY;

const number = /^[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)$/;

/**
 * The number after a `~` as the engine reads it, a 32-bit float, or undefined. The syntax is
 * Java's: an exponent, a final `f` or `d`, `NaN` and `Infinity`. Hexadecimal numbers are not
 * supported.
 */
export function parseFloat32(text: string): number | undefined {
  const trimmed = text.replace(/^[\0- ]+|[\0- ]+$/g, '');
  if (!number.test(trimmed)) return undefined;
  return Math.fround(Number(trimmed.replace(/(?<=[\d.])[fFdD]$/, '')));
}
