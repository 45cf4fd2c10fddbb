import { fuzzyEdits } from '../automata/fuzzy.ts';
import { phraseSlop } from '../automata/phrase.ts';
import { type Engine, engines } from '../parse/engine.ts';
import { withoutEscapes, withoutQuotes } from '../parse/lex.ts';
import type {
  Bound as BoundNode,
  Clause,
  FieldName,
  Item,
  Part,
  Phrase,
  Query,
  Range,
  Regexp,
  Token,
  Wildcard,
  Word,
} from '../parse/tree.ts';
import { analyze, lowerCase } from './analyze.ts';
import {
  boolFilter,
  disMaxFilter,
  type ExistsFilter,
  type Filter,
  type FilterBound,
  matchAllFilter,
  matchNoneFilter,
  type RangeFilter,
} from './filter.ts';
import { documentedSchema, type Field, type Schema } from './schema.ts';
import { type NumberValue, parseDate, parseFieldNumber } from './values.ts';

/** Everything that the meaning of a query depends on besides its text. */
export interface ResolveOptions {
  /** The documented fields unless given. */
  readonly schema?: Schema;
  /** `server` unless given. */
  readonly reading?: Reading;
  /** `or` unless given. */
  readonly defaultOperator?: DefaultOperator;
  /** The value of `now` in a date, in milliseconds since the epoch; that of the clock unless given. */
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
    now: options.now ?? Date.now(),
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
  return filters.map((filter) => ({ conjunction, modifier, filter: filter, kept: filter !== undefined }));
}

function resolveUnit(unit: Unit, context: Context): Filter | undefined {
  const [{ field, item }, second] = unit;
  const filter = second
    ? overTargets(resolveRun(unit.map((clause) => wordText(clause.item)).join(' '), context), context)
    : resolveItem(item, field ? onField(field, context) : context);
  for (const clause of unit) context.onClause?.(clause, filter);
  return filter;
}

/** The text of a run: if it begins with a comparison, all of it is the bound. */
function resolveRun(text: string, context: Context): FieldResolver {
  return (readsComparisons(context) && comparisonIn(text)) || resolveWords(text);
}

function wordText(item: Item): string {
  return item.kind === 'Word' ? textOf(item.term.text) : '';
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

/**
 * The role of a clause in the engine: `must` match, `should` (at least one has to if there is no
 * `must`), or `mustNot` match.
 */
export type Occur = 'must' | 'should' | 'mustNot';

/** The operator between clauses without one (section 4.2.1 of the interface document: OR). */
export type DefaultOperator = 'or' | 'and';

/** The operators of a clause, which decide its role and that of its neighbours. */
export interface Operators {
  readonly conjunction: 'and' | 'or' | undefined;
  readonly modifier: 'not' | 'required' | undefined;
}

/** Returns the operators of a clause, independent of their spelling. */
export function operatorsOf({ conjunction, modifier }: Clause): Operators {
  return {
    conjunction: conjunction && (conjunction.kind === 'And' ? 'and' : 'or'),
    modifier: modifier && (modifier.kind === 'Plus' ? 'required' : 'not'),
  };
}

/**
 * Returns the role of each clause of a level, decided from left to right. There is no precedence,
 * and a conjunction also changes the clause before it (section 2 of the language specification).
 *
 * A clause is `kept` unless its text analyses to nothing. A dropped clause still changes the one
 * before it; its own role is undefined.
 */
export function occursOf(
  clauses: readonly (Operators & { readonly kept: boolean })[],
  defaultOperator: DefaultOperator,
): (Occur | undefined)[] {
  const occurs = new Array<Occur | undefined>(clauses.length);
  let last = -1;
  for (let at = 0; at < clauses.length; at += 1) {
    const clause = clauses[at];
    if (!clause) continue;
    const before = last === -1 ? undefined : occurs[last];
    if (before && before !== 'mustNot') {
      if (clause.conjunction === 'and') occurs[last] = 'must';
      if (clause.conjunction === 'or' && defaultOperator === 'and') occurs[last] = 'should';
    }
    occurs[at] = clause.kept ? ownOccur(clause, defaultOperator) : undefined;
    if (clause.kept) last = at;
  }
  return occurs;
}

function ownOccur({ conjunction, modifier }: Operators, defaultOperator: DefaultOperator): Occur {
  if (modifier === 'not') return 'mustNot';
  // With AND as the default operator, the engine gives an OR priority over a `+` after it.
  if (defaultOperator === 'and') return conjunction === 'or' ? 'should' : 'must';
  return modifier === 'required' || conjunction === 'and' ? 'must' : 'should';
}

/**
 * A reading of AND, OR and NOT: the `server` has no precedence; in the `ordinary` one NOT binds
 * before AND and AND before OR.
 */
export type Reading = 'server' | 'ordinary';

/** One clause, or a run of neighbouring plain words that the engine analyses as one text. */
export type Unit = readonly [Clause, ...Clause[]];

/**
 * Groups the clauses of a level into units. A word is plain when it has no operator, field or
 * suffix. It continues a run only when neither AND, OR nor `*` follows it (section 1.4 of the
 * language specification). In the ordinary reading a NOT after it also takes it out of the run,
 * since the two belong together.
 */
export function unitsOf(parts: readonly Part[], reading: Reading): Unit[] {
  const [only, second] = parts;
  if (!second) return only?.kind === 'Clause' ? [[only]] : [];
  const units: Unit[] = [];
  let run: [Clause, ...Clause[]] | undefined;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part?.kind !== 'Clause') {
      run = undefined;
      continue;
    }
    if (run && isPlain(part) && !endsRun(parts[index + 1], reading)) {
      run.push(part);
      continue;
    }
    const unit: [Clause, ...Clause[]] = [part];
    units.push(unit);
    run = isPlain(part) ? unit : undefined;
  }
  return units;
}

