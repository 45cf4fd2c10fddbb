import { withoutEscapes, withoutQuotes } from '../language/escape.ts';
import type { Bound as BoundNode, Clause, Item, Part, Query, Range, Wildcard } from '../language/tree.ts';
import { analyze } from './analyzer/analyze.ts';
import { lowerCase } from './analyzer/lower-case.ts';
import { equalTo, numberRange, type WrittenBound } from './bounds.ts';
import { type DefaultOperator, occursOf, operatorsOf, type Reading, type Unit, unitsOf } from './clauses.ts';
import { documentedSchema, type Field, type Schema } from './fields.ts';
import { all, type Bool, bool, disMax, type Filter, none } from './filter.ts';
import { combineOrdinarily } from './ordinary.ts';
import { fieldsNamed } from './targets.ts';

/** Everything that the meaning of a query depends on besides its text. */
export interface ResolveOptions {
  /** The documented fields unless given. */
  readonly schema?: Schema;
  /** `server` unless given. */
  readonly reading?: Reading;
  /** `or` unless given. */
  readonly defaultOperator?: DefaultOperator;
  /** What `now` means in a date, in milliseconds since the epoch; the epoch itself unless given. */
  readonly now?: number;
  /** Told the filter of every clause, inner ones first; undefined where analysis left nothing of it. */
  readonly onClause?: (clause: Clause, filter: Filter | undefined) => void;
}

interface Context extends Required<Omit<ResolveOptions, 'onClause'>> {
  readonly onClause: ((clause: Clause, filter: Filter | undefined) => void) | undefined;
  /** The fields searched by a clause that names none: the default ones, or the one that a group is for. */
  readonly targets: readonly Field[];
}

/**
 * The filter that a query stands for: which words are one clause, which fields
 * they search, what analysis leaves of them, and how the clauses are joined
 * (sections 2 to 7 of the language specification). Where the text is broken,
 * what is missing counts as a clause of which nothing is left.
 */
export function resolve(query: Query, options: ResolveOptions = {}): Filter {
  const schema = options.schema ?? documentedSchema;
  const context: Context = {
    schema,
    reading: options.reading ?? 'server',
    defaultOperator: options.defaultOperator ?? 'or',
    now: options.now ?? 0,
    onClause: options.onClause,
    targets: schema.defaults,
  };
  return level(query.parts, context) ?? none;
}

/** The filter of what stands between two parentheses, or undefined when analysis leaves nothing of it. */
function level(parts: readonly Part[], context: Context): Filter | undefined {
  const units = unitsOf(parts, context.reading).map((unit) => ({
    ...operatorsOf(unit[0]),
    filter: unitFilter(unit, context),
  }));
  if (context.reading === 'ordinary') return combineOrdinarily(units, context.defaultOperator);
  const occurs = occursOf(
    units.map(({ filter, ...operators }) => ({ ...operators, kept: filter !== undefined })),
    context.defaultOperator,
  );
  const byOccur: { [K in 'must' | 'should' | 'mustNot']: Filter[] } = { must: [], should: [], mustNot: [] };
  for (const [index, { filter }] of units.entries()) {
    const occur = occurs[index];
    if (filter && occur) byOccur[occur].push(filter);
  }
  return simplest(bool(byOccur));
}

/** A level of one clause that is not prohibited is that clause itself. */
function simplest({ must, should, mustNot }: Bool): Filter | undefined {
  const [first, second] = [...must, ...should];
  if (mustNot.length === 0 && !second) return first;
  return bool({ must, should, mustNot });
}

function unitFilter(unit: Unit, context: Context): Filter | undefined {
  const [first] = unit;
  const filter =
    1 < unit.length ? words(unit.map(wordText).join(' '), context) : clauseFilter(first, context);
  for (const clause of unit) context.onClause?.(clause, filter);
  return filter;
}

function wordText({ item }: Clause): string {
  return item.kind === 'Word' ? withoutEscapes(item.term.text).text : '';
}

function clauseFilter({ field, item }: Clause, context: Context): Filter | undefined {
  if (!field) return itemFilter(item, context);
  const isStar = item.kind === 'Wildcard' && item.term.kind === 'Star';
  if (field.name.text === '*' && isStar) return all;
  return itemFilter(item, {
    ...context,
    targets: fieldsNamed(withoutEscapes(field.name.text).text, context.schema),
  });
}

