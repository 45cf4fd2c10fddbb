import type { Effort } from '../automata/effort.ts';
import type { Field } from '../meaning/fields.ts';
import type { Filter } from '../meaning/filter.ts';
import type { LeafFilter, Logic, Variable } from './boolean-logic.ts';
import { type Diagram, type DiagramNode, falseNode, trueNode } from './diagram.ts';
import type { FieldTheory, LeafOccurrence } from './field-theory.ts';
import { filterKey } from './filter-key.ts';
import { keywordLine } from './keyword-line.ts';
import { lineTheory } from './line-theory.ts';
import { numberLine } from './number-line.ts';
import { textTheory } from './text-theory.ts';

/** Filters in terms of variables: each filter is a Boolean function, each field a theory of its values. */
export interface ComparisonProblem {
  readonly theories: ReadonlyMap<string, FieldTheory>;
  /** All variables in the order in which the diagram decides them. */
  readonly variables: readonly Variable[];
  readonly logic: Logic;
  /** The function that is true for the logs that a filter selects. */
  readonly functionOf: (filter: Filter) => DiagramNode;
}

/** Far more distinct parts than people write, and few enough for recursion. */
const maxLeaves = 2000;

/** Expresses filters by variables, or returns why that is impossible. */
export function toComparisonProblem(
  filters: readonly Filter[],
  diagram: Diagram,
  effort: Effort,
): ComparisonProblem | { readonly undecided: string } {
  const occurrences = occurrencesIn(filters);
  const leafCount = [...occurrences.values()].reduce((sum, { found }) => sum + found.size, 0);
  if (maxLeaves < leafCount) return { undecided: 'The filters have too many parts' };
  const theories = new Map<string, FieldTheory>();
  const leaves = new Map<string, LeafFilter>();
  for (const [name, { fields, found }] of occurrences) {
    const [field] = fields.values();
    if (!field || 1 < fields.size)
      return { undecided: `The field "${name}" has different types in the two filters` };
    theories.set(name, theoryOf(field, [...found.values()], effort));
    for (const [key, { leaf }] of found) leaves.set(key, leaf);
  }
  const variables = [...theories.values()]
    .flatMap((theory) => theory.variables)
    .sort((a, b) => a.order - b.order);
  const levels = new Map(variables.map((variable, level) => [variable, level]));
  const logic: Logic = {
    variable: (variable) => diagram.variable(levels.get(variable) ?? 0),
    not: (function_) => diagram.not(function_),
    and: (functions) => diagram.and(functions),
    or: (functions) => diagram.or(functions),
  };
  return { theories, variables, logic, functionOf };

  function functionOf(filter: Filter): DiagramNode {
    switch (filter.kind) {
      case 'all':
        return trueNode;
      case 'none':
        return falseNode;
      case 'disMax':
        return logic.or(filter.filters.map(functionOf));
      case 'bool': {
        const { must, should, mustNot } = filter;
        const wanted = 0 < must.length || should.length === 0 ? trueNode : logic.or(should.map(functionOf));
        const unwanted = mustNot.map((each) => logic.not(functionOf(each)));
        return logic.and([wanted, ...must.map(functionOf), ...unwanted]);
      }
      default: {
        const leaf = leaves.get(keyOf(filter));
        return leaf ? (theories.get(filter.field.name)?.formula(leaf, logic) ?? falseNode) : falseNode;
      }
    }
  }
}

interface FieldOccurrences {
  /** One field, unless filters of different schemas are compared. */
  readonly fields: Map<string, Field>;
  readonly found: Map<string, LeafOccurrence>;
}

/** The distinct leaves of filters by field, in their order. */
function occurrencesIn(filters: readonly Filter[]): ReadonlyMap<string, FieldOccurrences> {
  const byField = new Map<string, FieldOccurrences>();
  let order = 0;
  const visit = (filter: Filter): void => {
    if (filter.kind === 'all' || filter.kind === 'none') return;
    if (filter.kind === 'disMax') filter.filters.forEach(visit);
    else if (filter.kind === 'bool') [...filter.must, ...filter.should, ...filter.mustNot].forEach(visit);
    else add(filter);
  };
  const add = (leaf: LeafFilter): void => {
    const { name, type } = leaf.field;
    const known = byField.get(name) ?? { fields: new Map(), found: new Map() };
    byField.set(name, known);
    known.fields.set(type, leaf.field);
    const key = keyOf(leaf);
    if (known.found.has(key)) return;
    known.found.set(key, { leaf, order });
    order += 1;
  };
  filters.forEach(visit);
  return byField;
}

function keyOf({ field, ...rest }: LeafFilter): string {
  return filterKey([field.name, rest]);
}

function theoryOf(field: Field, occurrences: readonly LeafOccurrence[], effort: Effort): FieldTheory {
  switch (field.type) {
    case 'text':
      return textTheory(occurrences, effort);
    case 'keyword':
      return lineTheory(occurrences, keywordLine, effort);
    default:
      return lineTheory(occurrences, numberLine(field.type), effort);
  }
}
