import { areSame } from '../logic/compare.ts';
import {
  joinsByAnd,
  type Operators,
  operatorsOf,
  type Reading,
  resolve,
  type Unit,
  unitsOf,
} from '../meaning/resolve.ts';
import type { Field, Schema } from '../meaning/schema.ts';
import type { Engine } from '../parse/engine.ts';
import type { Clause, Group, Part, Phrase, Query, Range, Word } from '../parse/tree.ts';
import { isEmptyInterval, memoize, numberInterval, type SearchTargets } from './clause.ts';
import type { LevelMember, QueryLevel } from './level.ts';

/** Lookups of the query, and the circumstances in which it is checked. */
interface Context extends LevelReader {
  readonly targets: (clause: Clause) => SearchTargets;
  readonly schema: Schema;
  readonly engine: Engine;
  /** The fields that a clause of the level searches when it names none. */
  readonly searched: (level: QueryLevel) => readonly Field[];
}

/**
 * A test whether the server takes the operators of a level otherwise than a
 * person does. Where the form of the level allows it, sample logs are tried; if
 * none proves it, the first small levels of a query are compared.
 */
export function readingComparison(context: Context): (level: QueryLevel) => boolean {
  const hasCounterexample = counterexampleFinder(context);
  let compared = 0;
  return memoize(differ);

  function differ(level: QueryLevel): boolean {
    if (!level.sound || isUnambiguous(level) || !differByForm(level)) return false;
    if (longestCompared < lengthOf(level) || hasCounterexample(level)) return true;
    // A difference inside makes the level differ too, but for chance, which takes long to find out.
    if (level.members.some(differInside)) return true;
    compared += 1;
    return mostCompared < compared || !agree(level, context);
  }

  function differInside({ clauses: [{ item }] }: LevelMember): boolean {
    if (item.kind !== 'Group') return false;
    const inner = context.level(item);
    return differ(inner) || inner.members.some(differInside);
  }
}

/** Returns whether a level has AND alone, or neither AND, NOT nor plus. Both readings are then the same. */
function isUnambiguous({ members, counts: { ands, nots, pluses } }: QueryLevel): boolean {
  return ands === members.length - 1 || ands + nots + pluses === 0;
}

function differByForm(level: QueryLevel): boolean {
  const operands = operandsOn(level);
  const joined = countJoined(operands);
  const { must: required, should: optional } = level.counts;
  // A person requires all that AND joins, and any of alternatives.
  if (joined === operands.length - 1) return 0 < required ? 0 < optional : 1 < optional;
  return 0 < joined || operands.some(({ modifier }) => modifier !== undefined);
}

/** The number of operands that a person joins with the one before. */
function countJoined(operands: readonly LevelOperand[]): number {
  let joined = 0;
  for (let position = 1; position < operands.length; position += 1) {
    const operand = operands[position];
    if (operand && joinsByAnd(operand, 'or')) joined += 1;
  }
  return joined;
}

/** In UTF-16 units, more than people write: the time of a comparison grows fast with the level. */
const longestCompared = 1000;

/** The most levels of a query that are compared, at about a millisecond each. */
const mostCompared = 30;

function lengthOf({ parts }: QueryLevel): number {
  return (parts.at(-1)?.to ?? 0) - (parts[0]?.from ?? 0);
}

function agree(level: QueryLevel, context: Context): boolean {
  const { schema, engine, now } = context;
  const alone = { fields: schema.fields, defaults: fieldsToCompare(level, context) };
  const filter = (reading: Reading) =>
    resolve(queryOfParts(level.parts), { schema: alone, reading, now, engine });
  return areSame(filter('server'), filter('ordinary'));
}

/** The fields that a comparison needs: one stands for all text fields that no clause names, which takes less time. */
function fieldsToCompare(level: QueryLevel, { searched, targets }: Context): readonly Field[] {
  const fields = searched(level);
  const named = new Set<Field>();
  collect(level.parts);
  const unnamed = fields.find((field) => field.type === 'text' && !named.has(field));
  return fields.filter((field) => field === unnamed || field.type !== 'text' || named.has(field));

  function collect(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      const own = part.field ? targets(part).fields : noFields;
      // A name that stands for no field may be `_exists_`, which asks about any.
      for (const field of part.field && own.length === 0 ? fields : own) named.add(field);
      if (part.item.kind === 'Group') collect(part.item.parts);
    }
  }
}

