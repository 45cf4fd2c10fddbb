import { type Effort, newEffort, spendEffort, TooComplex } from '../automata/effort.ts';
import type { FieldValue, FieldValues } from '../meaning/document.ts';
import type { Filter } from '../meaning/filter.ts';
import { match } from '../meaning/match.ts';
import { complexityOf } from '../meaning/runnable.ts';
import type { LeafFilter } from './boolean-logic.ts';
import { toComparisonProblem } from './comparison-problem.ts';
import { Diagram } from './diagram.ts';
import { findLog, type SearchOutcome, tooIntricate } from './find-log.ts';
import { isEqual } from './is-equal.ts';
import { costOfMatch } from './leaf-match.ts';
import { shrinkLog } from './shrink.ts';

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
