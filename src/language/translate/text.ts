import { compare } from '../logic/compare.ts';
import type { LeafFilter } from '../logic/diagram.ts';
import { termInterval } from '../logic/theories.ts';
import { joinForms, type SafeForm, writeForm } from '../meaning/explicit.ts';
import {
  type BoolFilter,
  type DisMaxFilter,
  type Filter,
  type FilterBound,
  filterKey,
  type RangeFilter,
} from '../meaning/filter.ts';
import { type DefaultOperator, resolve, unitsOf } from '../meaning/resolve.ts';
import { type Dialect, documentedSchema, type Field, type Schema } from '../meaning/schema.ts';
import type { Scored } from '../meaning/scored.ts';
import { type NumberValue, numberText } from '../meaning/values.ts';
import { type Engine, engines } from '../parse/engine.ts';
import { type FormatOptions, format } from '../parse/format.ts';
import { isPlainValue, quote, withEscapes } from '../parse/lex.ts';
import { parse } from '../parse/parse.ts';
import { boostLosses, optionalPartsLost, type TranslationLoss } from './translation-loss.ts';

/** The options of a translation to query text. */
export interface TextOptions extends FormatOptions {
  /** The fields of the deployment; the documented ones unless given. */
  readonly schema?: Schema;
  /** The permitted syntax; `documented` unless given. */
  readonly dialect?: Dialect;
  /** `or` unless given. */
  readonly defaultOperator?: DefaultOperator;
  /** The engine that reads the text; that of the deployment unless given. */
  readonly engine?: Engine;
  /**
   * The value of `now` in a date, in milliseconds since the epoch: dates that were resolved with
   * it stay relative.
   */
  readonly now?: number;
  /** The boosts of the filter's parts, which become losses. */
  readonly boosts?: Scored['boosts'];
}

/** A filter as query text, and the parts that the text does not express. */
export interface TextTranslation {
  readonly text: string;
  /** With losses the text still selects every log of the filter, and perhaps others. */
  readonly losses: readonly TranslationLoss[];
}

/**
 * Writes a filter as a query, in the form on which both readings agree. A part that has no form is
 * omitted: the text then selects more, and the losses name the reason.
 *
 * ```ts
 * toText(resolve(parse('a OR msg:"b c" AND NOT logCode:[1 TO 5}').query)).text;
 * // 'msg:"b c" AND NOT logCode:[1 TO 5}'
 * ```
 */
export function toText(filter: Filter, options: TextOptions = {}): TextTranslation {
  const engine = options.engine ?? engines.deployment;
  const losses: TranslationLoss[] = [...boostLosses({ filter, boosts: options.boosts ?? new Map() })];
  const context: Context = {
    schema: options.schema ?? documentedSchema,
    // Without support for exclusions alone, the text must name all logs, which the documented syntax cannot.
    dialect: engine.pureNegative === 'none' ? 'lucene' : (options.dialect ?? 'documented'),
    engine,
    now: options.now ?? 0,
    defaultOperator: options.defaultOperator ?? 'or',
    lose: (part, reason) => losses.push({ filter: part, reason }),
    compared: new Map(),
  };
  const statement = statementOf(filter, 'more', context);
  const { query, findings } = parse(
    typeof statement === 'boolean' ? constantText(statement, context) : writeForm(statement),
  );
  if (findings.length === 0) return { text: format(query, options), losses };
  context.lose(filter, 'It is nested more deeply than a query can be');
  return { text: constantText(true, context), losses };
}

interface Context
  extends Required<Pick<TextOptions, 'schema' | 'dialect' | 'defaultOperator' | 'engine' | 'now'>> {
  readonly lose: (part: Filter, reason: string) => void;
  /** Whether a text selects exactly what a filter does, by both. */
  readonly compared: Map<string, boolean>;
}

/** A form, or a constant: true for every log, false for none. */
type Statement = SafeForm | boolean;

/** The permitted deviation of a statement: it may select `more`, or, behind a NOT, `less`. */
type Slack = 'more' | 'less';

function statementOf(filter: Filter, slack: Slack, context: Context): Statement {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'disMax':
      return (
        singleClause(filter, context) ??
        anyOf(filter.filters.map((filter) => statementOf(filter, slack, context)))
      );
    case 'bool':
      return statementOfBool(filter, slack, context);
    default:
      return statementOfLeaf(filter, slack, context);
  }
}