const noFields: readonly Field[] = [];

/** Lookups of a query that its levels are evaluated with. */
interface LevelReader extends NeedReader {
  readonly level: (node: Query | Group) => QueryLevel;
}

/** Decides something about the operators of a level. */
type LevelTest = (level: QueryLevel) => boolean;

/** Batches of sample logs that are tried; a level that needs more is left to `compare`. */
const mostBatches = 8;

/**
 * A search for a log that the server selects and a person would not, or the
 * reverse, because of the operators of a level. It tries sample logs with the
 * words and values of the query; on nearly all levels the first batch has one.
 */
export function counterexampleFinder(reader: LevelReader): LevelTest {
  const testOf = memoize((batch: number) => differsInBatch(sampleLogBatch(batch, reader), reader));
  return (level) => {
    for (let batch = 0; batch < mostBatches; batch += 1) if (testOf(batch)(level)) return true;
    return false;
  };
}

/** Compares the two readings of a level for one batch of logs. Groups on it count as the server reads them. */
function differsInBatch(truthsOfClause: SampleLogs, { level }: LevelReader): LevelTest {
  // A group is evaluated again for each level around it.
  const ofServer = memoize(
    (queryLevel: QueryLevel): Truths => serverTruths(queryLevel, queryLevel.members.map(truthsOf)),
  );
  return (queryLevel) => {
    const server = ofServer(queryLevel);
    const operands = operandsOn(queryLevel);
    const person = personTruths(operands, operands.map(truthsOf));
    return (andTruths(server, notTruths(person)) | andTruths(person, notTruths(server))) >>> 16 !== 0;
  };

  function truthsOf({ clauses, searchTargets }: LevelOperand): Truths {
    const [first, second] = clauses;
    if (first.item.kind === 'Group') return ofServer(level(first.item));
    if (!second) return truthsOfClause(first, searchTargets);
    // Several words side by side are one value.
    if (!searchTargets.hasText) return unknownLogs;
    return clauses.map((clause) => truthsOfClause(clause, searchTargets)).reduce(orTruths, noLogs);
  }
}

/** The truths of a level as a person reads it: the operands between two ORs must all match. */
function personTruths(operands: readonly LevelOperand[], truths: readonly Truths[]): Truths {
  let any = noLogs;
  let all: Truths | undefined;
  for (const [position, operand] of operands.entries()) {
    if (!joinsByAnd(operand, 'or')) {
      any = orTruths(any, all ?? noLogs);
      all = undefined;
    }
    if (isEmptyGroup(operand)) continue;
    const own = truths[position] ?? unknownLogs;
    all = andTruths(all ?? allLogs, operand.modifier === 'not' ? notTruths(own) : own);
  }
  return orTruths(any, all ?? noLogs);
}

/** Returns whether analysis leaves nothing of a group; neither reading has a clause for it. */
function isEmptyGroup({ clauses: [{ item }], kept }: LevelOperand): boolean {
  return item.kind === 'Group' && !kept;
}

/** The truths of a level as the server reads it. */
function serverTruths({ members, counts: { must, should } }: QueryLevel, truths: readonly Truths[]): Truths {
  const isFilter = 0 < must || should === 0;
  let [included, excluded] = [isFilter ? allLogs : noLogs, noLogs];
  for (const [position, { occur }] of members.entries()) {
    const own = truths[position] ?? unknownLogs;
    if (occur === 'mustNot') excluded = orTruths(excluded, own);
    else if (occur === 'must') included = andTruths(included, own);
    else if (occur === 'should' && !isFilter) included = orTruths(included, own);
  }
  return andTruths(included, notTruths(excluded));
}

/** Everything that the needs of a clause depend on. */
interface NeedReader {
  readonly terms: (clause: Clause) => readonly string[];
  /** The value of `now` in a date, in milliseconds since the epoch. */
  readonly now: number;
  readonly engine: Engine;
}

