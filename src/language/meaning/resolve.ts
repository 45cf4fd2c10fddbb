import { type Engine, engines } from '../parse/engine.ts';
import { withoutEscapes } from '../parse/escape.ts';
import type { Clause, FieldName, Item, Part, Phrase, Query, Word } from '../parse/tree.ts';
import {
  type DefaultOperator,
  type Operators,
  occursOf,
  operatorsOf,
  type Reading,
  type Unit,
  unitsOf,
} from './clauses.ts';
import { documentedSchema, type Field, type Schema } from './fields.ts';
import { boolFilter, disMaxFilter, type Filter, matchAllFilter, matchNoneFilter } from './filter.ts';
import { alternativesOf } from './ordinary-reading.ts';
import {
  existsFilter,
  type FieldContext,
  type FieldResolver,
  phraseText,
  resolveComparison,
  resolvePhrase,
  resolveRange,
  resolveRegexp,
  resolveWildcard,
  resolveWord,
  resolveWords,
} from './resolve-item.ts';
import { fieldsNamed } from './targets.ts';

/** Everything that the meaning of a query depends on besides its text. */
export interface ResolveOptions {
  /** The documented fields unless given. */
  readonly schema?: Schema;
  /** `server` unless given. */
  readonly reading?: Reading;
  /** `or` unless given. */
  readonly defaultOperator?: DefaultOperator;
  /** The value of `now` in a date, in milliseconds since the epoch; 0 unless given. */
  readonly now?: number;
  /** The engine that runs the query; that of the deployment unless given. */
  readonly engine?: Engine;
  /** Receives the filter of every clause, inner ones first; undefined where analysis left nothing of the clause. */
  readonly onClause?: (clause: Clause, filter: Filter | undefined) => void;
}

interface Context extends FieldContext {
  readonly schema: Schema;
  readonly reading: Reading;
  readonly onClause: ((clause: Clause, filter: Filter | undefined) => void) | undefined;
  /** The field name of the clause, or of a group around it; undefined where neither has one. */
  readonly fieldName: string | undefined;
  /** The fields of that name, or the default ones. */
  readonly targets: readonly Field[];
}

/**
 * Returns the filter of a query. It states the words of each clause, the fields that they search, the result
 * of their analysis, and the joining of clauses. Source: sections 2 to 7 of the language specification. Never
 * throws: a part that is missing in a broken text is a clause without content.
 *
 * ```ts
 * resolve(parse('logLevel:SEVERE').query);
 * ```
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
    fieldName: undefined,
    targets: schema.defaults,
  };
  return resolveLevel(query.parts, context) ?? matchNoneFilter;
}

/** The filter of the whole query or of one group; undefined when analysis leaves nothing of it. */
function resolveLevel(parts: readonly Part[], context: Context): Filter | undefined {
  const operands = unitsOf(parts, context.reading).flatMap((unit) => operandsOf(unit, context));
  return context.reading === 'server'
    ? joinAsServer(operands, context)
    : joinOrdinarily(operands, context.defaultOperator);
}

/** A clause of a level: its operators, and its filter; it is kept unless analysis left nothing of it. */
interface Operand extends Operators {
  readonly filter: Filter | undefined;
  readonly kept: boolean;
}

/** Joins the clauses of a level without precedence (section 2 of the language specification). */
function joinAsServer(operands: readonly Operand[], context: Context): Filter | undefined {
  const occurs = occursOf(operands, context.defaultOperator);
  const byOccur: { [K in 'must' | 'should' | 'mustNot']: Filter[] } = { must: [], should: [], mustNot: [] };
  for (const [index, { filter }] of operands.entries()) {
    const occur = occurs[index];
    if (filter && occur) byOccur[occur].push(filter);
  }
  const [first, second] = [...byOccur.must, ...byOccur.should];
  if (byOccur.mustNot.length === 0 && !second) return first;
  if (!first && context.engine.pureNegative === 'none') return { kind: 'none' };
  return boolFilter(byOccur);
}

/**
 * Joins the clauses of a level as a person reads them: NOT binds before AND,
 * AND before OR. The default operator joins words side by side, but before a
 * NOT always AND (section 2.1 of the language specification).
 */