function isPlain({ conjunction, modifier, field, item }: Clause): boolean {
  if (conjunction || modifier || field) return false;
  return item.kind === 'Word' && item.term.kind === 'Term' && item.suffixes.length === 0;
}

function endsRun(next: Part | undefined, reading: Reading): boolean {
  if (next?.kind !== 'Clause') return next !== undefined;
  if (next.conjunction) return true;
  if (reading === 'ordinary' && next.modifier) return true;
  const first =
    next.modifier ?? next.field?.name ?? (next.item.kind === 'Wildcard' ? next.item.term : undefined);
  return first?.text === '*';
}

/** The context of an item besides its text and its field. */
export interface FieldContext {
  readonly defaultOperator: DefaultOperator;
  readonly engine: Engine;
  /** The value of `now` in a date, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns the filter of an item on one field; undefined when analysis leaves nothing of it there.
 * On a number field, a pattern or a text that is no number matches no log (section 7.5 of the
 * language specification).
 */
export type FieldResolver = (field: Field, context: FieldContext) => Filter | undefined;

/** Any of the tokens of a text (section 4 of the language specification). */
function resolveWords(text: string): FieldResolver {
  const tokens = tokensOf(text);
  return (field, { defaultOperator, now }) => {
    if (field.type !== 'text') return valueFilter(field, text, now);
    const terms = tokens().map((term): Filter => ({ kind: 'term', field, term }));
    if (terms.length < 2) return terms[0];
    return defaultOperator === 'and' ? boolFilter({ must: terms }) : boolFilter({ should: terms });
  };
}

/** A word with its suffixes. */
export function resolveWord({ term, suffixes }: Word): FieldResolver {
  const text = textOf(term.text);
  const tilde = tildeOf(suffixes);
  if (tilde === undefined) return resolveWords(text);
  return (field, { engine }) => {
    if (!hasTerms(field)) return matchNoneFilter;
    const normal = normalized(field, text);
    const edits = fuzzyEdits(tilde, [...normal].length, engine);
    const { maxExpansions } = engine;
    return {
      kind: 'fuzzy',
      field,
      term: normal,
      edits,
      ...(maxExpansions !== undefined && { maxExpansions }),
    };
  };
}

/** The text between the quotes of a phrase. */
function phraseText({ term }: Phrase): string {
  return textOf(withoutQuotes(term.text));
}

/** The tokens of a phrase one after the other (section 6 of the language specification). */
export function resolvePhrase(node: Phrase): FieldResolver {
  const text = phraseText(node);
  const { suffixes } = node;
  const slop = Math.max(0, phraseSlop(tildeOf(suffixes) ?? ''));
  const tokens = tokensOf(text);
  return (field, { now }) => {
    if (field.type !== 'text') return valueFilter(field, text, now);
    const terms = tokens();
    const [first, second] = terms;
    if (first === undefined) return undefined;
    return second === undefined
      ? { kind: 'term', field, term: first }
      : { kind: 'phrase', field, terms, slop };
  };
}

/**
 * `>5`, `>=5`, `<5` or `<=5` as a range; undefined for other words (section 5 of the language
 * specification).
 */
export function resolveComparison({ term, suffixes }: Word): FieldResolver | undefined {
  return tildeOf(suffixes) === undefined ? comparisonIn(textOf(term.text)) : undefined;
}

function comparisonIn(text: string): FieldResolver | undefined {
  const comparison = /^([<>])(=(?=[\s\S]))?([\s\S]+)$/.exec(text);
  if (!comparison) return undefined;
  const [, sign, equals, bound = ''] = comparison;
  const limit = toBound(bound, { inclusive: equals !== undefined, isOpen: bound === '*' });
  const bounds = sign === '>' ? { lower: limit, upper: undefined } : { lower: undefined, upper: limit };
  return (field, context) => boundsFilter(field, bounds, context);
}

/** A range; a broken one without both bounds has no filter. */
export function resolveRange({ open, lower, upper, close }: Range): FieldResolver {
  if (!lower || !upper) return () => undefined;
  return (field, context) => {
    const bounds = {
      lower: writtenBound(lower, open.text === '[', context.engine),
      upper: writtenBound(upper, close?.text !== '}', context.engine),
    };
    return boundsFilter(field, bounds, context);
  };
}

/** `*` tests for a value, `time*` is a prefix, anything else a wildcard. */
export function resolveWildcard({ term }: Wildcard): FieldResolver {
  return (field, { engine }) => {
    if (term.kind === 'Star')
      return engine.star === 'value' || hasTerms(field) ? existsFilter(field, engine) : matchNoneFilter;
    if (!hasTerms(field)) return matchNoneFilter;
    if (term.kind === 'Wildcard')
      return { kind: 'wildcard', field, pattern: normalizedPattern(field, term.text.toWellFormed()) };
    return { kind: 'prefix', field, prefix: normalized(field, textOf(term.text.slice(0, -1))) };
  };
}

/** A test for a value of a field. */
function existsFilter(field: Field, { textExists }: Engine): ExistsFilter {
  const byNorms = field.type === 'text' && textExists === 'text';
  return { kind: 'exists', field, ...(byNorms && { byNorms }) };
}

/** A regular expression. Its escapes stay. */
export function resolveRegexp({ term }: Regexp): FieldResolver {
  const pattern = term.text.slice(1, -1).toWellFormed();
  return (field) =>
    hasTerms(field) ? { kind: 'regexp', field, pattern: normalized(field, pattern) } : matchNoneFilter;
}

/** Returns a function for the tokens of a text, which are analysed once, on the first call. */
function tokensOf(text: string): () => readonly string[] {
  let tokens: readonly string[] | undefined;
  return () => {
    tokens ??= analyze(text);
    return tokens;
  };
}

function hasTerms({ type }: Field): boolean {
  return type === 'text' || type === 'keyword';
}

function valueFilter(field: Field, text: string, now: number): Filter {
  return field.type === 'keyword' ? { kind: 'term', field, term: text } : equalityFilter(field, text, now);
}

/**
 * The text that a token stands for. The engine's terms are UTF-8, in which half of a surrogate pair is U+FFFD; so are
 * the texts of logs.
 */
function textOf(raw: string): string {
  return withoutEscapes(raw).text.toWellFormed();
}

/** Unanalysed text in the case of the field's tokens: lower case on a text field. */
function normalized(field: Field, text: string): string {
  return field.type === 'text' ? lowerCase(text) : text;
}

/** A wildcard in the case of the field's tokens; escaped characters keep their case. */
function normalizedPattern(field: Field, pattern: string): string {
  return pattern.replace(/\\[\s\S]|[^\\]+/g, (piece) =>
    piece.startsWith('\\') ? piece : normalized(field, piece),
  );
}

/** The text behind the `~`, or undefined without one. */
function tildeOf(suffixes: readonly Token[]): string | undefined {
  return suffixes.find(({ kind }) => kind === 'Tilde')?.text.slice(1);
}

function boundsFilter(
  field: Field,
  { lower, upper }: { readonly lower: WrittenBound; readonly upper: WrittenBound },
  { now }: FieldContext,
): Filter {
  if (!hasTerms(field)) return numberRangeFilter(field, { lower, upper, now });
  const from = lower && { ...lower, value: normalized(field, lower.value) };
  const to = upper && { ...upper, value: normalized(field, upper.value) };
  return { kind: 'termRange', field, ...(from && { lower: from }), ...(to && { upper: to }) };
}

/**
 * A bound as written; engines differ on which `*` is an open end (section 5 of the language
 * specification).
 */
function writtenBound({ term }: BoundNode, inclusive: boolean, { openBound }: Engine): WrittenBound {
  const raw = term.kind === 'RangeQuoted' ? withoutQuotes(term.text) : term.text;
  const value = textOf(raw);
  return toBound(value, { inclusive, isOpen: (openBound === 'any' ? value : term.text) === '*' });
}

function toBound(
  value: string,
  { inclusive, isOpen }: { readonly inclusive: boolean; readonly isOpen: boolean },
): WrittenBound {
  return isOpen ? undefined : { value, inclusive };
}

/** A bound of a range as written; an open end is undefined. */
type WrittenBound = FilterBound<string> | undefined;

/**
 * The filter for one value of a number or date field. It selects nothing for a text that is no
 * such value, or a fraction on an integer field. A date without a time is the whole day (sections
 * 5 and 7.5 of the language specification).
 */
function equalityFilter(field: Field, text: string, now: number): Filter {
  const bound: FilterBound<string> = { value: text, inclusive: true };
  if (field.type === 'date') return numberRangeFilter(field, { lower: bound, upper: bound, now });
  const value = parseFieldNumber(field.type, text);
  if (value === undefined) return matchNoneFilter;
  return { kind: 'range', field, lower: { value, inclusive: true }, upper: { value, inclusive: true } };
}

/** The filter for a range over a number or date field; it selects nothing if a bound is no number or date. */
function numberRangeFilter(
  field: Field,
  { lower, upper, now }: { lower: WrittenBound; upper: WrittenBound; now: number },
): Filter {
  const from = lower && toNumberBound(field, lower, { roundUp: !lower.inclusive, now });
  const to = upper && toNumberBound(field, upper, { roundUp: upper.inclusive, now });
  if ((lower && !from) || (upper && !to)) return matchNoneFilter;
  const range: RangeFilter = { kind: 'range', field, ...(from && { lower: from }), ...(to && { upper: to }) };
  return range;
}

function toNumberBound(
  field: Field,
  { value, inclusive }: FilterBound<string>,
  rounding: { roundUp: boolean; now: number },
): FilterBound<NumberValue> | undefined {
  const number =
    field.type === 'date'
      ? parseDate(value, { ...rounding, clampDays: true })
      : parseFieldNumber(field.type, value);
  if (number === undefined) return undefined;
  const isRelative = field.type === 'date' && value.startsWith('now');
  return { value: number, inclusive, ...(isRelative && { relative: value }) };
}

/** Groups the clauses of a level in the ordinary reading: AND joins those of a list, OR joins the lists. */
export function alternativesOf<O extends Operators>(
  operands: readonly O[],
  defaultOperator: DefaultOperator,
): O[][] {
  const alternatives: O[][] = [];
  for (const operand of operands) {
    const last = alternatives.at(-1);
    if (last && joinsByAnd(operand, defaultOperator)) last.push(operand);
    else alternatives.push([operand]);
  }
  return alternatives;
}

/**
 * Returns whether the ordinary reading joins a clause with the one before it, instead of taking it
 * as an alternative.
 */
export function joinsByAnd({ conjunction, modifier }: Operators, defaultOperator: DefaultOperator): boolean {
  if (conjunction) return conjunction === 'and';
  return modifier === 'not' || defaultOperator === 'and';
}

/** The search target of a clause. */
export interface Targets {
  /** The field name of the clause, or of a group around it; undefined where neither has one. */
  readonly named: string | undefined;
  /** The fields searched; empty if the schema does not have the name. */
  readonly fields: readonly Field[];
}

/**
 * Returns the fields with a name: one, or none if the schema does not have it. In a name `*`
 * stands for any text if the engine supports that (section 1.3 of the language specification).
 */
export function fieldsNamed(
  name: string,
  schema: Schema,
  { fieldPatterns }: Pick<Engine, 'fieldPatterns'> = engines.deployment,
): readonly Field[] {
  const field = schema.fields.get(name);
  if (field) return [field];
  return fieldPatterns && name.includes('*')
    ? [...schema.fields.values()].filter((field) => fits(field.name, name))
    : [];
}

/** Returns whether a name matches a pattern whose only special character is `*`. */
function fits(name: string, pattern: string): boolean {
  const pieces = pattern.split('*');
  const [first = '', last = ''] = [pieces.at(0), pieces.at(-1)];
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  let position = first.length;
  return pieces.slice(1, -1).every((piece) => {
    const found = name.indexOf(piece, position);
    position = found + piece.length;
    return found !== -1 && position <= name.length - last.length;
  });
}

/**
 * Returns the search target of each clause of a query. Clauses without a field inherit that of the
 * group around them.
 */
export function targetsOf(
  query: Query,
  schema: Schema,
  engine: Engine = engines.deployment,
): ReadonlyMap<Clause, Targets> {
  const found = new Map<Clause, Targets>();
  visit(query.parts, { named: undefined, fields: schema.defaults });
  return found;

  function visit(parts: readonly Part[], inherited: Targets): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      const named = part.field && withoutEscapes(part.field.name.text).text;
      const targets = named === undefined ? inherited : { named, fields: fieldsNamed(named, schema, engine) };
      found.set(part, targets);
      if (part.item.kind === 'Group') visit(part.item.parts, targets);
    }
  }
}
