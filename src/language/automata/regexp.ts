import {
  type Automaton,
  addEmptyMove,
  addState,
  type Draft,
  type Effort,
  type EngineRefusal,
  emptyAutomaton,
  maxCodePoint,
  newEffort,
  rangesAutomaton,
  spendEffort,
  staysAtStart,
  toAutomaton,
  toClassAutomaton,
  tooMuchWork,
  universalAutomaton,
  withoutDeadStates,
} from './automaton.ts';
import {
  type CompiledPattern,
  compileAutomaton,
  complementAutomaton,
  concatenateAutomata,
  determinize,
  intersectAutomata,
  optionalAutomaton,
  repeatAutomaton,
  repeatBetween,
  repeatFrom,
  uniteAutomata,
} from './determinize.ts';

/** The maximum length of a regular expression in the engine, in UTF-16 units. */
const maxLength = 1000;

/** A compiled pattern, and the steps that it took or, if it was given up for want of them, had. */
interface Compiled {
  readonly pattern: CompiledPattern;
  readonly steps: number;
}

/** The most recently compiled patterns, the latest last. */
const latest = new Map<string, Compiled>();

/** The weight of all patterns of this cache at most: the steps that one query may take, some ten megabytes. */
const mostKept = 20_000_000;
let kept = 0;

/** Steps stand for the size of an automaton. A refusal has none. */
const weightOf = ({ pattern, steps }: Compiled) => ('automaton' in pattern ? steps : 0) + 1000;

/**
 * Returns the automaton of a regular expression in the engine's syntax, or its refusal. The last
 * patterns are cached: each default field and each comparison of a fix compiles the same ones. A
 * cached one takes the steps that it took at first from the effort, so that what is too complex
 * does not depend on what was compiled before.
 */
export function compileRegexp(pattern: string, effort: Effort = newEffort()): CompiledPattern {
  const before = effort.left;
  const known = latest.get(pattern);
  if (known) {
    keep(pattern, known);
    effort.left -= Math.min(known.steps, Math.max(1, before + 1));
    return known.steps <= before ? known.pattern : { refusal: { message: tooMuchWork } };
  }
  const compiled = compileAnew(pattern, effort);
  const steps = before - effort.left;
  // One that was given up for want of effort says nothing about a greater one.
  if (steps <= before || newEffort().left <= before) keep(pattern, { pattern: compiled, steps });
  return compiled;
}

/** Keeps a pattern as the latest; the oldest ones make place. */
function keep(pattern: string, compiled: Compiled): void {
  if (latest.delete(pattern)) kept -= weightOf(compiled);
  latest.set(pattern, compiled);
  kept += weightOf(compiled);
  for (const [other, own] of latest) {
    if (kept <= mostKept || other === pattern) return;
    latest.delete(other);
    kept -= weightOf(own);
  }
}

function compileAnew(pattern: string, effort: Effort): CompiledPattern {
  if (maxLength < pattern.length) {
    return { refusal: { message: 'A regular expression may have 1,000 characters at most', at: maxLength } };
  }
  const parsed = parseRegexp(pattern);
  return 'refusal' in parsed ? parsed : compileAutomaton(() => regexpAutomaton(parsed.tree, effort), effort);
}

/**
 * Returns whether a regular expression may match a text of one character or more, all of which occur. False
 * is certain. No automaton is built, so a part that excludes others counts as one that may match.
 */
export function mayMatchText(pattern: string, occurs: (codePoint: number) => boolean): boolean {
  if (maxLength < pattern.length) return true;
  const parsed = parseRegexp(pattern);
  return 'refusal' in parsed || possibleTexts(parsed.tree, occurs).some;
}

/** Whether a part may match the empty text, and whether it may match some other one. */
interface PossibleTexts {
  readonly empty: boolean;
  readonly some: boolean;
}

