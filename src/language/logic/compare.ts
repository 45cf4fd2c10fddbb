import { type Effort, newEffort, spendEffort, TooComplex } from '../automata/effort.ts';
import type { FieldValue, FieldValues } from '../meaning/document.ts';
import type { Filter } from '../meaning/filter.ts';
import { match } from '../meaning/match.ts';
import { complexityOf } from '../meaning/runnable.ts';
import type { Assignment, Constraint, LeafFilter, Variable, VariableLiteral } from './boolean-logic.ts';
import { type ComparisonProblem, toComparisonProblem } from './comparison-problem.ts';
import { Diagram, type DiagramNode, tooLargeNode } from './diagram.ts';
import type { FieldTheory } from './field-theory.ts';
import { costOfMatch } from './leaf-match.ts';

/** The result of a comparison. Without `same` it is undecided, for the given reason. */
export type Comparison =
  | { readonly same: true }
  | { readonly same: false; readonly example: Example }
  | { readonly same?: undefined; readonly undecided: string };

/** A log that one of two filters selects and the other does not. */
export interface Example {
  readonly values: FieldValues;
  readonly selectedBy: 'a' | 'b';
}

/** The effort for shrinking an example, which makes it easier to read. */
const stepsToShrink = 5_000_000;

/** The maximum number of nodes of a diagram: about 20 MB. */
const maxNodes = 200_000;

/**
 * Compares two filters: whether they select the same logs of all possible ones, and if not, a
 * small log that distinguishes them. `same` is proved, and `match` confirms an example. The result
 * is undecided if the proof would take too long, or depends on patterns for which no matching text
 * was found.
 *
 * ```ts
 * compare(filterOf('a OR b AND c'), filterOf('b AND c')); // { same: true }
 * compare(filterOf('msg:a'), filterOf('NOT *:*')); // { same: false, example: { values: { msg: 'a' }, selectedBy: 'a' } }
 * ```
 */
export function compare(a: Filter, b: Filter): Comparison {
  const found = findDifference(a, b);
  if (found.kind === 'none') return { same: true };
  if (found.kind === 'undecided') return { undecided: found.reason };
  const differs = differenceOf(a, b, newEffort(stepsToShrink));
  const values = shrinkLog(found.values, (smaller) => unlessTooComplex(() => differs(smaller)));
  return { same: false, example: { values, selectedBy: match(a, values) ? 'a' : 'b' } };
}

/** Returns whether two filters provably select the same logs. */
export function areSame(a: Filter, b: Filter): boolean {
  return findDifference(a, b).kind === 'none';
}

/** Finds a log that one of two filters selects and the other does not. */
function findDifference(a: Filter, b: Filter): SearchOutcome {
  if (isEqual(a, b)) return { kind: 'none' };
  if (complexityOf(a) ?? complexityOf(b)) return tooIntricate;
  return unlessTooComplex(() => searchDifference(a, b, newEffort())) ?? tooIntricate;
}

function searchDifference(a: Filter, b: Filter, effort: Effort): SearchOutcome {
  const diagram = new Diagram(maxNodes);
  const problem = toComparisonProblem([a, b], diagram, effort);
  if ('undecided' in problem) return { kind: 'undecided', reason: problem.undecided };
  const difference = diagram.xor(problem.functionOf(a), problem.functionOf(b));
  return findLog(problem, diagram, { wanted: difference, confirms: differenceOf(a, b, effort), effort });
}

/** Returns a test whether exactly one of two filters selects a log; each call spends effort. */
function differenceOf(a: Filter, b: Filter, effort: Effort): (values: FieldValues) => boolean {
  const leaves = [...leavesIn(a), ...leavesIn(b)];
  return (values) => {
    for (const leaf of leaves) spendEffort(effort, 1 + costOfMatch(leaf, tokensIn(values[leaf.field.name])));
    return match(a, values) !== match(b, values);
  };
}

/** The approximate number of tokens of a value. */
function tokensIn(value: FieldValue | undefined): number {
  return typeof value === 'string' ? 1 + value.length / 4 : 1;
}

function* leavesIn(filter: Filter): Generator<LeafFilter> {
  if (filter.kind === 'all' || filter.kind === 'none') return;
  if (filter.kind === 'disMax') for (const each of filter.filters) yield* leavesIn(each);
  else if (filter.kind !== 'bool') yield filter;
  else for (const each of [...filter.must, ...filter.should, ...filter.mustNot]) yield* leavesIn(each);
}

/** Returns the result of `work`, or undefined if it exceeds its effort. */
function unlessTooComplex<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return undefined;
  }
}

/**
 * Returns a log with the property from which nothing can be removed, neither a field nor a word of
 * a text. `holds` may return undefined to stop: the result is then the smallest log so far.
 */
export function shrinkLog(
  values: FieldValues,
  holds: (values: FieldValues) => boolean | undefined,
): FieldValues {
  let smallest = values;
  let before: FieldValues | undefined;
  // A removal in one field may allow more in another.
  while (before !== smallest) {
    before = smallest;
    for (const name of Object.keys(smallest)) {
      const { [name]: value, ...others } = smallest;
      const held = holds(others);
      if (held === undefined) return smallest;
      if (held) smallest = others;
      else smallest = withShorterText(smallest, name, value, holds);
    }
  }
  return smallest;
}