function statementOfBool(filter: BoolFilter, slack: Slack, context: Context): Statement {
  const { must, should, mustNot } = filter;
  const isChoice = must.length === 0 && 0 < should.length;
  if (!isChoice && 0 < should.length) {
    context.lose(filter, optionalPartsLost);
  }
  const opposite = slack === 'more' ? 'less' : 'more';
  return allOf([
    ...must.map((filter) => statementOf(filter, slack, context)),
    ...(isChoice ? [anyOf(should.map((filter) => statementOf(filter, slack, context)))] : []),
    ...mustNot.map((filter) => negationOf(statementOf(filter, opposite, context), context)),
  ]);
}

function statementOfLeaf(leaf: LeafFilter, slack: Slack, context: Context): Statement {
  const texts = leafTexts(leaf, context.dialect, context.engine).map(
    (text) => `${fieldText(leaf.field)}:${text}`,
  );
  const text = texts.find((text) => isExact(text, leaf, context));
  if (text !== undefined) return itemForm(text, leaf, context);
  context.lose(leaf, `This ${leaf.kind} on "${leaf.field.name}" has no form in the language`);
  return slack === 'more';
}

/** The form of a leaf, in which a date may no longer be relative to now. */
function itemForm(text: string, leaf: LeafFilter, context: Context): SafeForm {
  const relative = leaf.kind === 'range' ? (leaf.lower?.relative ?? leaf.upper?.relative) : undefined;
  if (relative !== undefined && !text.includes(relative))
    context.lose(leaf, `"${relative}" is written as its present date`);
  return { kind: 'item', text };
}

/** One clause over all default fields; undefined if none is exact. */
function singleClause(filter: DisMaxFilter, context: Context): SafeForm | undefined {
  for (const alternative of filter.filters) {
    const run = runText(alternative);
    if (run !== undefined && isExact(run, filter, context)) return { kind: 'run', text: run };
    if (
      alternative.kind === 'bool' ||
      alternative.kind === 'disMax' ||
      alternative.kind === 'all' ||
      alternative.kind === 'none'
    )
      continue;
    const texts = leafTexts(alternative, context.dialect, context.engine);
    const text = texts.find((candidate) => isExact(candidate, filter, context));
    if (text !== undefined) return itemForm(text, alternative, context);
  }
  return undefined;
}

/** Returns whether a text is one unit that selects exactly what a filter does. */
function isExact(text: string, filter: Filter, context: Context): boolean {
  const key = `${text}\n${filterKey(filter)}`;
  const known = context.compared.get(key) ?? isSame(text, filter, context);
  context.compared.set(key, known);
  return known;
}

function isSame(text: string, filter: Filter, { schema, defaultOperator, engine, now }: Context): boolean {
  const { query, findings } = parse(text);
  if (0 < findings.length || unitsOf(query.parts, 'server').length !== 1) return false;
  return compare(resolve(query, { schema, defaultOperator, engine, now }), filter).same === true;
}

function anyOf(parts: readonly Statement[]): Statement {
  if (parts.includes(true)) return true;
  const forms = parts.filter((part) => typeof part !== 'boolean');
  return forms.length === 0 ? false : joinForms('or', forms);
}

function allOf(parts: readonly Statement[]): Statement {
  if (parts.includes(false)) return false;
  const forms = parts.filter((part) => typeof part !== 'boolean');
  return forms.length === 0 ? true : joinForms('and', forms);
}

function negationOf(part: Statement, { engine }: Context): Statement {
  if (typeof part === 'boolean') return !part;
  const excluded: SafeForm = { kind: 'not', operand: part };
  // An exclusion alone must be taken from all logs by name.
  return engine.pureNegative === 'all'
    ? excluded
    : joinForms('and', [{ kind: 'item', text: '*:*' }, excluded]);
}

/** A query that matches every log, or none. */
function constantText(value: boolean, { schema, dialect }: Context): string {
  if (value && dialect === 'lucene') return '*:*';
  const nothing = noMatchClause(schema.fields.values());
  return value ? `NOT ${nothing}` : nothing;
}

/**
 * Texts that may express a leaf, without its field, the plainest first. The caller must test them:
 * analysis and types decide which are exact.
 */
