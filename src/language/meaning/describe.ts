import type { Filter, FuzzyFilter, RangeFilter } from './filter.ts';
import type { Field } from './schema.ts';
import { type NumberValue, numberText } from './values.ts';

/**
 * Describes a filter in plain English, as a sentence without its final stop: `the message (msg)
 * has the words "timed", "out" next to each other`. It suits the filter of one clause; a longer
 * filter becomes hard to read. With `defaults`, a condition on all default text fields mentions "a
 * default field".
 *
 * ```ts
 * describe(filter);
 * ```
 */
export function describe(filter: Filter, defaults: readonly Field[] = []): string {
  switch (filter.kind) {
    case 'all':
      return 'every log';
    case 'none':
      return 'no log';
    case 'disMax':
      return describeAny(filter.filters, defaults);
    case 'bool': {
      const condition = wordsOf(filter);
      if (condition) return sentence([condition.field], condition.predicate, defaults);
      const parts = [
        ...filter.must.map((filter) => describe(filter, defaults)),
        ...(filter.must.length === 0 && 0 < filter.should.length
          ? [describeAny(filter.should, defaults)]
          : []),
        ...filter.mustNot.map((filter) => `not: ${describe(filter, defaults)}`),
      ];
      return parts.length === 0 ? 'every log' : parts.join('; and ');
    }
    default:
      return sentence([filter.field], predicateOf(filter), defaults);
  }
}

/**
 * Describes a choice of filters: fields with the same condition share a sentence, and filters that
 * match nothing are omitted.
 */
function describeAny(filters: readonly Filter[], defaults: readonly Field[]): string {
  const byPredicate = new Map<string, Field[]>();
  const others: string[] = [];
  for (const filter of filters) {
    const condition = fieldAndPredicate(filter);
    if (condition)
      byPredicate.set(condition.predicate, [
        ...(byPredicate.get(condition.predicate) ?? []),
        condition.field,
      ]);
    else if (filter.kind !== 'none') others.push(describe(filter, defaults));
  }
  const sentences = [...byPredicate].map(([predicate, fields]) => sentence(fields, predicate, defaults));
  return [...sentences, ...others].join(', or ') || 'no log';
}

interface FieldCondition {
  readonly field: Field;
  readonly predicate: string;
}

function fieldAndPredicate(filter: Filter): FieldCondition | undefined {
  if (filter.kind === 'bool') return wordsOf(filter);
  if (filter.kind === 'all' || filter.kind === 'none' || filter.kind === 'disMax') return undefined;
  return { field: filter.field, predicate: predicateOf(filter) };
}

/** The words of one text that analysis split into several. */
function wordsOf({ must, should, mustNot }: Extract<Filter, { kind: 'bool' }>): FieldCondition | undefined {
  const filters = 0 < must.length ? must : should;
  const terms = filters.filter((filter) => filter.kind === 'term' && filter.field.type === 'text');
  const [first] = terms;
  if (first?.kind !== 'term' || terms.length < filters.length || 0 < mustNot.length) return undefined;
  if (!terms.every((term) => term.kind === 'term' && term.field.name === first.field.name)) return undefined;
  const words = quoted(terms.map((term) => (term.kind === 'term' ? term.term : '')));
  return { field: first.field, predicate: `has ${0 < must.length ? 'all' : 'any'} of the words ${words}` };
}

function sentence(fields: readonly Field[], predicate: string, defaults: readonly Field[]): string {
  const [first, second] = fields;
  if (first && !second) return `${subject(first)} ${predicate}`;
  const names = new Set(fields.map(({ name }) => name));
  const areDefaults = defaults.every(({ name, type }) => names.has(name) === (type === 'text'));
  if (0 < defaults.length && areDefaults) return `a default field ${predicate}`;
  return `one of the fields ${fields.map(({ name }) => name).join(', ')} ${predicate}`;
}

function subject({ name, about }: Field): string {
  const [what] = about.split(':');
  return what ? `${what} (${name})` : name;
}