function itemFilter(item: Item, context: Context): Filter | undefined {
  switch (item.kind) {
    case 'Word':
      return comparison(withoutEscapes(item.term.text).text, context);
    case 'Phrase':
      return phrase(withoutEscapes(withoutQuotes(item.term.text)).text, 0, context);
    case 'Range':
      return range(item, context);
    case 'Group':
      return level(item.parts, context);
    case 'Wildcard':
      return wildcard(item, context);
    case 'Regexp':
      return overFields(context, (field) => ({
        kind: 'regexp',
        field,
        pattern: item.term.text.slice(1, -1),
      }));
    case 'Missing':
      return undefined;
  }
}

/**
 * `>5`, `>=5`, `<5` and `<=5` on one field are ranges; on several they are
 * words like any other (section 5 of the language specification).
 */
function comparison(text: string, context: Context): Filter | undefined {
  const written = /^([<>])(=(?=[\s\S]))?([\s\S]+)$/.exec(text);
  const [field, second] = context.targets;
  if (!written || !field || second) return words(text, context);
  const [, sign, equals, value = ''] = written;
  const bound: WrittenBound = { value, inclusive: equals !== undefined };
  return rangeOf(field, sign === '>' ? { lower: bound } : { upper: bound }, context);
}

/** The tokens of a text, any of which may match (section 4 of the language specification). */
function words(text: string, context: Context): Filter | undefined {
  return overFields(context, (field) => {
    if (field.type !== 'text') return valueFilter(field, text, context.now);
    const terms = analyze(text).map((term): Filter => ({ kind: 'term', field, term }));
    if (context.defaultOperator === 'and' && 1 < terms.length) return bool({ must: terms });
    return 1 < terms.length ? bool({ should: terms }) : terms[0];
  });
}

/** The tokens of a text one after the other (section 6 of the language specification). */
function phrase(text: string, slop: number, context: Context): Filter | undefined {
  return overFields(context, (field) => {
    if (field.type !== 'text') return valueFilter(field, text, context.now);
    const terms = analyze(text);
    const [first, second] = terms;
    if (first === undefined) return undefined;
    return second === undefined
      ? { kind: 'term', field, term: first }
      : { kind: 'phrase', field, terms, slop };
  });
}

function valueFilter(field: Field, text: string, now: number): Filter {
  return field.type === 'keyword' ? { kind: 'term', field, term: text } : equalTo(field, text, now);
}

function range(item: Range, context: Context): Filter | undefined {
  if (!item.lower || !item.upper) return undefined;
  const lower = writtenBound(item.lower, item.open.text === '[');
  const upper = writtenBound(item.upper, item.close?.text !== '}');
  return overFields(context, (field) => rangeOf(field, { lower, upper }, context));
}

function rangeOf(
  field: Field,
  { lower, upper }: { lower?: WrittenBound; upper?: WrittenBound },
  { now }: Context,
): Filter {
  if (field.type !== 'text' && field.type !== 'keyword') return numberRange(field, { lower, upper, now });
  const normal = (bound: WrittenBound) =>
    bound && { ...bound, value: field.type === 'text' ? lowerCase(bound.value) : bound.value };
  const [from, to] = [normal(lower), normal(upper)];
  return { kind: 'termRange', field, ...(from && { lower: from }), ...(to && { upper: to }) };
}

/** A bound as written; `*` is an open end, quoted or not, as the engine has it (section 5 of the language specification). */
function writtenBound({ term }: BoundNode, inclusive: boolean): WrittenBound {
  const raw = term.kind === 'RangeQuoted' ? withoutQuotes(term.text) : term.text;
  const { text } = withoutEscapes(raw);
  return text === '*' ? undefined : { value: text, inclusive };
}

function wildcard({ term }: Wildcard, context: Context): Filter | undefined {
  return overFields(context, (field) => {
    if (term.kind === 'Star') return { kind: 'exists', field };
    const normal = field.type === 'text' ? lowerCase(term.text) : term.text;
    if (term.kind === 'Prefix')
      return { kind: 'prefix', field, prefix: withoutEscapes(normal.slice(0, -1)).text };
    return { kind: 'wildcard', field, pattern: normal };
  });
}

/**
 * One clause over all fields it searches: any of them may match. A clause on a
 * field that does not exist matches nothing; one of which analysis leaves
 * nothing in every field is dropped (section 7 of the language specification).
 */
function overFields(context: Context, filterFor: (field: Field) => Filter | undefined): Filter | undefined {
  if (context.targets.length === 0) return none;
  const filters = context.targets.map(filterFor).filter((filter) => filter !== undefined);
  return filters.length === 0 ? undefined : disMax(filters);
}
