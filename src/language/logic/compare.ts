import { costOfMove, type Effort, newEffort, spendEffort, TooComplex } from '../automata/automaton.ts';
import { hasSequence } from '../automata/phrase.ts';
import { type Filter, filterKey, type PhraseFilter } from '../meaning/filter.ts';
import {
  compareCodePoints,
  complexityOfBoth,
  type FieldValue,
  type FieldValues,
  leavesIn,
  match,
} from '../meaning/match.ts';
import type { Field } from '../meaning/schema.ts';
import {
  type Assignment,
  type Constraint,
  Diagram,
  type DiagramNode,
  falseNode,
  implicationOf,
  type LeafFilter,
  type Logic,
  tooLargeNode,
  trueNode,
  type Variable,
  type VariableLiteral,
} from './diagram.ts';
import {
  costOfMatch,
  cutInto,
  type FieldTheory,
  hasMatch,
  holdsTerm,
  type Interval,
  isNeverInText,
  isNeverToken,
  isToken,
  keywordLine,
  type LeafOccurrence,
  lineTheory,
  nextTerm,
  numberLine,
  phraseImplies,
  type Realised,
  termInterval,
  textsFitting,
  textsIn,
} from './theories.ts';
import {
  coversWithin,
  intervalAutomaton,
  patternAutomaton,
  type TokenSet,
  textAutomaton,
} from './token-sets.ts';

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
export const stepsToShrink = 5_000_000;

/** The maximum number of nodes of a diagram: about 20 MB. */
export const maxNodes = 200_000;

/**
 * Compares two filters: whether they select the same logs of all possible ones, and if not, a
 * small log that distinguishes them. `same` is proved, and `match` confirms an example. The result
 * is undecided if the proof would take too long, or depends on patterns for which no matching text
 * was found.
 *
 * ```ts
 * const filter = resolve(parse('msg:a').query);
 * compare(filter, resolve(parse('msg:a OR msg:a').query)); // { same: true }
 * compare(filter, resolve(parse('NOT *:*').query)); // { same: false, example: { values: { msg: 'a' }, selectedBy: 'a' } }
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

/**
 * Returns whether two filters provably select the same logs. The steps are taken from `shared` too, if given, which is
 * the limit then; throws `TooComplex` when none are left in it.
 */
export function areSame(a: Filter, b: Filter, shared?: Effort): boolean {
  const effort = newEffort();
  if (shared) effort.left = Math.min(effort.left, shared.left);
  const before = effort.left;
  const { kind } = findDifference(a, b, effort);
  if (shared) spendEffort(shared, before - effort.left);
  return kind === 'none';
}

/** Finds a log that one of two filters selects and the other does not. */
function findDifference(a: Filter, b: Filter, effort = newEffort()): SearchOutcome {
  if (isEqual(a, b)) return { kind: 'none' };
  const compiling = newEffort();
  const complexity = complexityOfBoth(a, b, compiling);
  const diagram = new Diagram(maxNodes);
  const outcome =
    complexity === undefined ? unlessTooComplex(() => searchDifference([a, b], diagram, effort)) : undefined;
  // Steps of compiling and of the diagram have limits of their own: they count for those who share the effort.
  effort.left -= newEffort().left - compiling.left + costOfMove * diagram.steps;
  return outcome ?? tooIntricate;
}

