import type { Document } from '../../language/index.ts';
import { matchDocument } from '../../language/index.ts';
import type { Atom } from './atoms.ts';

/** A log of an example: its values for matching, and the atoms that select it. */
export interface ExampleLog {
  readonly document: Document;
  readonly atoms: readonly Atom[];
}

/** An atom that must match, or must not. */
export interface AtomClause {
  readonly atom: Atom;
  readonly isNegated: boolean;
}

/** Clauses that must all hold; at least one of them is not negated. */
export type Conjunction = readonly AtomClause[];

/** Returns whether an atom selects an example. */
export type Matcher = (atom: Atom, example: ExampleLog) => boolean;

/** A matcher that caches its results. */
export function createMatcher(): Matcher {
  const cache = new Map<Atom, Map<ExampleLog, boolean>>();
  return (atom, example) => {
    const known = cache.get(atom) ?? new Map<ExampleLog, boolean>();
    cache.set(atom, known);
    const found = known.get(example) ?? matchDocument(atom.filter, example.document);
    known.set(example, found);
    return found;
  };
}

/** A clause, and the unliked examples that it excludes. */
interface Candidate {
  readonly clause: AtomClause;
  readonly excludes: ReadonlySet<ExampleLog>;
}

/** Clauses whose cheapest combination is searched; three of them are 36,000 combinations. */
const mostCandidates = 60;

/**
 * Lists conjunctions that select all liked examples and no unliked one, the cheapest first and at
 * most 16; empty if there is none. Conjunctions of up to three clauses are searched exhaustively,
 * longer ones are built clause by clause.
 */
export function separatingConjunctions(
  liked: readonly ExampleLog[],
  unliked: readonly ExampleLog[],
  matches: Matcher,
): readonly Conjunction[] {
  const common = commonAtoms(liked, matches);
  const [cheapest] = common;
  if (!cheapest) return [];
  const positive = { atom: cheapest, isNegated: false };
  if (unliked.length === 0) return common.slice(0, 16).map((atom) => [{ atom, isNegated: false }]);
  const candidates = candidatesFor(common, { liked, unliked, matches });
  const small = smallCombinations(candidates, unliked.length);
  const found = 0 < small.length ? small : greedyCombination(candidates, unliked.length);
  return found
    .map((clauses) => (clauses.every(({ isNegated }) => isNegated) ? [positive, ...clauses] : clauses))
    .toSorted((a, b) => costOf(a) - costOf(b))
    .slice(0, 16);
}

/** Returns whether one conjunction can select all liked examples and no unliked one. */
export function isSeparable(
  liked: readonly ExampleLog[],
  unliked: readonly ExampleLog[],
  matches: Matcher,
): boolean {
  const common = commonAtoms(liked, matches);
  if (common.length === 0) return false;
  const excluded = candidatesFor(common, { liked, unliked, matches }).flatMap(({ excludes }) => [
    ...excludes,
  ]);
  return new Set(excluded).size === unliked.length;
}

/** The atoms that select all examples, the cheapest first. */
export function commonAtoms(examples: readonly ExampleLog[], matches: Matcher): readonly Atom[] {
  const [first, ...others] = examples;
  return (first?.atoms ?? [])
    .filter((atom) => others.every((example) => matches(atom, example)))
    .toSorted((a, b) => a.cost - b.cost);
}

/** Characters that a clause takes beside its atom; one behind NOT also describes other logs than these. */
const [andCost, notCost] = [5, 30];

/** The length of a conjunction, with penalties. */
export function costOf(conjunction: Conjunction): number {
  return conjunction.reduce(
    (sum, { atom, isNegated }) => sum + atom.cost + (isNegated ? notCost : andCost),
    0,
  );
}

interface Examples {
  readonly liked: readonly ExampleLog[];
  readonly unliked: readonly ExampleLog[];
  readonly matches: Matcher;
}

/**
 * Clauses that select all liked examples: common atoms, and atoms of unliked examples behind NOT.
 * Of those that exclude the same examples only the cheapest.
 */
