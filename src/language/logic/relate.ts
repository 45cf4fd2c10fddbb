import { type Effort, newEffort, spendEffort } from '../automata/automaton.ts';
import type { Filter } from '../meaning/filter.ts';
import { complexityOf, complexityOfBoth, type FieldValues, leavesIn, match } from '../meaning/match.ts';
import {
  type Comparison,
  compare,
  findLog,
  maxNodes,
  type SearchOutcome,
  shrinkLog,
  stepsToShrink,
  toComparisonProblem,
  tokensIn,
  tooIntricate,
  unlessTooComplex,
} from './compare.ts';
import { Diagram } from './diagram.ts';
import { costOfMatch } from './theories.ts';

/** Relation of the sets of logs that two filters select, A and B. */
export interface Relation {
  /**
   * `within`: B selects all logs of A and others; `contains`: A selects all logs of B and others. A filter that
   * selects nothing is within any other. Undefined if a part of the question is undecided.
   */
  readonly kind: 'same' | 'within' | 'contains' | 'disjoint' | 'overlapping' | undefined;
  /** The filters that provably select nothing. */
  readonly empty: readonly ('a' | 'b')[];
  /** A small log for each part of the two sets that provably has one. */
  readonly examples: RelationExamples;
  /** The reason why a part of the question is undecided. */
  readonly undecided?: string;
}

/** Logs that only A selects, that only B selects, and that both select. */
export interface RelationExamples {
  readonly onlyA?: FieldValues;
  readonly onlyB?: FieldValues;
  readonly both?: FieldValues;
}

/**
 * Returns how the logs that two filters select are related: the same, one within the other, disjoint or
 * overlapping, with an example log of each part. Each answer is proved, and `match` confirms each example.
 *
 * ```ts
 * relate(resolve(parse('msg:a AND msg:b').query), resolve(parse('msg:a').query)).kind; // 'within'
 * ```
 */
export function relate(a: Filter, b: Filter): Relation {
  const compared = compare(a, b);
  // The parts would have the patterns compiled again.
  if (compared.same === undefined && complexityOfBoth(a, b) !== undefined)
    return { kind: undefined, empty: [], examples: {}, undecided: compared.undecided };
  const [onlyA, onlyB] = differingParts(a, b, compared);
  const both = findPart({ must: compared.same ? [a] : [a, b], mustNot: [] });
  const [inA, inB, inBoth] = [onlyA, onlyB, both].map((part) => exists(part));
  const examples: { -readonly [K in keyof RelationExamples]: FieldValues } = {};
  if (onlyA.kind === 'found') examples.onlyA = onlyA.values;
  if (onlyB.kind === 'found') examples.onlyB = onlyB.values;
  if (both.kind === 'found') examples.both = both.values;
  const empty: ('a' | 'b')[] = [];
  if (inBoth === false && inA === false) empty.push('a');
  if (inBoth === false && inB === false) empty.push('b');
  const open = [onlyA, onlyB, both].find((part) => part.kind === 'undecided');
  const relation = { kind: kindOf(inA, inB, inBoth), empty, examples };
  return open?.kind === 'undecided' ? { ...relation, undecided: open.reason } : relation;
}

/** What only A selects and what only B selects; a comparison answers a part of it. */
function differingParts(a: Filter, b: Filter, compared: Comparison): readonly [SearchOutcome, SearchOutcome] {
  if (compared.same) return [{ kind: 'none' }, { kind: 'none' }];
  const example = compared.same === false ? compared.example : undefined;
  const known: SearchOutcome | undefined = example && { kind: 'found', values: example.values };
  const isOfA = example?.selectedBy === 'a';
  return [
    known && isOfA ? known : findPart({ must: [a], mustNot: [b] }),
    known && !isOfA ? known : findPart({ must: [b], mustNot: [a] }),
  ];
}

/** The filters that must select a log of a part, and those that must not. */
interface LogPart {
  readonly must: readonly Filter[];
  readonly mustNot: readonly Filter[];
}

/** The effort for each part that the comparison left open: all together take less than that, as do their diagrams. */
const stepsOfPart = 4_000_000;
const nodesOfPart = maxNodes / 4;

/** Finds a small log that some filters select and others do not. */
function findPart(part: LogPart): SearchOutcome {
  const filters = [...part.must, ...part.mustNot];
  if (filters.some((filter) => complexityOf(filter) !== undefined)) return tooIntricate;
  const found = unlessTooComplex(() => searchPart(part, newEffort(stepsOfPart))) ?? tooIntricate;
  if (found.kind !== 'found') return found;
  const holds = selectionTest(part, newEffort(stepsToShrink));
  return {
    kind: 'found',
    values: shrinkLog(found.values, (smaller) => unlessTooComplex(() => holds(smaller))),
  };
}

function searchPart(part: LogPart, effort: Effort): SearchOutcome {
  const diagram = new Diagram(nodesOfPart);
  const problem = toComparisonProblem([...part.must, ...part.mustNot], diagram, effort);
  if ('undecided' in problem) return { kind: 'undecided', reason: problem.undecided };
  const wanted = diagram.and([
    ...part.must.map(problem.functionOf),
    ...part.mustNot.map((filter) => diagram.not(problem.functionOf(filter))),
  ]);
  return findLog(problem, diagram, { condition: wanted, confirms: selectionTest(part, effort), effort });
}

/** Returns a test whether a log belongs to a part; each call spends effort. */
function selectionTest({ must, mustNot }: LogPart, effort: Effort): (values: FieldValues) => boolean {
  const leaves = [...must, ...mustNot].flatMap((filter) => [...leavesIn(filter)]);
  return (values) => {
    for (const leaf of leaves) spendEffort(effort, 1 + costOfMatch(leaf, tokensIn(values[leaf.field.name])));
    return must.every((filter) => match(filter, values)) && !mustNot.some((filter) => match(filter, values));
  };
}

function exists({ kind }: SearchOutcome): boolean | undefined {
  return kind === 'undecided' ? undefined : kind === 'found';
}

/** The relation of two sets by which of their parts have logs. A part may be undecided where the others suffice. */
function kindOf(
  onlyA: boolean | undefined,
  onlyB: boolean | undefined,
  both: boolean | undefined,
): Relation['kind'] {
  if (onlyA === false && onlyB === false) return 'same';
  if (onlyA === false && onlyB) return 'within';
  if (onlyA && onlyB === false) return 'contains';
  if (both === false && onlyA && onlyB) return 'disjoint';
  return both && onlyA && onlyB ? 'overlapping' : undefined;
}
