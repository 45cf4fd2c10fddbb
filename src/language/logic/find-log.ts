import { type Effort, spendEffort } from '../automata/effort.ts';
import type { FieldValue, FieldValues } from '../meaning/document.ts';
import type { Assignment, Constraint, Variable, VariableLiteral } from './boolean-logic.ts';
import type { ComparisonProblem } from './comparison-problem.ts';
import { type Diagram, type DiagramNode, tooLargeNode } from './diagram.ts';
import type { FieldTheory } from './field-theory.ts';

/** The result of a search; `none` means that certainly no such log exists. */
export type SearchOutcome =
  | { readonly kind: 'found'; readonly values: FieldValues }
  | { readonly kind: 'none' }
  | { readonly kind: 'undecided'; readonly reason: string };

/** The goal of a search: a function that must be true of the log, and a final test. */
export interface SearchGoal {
  readonly wanted: DiagramNode;
  readonly confirms: (values: FieldValues) => boolean;
  /** The effort of the search. */
  readonly effort: Effort;
}

/** The result of a search that would take too long. */
export const tooIntricate: SearchOutcome = {
  kind: 'undecided',
  reason: 'The filters are too complex to compare',
};

/** The maximum number of attempts; each excludes some assignments. */
const maxRounds = 5000;

/**
 * Finds a log for which a function is true. The cheapest assignment is tried first. If it fails,
 * the violated constraints are added to the function, and the next one is tried.
 */
export function findLog(
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