/**
 * The condition of a clause, other than a group, on a log. It asks for any or
 * all of some words in a text, or for a value of one field. `nothing` matches no
 * log; `unclear` would take more to decide.
 */
type Need = Words | Value | { readonly kind: 'nothing' } | { readonly kind: 'unclear' };

interface Words {
  readonly kind: 'any' | 'all';
  readonly terms: readonly string[];
  /** Names of fields of values that may match the same text. */
  readonly values: readonly string[];
}

interface Value {
  readonly kind: 'value';
  readonly field: string;
  /** The value as it is written, without the white space in a range. */
  readonly text: string;
}

/** The need of a clause that is no group. */
export function needOf(clause: Clause, searchTargets: SearchTargets, reader: NeedReader): Need {
  const { item } = clause;
  const { named, fields, hasText, hasKeyword, hasNumbers } = searchTargets;
  const [field, second] = fields;
  // `_exists_` names no field: its meaning depends on its value.
  if (!field) return { kind: named === '_exists_' ? 'unclear' : 'nothing' };
  if (!second && field.type !== 'text') return valueNeed(clause, field, reader);
  if ((item.kind !== 'Word' && item.kind !== 'Phrase') || 0 < item.suffixes.length)
    return { kind: 'unclear' };
  const { text } = item.term;
  const terms = reader.terms(clause);
  const isComparison = !second && /^[<>]/.test(text);
  if (terms.length === 0 || isComparison || !hasText) return { kind: 'unclear' };
  return {
    kind: item.kind === 'Word' ? 'any' : 'all',
    terms,
    values: hasKeyword || (hasNumbers && numeric.test(text)) ? valueFields(fields, text) : [],
  };
}

/** The beginning of a text that can be a number or a date. */
const numeric = /^"?[-+.\d]/;

function valueNeed({ item }: Clause, field: Field, context: NeedReader): Need {
  if (item.kind !== 'Word' && item.kind !== 'Phrase' && item.kind !== 'Range') return { kind: 'unclear' };
  if (item.kind !== 'Range' && 0 < item.suffixes.length) return { kind: 'unclear' };
  const value: Value = { kind: 'value', field: field.name, text: writtenValue(item) };
  if (field.type === 'keyword') return item.kind === 'Range' ? { kind: 'unclear' } : value;
  const numbers = numberInterval(item, field, context);
  return numbers && !isEmptyInterval(numbers) ? value : { kind: 'nothing' };
}

function writtenValue(item: Word | Phrase | Range): string {
  if (item.kind !== 'Range') return item.term.text;
  return `${item.open.text}${item.lower?.term.text} ${item.upper?.term.text}${item.close?.text}`;
}

/** Names of the fields that can hold a text as a value. */
function valueFields(fields: readonly Field[], text: string): string[] {
  const isNumeric = numeric.test(text);
  return fields
    .filter(({ type }) => type === 'keyword' || (type !== 'text' && isNumeric))
    .map(({ name }) => name);
}

/**
 * The answers to a condition for a batch of 16 logs. The upper half has a bit
 * for each log that surely matches, the lower half one for each that surely does
 * not. For a log with neither bit the answer is unknown.
 */
type Truths = number;

const upper = 0xffff_0000;
const lower = 0x0000_ffff;

/** Matches every log of a batch. */
export const allLogs: Truths = upper | 0;
/** Matches no log of a batch. */
export const noLogs: Truths = lower;
/** The answer is unknown for every log of a batch. */
export const unknownLogs: Truths = 0;

/** Both conditions match. */
export function andTruths(a: Truths, b: Truths): Truths {
  return (a & b & upper) | ((a | b) & lower);
}

/** Either condition matches. */
export function orTruths(a: Truths, b: Truths): Truths {
  return ((a | b) & upper) | (a & b & lower);
}

/** The condition does not match. */
export function notTruths(truths: Truths): Truths {
  return (truths >>> 16) | (truths << 16);
}

/** Evaluates clauses that are no groups for one batch of logs. */
type SampleLogs = (clause: Clause, searchTargets: SearchTargets) => Truths;

/**
 * A batch of 16 logs, made up as clauses are evaluated. Each has any selection of
 * the words, in every requested field and order, and values of some fields. Any
 * selection is possible: the words of a text exclude no others.
 */