function joinOrdinarily(operands: readonly Operand[], defaultOperator: DefaultOperator): Filter | undefined {
  const filters = alternativesOf(operands, defaultOperator)
    .map((alternative) => alternative.map(withNegation).filter((filter) => filter !== undefined))
    .filter((alternative) => 0 < alternative.length)
    .map(conjunctionOf);
  return 1 < filters.length ? boolFilter({ should: filters }) : filters[0];
}

function withNegation({ modifier, filter }: Operand): Filter | undefined {
  return filter && modifier === 'not' ? boolFilter({ mustNot: [filter] }) : filter;
}

function conjunctionOf(filters: readonly Filter[]): Filter {
  const [first, second] = filters;
  return first && !second ? first : boolFilter({ must: filters });
}

/**
 * The operands that a unit contributes to its level. For the server each token of a run
 * on one text field is a clause of its own; over several fields the run is one clause.
 */
function operandsOf(unit: Unit, context: Context): readonly Operand[] {
  const filter = resolveUnit(unit, context);
  const { conjunction, modifier } = operatorsOf(unit[0]);
  const isSpread = 1 < unit.length && filter?.kind === 'bool' && context.reading === 'server';
  const filters = isSpread ? [...filter.must, ...filter.should] : [filter];
  return filters.map((each) => ({ conjunction, modifier, filter: each, kept: each !== undefined }));
}

function resolveUnit(unit: Unit, context: Context): Filter | undefined {
  const [{ field, item }, second] = unit;
  const filter = second
    ? overTargets(resolveWords(unit.map((clause) => wordText(clause.item)).join(' ')), context)
    : resolveItem(item, field ? onField(field, context) : context);
  for (const clause of unit) context.onClause?.(clause, filter);
  return filter;
}

function wordText(item: Item): string {
  return item.kind === 'Word' ? withoutEscapes(item.term.text).text : '';
}

/** The context of a clause that names its field. */
function onField({ name }: FieldName, context: Context): Context {
  const fieldName = withoutEscapes(name.text).text;
  return { ...context, fieldName, targets: fieldsNamed(fieldName, context.schema, context.engine) };
}

function resolveItem(item: Item, context: Context): Filter | undefined {
  switch (item.kind) {
    case 'Word':
      if (asksForExistence(item, context)) return resolveExistence(wordText(item), context);
      return overTargets(
        (readsComparisons(context) && resolveComparison(item)) || resolveWord(item),
        context,
      );
    case 'Phrase':
      if (asksForExistence(item, context)) return resolveExistence(phraseText(item), context);
      return overTargets(resolvePhrase(item), context);
    case 'Range':
      return overTargets(resolveRange(item), context);
    case 'Group':
      return resolveLevel(item.parts, context);
    case 'Wildcard':
      // A fresh object: callers of `onClause` key on the identity of a filter.
      if (context.fieldName === '*' && item.term.kind === 'Star') return { ...matchAllFilter };
      return overTargets(resolveWildcard(item), context);
    case 'Regexp':
      return overTargets(resolveRegexp(item), context);
    case 'Missing':
      return undefined;
  }
}

/** Returns whether `>5` is a comparison: on several default fields it is a word like any other. */
function readsComparisons({ fieldName, targets, engine }: Context): boolean {
  return engine.comparisons && (fieldName !== undefined || targets.length === 1);
}

/** Returns whether an item is the value of `_exists_`, a field name (section 6 of the language specification). */
function asksForExistence({ suffixes }: Word | Phrase, { fieldName, engine }: Context): boolean {
  return engine.existsField && fieldName === '_exists_' && !suffixes.some(({ kind }) => kind === 'Tilde');
}

function resolveExistence(name: string, { schema, engine }: Context): Filter {
  return disMaxFilter(fieldsNamed(name, schema, engine).map((field) => existsFilter(field, engine)));
}

/**
 * One clause over all fields it searches: any of them may match. A clause on a missing
 * field matches nothing. A clause is dropped if analysis leaves nothing of it in any
 * field (section 7 of the language specification).
 */
function overTargets(filterFor: FieldResolver, context: Context): Filter | undefined {
  if (context.targets.length === 0) return matchNoneFilter;
  const filters = context.targets
    .map((field) => filterFor(field, context))
    .filter((filter) => filter !== undefined);
  return filters.length === 0 ? undefined : disMaxFilter(filters);
}