function possibleTexts(tree: RegexpTree, occurs: (codePoint: number) => boolean): PossibleTexts {
  switch (tree.kind) {
    case 'ranges':
      return { empty: false, some: tree.ranges.some((range) => occursInRange(range, occurs)) };
    case 'text': {
      const empty = tree.text === '';
      return { empty, some: !empty && codePointsOf(tree.text).every(occurs) };
    }
    case 'nothing':
      return { empty: false, some: false };
    case 'interval':
      return { empty: false, some: true };
    case 'union': {
      const parts = tree.parts.map((part) => possibleTexts(part, occurs));
      return { empty: parts.some(({ empty }) => empty), some: parts.some(({ some }) => some) };
    }
    case 'concatenation': {
      const parts = tree.parts.map((part) => possibleTexts(part, occurs));
      const empty = parts.every((part) => part.empty);
      return {
        empty,
        some: parts.some(({ some }) => some) && parts.every((part) => part.empty || part.some),
      };
    }
    case 'intersection': {
      const [left, right] = [possibleTexts(tree.left, occurs), possibleTexts(tree.right, occurs)];
      return { empty: left.empty && right.empty, some: left.some && right.some };
    }
    case 'anything':
    case 'complement':
      return { empty: true, some: true };
    case 'repetition': {
      const part = possibleTexts(tree.part, occurs);
      return { empty: part.empty || tree.min === 0, some: part.some && tree.max !== 0 };
    }
  }
}

function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** The code points of a range that are tried; a larger range counts as one with a character that occurs. */
const mostTried = 1000;

function occursInRange([min, max]: CodePointRange, occurs: (codePoint: number) => boolean): boolean {
  for (let codePoint = min; codePoint <= max; codePoint += 1) {
    if (mostTried <= codePoint - min || occurs(codePoint)) return true;
  }
  return false;
}

/**
 * The automaton of a regular expression. Each part is minimized where the engine minimizes it, so
 * it has as many states and the same expressions are too complex.
 */
export function regexpAutomaton(tree: RegexpTree, effort: Effort): Automaton {
  switch (tree.kind) {
    case 'ranges':
      return rangesAutomaton(tree.ranges);
    case 'text':
      return textAutomaton(tree.text);
    case 'anything':
      return universalAutomaton;
    case 'nothing':
      return emptyAutomaton;
    case 'interval':
      return intervalAutomaton(tree);
    case 'union':
      return minimize(uniteAutomata(tree.parts.map((part) => regexpAutomaton(part, effort))), effort);
    case 'concatenation': {
      const parts = tree.parts.map((part) => regexpAutomaton(part, effort));
      return minimize(concatenateAutomata(parts, effort), effort);
    }
    case 'intersection': {
      const [left, right] = [regexpAutomaton(tree.left, effort), regexpAutomaton(tree.right, effort)];
      return minimize(intersectAutomata(left, right, effort), effort);
    }
    case 'complement':
      return minimize(complementAutomaton(regexpAutomaton(tree.part, effort), effort), effort);
    case 'repetition':
      return repetition(tree, effort);
  }
}

/** The automaton that accepts one text. */
function textAutomaton(text: string): Automaton {
  const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const moves = codePoints.map((codePoint, state) => [{ min: codePoint, max: codePoint, to: state + 1 }]);
  return { accepts: [...codePoints.map(() => false), true], moves: [...moves, []] };
}

function repetition({ part, min, max, optional: once }: RegexpRepetition, effort: Effort): Automaton {
  const automaton = regexpAutomaton(part, effort);
  if (once) return minimize(optionalAutomaton(automaton), effort);
  if (max !== undefined) return repeatBetween(automaton, { min, max }, effort);
  return minimize(min === 0 ? repeatAutomaton(automaton) : repeatFrom(automaton, min, effort), effort);
}

const zero = 48;
const nine = 57;

/** An automaton under construction, and the states at which a number without its leading zeros may begin. */
interface Numbers {
  readonly draft: Draft;
  readonly starts: number[];
}

/** A position among the digits of the bounds. */
interface Place {
  readonly index: number;
  /** True if all digits so far are zeros that may be omitted. */
  readonly leading: boolean;
}

