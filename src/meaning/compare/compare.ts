import type { FieldValues } from '../document.ts';
import type { Filter } from '../filter.ts';
import { match } from '../match.ts';
import { Diagram } from './diagram.ts';
import { isEqual } from './is-equal.ts';
import { problemOf } from './problem.ts';
import { findLog, type Search } from './search.ts';
import { shrink } from './shrink.ts';

/** What is known about two filters. Without `same` it could not be decided, and `undecided` says why. */
export type Comparison =
  | { readonly same: true }
  | { readonly same: false; readonly example: Example }
  | { readonly same?: undefined; readonly undecided: string };

/** A log that one of two filters selects and the other does not. */
export interface Example {
  readonly values: FieldValues;
  readonly selectedBy: 'a' | 'b';
}

/** At most this many nodes of a diagram: some 20 MB. */
const maxNodes = 200_000;

/**
 * Whether two filters select the same logs, whatever the logs are, and a small
 * log that tells them apart where they do not. `same` is proved, and `match`
 * confirms an example. What would take too long, or rests on patterns for
 * which no fitting text was found, is left undecided.
 *
 * ```ts
 * compare(filterOf('a OR b AND c'), filterOf('b AND c')); // { same: true }
 * compare(filterOf('msg:a'), none); // { same: false, example: { values: { msg: 'a' }, selectedBy: 'a' } }
 * ```
 */
export function compare(a: Filter, b: Filter): Comparison {
  const found = findDifference(a, b);
  if (found.kind === 'none') return { same: true };
  if (found.kind === 'undecided') return { undecided: found.reason };
  const values = shrink(found.values, (smaller) => match(a, smaller) !== match(b, smaller));
  return { same: false, example: { values, selectedBy: match(a, values) ? 'a' : 'b' } };
}

/** Whether it is proved that two filters select the same logs. */
export function areSame(a: Filter, b: Filter): boolean {
  return findDifference(a, b).kind === 'none';
}

/** A log that one of two filters selects and the other does not, none where there is none. */
function findDifference(a: Filter, b: Filter): Search {
  if (isEqual(a, b)) return { kind: 'none' };
  const diagram = new Diagram(maxNodes);
  const problem = problemOf([a, b], diagram);
  if ('undecided' in problem) return { kind: 'undecided', reason: problem.undecided };
  const differs = (values: FieldValues) => match(a, values) !== match(b, values);
  const difference = diagram.xor(problem.functionOf(a), problem.functionOf(b));
  return findLog(problem, diagram, { wanted: difference, confirms: differs });
}
