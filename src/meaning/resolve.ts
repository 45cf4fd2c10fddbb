import { type Engine, engines } from '../language/engine.ts';
import { withoutEscapes } from '../language/escape.ts';
import type { Clause, Item, Part, Phrase, Query, Word } from '../language/tree.ts';
import { type DefaultOperator, occursOf, operatorsOf, type Reading, type Unit, unitsOf } from './clauses.ts';
import {
  comparison,
  existsFilter,
  type FieldContext,
  type FieldFilter,
  phrase,
  phraseText,
  range,
  regexp,
  wildcard,
  word,
  resolveWords,
} from './field-filter.ts';
import { documentedSchema, type Field, type Schema } from './fields.ts';
import { all, type Bool, bool, disMax, type Filter, none } from './filter.ts';
import { combineOrdinarily, type Operand } from './ordinary.ts';
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
  /** The engine that runs the query; that of the deployment unless given. */
  readonly engine?: Engine;
  /** Told the filter of every clause, inner ones first; undefined where analysis left nothing of it. */
  readonly onClause?: (clause: Clause, filter: Filter | undefined) => void;
}

interface Context extends FieldContext {
  readonly schema: Schema;
  readonly reading: Reading;
  readonly onClause: ((clause: Clause, filter: Filter | undefined) => void) | undefined;
  /** The name that the clause, or a group around it, gives to its field; undefined where none does. */
  readonly named: string | undefined;
  /** The fields of that name, or the default ones. */
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
    engine: options.engine ?? engines.deployment,
    onClause: options.onClause,
    named: undefined,
    targets: schema.defaults,
  };
  return level(query.parts, context) ?? none;
}

/** The filter of what stands between two parentheses, or undefined when analysis leaves nothing of it. */
function level(parts: readonly Part[], context: Context): Filter | undefined {
  const operands = unitsOf(parts, context.reading).flatMap((unit) => operandsOf(unit, context));
  if (context.reading === 'ordinary') return combineOrdinarily(operands, context.defaultOperator);
  const occurs = occursOf(operands, context.defaultOperator);
  const byOccur: { [K in 'must' | 'should' | 'mustNot']: Filter[] } = { must: [], should: [], mustNot: [] };
  for (const [index, { filter }] of operands.entries()) {
    const occur = occurs[index];
    if (filter && occur) byOccur[occur].push(filter);
  }
  return simplest(bool(byOccur), context.engine);
}

/** A level of one clause that is not prohibited is that clause itself. */
function simplest({ must, should, mustNot }: Bool, { pureNegative }: Engine): Filter | undefined {
  const [first, second] = [...must, ...should];
  if (mustNot.length === 0 && !second) return first;
  if (!first && pureNegative === 'none') return { kind: 'none' };
  return bool({ must, should, mustNot });
}

/**
 * What the neighbours of a unit see of it. To the server the tokens of a run on
 * one text field are a clause each; over several fields the run is one.
 */
function operandsOf(unit: Unit, context: Context): readonly (Operand & { readonly kept: boolean })[] {
  const filter = unitFilter(unit, context);
  const { conjunction, modifier } = operatorsOf(unit[0]);
  const isSpread = 1 < unit.length && filter?.kind === 'bool' && context.reading === 'server';
  const filters = isSpread ? [...filter.must, ...filter.should] : [filter];
  return filters.map((each) => ({ conjunction, modifier, filter: each, kept: each !== undefined }));
}

function unitFilter(unit: Unit, context: Context): Filter | undefined {
  const [first] = unit;
  const filter =
    1 < unit.length ? overFields(resolveWords(unit.map(wordText).join(' ')), context) : clauseFilter(first, context);
  for (const clause of unit) context.onClause?.(clause, filter);
  return filter;
}

function wordText({ item }: Clause): string {
  return item.kind === 'Word' ? withoutEscapes(item.term.text).text : '';
}

function clauseFilter({ field, item }: Clause, context: Context): Filter | undefined {
  if (!field) return itemFilter(item, context);
  const named = withoutEscapes(field.name.text).text;
  return itemFilter(item, { ...context, named, targets: fieldsNamed(named, context.schema, context.engine) });
}

function itemFilter(item: Item, context: Context): Filter | undefined {
  switch (item.kind) {
    case 'Word':
      if (isExistence(item, context)) return existsNamed(withoutEscapes(item.term.text).text, context);
      return overFields((comparesTo(context) && comparison(item)) || word(item), context);
    case 'Phrase':
      if (isExistence(item, context)) return existsNamed(phraseText(item), context);
      return overFields(phrase(item), context);
    case 'Range':
      return overFields(range(item), context);
    case 'Group':
      return level(item.parts, context);
    case 'Wildcard':
      // One of its own, so that what is said of this clause is not said of another.
      if (context.named === '*' && item.term.kind === 'Star') return { ...all };
      return overFields(wildcard(item), context);
    case 'Regexp':
      return overFields(regexp(item), context);
    case 'Missing':
      return undefined;
  }
}

/** Whether `>5` is a comparison: on several default fields it is a word like any other. */
function comparesTo({ named, targets, engine }: Context): boolean {
  return engine.comparisons && (named !== undefined || targets.length === 1);
}

/** Whether a clause asks by `_exists_` if the field that it says has a value (section 6 of the language specification). */
function isExistence({ suffixes }: Word | Phrase, { named, engine }: Context): boolean {
  return engine.existsField && named === '_exists_' && !suffixes.some(({ kind }) => kind === 'Tilde');
}

function existsNamed(name: string, { schema, engine }: Context): Filter {
  return disMax(fieldsNamed(name, schema, engine).map((field) => existsFilter(field, engine)));
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