function leafTexts(leaf: LeafFilter, dialect: Dialect, engine: Engine): readonly string[] {
  const isWhole = dialect === 'lucene';
  switch (leaf.kind) {
    case 'term':
      return isPlainValue(leaf.term) ? [leaf.term, quote(leaf.term)] : [quote(leaf.term)];
    case 'phrase': {
      const phrase = quote(leaf.terms.join(' '));
      if (leaf.slop === 0) return [phrase];
      return isWhole ? [`${phrase}~${leaf.slop}`] : [];
    }
    case 'range':
      return rangeTexts(leaf);
    case 'termRange':
      return [rangeText(leaf, boundText)];
    case 'exists':
      return isWhole && engine.leadingWildcard ? ['*', '[* TO *]'] : ['[* TO *]'];
    case 'prefix':
      return isWhole ? [`${withEscapes(leaf.prefix)}*`] : [prefixAsRange(leaf)];
    case 'wildcard':
      return isWhole && (engine.leadingWildcard || !/^[*?]/.test(leaf.pattern)) ? [leaf.pattern] : [];
    case 'regexp':
      return isWhole ? [`/${leaf.pattern}/`] : [];
    case 'fuzzy':
      return isWhole ? [`${withEscapes(leaf.term)}~${leaf.edits}`] : [];
    case 'fieldReference':
    case 'timePart':
    case 'network':
      return [];
  }
}

/** The words of a clause that analysis split, side by side; undefined for any other filter. */
function runText(filter: Filter): string | undefined {
  if (filter.kind !== 'bool' || 0 < filter.mustNot.length) return undefined;
  const parts = 0 < filter.must.length ? filter.must : filter.should;
  const words = parts.flatMap((part) => (part.kind === 'term' && isPlainValue(part.term) ? [part.term] : []));
  return 1 < words.length && words.length === parts.length ? words.join(' ') : undefined;
}

/** The name of a field as written before its colon. */
function fieldText({ name }: Field): string {
  return withEscapes(name);
}

/** A clause that matches nothing: an empty range. */
function noMatchClause(fields: Iterable<Field>): string {
  const all = [...fields];
  const field = all.find(({ type }) => type === 'integer' || type === 'decimal');
  const [first] = all;
  if (field) return `${fieldText(field)}:{0 TO 0}`;
  return first?.type === 'date'
    ? `${fieldText(first)}:{1970 TO 1970}`
    : `${first ? fieldText(first) : 'none'}:{a TO a}`;
}

/** A date relative to now is written as such first, then as its present value. */
function rangeTexts(range: RangeFilter): string[] {
  const { lower, upper, field } = range;
  const write = (value: NumberValue) => numberText(field.type, value);
  const texts = rangeTextsOf(range, ({ value }) => write(value));
  if (lower?.relative === undefined && upper?.relative === undefined) return texts;
  return [...rangeTextsOf(range, ({ value, relative }) => relative ?? write(value)), ...texts];
}

function rangeTextsOf(range: RangeFilter, write: (bound: FilterBound<NumberValue>) => string): string[] {
  const { lower, upper } = range;
  const text = rangeText(range, write);
  const value = lower?.inclusive && upper?.inclusive ? write(lower) : undefined;
  if (value === undefined || value !== (upper && write(upper))) return [text];
  return /^\d+(\.\d+)?$/.test(value) ? [value, text] : [quote(value), text];
}

function rangeText<V>(
  {
    lower,
    upper,
  }: { readonly lower?: FilterBound<V> | undefined; readonly upper?: FilterBound<V> | undefined },
  write: (bound: FilterBound<V>) => string,
): string {
  const open = lower && !lower.inclusive ? '{' : '[';
  const close = upper && !upper.inclusive ? '}' : ']';
  return `${open}${lower ? write(lower) : '*'} TO ${upper ? write(upper) : '*'}${close}`;
}

function boundText({ value }: FilterBound<string>): string {
  return isPlainValue(value) ? value : quote(value);
}

function prefixAsRange(leaf: LeafFilter): string {
  const { from, to } = termInterval(leaf) ?? {};
  return rangeText(
    {
      lower: from === undefined ? undefined : { value: from, inclusive: true },
      upper: to === undefined ? undefined : { value: to, inclusive: false },
    },
    boundText,
  );
}