/**
 * Accepts the decimal numbers of an interval, with any number of leading zeros unless `digits`
 * fixes the length.
 */
function intervalAutomaton({ min, max, digits }: RegexpInterval): Automaton {
  const length = digits === 0 ? String(max).length : digits;
  const [low, high] = [String(min).padStart(length, '0'), String(max).padStart(length, '0')];
  const draft: Draft = { accepts: [], moves: [] };
  const numbers: Numbers = { draft, starts: [] };
  if (digits !== 0) {
    between(numbers, [low, high], { index: 0, leading: false });
    return toAutomaton(draft);
  }
  addState(draft, false);
  between(numbers, [low, high], { index: 0, leading: true });
  draft.moves[0]?.push({ min: zero, max: zero, to: 0 });
  for (const start of numbers.starts) addEmptyMove(draft, 0, start);
  return toAutomaton(draft);
}

/** Adds the states for digits between both bounds from a position on; returns the first of them. */
function between(numbers: Numbers, [low, high]: readonly [string, string], place: Place): number {
  const state = stateAt(numbers, low, place);
  if (place.index === low.length) return state;
  const [from, to] = [low.charCodeAt(place.index), high.charCodeAt(place.index)];
  if (from === to) {
    move(numbers, state, [from, from], between(numbers, [low, high], after(place, from)));
    return state;
  }
  move(numbers, state, [from, from], atLeast(numbers, low, after(place, from)));
  move(numbers, state, [to, to], atMost(numbers, high, place.index + 1));
  if (from + 1 < to) move(numbers, state, [from + 1, to - 1], anyDigits(numbers, low, place.index + 1));
  return state;
}

function atLeast(numbers: Numbers, low: string, place: Place): number {
  const state = stateAt(numbers, low, place);
  if (place.index === low.length) return state;
  const from = low.charCodeAt(place.index);
  move(numbers, state, [from, from], atLeast(numbers, low, after(place, from)));
  if (from < nine) move(numbers, state, [from + 1, nine], anyDigits(numbers, low, place.index + 1));
  return state;
}

function atMost(numbers: Numbers, high: string, index: number): number {
  const state = addState(numbers.draft, index === high.length);
  if (index === high.length) return state;
  const to = high.charCodeAt(index);
  move(numbers, state, [to, to], atMost(numbers, high, index + 1));
  if (zero < to) move(numbers, state, [zero, to - 1], anyDigits(numbers, high, index + 1));
  return state;
}

function anyDigits(numbers: Numbers, bound: string, index: number): number {
  const state = addState(numbers.draft, index === bound.length);
  if (index < bound.length) move(numbers, state, [zero, nine], anyDigits(numbers, bound, index + 1));
  return state;
}

/** Adds a state for a position; a state reached by leading zeros alone is also a start. */
function stateAt({ draft, starts }: Numbers, low: string, { index, leading }: Place): number {
  const state = addState(draft, index === low.length);
  if (leading && index < low.length) starts.push(state);
  return state;
}

function after({ index, leading }: Place, digit: number): Place {
  return { index: index + 1, leading: leading && digit === zero };
}

function move(
  { draft }: Numbers,
  from: number,
  [min, max]: readonly [min: number, max: number],
  to: number,
): void {
  draft.moves[from]?.push({ min, max, to });
}

/** The steps for one transition, which takes about 30 bytes during minimization. */
const costOfTransition = 8;

/**
 * The smallest deterministic automaton that accepts the same, without dead states. One that never
 * leaves its start stays as it is, as in the engine.
 */