function candidatesFor(common: readonly Atom[], { liked, unliked, matches }: Examples): readonly Candidate[] {
  const excludedBy = (clause: AtomClause) =>
    new Set(unliked.filter((example) => matches(clause.atom, example) === clause.isNegated));
  const candidates = common.map((atom): Candidate => {
    const clause = { atom, isNegated: false };
    return { clause, excludes: excludedBy(clause) };
  });
  const open = new Set(unliked);
  for (const example of unliked) {
    // Each example is looked at until something excludes it: all atoms of all of them are too many.
    if (!open.has(example)) continue;
    for (const atom of example.atoms) {
      if (liked.some((each) => matches(atom, each))) continue;
      const clause = { atom, isNegated: true };
      const excludes = excludedBy(clause);
      candidates.push({ clause, excludes });
      for (const each of excludes) open.delete(each);
    }
  }
  return cheapestOfEach(candidates, unliked);
}

function cheapestOfEach(
  candidates: readonly Candidate[],
  unliked: readonly ExampleLog[],
): readonly Candidate[] {
  const numbers = new Map(unliked.map((example, index) => [example, index]));
  const cheapest = new Map<string, Candidate>();
  for (const each of candidates.toSorted((a, b) => costOf([a.clause]) - costOf([b.clause]))) {
    const key = [...each.excludes].map((example) => numbers.get(example)).join(' ');
    if (key !== '' && !cheapest.has(key)) cheapest.set(key, each);
  }
  return [...cheapest.values()];
}

/** All combinations of up to three of the candidates that exclude the most, as many as are needed. */
function smallCombinations(candidates: readonly Candidate[], unliked: number): readonly Conjunction[] {
  const single = candidates.filter(({ excludes }) => excludes.size === unliked);
  const most = candidates.toSorted((a, b) => b.excludes.size - a.excludes.size).slice(0, mostCandidates);
  const pairs = pairsOf(most);
  const excludedByPair = pairs.map(([a, b]) => union(a, b));
  const double = pairs.filter((_, index) => excludedByPair[index]?.size === unliked);
  if (0 < single.length + double.length)
    return [...single.map((each) => [each]), ...double].map((each) => each.map(({ clause }) => clause));
  return pairs.flatMap(([a, b], index) => {
    const both = excludedByPair[index] ?? new Set();
    const rest = most.slice(most.indexOf(b) + 1);
    return rest
      .filter(({ excludes }) => unliked <= both.size + excludes.size && isCovered(both, excludes, unliked))
      .map((c) => [a.clause, b.clause, c.clause]);
  });
}

function pairsOf(candidates: readonly Candidate[]): readonly (readonly [Candidate, Candidate])[] {
  return candidates.flatMap((a, index) => candidates.slice(index + 1).map((b) => [a, b] as const));
}

function union(a: Candidate, b: Candidate): ReadonlySet<ExampleLog> {
  return new Set([...a.excludes, ...b.excludes]);
}

function isCovered(both: ReadonlySet<ExampleLog>, more: ReadonlySet<ExampleLog>, count: number): boolean {
  let size = both.size;
  for (const example of more) if (!both.has(example)) size += 1;
  return size === count;
}

/** One combination, in which each clause excludes the most of what is left. */
function greedyCombination(candidates: readonly Candidate[], unliked: number): readonly Conjunction[] {
  const excluded = new Set<ExampleLog>();
  const chosen: AtomClause[] = [];
  while (excluded.size < unliked) {
    const gain = ({ excludes }: Candidate) => [...excludes].filter((each) => !excluded.has(each)).length;
    const best = candidates.reduce<{ readonly each: Candidate; readonly gain: number } | undefined>(
      (before, each) => {
        const own = gain(each);
        return own <= (before?.gain ?? 0) ? before : { each, gain: own };
      },
      undefined,
    );
    if (!best) return [];
    chosen.push(best.each.clause);
    for (const example of best.each.excludes) excluded.add(example);
  }
  return [chosen];
}

/** The liked examples that a conjunction selects. */
export function selectedBy(
  conjunction: Conjunction,
  examples: readonly ExampleLog[],
  matches: Matcher,
): readonly ExampleLog[] {
  return examples.filter((example) =>
    conjunction.every(({ atom, isNegated }) => matches(atom, example) !== isNegated),
  );
}
