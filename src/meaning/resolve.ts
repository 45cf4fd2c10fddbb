import { withoutEscapes } from '../language/escape.ts';
import type { Clause, Item, Part, Query } from '../language/tree.ts';
import { type DefaultOperator, occursOf, operatorsOf, type Reading, type Unit, unitsOf } from './clauses.ts';
import {
  comparison,
  type FieldContext,
  type FieldFilter,
  phrase,
  range,
  regexp,
  wildcard,
  word,
  words,
} from './field-filter.ts';
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

interface Context extends FieldContext {
  readonly schema: Schema;
  readonly reading: Reading;
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
    1 < unit.length ? overFields(words(unit.map(wordText).join(' ')), context) : clauseFilter(first, context);
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
  const targets = fieldsNamed(withoutEscapes(field.name.text).text, context.schema);
  return itemFilter(item, { ...context, targets });
}

function itemFilter(item: Item, context: Context): Filter | undefined {
  switch (item.kind) {
    case 'Word':
      // On several fields `>5` is a word like any other.
      return overFields((context.targets.length === 1 && comparison(item)) || word(item), context);
    case 'Phrase':
      return overFields(phrase(item), context);
    case 'Range':
      return overFields(range(item), context);
    case 'Group':
      return level(item.parts, context);
    case 'Wildcard':
      return overFields(wildcard(item), context);
    case 'Regexp':
      return overFields(regexp(item), context);
    case 'Missing':
      return undefined;
  }
}

/**
 * One clause over all fields it searches: any of them may match. A clause on a
 * field that does not exist matches nothing; one of which analysis leaves
 * nothing in every field is dropped (section 7 of the language specification).
 */
function overFields(filterFor: FieldFilter, context: Context): Filter | undefined {
  if (context.targets.length === 0) return none;
  const filters = context.targets
    .map((field) => filterFor(field, context))
    .filter((filter) => filter !== undefined);
  return filters.length === 0 ? undefined : disMax(filters);
}
