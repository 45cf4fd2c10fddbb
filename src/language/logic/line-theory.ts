import { type Effort, spendEffort } from '../automata/effort.ts';
import type { FieldValue } from '../meaning/document.ts';
import { matchDocument } from '../meaning/match.ts';
import type { Assignment, Constraint, LeafFilter, Logic, Variable } from './boolean-logic.ts';
import { type DiagramNode, falseNode, trueNode } from './diagram.ts';
import type { FieldTheory, LeafOccurrence, Realised } from './field-theory.ts';
import { cutInto, type Interval } from './interval.ts';
import { costOfMatch } from './leaf-match.ts';

/** The ordered values of a field that has at most one. */
export interface ValueLine<V> {
  readonly compare: (a: V, b: V) => number;
  /** The interval of values that a leaf matches; undefined if they are no interval. */
  readonly interval: (leaf: LeafFilter) => Interval<V> | undefined;
  /** Values in an interval, the shortest first; empty only if the interval is. */
  readonly valuesIn: (interval: Interval<V>) => readonly V[];
  /** Some values that a pattern matches. */
  readonly valuesFitting: (leaf: LeafFilter, effort: Effort) => readonly V[];
  /** The only value of an interval; undefined if it has more or none. */
  readonly onlyValue: (interval: Interval<V>) => V | undefined;
}

/** The number of values after which the search for the shortest ends. */
const enough = 20;

/**
 * The theory of a field with at most one value. The line is cut at the bounds of the filters. The
 * variables are the bits of a number: 0 for no value, 1 and more for the segments in their order.
 * Larger numbers stand for the last segment too. A pattern must be tried on a value, so it has its
 * own variable.
 */
export function lineTheory<V extends FieldValue>(
  occurrences: readonly LeafOccurrence[],
  line: ValueLine<V>,
  effort: Effort,
): FieldTheory {
  const order = occurrences[0]?.order ?? 0;
  const intervals = new Map<LeafFilter, Interval<V>>();
  const tests = new Map<LeafFilter, Variable>();
  for (const { leaf } of occurrences) {
    const interval = line.interval(leaf);
    if (interval) intervals.set(leaf, interval);
    else if (leaf.kind !== 'exists') tests.set(leaf, { order, cost: 0 });
  }
  const { all, segmentsOf: within } = cutInto([...intervals.values()], line.compare);
  // The highest bit first. No value costs nothing; any other costs at least as much as a word, and low ones
  // less than high ones.
  const bits = Array.from(
    { length: Math.ceil(Math.log2(all.length + 1)) },
    (_, place): Variable => ({ order, cost: 2 + 2 ** -place }),
  );

  return { variables: [...bits, ...tests.values()], constraints: [...clauses()], formula, realise };

  function formula(leaf: LeafFilter, logic: Logic): DiagramNode {
    const test = tests.get(leaf);
    if (test) return logic.variable(test);
    const interval = intervals.get(leaf);
    if (!interval) return isAtLeast(1, logic);
    const [first, end] = within(interval);
    if (end <= first) return falseNode;
    const hasReached = isAtLeast(first + 1, logic);
    return end === all.length ? hasReached : logic.and([hasReached, logic.not(isAtLeast(end + 1, logic))]);
  }

  /** The function that the number in the bits is at least another one. */
  function isAtLeast(number: number, logic: Logic): DiagramNode {
    return bits.reduceRight((lower, bit, place) => {
      const parts = [logic.variable(bit), lower];
      return isSet(number, place) ? logic.and(parts) : logic.or(parts);
    }, trueNode);
  }

  function isSet(number: number, place: number): boolean {
    return Math.floor(number / 2 ** (bits.length - 1 - place)) % 2 === 1;
  }

  function* clauses(): Generator<Constraint> {
    for (const [leaf, variable] of tests) {
      spendEffort(effort, all.length);
      yield [...isNot(0), { variable, holds: false }];
      for (const [place, interval] of all.entries()) {
        const value = line.onlyValue(interval);
        // The last segment has other numbers as well, but it is open and so never a single value.
        if (value === undefined) continue;
        spendEffort(effort, costOfClause + costOfMatch(leaf, 1));
        yield [...isNot(place + 1), { variable, holds: fits(leaf, value) }];
      }
    }
  }

  /** One of these literals holds if the bits are another number. */
  function isNot(number: number): Constraint {
    return bits.map((variable, place) => ({ variable, holds: !isSet(number, place) }));
  }

  function realise(assignment: Assignment, left: Effort): Realised {
    const decided = [...tests].filter(([, variable]) => assignment(variable) !== undefined);
    const isWanted = decided.some(([, variable]) => assignment(variable));
    if (!isWanted && isOpen(0, assignment)) return { kind: 'value', value: undefined };
    const fitting: V[] = [];
    const samples = decided.flatMap(([leaf]) => line.valuesFitting(leaf, left));
    for (const interval of openSegments(assignment)) {
      const candidates = [...line.valuesIn(interval), ...samples.filter((value) => holds(interval, value))];
      spendEffort(left, candidates.length * decided.length * costOfTest);
      for (const value of candidates) {
        if (decided.every(([leaf, test]) => fits(leaf, value) === assignment(test))) fitting.push(value);
      }
      if (enough <= fitting.length) break;
    }
    const [value] = fitting.sort((a, b) => String(a).length - String(b).length);
    if (value !== undefined) return { kind: 'value', value };
    return { kind: decided.length === 0 ? 'impossible' : 'unknown' };
  }

  function openSegments(assignment: Assignment): readonly Interval<V>[] {
    const isBeyond = Array.from(
      { length: 2 ** bits.length - all.length },
      (_, more) => all.length + more,
    ).some((number) => isOpen(number, assignment));
    return all.filter((_, place) => (place === all.length - 1 ? isBeyond : isOpen(place + 1, assignment)));
  }

  /** Returns whether the assigned bits allow a number. */
  function isOpen(number: number, assignment: Assignment): boolean {
    return bits.every((bit, place) => (assignment(bit) ?? isSet(number, place)) === isSet(number, place));
  }

  function holds({ from, to }: Interval<V>, value: V): boolean {
    const hasReached = from === undefined || line.compare(from, value) <= 0;
    return hasReached && (to === undefined || line.compare(value, to) < 0);
  }
}

/** The steps for a constraint over all bits, which is stored. */
const costOfClause = 64;

/** The steps for matching a pattern against a value: most differ in the first characters. */
const costOfTest = 16;

function fits(leaf: LeafFilter, value: FieldValue): boolean {
  return matchDocument(leaf, {
    terms: () => [String(value)],
    hasValue: () => true,
    number: () => (typeof value === 'string' ? undefined : value),
  });
}
