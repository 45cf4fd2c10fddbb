import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Diagram,
  type DiagramNode,
  falseNode,
  tooLargeNode,
  trueNode,
} from '../../src/language/logic/diagram.ts';
import { rounds } from '../effort.ts';

/** A Boolean function as text and as what it is, for variables numbered from 0. */
type Expression =
  | { readonly kind: 'variable'; readonly level: number }
  | { readonly kind: 'not'; readonly part: Expression }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'xor'; readonly a: Expression; readonly b: Expression };

const variables = 4;

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant('variable' as const), level: fc.nat(variables - 1) }),
    fc.record({ kind: fc.constant('not' as const), part: tie('expression') }),
    fc.record({ kind: fc.constantFrom('and', 'or'), parts: fc.array(tie('expression'), { maxLength: 4 }) }),
    fc.record({ kind: fc.constant('xor' as const), a: tie('expression'), b: tie('expression') }),
  ),
}));

function nodeOf(from: Expression, diagram: Diagram): DiagramNode {
  switch (from.kind) {
    case 'variable':
      return diagram.variable(from.level);
    case 'not':
      return diagram.not(nodeOf(from.part, diagram));
    case 'xor':
      return diagram.xor(nodeOf(from.a, diagram), nodeOf(from.b, diagram));
    default:
      return diagram[from.kind](from.parts.map((part) => nodeOf(part, diagram)));
  }
}

function isTrue(from: Expression, assignment: number): boolean {
  switch (from.kind) {
    case 'variable':
      return ((assignment >> from.level) & 1) === 1;
    case 'not':
      return !isTrue(from.part, assignment);
    case 'xor':
      return isTrue(from.a, assignment) !== isTrue(from.b, assignment);
    case 'and':
      return from.parts.every((part) => isTrue(part, assignment));
    case 'or':
      return from.parts.some((part) => isTrue(part, assignment));
  }
}

const assignments = Array.from({ length: 2 ** variables }, (_, assignment) => assignment);
const truthOf = (from: Expression) => assignments.map((each) => isTrue(from, each));

const costs = [3, 1, 4, 1.5];
const costOf = (level: number) => costs[level] ?? 0;
const costOfAll = (assignment: number) =>
  costs.reduce((sum, cost, level) => sum + (((assignment >> level) & 1) === 1 ? cost : 0), 0);

test('two functions are the same node just when they are the same function', () => {
  fc.assert(
    fc.property(expression, expression, (a, b) => {
      const diagram = new Diagram(10_000);
      const [one, other] = [nodeOf(a, diagram), nodeOf(b, diagram)];
      expect(one === other).toBe(truthOf(a).join() === truthOf(b).join());
      expect(one === falseNode).toBe(!truthOf(a).includes(true));
      expect(one === trueNode).toBe(!truthOf(a).includes(false));
    }),
    { numRuns: rounds(500) },
  );
});

test('the cheapest assignment makes a function true whatever the other variables are, and none is cheaper', () => {
  fc.assert(
    fc.property(expression, (from) => {
      const diagram = new Diagram(10_000);
      const found = diagram.cheapest(nodeOf(from, diagram), costOf);
      const satisfying = assignments.filter((each) => isTrue(from, each));
      expect(found === undefined).toBe(satisfying.length === 0);
      if (!found) return;
      const agrees = (each: number) =>
        [...found].every(([level, value]) => (((each >> level) & 1) === 1) === value);
      for (const each of assignments.filter(agrees)) expect(isTrue(from, each)).toBe(true);
      const cost = [...found].reduce((sum, [level, value]) => sum + (value ? costOf(level) : 0), 0);
      expect(cost).toBe(Math.min(...satisfying.map(costOfAll)));
    }),
    { numRuns: rounds(500) },
  );
});

describe('a diagram that outgrows its limit', () => {
  /** Pairs of variables far apart double what has to be remembered in between. */
  const pairs = (diagram: Diagram, count: number) =>
    diagram.or(
      Array.from({ length: count }, (_, at) =>
        diagram.and([diagram.variable(at), diagram.variable(count + at)]),
      ),
    );

  test('says so, whatever it is asked for from then on', () => {
    const diagram = new Diagram(200);
    const node = pairs(diagram, 10);
    expect(node).toBe(tooLargeNode);
    expect([
      diagram.not(node),
      diagram.and([node, falseNode]),
      diagram.or([trueNode, node]),
      diagram.xor(node, node),
    ]).toEqual([...[tooLargeNode, tooLargeNode, tooLargeNode, tooLargeNode]]);
    expect(diagram.cheapest(node, () => 1)).toBeUndefined();
  });

  test('has as many nodes as its limit, both constants included', () => {
    const diagram = new Diagram(3);
    expect([diagram.variable(0), diagram.variable(1)]).toEqual([2, tooLargeNode]);
    expect(diagram.variable(0)).toBe(2);
  });

  test('is one of few nodes for functions that do not grow', () => {
    const diagram = new Diagram(200);
    expect(pairs(diagram, 4)).toBeGreaterThan(trueNode);
    const chain = diagram.and(Array.from({ length: 20 }, (_, level) => diagram.variable(level)));
    expect(chain).toBeGreaterThan(trueNode);
  });
});

test('joins of nothing', () => {
  const diagram = new Diagram(10);
  expect([diagram.and([]), diagram.or([])]).toEqual([trueNode, falseNode]);
  expect(diagram.cheapest(trueNode, () => 1)).toEqual(new Map());
  expect(diagram.cheapest(falseNode, () => 1)).toBeUndefined();
});