function minimize(automaton: Automaton, effort: Effort): Automaton {
  const deterministic = determinize(automaton, effort);
  if (staysAtStart(deterministic)) return deterministic;
  const { accepts, moves } = withoutDeadStates(deterministic);
  if (accepts.length === 0) return emptyAutomaton;
  const states = statesTogether({ accepts, moves }, effort);
  const numbers = numberBlocks(states, moves);
  const blocks = [...numbers.keys()];
  const heirs = blocks.map((block) => states.elements(block)[0] ?? 0);
  return toAutomaton({
    accepts: heirs.map((state) => accepts[state] ?? false),
    moves: heirs.map((state) =>
      (moves[state] ?? []).map((move) => ({ ...move, to: numbers.get(states.blockOf(move.to)) ?? 0 })),
    ),
  });
}

/** Numbers the blocks in the order of reachability from the block of state 0. */
function numberBlocks(states: Partition, moves: Automaton['moves']): ReadonlyMap<number, number> {
  const numbers = new Map([[states.blockOf(0), 0]]);
  for (const block of numbers.keys()) {
    for (const { to } of moves[states.elements(block)[0] ?? 0] ?? []) {
      const next = states.blockOf(to);
      if (!numbers.has(next)) numbers.set(next, numbers.size);
    }
  }
  return numbers;
}

/** Partitions the states by the texts that they accept. */
function statesTogether(automaton: Automaton, effort: Effort): Partition {
  const { sources, targets, labels, classes } = transitionsOf(automaton, effort);
  const incoming = groupBy(targets, automaton.accepts.length).withKey;
  const states = partitionBy(Int32Array.from(automaton.accepts, Number), 2);
  const transitions = partitionBy(labels, classes);
  let refined = 1;
  for (let block = 0; block < transitions.count(); block += 1) {
    for (const transition of transitions.elements(block)) states.mark(sources[transition] ?? 0);
    states.split();
    for (; refined < states.count(); refined += 1) {
      for (const state of states.elements(refined)) {
        for (const transition of incoming(state)) transitions.mark(transition);
      }
      transitions.split();
    }
  }
  return states;
}

interface Transitions {
  readonly sources: Int32Array;
  readonly targets: Int32Array;
  readonly labels: Int32Array;
  /** The number of possible labels. */
  readonly classes: number;
}

/** The moves of an automaton, one for each class of numbers. */
function transitionsOf(automaton: Automaton, effort: Effort): Transitions {
  const { leasts, spans } = toClassAutomaton(automaton);
  const count = spans.reduce((sum, own) => sum + classesIn(own), 0);
  spendEffort(effort, costOfTransition * count);
  const [sources, targets, labels] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  let next = 0;
  for (const [source, own] of spans.entries()) {
    for (let at = 0; at < own.length; at += 3) {
      const [from = 0, past = 0, to = 0] = own.subarray(at, at + 3);
      sources.fill(source, next, next + past - from);
      targets.fill(to, next, next + past - from);
      for (let label = from; label < past; label += 1, next += 1) labels[next] = label;
    }
  }
  return { sources, targets, labels, classes: leasts.length };
}

/** The number of classes in the moves of a state. */
function classesIn(own: Int32Array): number {
  let count = 0;
  for (let at = 0; at < own.length; at += 3) count += (own[at + 1] ?? 0) - (own[at] ?? 0);
  return count;
}

/**
 * A partition of the numbers below `size` into blocks that can only be refined (Antti Valmari,
 * "Fast brief practical DFA minimization", 2012).
 */
interface Partition {
  /** The number of blocks. */
  readonly count: () => number;
  /** The block of an element. */
  readonly blockOf: (element: number) => number;
  /** The elements of a block. */
  readonly elements: (block: number) => Int32Array;
  /** Marks an element for the next `split`. */
  readonly mark: (element: number) => void;
  /** Separates the marked elements of each block from the others; the smaller part becomes a new block. */
  readonly split: () => void;
}

/** Numbers in the order of their keys. */
interface Grouped {
  readonly order: Int32Array;
  /** The numbers with a key. */
  readonly withKey: (key: number) => Int32Array;
}