/** The condition on a field without its subject: `has the word "timeout"`. */
function predicateOf(filter: Exclude<Filter, { kind: 'all' | 'none' | 'disMax' | 'bool' }>): string {
  const isText = filter.field.type === 'text';
  const word = isText ? 'has a word that' : 'is a value that';
  switch (filter.kind) {
    case 'term':
      return isText ? `has the word "${filter.term}"` : `is exactly "${filter.term}"`;
    case 'phrase': {
      const near =
        filter.slop === 0 ? 'next to each other' : `within ${count(filter.slop, 'move')} of each other`;
      return `has the words ${quoted(filter.terms)} ${near}`;
    }
    case 'range':
      return rangePredicate(filter);
    case 'termRange':
      return termRangePredicate(filter, word);
    case 'exists':
      return isText && !filter.byNorms ? 'has any word' : 'has a value';
    case 'prefix':
      return `${word} begins with "${filter.prefix}"`;
    case 'wildcard':
      return `${word} fits "${filter.pattern}"`;
    case 'regexp':
      return `${word} fits the regular expression /${filter.pattern}/`;
    case 'fieldReference':
      return `${references[filter.comparison]} ${filter.other.name} of the same log`;
    case 'timePart':
      return `has a ${filter.part} from ${filter.lower} to ${filter.upper}`;
    case 'network':
      return `is an address in ${filter.network}`;
    case 'fuzzy':
      return `${word} is ${nearestLimit(filter)}at most ${count(filter.edits, 'edit')} away from "${filter.term}"`;
  }
}

const references = {
  equals: 'is the',
  contains: 'contains the',
  startswith: 'begins with the',
  endswith: 'ends with the',
} as const;

/** The limit of a fuzzy term; an exact one needs none. */
function nearestLimit({ edits, maxExpansions }: FuzzyFilter): string {
  return maxExpansions === undefined || edits === 0
    ? ''
    : `one of the ${maxExpansions} nearest of the index, `;
}

function rangePredicate({ field, lower, upper }: RangeFilter): string {
  const isDate = field.type === 'date';
  const show = (value: NumberValue) => numberText(field.type, value);
  if (lower && upper) {
    if (show(lower.value) === show(upper.value) && lower.inclusive && upper.inclusive)
      return `is ${show(lower.value)}`;
    return `lies between ${show(lower.value)} and ${show(upper.value)}${excluded(lower, upper, show)}`;
  }
  const [more, less] = isDate ? ['later', 'earlier'] : ['more', 'less'];
  if (lower)
    return lower.inclusive ? `is ${show(lower.value)} or ${more}` : `is ${more} than ${show(lower.value)}`;
  if (upper)
    return upper.inclusive ? `is ${show(upper.value)} or ${less}` : `is ${less} than ${show(upper.value)}`;
  return 'has a value';
}

function termRangePredicate({ lower, upper }: Extract<Filter, { kind: 'termRange' }>, word: string): string {
  const show = (value: string) => `"${value}"`;
  const order = 'in the order of characters';
  if (lower && upper) {
    return `${word} lies between ${show(lower.value)} and ${show(upper.value)} ${order}${excluded(lower, upper, show)}`;
  }
  if (lower)
    return `${word} is ${show(lower.value)} or behind it ${order}${lower.inclusive ? '' : ', itself not included'}`;
  if (upper)
    return `${word} is ${show(upper.value)} or before it ${order}${upper.inclusive ? '' : ', itself not included'}`;
  return word.startsWith('has') ? 'has any word' : 'has a value';
}

interface End<V> {
  readonly value: V;
  readonly inclusive: boolean;
}

function excluded<V>(lower: End<V>, upper: End<V>, show: (value: V) => string): string {
  if (lower.inclusive && upper.inclusive) return '';
  if (!lower.inclusive && !upper.inclusive) return ', neither included';
  return `, ${show(lower.inclusive ? upper.value : lower.value)} not included`;
}

function quoted(terms: readonly string[]): string {
  return terms.map((term) => `"${term}"`).join(', ');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
