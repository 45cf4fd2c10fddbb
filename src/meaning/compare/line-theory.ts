import type { FieldValue } from '../document.ts';
import { matchDocument } from '../match.ts';
import { type Node, never } from './diagram.ts';
import type { FieldTheory, Occurrence, Realised } from './field-theory.ts';
import { cutInto, type Interval } from './interval.ts';
import { type Assignment, type Clause, implies, type Leaf, type Logic, type Variable } from './logic.ts';

/** The values of a field that has one at most, in their order. */
export interface Line<V> {
  readonly compare: (a: V, b: V) => number;
  /** What a leaf asks for, where that lies side by side; undefined for any other leaf. */
  readonly interval: (leaf: Leaf) => Interval<V> | undefined;
  /** Values in an interval, the shortest first; none only where there are none. */
  readonly valuesIn: (interval: Interval<V>) => readonly V[];
  /** Some values that a pattern matches. */
  readonly valuesFitting: (leaf: Leaf) => readonly V[];
  /** The only value of an interval; undefined when it has more, or none. */
  readonly only: (interval: Interval<V>) => V | undefined;
}

/** A leaf that has to be tried on a value: a pattern. */
interface Test {
  readonly leaf: Leaf;
  readonly variable: Variable;
}

/** What it costs to reach the next cut: next to nothing, but of equal assignments the one with lower values is taken. */
const further = 0.001;

/** So many values are looked at for the shortest one. */
const enough = 20;

/**
 * A field with one value at most. The line is cut where a filter has a bound,
 * and there is a variable for each cut: whether the value has reached it.
 */
export function lineTheory<V extends FieldValue>(
  occurrences: readonly Occurrence[],
  line: Line<V>,
): FieldTheory {
  const order = occurrences[0]?.order ?? 0;
  const present: Variable = { order, cost: 2 };

  const intervals = new Map<Leaf, Interval<V>>();
  const tests = new Map<Leaf, Test>();
  for (const { leaf } of occurrences) {
    const interval = line.interval(leaf);
    if (interval) intervals.set(leaf, interval);
    else if (leaf.kind !== 'exists') tests.set(leaf, { leaf, variable: { order, cost: 0 } });
  }
  const { all, within } = cutInto([...intervals.values()], line.compare);
  // Whether the value has reached a segment; for the first one that says no more than that there is a value.
  const reached: readonly Variable[] = all.map((_, place) =>
    place === 0 ? present : { order, cost: further },
  );
  const variables = [...reached, ...[...tests.values()].map(({ variable }) => variable)];

  return { variables, clauses: [...clauses()], formula, realise };

  function formula(leaf: Leaf, logic: Logic): Node {
    const test = tests.get(leaf);
    if (test) return logic.variable(test.variable);
    const interval = intervals.get(leaf);
    if (!interval) return logic.variable(present);
    const [first, end] = within(interval);
    const [lower, upper] = [reached[first], reached[end]];
    if (end <= first || !lower) return never;
    return upper
      ? logic.and([logic.variable(lower), logic.not(logic.variable(upper))])
      : logic.variable(lower);
  }

  function* clauses(): Generator<Clause> {
    for (const [place, variable] of reached.entries()) {
      const before = reached[place - 1];
      if (before) yield implies(variable, before);
    }
    for (const { leaf, variable } of tests.values()) {
      yield implies(variable, present);
      for (const [place, interval] of all.entries()) {
        const value = line.only(interval);
        if (value === undefined) continue;
        yield [...outside(place), { variable, holds: fits(leaf, value) }];
      }
    }
  }

  /** The segments in which the value may lie: from the last one that it has reached, before the first that it has not. */
  function openSegments(assignment: Assignment): readonly Interval<V>[] {
    const first = reached.findLastIndex((variable) => assignment(variable) === true);
    const end = reached.findIndex((variable) => assignment(variable) === false);
    return all.slice(Math.max(first, 0), end === -1 ? undefined : end);
  }

  function holds({ from, to }: Interval<V>, value: V): boolean {
    const reachesFrom = from === undefined || line.compare(from, value) <= 0;
    return reachesFrom && (to === undefined || line.compare(value, to) < 0);
  }

  /** Of these one holds where the value is not in the segment. */
  function outside(place: number): Clause {
    const [lower, upper] = [reached[place], reached[place + 1]];
    return [
      ...(lower ? [{ variable: lower, holds: false }] : []),
      ...(upper ? [{ variable: upper, holds: true }] : []),
    ];
  }

  function realise(assignment: Assignment): Realised {
    if (!variables.some((variable) => assignment(variable))) return { kind: 'value', value: undefined };
    const decided = [...tests.values()].filter(({ variable }) => assignment(variable) !== undefined);
    const fitting: V[] = [];
    const samples = decided.flatMap(({ leaf }) => line.valuesFitting(leaf));
    for (const interval of openSegments(assignment)) {
      const within = samples.filter((value) => holds(interval, value));
      for (const value of [...line.valuesIn(interval), ...within]) {
        if (decided.every(({ leaf, variable }) => fits(leaf, value) === assignment(variable)))
          fitting.push(value);
      }
      if (enough <= fitting.length) break;
    }
    const [value] = fitting.sort((a, b) => String(a).length - String(b).length);
    if (value !== undefined) return { kind: 'value', value };
    return { kind: decided.length === 0 ? 'impossible' : 'unknown' };
  }
}

function fits(leaf: Leaf, value: FieldValue): boolean {
  return matchDocument(leaf, {
    terms: () => [String(value)],
    number: () => (typeof value === 'number' ? value : undefined),
  });
}
