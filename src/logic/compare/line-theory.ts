import type { FieldValue } from '../../meaning/document.ts';
import { matchDocument } from '../../meaning/match.ts';
import { type Effort, spendEffort } from '../../patterns/effort.ts';
import { type DiagramNode, falseNode, trueNode } from './diagram.ts';
import type { FieldTheory, Occurrence, Realised } from './field-theory.ts';
import { cutInto, type Interval } from './interval.ts';
import { costOfMatch } from './leaf-match.ts';
import type { Assignment, Constraint, Leaf, Logic, Variable } from './logic.ts';

/** The values of a field that has one at most, in their order. */
export interface ValueLine<V> {
  readonly compare: (a: V, b: V) => number;
  /** What a leaf asks for, where that lies side by side; undefined for any other leaf. */
  readonly interval: (leaf: Leaf) => Interval<V> | undefined;
  /** Values in an interval, the shortest first; none only where there are none. */
  readonly valuesIn: (interval: Interval<V>) => readonly V[];
  /** Some values that a pattern matches. */
  readonly valuesFitting: (leaf: Leaf, effort: Effort) => readonly V[];
  /** The only value of an interval; undefined when it has more, or none. */
  readonly onlyValue: (interval: Interval<V>) => V | undefined;
}

/** So many values are looked at for the shortest one. */
const enough = 20;

/**
 * A field with one value at most. The line is cut where a filter has a bound.
 * The variables are the bits of a number: 0 for having no value, 1 and more for
 * the segments in their order. Numbers beyond stand for the last segment too.
 * A pattern has to be tried on a value, so it has a variable of its own.
 */
export function lineTheory<V extends FieldValue>(
  occurrences: readonly Occurrence[],
  line: ValueLine<V>,
  effort: Effort,
): FieldTheory {
  const order = occurrences[0]?.order ?? 0;
  const intervals = new Map<Leaf, Interval<V>>();
  const tests = new Map<Leaf, Variable>();
  for (const { leaf } of occurrences) {
    const interval = line.interval(leaf);
    if (interval) intervals.set(leaf, interval);
    else if (leaf.kind !== 'exists') tests.set(leaf, { order, cost: 0 });
  }
  const { all, segmentsOf: within } = cutInto([...intervals.values()], line.compare);
  // The highest bit first. Having no value costs nothing, any other as much as a word or more, a low one less than a high one.
  const bits = Array.from(
    { length: Math.ceil(Math.log2(all.length + 1)) },
    (_, place): Variable => ({ order, cost: 2 + 2 ** -place }),
  );

  return { variables: [...bits, ...tests.values()], constraints: [...clauses()], formula, realise };

  function formula(leaf: Leaf, logic: Logic): DiagramNode {
    const test = tests.get(leaf);
    if (test) return logic.variable(test);
    const interval = intervals.get(leaf);
    if (!interval) return isAtLeast(1, logic);
    const [first, end] = within(interval);
    if (end <= first) return falseNode;
    const hasReached = isAtLeast(first + 1, logic);
    return end === all.length ? hasReached : logic.and([hasReached, logic.not(isAtLeast(end + 1, logic))]);
  }

  /** Whether the number in the bits is another one or above it. */
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

  /** Of these one holds where the bits are another number. */
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

  /** Whether the bits may be a number. */
  function isOpen(number: number, assignment: Assignment): boolean {
    return bits.every((bit, place) => (assignment(bit) ?? isSet(number, place)) === isSet(number, place));
  }

  function holds({ from, to }: Interval<V>, value: V): boolean {
    const hasReached = from === undefined || line.compare(from, value) <= 0;
    return hasReached && (to === undefined || line.compare(value, to) < 0);
  }
}

/** Steps for a clause over all bits, which is kept. */
const costOfClause = 64;

/** Steps for holding a pattern against a value: most are told apart by their first characters. */
const costOfTest = 16;

function fits(leaf: Leaf, value: FieldValue): boolean {
  return matchDocument(leaf, {
    terms: () => [String(value)],
    hasValue: () => true,
    number: () => (typeof value === 'string' ? undefined : value),
  });
}