export function sampleLogBatch(batch: number, reader: NeedReader): SampleLogs {
  const samples: Samples = { batch, having: new Map(), valued: new Map(), values: new Map() };
  return (clause, searchTargets) => truthsOf(needOf(clause, searchTargets, reader), samples);
}

/** The choices made so far for one batch. */
interface Samples {
  readonly batch: number;
  /** The logs that have a word, or any value of a field. The key of a field begins with a colon, as no word does. */
  readonly having: Map<string, number>;
  /** The logs that have one of the values asked for, by field. */
  readonly valued: Map<string, number>;
  /** The answers for each value, by field and text: what is written alike has the same value. */
  readonly values: Map<string, Truths>;
}

function truthsOf(need: Need, samples: Samples): Truths {
  switch (need.kind) {
    case 'nothing':
      return noLogs;
    case 'unclear':
      return unknownLogs;
    case 'value':
      return truthsOfValue(need, samples);
    case 'any':
    case 'all': {
      const logs = need.terms.map((term) => logsWith(term, samples));
      const matched =
        need.kind === 'any' ? logs.reduce((a, b) => a | b, 0) : logs.reduce((a, b) => a & b, lower);
      // A value may be the same text, where there is one.
      const doubtful = need.values.reduce((all, field) => all | logsWith(`:${field}`, samples), 0);
      return (matched << 16) | (lower & ~matched & ~doubtful);
    }
  }
}

/** A log has one value of a field: the one asked for, or another one, whose other matches are unknown. */
function truthsOfValue(
  { field, text }: { readonly field: string; readonly text: string },
  samples: Samples,
): Truths {
  const { batch, valued, values } = samples;
  const key = `${field}:${text}`;
  const known = values.get(key);
  if (known !== undefined) return known;
  const logs = logsWith(`:${field}`, samples);
  const others = valued.get(field) ?? 0;
  const matched = logs & ~others & choice(valued.size + 1, batch + 1);
  valued.set(field, others | matched);
  const truths = (matched << 16) | (lower & ~logs);
  values.set(key, truths);
  return truths;
}

/** The logs that have a word, or a value of a field. */
function logsWith(key: string, { batch, having }: Samples): number {
  const known = having.get(key);
  if (known !== undefined) return known;
  const logs = choice(having.size, batch);
  having.set(key, logs);
  return logs;
}

/** The logs that have each of the first four things, so that every combination of them occurs. */
const combinations: readonly number[] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/** Pseudo-random logs, the same ones for the same numbers: half of them, in some batches more or fewer. */
function choice(index: number, batch: number): number {
  const known = batch === 0 ? combinations[index] : undefined;
  if (known !== undefined) return known;
  let mixed = Math.imul(index + 1, 0x9e37_79b1) ^ Math.imul(batch + 1, 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d);
  mixed ^= mixed >>> 12;
  const [one, other] = [mixed & lower, (mixed >>> 16) & lower];
  return [one, one | other, one & other][batch % 3] ?? one;
}

/** A part of a level as a person reads it: a clause, or a run of plain words. */
interface LevelOperand extends Operators {
  readonly clauses: Unit;
  readonly searchTargets: SearchTargets;
  /** True if analysis leaves something of it. */
  readonly kept: boolean;
}

/** The parts of a level as a person reads them: the members themselves, unless a run is cut otherwise. */
function operandsOn({ parts, members, runs }: QueryLevel): readonly LevelOperand[] {
  // Only runs of words may be cut otherwise than the server cuts them.
  if (runs.length === 0) return members;
  let at = -1;
  return unitsOf(parts, 'ordinary').flatMap((clauses): readonly LevelOperand[] => {
    if (members[at + 1]?.clauses[0] === clauses[0]) at += 1;
    const member = members[at];
    return member ? [{ ...member, ...operatorsOf(clauses[0]), clauses }] : [];
  });
}

/** The parts of a level as a query of their own. */
export function queryOfParts(parts: Query['parts']): Query {
  const to = parts.at(-1)?.to ?? 0;
  return { kind: 'Query', from: 0, to, parts, end: { kind: 'End', before: '', text: '', from: to, to } };
}