/** Sorts the indices of `keys` by key; keys are below `bound`. */
function groupBy(keys: Int32Array, bound: number): Grouped {
  const starts = new Int32Array(bound + 1);
  for (const key of keys) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
  for (let key = 0; key < bound; key += 1) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  const next = starts.slice();
  const order = new Int32Array(keys.length);
  for (const [number, key] of keys.entries()) {
    const at = next[key] ?? 0;
    order[at] = number;
    next[key] = at + 1;
  }
  return { order, withKey: (key) => order.subarray(starts[key], starts[key + 1]) };
}

/** The partition whose blocks have equal keys below `bound`. */
function partitionBy(keys: Int32Array, bound: number): Partition {
  const size = keys.length;
  const { order } = groupBy(keys, bound);
  const place = new Int32Array(size);
  const blockAt = new Int32Array(size);
  const first: number[] = [];
  const past: number[] = [];
  const marked: number[] = [];
  const touched: number[] = [];
  for (const [at, element] of order.entries()) {
    if (at === 0 || keys[element] !== keys[order[at - 1] ?? 0]) {
      first.push(at);
      past.push(at);
      marked.push(0);
    }
    past[past.length - 1] = at + 1;
    place[element] = at;
    blockAt[element] = first.length - 1;
  }

  function mark(element: number): void {
    const block = blockAt[element] ?? 0;
    const from = place[element] ?? 0;
    const to = (first[block] ?? 0) + (marked[block] ?? 0);
    if (from < to) return;
    const other = order[to] ?? 0;
    order[from] = other;
    place[other] = from;
    order[to] = element;
    place[element] = to;
    if (marked[block] === 0) touched.push(block);
    marked[block] = (marked[block] ?? 0) + 1;
  }

  function split(): void {
    for (const block of touched.splice(0)) {
      const [from, to] = [first[block] ?? 0, past[block] ?? 0];
      const middle = from + (marked[block] ?? 0);
      marked[block] = 0;
      if (middle === to) continue;
      const markedIsSmaller = middle - from <= to - middle;
      if (markedIsSmaller) first[block] = middle;
      else past[block] = middle;
      const [newFrom, newPast] = markedIsSmaller ? [from, middle] : [middle, to];
      for (let at = newFrom; at < newPast; at += 1) blockAt[order[at] ?? 0] = first.length;
      first.push(newFrom);
      past.push(newPast);
      marked.push(0);
    }
  }

  return {
    count: () => first.length,
    blockOf: (element) => blockAt[element] ?? 0,
    elements: (block) => order.slice(first[block], past[block]),
    mark,
    split,
  };
}

/** The tree of a regular expression, or the reason why the text is not one. */
type ParsedRegexp = { readonly tree: RegexpTree } | { readonly refusal: EngineRefusal };

/** The greatest number that the engine can read. */
const maxNumber = 2 ** 31 - 1;

/** A syntax error. Thrown and caught in this file only. */
class Unreadable extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** A text and the read position. */
interface Reader {
  readonly text: string;
  at: number;
}

/**
 * Parses the engine's whole syntax of regular expressions: `| & ~ ? * + {n,m} . # @ "text" <1-15>
 * [a-z] [^a-z] ( ) \`. A special character that can have no meaning at its position is literal,
 * for example a `*` at the start.
 */
export function parseRegexp(text: string): ParsedRegexp {
  if (text === '') return { tree: { kind: 'text', text } };
  const reader: Reader = { text, at: 0 };
  try {
    const tree = union(reader);
    if (reader.at < text.length) return { refusal: { message: 'The ")" closes nothing', at: reader.at } };
    return { tree };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { refusal: { message: error.message, at: error.at } };
  }
}

function union(reader: Reader): RegexpTree {
  const parts = [intersection(reader)];
  while (take(reader, '|')) parts.push(intersection(reader));
  return joined('union', parts);
}

function intersection(reader: Reader): RegexpTree {
  const parts = [concatenation(reader)];
  while (take(reader, '&')) parts.push(concatenation(reader));
  return parts.reduceRight((right, left) => ({ kind: 'intersection', left, right }));
}