function searchDifference(
  [a, b]: readonly [Filter, Filter],
  diagram: Diagram,
  effort: Effort,
): SearchOutcome {
  const problem = toComparisonProblem([a, b], diagram, effort);
  if ('undecided' in problem) return { kind: 'undecided', reason: problem.undecided };
  const difference = diagram.xor(problem.functionOf(a), problem.functionOf(b));
  return findLog(problem, diagram, { condition: difference, confirms: differenceOf(a, b, effort), effort });
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
export function tokensIn(value: FieldValue | undefined): number {
  return typeof value === 'string' ? 1 + value.length / 4 : 1;
}

/** Returns the result of `work`, or undefined if it exceeds its effort. */
export function unlessTooComplex<T>(work: () => T): T | undefined {
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
export type SearchOutcome =
  | { readonly kind: 'found'; readonly values: FieldValues }
  | { readonly kind: 'none' }
  | { readonly kind: 'undecided'; readonly reason: string };

/** The goal of a search: a function that must be true of the log, and a final test. */
interface SearchGoal {
  readonly condition: DiagramNode;
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
  { condition: wanted, confirms, effort }: SearchGoal,
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
    return Array.isArray(b) && a.length === b.length && a.every((part, index) => isEqual(part, b[index]));
  }
  const [own, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return own.size === other.size && [...own].every(([key, value]) => isEqual(value, other.get(key)));
}

/** Filters in terms of variables: each filter is a Boolean function, each field a theory of its values. */
interface ComparisonProblem {
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
        const choice = 0 < must.length || should.length === 0 ? trueNode : logic.or(should.map(functionOf));
        const unwanted = mustNot.map((filter) => logic.not(functionOf(filter)));
        return logic.and([choice, ...must.map(functionOf), ...unwanted]);
      }
      default: {
        const leaf = leaves.get(keyOf(withoutIdleEdits(filter)));
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
    else add(withoutIdleEdits(filter));
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

/** A fuzzy term without edits is that term. */
function withoutIdleEdits(leaf: LeafFilter): LeafFilter {
  if (leaf.kind !== 'fuzzy' || leaf.edits !== 0 || leaf.expansion) return leaf;
  return { kind: 'term', field: leaf.field, term: leaf.term };
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

/**
 * The theory of a text field, which is any sequence of tokens. There is a variable for each
 * mentioned token, for each segment between the ends of ranges and prefixes, and for each phrase
 * and each pattern.
 *
 * Unmentioned tokens can stand between any two others, so the variables are nearly free. The
 * constraints are that a phrase implies its tokens, and every phrase and pattern that these match
 * by themselves.
 */
export function textTheory(occurrences: readonly LeafOccurrence[], effort: Effort): FieldTheory {
  const parts = textPartsOf(occurrences);
  const own = new Map<LeafFilter, Variable>(
    [...parts.phrases, ...parts.patterns].map(({ leaf, variable }) => [leaf, variable]),
  );
  return {
    variables: [...tokenVariables(parts), ...own.values(), ...(parts.present ? [parts.present] : [])],
    constraints: [...clausesOf(parts, effort)],
    formula,
    realise: (assignment, left) => realiseTokens(parts, assignment, left),
  };

  function formula(leaf: LeafFilter, logic: Logic): DiagramNode {
    const variable = leaf.kind === 'term' ? parts.terms.get(leaf.term) : own.get(leaf);
    if (variable) return logic.variable(variable);
    if (isNeverInText(leaf)) return falseNode;
    // Any other leaf without a variable covers all tokens or an interval of them.
    if (leaf.kind === 'exists' && leaf.byNorms)
      return parts.present ? logic.variable(parts.present) : falseNode;
    if (leaf.kind === 'exists') return logic.or(tokenVariables(parts).map(logic.variable));
    const interval = leaf.kind === 'term' ? undefined : termInterval(leaf);
    return interval ? logic.or(tokenVariables(parts, interval).map(logic.variable)) : falseNode;
  }
}

function* clausesOf(parts: TextParts, effort: Effort): Generator<Constraint> {
  const { present } = parts;
  if (present) {
    const conditions = [...parts.phrases, ...parts.patterns].map(({ variable }) => variable);
    for (const variable of [...tokenVariables(parts), ...conditions]) yield implicationOf(variable, present);
  }
  for (const [term, variable] of parts.terms) {
    for (const pattern of parts.patterns) {
      if (hasMatch(pattern.leaf, [term], effort)) yield implicationOf(variable, pattern.variable);
    }
  }
  for (const phrase of parts.phrases) {
    for (const term of new Set(phrase.leaf.terms)) yield* clausesOfToken(phrase, term, { parts, effort });
    for (const other of parts.phrases) {
      if (other !== phrase && phraseImplies(phrase.leaf, other.leaf, effort)) {
        yield implicationOf(phrase.variable, other.variable);
      }
    }
  }
  const all = new Set(parts.rests.length === 0 ? [] : tokenVariables(parts));
  const size =
    parts.patterns.length === 0 ? 0 : parts.patterns.length + parts.terms.size + parts.rests.length;
  for (const [variable, covers] of coversWithin(effort, size, (own) => tokenSetsOf(parts, own))) {
    // Clauses below state where all tokens together cover a pattern.
    if (all.size === 0 || covers.length !== all.size || covers.some((cover) => !all.has(cover)))
      yield implicationOf(variable, ...covers);
  }
  yield* clausesOfEdits(parts.patterns);
  if (parts.rests.length === 0) return;
  for (const { variable } of parts.patterns) yield implicationOf(variable, ...tokenVariables(parts));
}

/** The constraints that what is near a term is no further than more edits allow. */
function* clausesOfEdits(patterns: readonly TextPart[]): Generator<Constraint> {
  const byTerm = new Map<string, { readonly edits: number; readonly variable: Variable }[]>();
  for (const { leaf, variable } of patterns) {
    // One that is expanded has other bounds.
    if (leaf.kind !== 'fuzzy' || leaf.expansion) continue;
    const alike = byTerm.get(leaf.term) ?? [];
    byTerm.set(leaf.term, alike);
    for (const other of alike) {
      if (leaf.edits <= other.edits) yield implicationOf(variable, other.variable);
      if (other.edits <= leaf.edits) yield implicationOf(other.variable, variable);
    }
    alike.push({ edits: leaf.edits, variable });
  }
}

/** The sets of tokens that patterns may cover, or that may cover them; none without a pattern. */
function tokenSetsOf({ patterns, terms, rests }: TextParts, effort: Effort): readonly TokenSet<Variable>[] {
  const found = patterns.flatMap(({ leaf, variable }) => {
    const automaton = patternAutomaton(leaf, effort);
    return automaton ? [{ of: variable, automaton, kind: 'pattern' as const }] : [];
  });
  if (found.length === 0) return [];
  const intervals = rests.flatMap(({ interval, variable }) => {
    const named = [...terms.keys()].filter((term) => holdsTerm(interval, term));
    const automaton = intervalAutomaton(interval, named, effort);
    return automaton ? [{ of: variable, automaton, kind: 'interval' as const }] : [];
  });
  const single = [...terms].map(([term, of]) => ({
    of,
    automaton: textAutomaton(term),
    kind: 'term' as const,
  }));
  return [...found, ...intervals, ...single];
}

/** Constraints for a phrase from one of its tokens. */
function* clausesOfToken(
  { variable }: TextPart,
  term: string,
  { parts, effort }: { readonly parts: TextParts; readonly effort: Effort },
): Generator<Constraint> {
  spendEffort(effort, 1 + parts.rests.length);
  const rest = parts.rests.find(({ interval }) => holdsTerm(interval, term));
  const token = parts.terms.get(term) ?? rest?.variable;
  if (token) yield implicationOf(variable, token);
  for (const pattern of parts.patterns) {
    if (hasMatch(pattern.leaf, [term], effort)) yield implicationOf(variable, pattern.variable);
  }
}

/** A leaf with its own variable: the text has a match of it. */
interface TextPart<L extends LeafFilter = LeafFilter> {
  readonly leaf: L;
  readonly variable: Variable;
}

/** The tokens of an interval except those with their own variable, and the variable that the text has one. */
interface OtherTokens {
  readonly interval: Interval<string>;
  readonly variable: Variable;
}

/** The conditions of filters on one text field, without those that no text can fulfil. */
interface TextParts {
  /** Single tokens, by their text. */
  readonly terms: ReadonlyMap<string, Variable>;
  readonly phrases: readonly TextPart<PhraseFilter>[];
  /** Wildcards, regular expressions and fuzzy terms. */
  readonly patterns: readonly TextPart[];
  /** All other tokens, cut at the ends of ranges and prefixes; empty if no filter refers to them. */
  readonly rests: readonly OtherTokens[];
  /**
   * The variable that there is a text at all, even one without tokens; undefined if no filter
   * refers to it.
   */
  readonly present: Variable | undefined;
}

/** Sorts the leaves on a text field by kind, and gives each a variable. */
function textPartsOf(occurrences: readonly LeafOccurrence[]): TextParts {
  const terms = new Map<string, Variable>();
  const phrases: TextPart<PhraseFilter>[] = [];
  const patterns: TextPart[] = [];
  const intervals: Interval<string>[] = [];
  let wholeFrom: number | undefined;
  let present: Variable | undefined;
  for (const { leaf, order } of occurrences) {
    if (isNeverInText(leaf)) continue;
    if (leaf.kind === 'term') {
      terms.set(leaf.term, { order, cost: 2 });
    } else if (leaf.kind === 'phrase') {
      phrases.push({ leaf, variable: { order, cost: leaf.terms.length } });
    } else if (leaf.kind === 'wildcard' || leaf.kind === 'regexp' || leaf.kind === 'fuzzy') {
      patterns.push({ leaf, variable: { order, cost: 2 } });
    } else if (leaf.kind === 'exists' && leaf.byNorms) {
      present ??= { order, cost: 1 };
    } else {
      wholeFrom ??= order;
      const interval = termInterval(leaf);
      if (interval) intervals.push(interval);
    }
  }
  const rests = wholeFrom === undefined ? [] : restsOf(intervals, terms, wholeFrom);
  return { terms, phrases, patterns, rests, present };
}

function restsOf(
  intervals: readonly Interval<string>[],
  terms: ReadonlyMap<string, Variable>,
  order: number,
): OtherTokens[] {
  return cutInto(intervals, compareCodePoints)
    .all.filter((interval) => interval.to !== '' && !isNamedOnly(interval, terms))
    .map((interval) => ({ interval, variable: { order, cost: 3 } }));
}

/** Returns whether an interval contains one token alone, which has its own variable or cannot occur. */
function isNamedOnly({ from, to }: Interval<string>, terms: ReadonlyMap<string, Variable>): boolean {
  if (from === undefined || to !== nextTerm(from)) return false;
  return terms.has(from) || isNeverToken(from);
}

/**
 * The variables for the tokens of an interval, or for all tokens: one holds if the text has a
 * token there.
 */
function tokenVariables({ terms, rests }: TextParts, interval?: Interval<string>): Variable[] {
  if (!interval) return [...terms.values(), ...rests.map(({ variable }) => variable)];
  const named = [...terms].filter(([term]) => holdsTerm(interval, term)).map(([, variable]) => variable);
  const others = rests.filter((rest) => isWithin(rest.interval, interval)).map(({ variable }) => variable);
  return [...named, ...others];
}

/** Returns whether a segment lies in an interval. The ends of intervals are ends of segments. */
function isWithin(segment: Interval<string>, { from, to }: Interval<string>): boolean {
  const afterFrom =
    from === undefined || (segment.from !== undefined && compareCodePoints(from, segment.from) <= 0);
  const beforeTo = to === undefined || (segment.to !== undefined && compareCodePoints(segment.to, to) <= 0);
  return afterFrom && beforeTo;
}

/**
 * Finds a text that fulfils an assignment. Only simple shapes are tried: all required tokens side
 * by side, or with other tokens between them.
 */
function realiseTokens(parts: TextParts, assignment: Assignment, effort: Effort): Realised {
  const goal: Wanted = { parts, assignment, effort };
  const supply = supplyOf(goal);
  const pieces = piecesOf(goal, supply);
  if (!pieces) return { kind: 'unknown' };
  if (pieces.length === 0) {
    const isPresent = parts.present && assignment(parts.present) === true;
    return { kind: 'value', value: isPresent ? withoutTokens : undefined };
  }
  const text = arrangements(pieces, supply.anything(), effort)
    .filter((tokens) => isAsAssigned(goal, tokens))
    .find((tokens) => tokens.every(isToken))
    ?.join(' ');
  return text === undefined ? { kind: 'unknown' } : { kind: 'value', value: text };
}

/** The assignment that a text must fulfil, and the effort for finding one. */
interface Wanted {
  readonly parts: TextParts;
  readonly assignment: Assignment;
  readonly effort: Effort;
}

/** A text that analyses to nothing. */
const withoutTokens = '---';

/** Tokens that the assignment allows. */
interface Supply {
  readonly isAllowed: (token: string) => boolean;
  /** A token of an interval without its own variable. */
  readonly other: (interval: Interval<string>) => string | undefined;
  /** A token that matches no condition. */
  readonly anything: () => string | undefined;
}

function supplyOf({ parts, assignment, effort }: Wanted): Supply {
  const { terms, phrases, patterns, rests } = parts;
  const forbidden = patterns.filter(({ variable }) => assignment(variable) === false);
  const inPhrases = new Set(phrases.flatMap(({ leaf }) => leaf.terms));
  const isAllowed = (token: string) => {
    spendEffort(effort, costOfToken + rests.length + token.length);
    const variable = terms.get(token) ?? rests.find(({ interval }) => holdsTerm(interval, token))?.variable;
    if (variable && assignment(variable) === false) return false;
    return isToken(token) && !forbidden.some(({ leaf }) => hasMatch(leaf, [token], effort));
  };
  const find = (interval: Interval<string>, fits: (token: string) => boolean) => {
    for (const text of textsIn(interval)) {
      if (!terms.has(text) && fits(text) && isAllowed(text)) return text;
    }
    return undefined;
  };
  const everything = { from: undefined, to: undefined };
  const isForeign = (token: string) => !inPhrases.has(token);
  return {
    isAllowed,
    other: (interval) => find(interval, isForeign) ?? find(interval, () => true),
    anything: () => {
      for (const { interval, variable } of rests) {
        const token = assignment(variable) === false ? undefined : find(interval, isForeign);
        if (token !== undefined) return token;
      }
      return find(everything, isForeign);
    },
  };
}

/** The tokens side by side that each required part needs; undefined if there are none for one part. */
function piecesOf({ parts, assignment, effort }: Wanted, supply: Supply): Pieces | undefined {
  const holds = ({ variable }: { readonly variable: Variable }) => assignment(variable) === true;
  const pieces: (readonly string[])[] = parts.phrases.filter(holds).map(({ leaf }) => leaf.terms);
  for (const [term, variable] of parts.terms) if (holds({ variable })) pieces.push([term]);
  for (const { interval } of parts.rests.filter(holds)) {
    spendEffort(effort, sizeOf(pieces));
    if (pieces.some((piece) => piece.some((token) => isRest(token, interval, parts)))) continue;
    const token = supply.other(interval);
    if (token === undefined) return undefined;
    pieces.push([token]);
  }
  for (const { leaf } of parts.patterns.filter(holds)) {
    if (pieces.some((piece) => hasMatch(leaf, piece, effort))) continue;
    const token = candidatesFor(leaf, parts, effort).find(
      (text) => supply.isAllowed(text) && hasMatch(leaf, [text], effort),
    );
    if (token === undefined) return undefined;
    pieces.push([token]);
  }
  return pieces;
}

/** Sequences of tokens that stand side by side. */
type Pieces = readonly (readonly string[])[];

/** Returns whether a token lies in an interval and has no variable of its own. */
function isRest(token: string, interval: Interval<string>, { terms }: TextParts): boolean {
  return !terms.has(token) && holdsTerm(interval, token);
}

/** Tokens that a pattern may match. */
function candidatesFor(leaf: LeafFilter, { terms, phrases }: TextParts, effort: Effort): string[] {
  const named = [...terms.keys(), ...phrases.flatMap((phrase) => phrase.leaf.terms)];
  return [...textsFitting(leaf, effort), ...named, ...textsIn({ from: undefined, to: undefined })];
}

/**
 * The numbers of filler tokens that are tried: a small slop spans a few, and people rarely write
 * one above 12.
 */
const gaps = [1, 2, 12];

/** The pieces in a few shapes: side by side, then apart, then with fillers inside. */
function arrangements(pieces: Pieces, filler: string | undefined, effort: Effort): string[][] {
  spendEffort(effort, pieces.length * sizeOf(pieces) + (costOfToken + Math.max(...gaps)) * sizeOf(pieces));
  const needed = pieces.filter((piece, index) => !isHeld(piece, index, pieces));
  const together = [needed.flat(), needed.toReversed().flat()];
  if (filler === undefined) return together;
  const once = needed.flatMap(([first = filler, ...others]) => [first, filler, ...others]);
  const late = needed.flatMap((piece) => [...piece.slice(0, -1), filler, ...piece.slice(-1)]);
  const apart = gaps.map((count) => spread(needed, new Array<string>(count).fill(filler)));
  const loose = gaps.map((count) => {
    const gap = new Array<string>(count).fill(filler);
    return spread(
      needed.map((piece) =>
        spread(
          [...piece].map((token) => [token]),
          gap,
        ),
      ),
      gap,
    );
  });
  return [...together, ...apart, once, late, ...loose];
}

/** Returns whether another piece contains this one; of equal pieces the first stays. */
function isHeld(piece: readonly string[], position: number, pieces: Pieces): boolean {
  return pieces.some(
    (other, at) =>
      at !== position &&
      piece.length <= other.length &&
      (piece.length < other.length || at < position) &&
      hasSequence(piece, other),
  );
}

function spread(pieces: Pieces, gap: readonly string[]): string[] {
  return pieces.flatMap((piece, index) => (index === 0 ? piece : [...gap, ...piece]));
}

/** The steps for analysing one token. */
const costOfToken = 32;

function sizeOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Returns whether tokens fulfil an assignment. */
function isAsAssigned({ parts, assignment, effort }: Wanted, tokens: readonly string[]): boolean {
  spendEffort(effort, parts.terms.size + tokens.length * (costOfToken + parts.rests.length));
  const held = new Set(tokens);
  const agrees = (variable: Variable, holds: boolean) => (assignment(variable) ?? holds) === holds;
  const hasRest = (interval: Interval<string>) => tokens.some((token) => isRest(token, interval, parts));
  return (
    [...parts.terms].every(([term, variable]) => agrees(variable, held.has(term))) &&
    parts.rests.every(({ interval, variable }) => agrees(variable, hasRest(interval))) &&
    [...parts.phrases, ...parts.patterns].every(({ leaf, variable }) =>
      agrees(variable, hasMatch(leaf, tokens, effort)),
    )
  );
}