/**
 * Removes pieces of a text, first half of it and then ever smaller ones: most texts lose most of
 * their words.
 */
function withShorterText(
  values: FieldValues,
  name: string,
  value: FieldValue | undefined,
  holds: (values: FieldValues) => boolean | undefined,
): FieldValues {
  let words = typeof value === 'string' ? value.split(' ') : [];
  let smallest = values;
  for (let size = words.length >> 1; 0 < size; size >>= 1) {
    for (let from = 0; from < words.length && 1 < words.length; ) {
      const shorter = words.toSpliced(from, size);
      const shortened = { ...values, [name]: shorter.join(' ') };
      const held = 0 < shorter.length && holds(shortened);
      if (held === undefined) return smallest;
      if (held) [words, smallest] = [shorter, shortened];
      else from += size;
    }
  }
  return smallest;
}

/** The result of a search; `none` means that certainly no such log exists. */
type SearchOutcome =
  | { readonly kind: 'found'; readonly values: FieldValues }
  | { readonly kind: 'none' }
  | { readonly kind: 'undecided'; readonly reason: string };

/** The goal of a search: a function that must be true of the log, and a final test. */
interface SearchGoal {
  readonly wanted: DiagramNode;
  readonly confirms: (values: FieldValues) => boolean;
  /** The effort of the search. */
  readonly effort: Effort;
}

/** The result of a search that would take too long. */
const tooIntricate: SearchOutcome = {
  kind: 'undecided',
  reason: 'The filters are too complex to compare',
};

/** The maximum number of attempts; each excludes some assignments. */
const maxRounds = 5000;

/**
 * Finds a log for which a function is true. The cheapest assignment is tried first. If it fails,
 * the violated constraints are added to the function, and the next one is tried.
 */
function findLog(
  problem: ComparisonProblem,
  diagram: Diagram,
  { wanted, confirms, effort }: SearchGoal,
): SearchOutcome {
  const clauses = [...problem.theories.values()].flatMap((theory) => theory.constraints);
  let open = wanted;
  let unknown = false;
  for (let round = 0; round < maxRounds; round += 1) {
    if (open === tooLargeNode) return tooIntricate;
    spendEffort(effort, open + clauses.length);
    const assignment = cheapest(open, problem, diagram);
    if (!assignment) return unknown ? { kind: 'undecided', reason: noText } : { kind: 'none' };
    const broken = clauses.filter((clause) => clause.every((literal) => contradicts(assignment, literal)));
    if (0 < broken.length) {
      open = diagram.and([open, ...broken.map((clause) => toFunction(clause, problem))]);
      continue;
    }
    const attempt = realise(problem, assignment, effort);
    if (attempt.kind === 'values' && confirms(attempt.values))
      return { kind: 'found', values: attempt.values };
    if (attempt.kind !== 'impossible') unknown = true;
    const blocked = attempt.kind === 'values' ? [...problem.theories.values()] : [attempt.theory];
    open = diagram.and([open, toFunction(denial(blocked, assignment), problem)]);
  }
  return tooIntricate;
}

const noText = 'No log was found that matches all patterns, and no proof that there is none';

function cheapest(
  open: DiagramNode,
  { variables }: ComparisonProblem,
  diagram: Diagram,
): Assignment | undefined {
  const levels = diagram.cheapest(open, (level) => variables[level]?.cost ?? 0);
  if (!levels) return undefined;
  const assigned = new Map<Variable, boolean>();
  for (const [level, holds] of levels) {
    const variable = variables[level];
    if (variable) assigned.set(variable, holds);
  }
  return (variable) => assigned.get(variable);
}

function contradicts(assignment: Assignment, { variable, holds }: VariableLiteral): boolean {
  return assignment(variable) === !holds;
}

function toFunction(clause: Constraint, { logic }: ComparisonProblem): DiagramNode {
  return logic.or(
    clause.map(({ variable, holds }) => {
      const function_ = logic.variable(variable);
      return holds ? function_ : logic.not(function_);
    }),
  );
}

type Attempt =
  | { readonly kind: 'values'; readonly values: FieldValues }
  | { readonly kind: 'impossible' | 'unknown'; readonly theory: FieldTheory };

/** Builds a log with a value for each field, or returns the first field without one. */
function realise({ theories }: ComparisonProblem, assignment: Assignment, effort: Effort): Attempt {
  const values: Record<string, FieldValue> = {};
  for (const [name, theory] of theories) {
    const realised = theory.realise(assignment, effort);
    if (realised.kind !== 'value') return { kind: realised.kind, theory };
    if (realised.value !== undefined) values[name] = realised.value;
  }
  return { kind: 'values', values };
}

/** The constraint that excludes an assignment. */
function denial(theories: readonly FieldTheory[], assignment: Assignment): Constraint {
  return theories
    .flatMap((theory) => theory.variables)
    .flatMap((variable) => {
      const holds = assignment(variable);
      return holds === undefined ? [] : [{ variable, holds: !holds }];
    });
}

/** Returns whether two plain values, for example filters, are deeply equal. */
export function isEqual(a: unknown, b: unknown): boolean {
  // A bound of -0 differs from one of 0.
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((part, place) => isEqual(part, b[place]));
  }
  const [own, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return own.size === other.size && [...own].every(([key, value]) => isEqual(value, other.get(key)));
}