function concatenation(reader: Reader): RegexpTree {
  const parts = [parseRepetition(reader)];
  while (isBeforeOther(reader, ')|&')) parts.push(parseRepetition(reader));
  return joined('concatenation', parts);
}

/**
 * Joins several trees into one; nested ones of the same kind are flattened, since the engine makes
 * no difference.
 */
function joined(kind: 'union' | 'concatenation', parts: readonly RegexpTree[]): RegexpTree {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const [first, second] = flat;
  return first && !second ? first : { kind, parts: flat };
}

function parseRepetition(reader: Reader): RegexpTree {
  let part = complement(reader);
  for (;;) {
    if (take(reader, '?')) part = { kind: 'repetition', part, min: 0, max: 1, optional: true };
    else if (take(reader, '*')) part = { kind: 'repetition', part, min: 0, max: undefined, optional: false };
    else if (take(reader, '+')) part = { kind: 'repetition', part, min: 1, max: undefined, optional: false };
    else if (take(reader, '{')) part = { kind: 'repetition', part, ...counts(reader), optional: false };
    else return part;
  }
}

function counts(reader: Reader): { min: number; max: number | undefined } {
  const min = number(reader);
  if (min === undefined) throw new Unreadable('A "{" requires a number', reader.at);
  const max = take(reader, ',') ? number(reader) : min;
  expect(reader, '}');
  return { min, max };
}

function number(reader: Reader): number | undefined {
  const from = reader.at;
  while (isBeforeAny(reader, '0123456789')) reader.at += 1;
  if (from === reader.at) return undefined;
  const value = Number(reader.text.slice(from, reader.at));
  if (maxNumber < value) throw new Unreadable(`The number is too large: ${maxNumber} is the greatest`, from);
  return value;
}

function complement(reader: Reader): RegexpTree {
  return take(reader, '~') ? { kind: 'complement', part: complement(reader) } : single(reader);
}

function single(reader: Reader): RegexpTree {
  const from = reader.at;
  if (take(reader, '[')) return brackets(reader);
  if (take(reader, '.')) return { kind: 'ranges', ranges: [[0, maxCodePoint]] };
  if (take(reader, '#')) return { kind: 'nothing' };
  if (take(reader, '@')) return { kind: 'anything' };
  if (take(reader, '"')) return { kind: 'text', text: upTo(reader, '"') };
  if (take(reader, '<')) return interval(upTo(reader, '>'), from);
  if (take(reader, '(')) return parentheses(reader);
  const codePoint = character(reader);
  return { kind: 'ranges', ranges: [[codePoint, codePoint]] };
}

function parentheses(reader: Reader): RegexpTree {
  if (take(reader, ')')) return { kind: 'text', text: '' };
  const tree = union(reader);
  expect(reader, ')');
  return tree;
}

function brackets(reader: Reader): RegexpTree {
  const negated = take(reader, '^');
  const ranges = [range(reader)];
  while (isBeforeOther(reader, ']')) ranges.push(range(reader));
  expect(reader, ']');
  if (negated) return { kind: 'ranges', ranges: allBut(ranges) };
  return joined(
    'union',
    ranges.map((range) => ({ kind: 'ranges', ranges: [range] })),
  );
}

function range(reader: Reader): CodePointRange {
  const at = reader.at;
  const min = character(reader);
  if (!take(reader, '-')) return [min, min];
  const max = character(reader);
  if (max < min) throw new Unreadable(`The range "${reader.text.slice(at, reader.at)}" runs backwards`, at);
  return [min, max];
}

function allBut(ranges: readonly CodePointRange[]): CodePointRange[] {
  const gaps: CodePointRange[] = [];
  let from = 0;
  for (const [min, max] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from < min) gaps.push([from, min - 1]);
    from = Math.max(from, max + 1);
  }
  if (from <= maxCodePoint) gaps.push([from, maxCodePoint]);
  return gaps;
}

/** The interval between `<` and `>`. The syntax also has names of automata, but the engine defines none. */
function interval(text: string, at: number): RegexpTree {
  const [, min, max] = /^(\+?\d+)-(\+?\d+)$/.exec(text) ?? [];
  if (min === undefined || max === undefined || maxNumber < Math.max(Number(min), Number(max))) {
    throw new Unreadable(`"<${text}>" requires two numbers, as in <1-15>`, at);
  }
  const [least, greatest] = [Math.min(Number(min), Number(max)), Math.max(Number(min), Number(max))];
  return { kind: 'interval', min: least, max: greatest, digits: min.length === max.length ? min.length : 0 };
}

function upTo(reader: Reader, end: string): string {
  const to = reader.text.indexOf(end, reader.at);
  if (to === -1) throw new Unreadable(`A "${end}" is missing`, reader.text.length);
  const text = reader.text.slice(reader.at, to);
  reader.at = to + 1;
  return text;
}

function character(reader: Reader): number {
  take(reader, '\\');
  const codePoint = reader.text.codePointAt(reader.at);
  if (codePoint === undefined) throw new Unreadable('A character is missing at the end', reader.at);
  reader.at += 0xffff < codePoint ? 2 : 1;
  return codePoint;
}

function expect(reader: Reader, what: string): void {
  if (!take(reader, what)) throw new Unreadable(`A "${what}" is missing`, reader.at);
}

function take(reader: Reader, what: string): boolean {
  if (reader.text[reader.at] !== what) return false;
  reader.at += 1;
  return true;
}

/** Returns whether the next character is one of these. */
function isBeforeAny({ text, at }: Reader, these: string): boolean {
  return at < text.length && these.includes(text.charAt(at));
}

/** Returns whether there is a next character, and it is none of these. */
function isBeforeOther({ text, at }: Reader, these: string): boolean {
  return at < text.length && !these.includes(text.charAt(at));
}

/** A regular expression in the engine's syntax, as a value, without parentheses, quotes and backslashes. */
export type RegexpTree =
  | Ranges
  | Text
  | Anything
  | Nothing
  | RegexpInterval
  | Union
  | Concatenation
  | Intersection
  | Complement
  | RegexpRepetition;

/** The least and the greatest code point of a range. */
export type CodePointRange = readonly [min: number, max: number];

/** `a`, `a-z` in brackets, `.`, `[^a-z]`: one code point. The ranges are in order and do not touch. */
interface Ranges {
  readonly kind: 'ranges';
  readonly ranges: readonly CodePointRange[];
}

/** `"a.b"`, `()`: this text. */
interface Text {
  readonly kind: 'text';
  readonly text: string;
}

/** `@`: any text. */
interface Anything {
  readonly kind: 'anything';
}

/** `#`: no text at all, not even the empty one. */
interface Nothing {
  readonly kind: 'nothing';
}

/** `<1-15>`: a number in decimal digits. */
interface RegexpInterval {
  readonly kind: 'interval';
  readonly min: number;
  readonly max: number;
  /** The required number of digits; with 0, any number of leading zeros. */
  readonly digits: number;
}

/** `a|b` and `[ab]`: any of the parts. */
interface Union {
  readonly kind: 'union';
  readonly parts: readonly RegexpTree[];
}

/** `ab`: the parts one after the other. */
interface Concatenation {
  readonly kind: 'concatenation';
  readonly parts: readonly RegexpTree[];
}

/** `a&b`: both parts. */
interface Intersection {
  readonly kind: 'intersection';
  readonly left: RegexpTree;
  readonly right: RegexpTree;
}

/** `~a`: any other text. */
interface Complement {
  readonly kind: 'complement';
  readonly part: RegexpTree;
}

/** `a?`, `a*`, `a+`, `a{3}`, `a{3,}`, `a{3,5}`: a repetition, unlimited where `max` is undefined. */
export interface RegexpRepetition {
  readonly kind: 'repetition';
  readonly part: RegexpTree;
  readonly min: number;
  readonly max: number | undefined;
  /** True for a `?`, for which the engine builds another automaton than for `{0,1}`. */
  readonly optional: boolean;
}
