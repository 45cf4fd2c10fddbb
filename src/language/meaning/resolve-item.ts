import { analyze } from '../analyzer/analyze.ts';
import { lowerCase } from '../analyzer/lower-case.ts';
import { fuzzyEdits } from '../automata/fuzzy.ts';
import { phraseSlop } from '../automata/sloppy-phrase.ts';
import type { Engine } from '../parse/engine.ts';
import { withoutEscapes, withoutQuotes } from '../parse/escape.ts';
import type { Token } from '../parse/token.ts';
import type { Bound as BoundNode, Phrase, Range, Regexp, Wildcard, Word } from '../parse/tree.ts';
import { equalityFilter, numberRangeFilter, type WrittenBound } from './bounds.ts';
import type { DefaultOperator } from './clauses.ts';
import type { Field } from './fields.ts';
import { boolFilter, type ExistsFilter, type Filter, matchNoneFilter } from './filter.ts';

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
export function resolveWords(text: string): FieldResolver {
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
  const { text } = withoutEscapes(term.text);
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
export function phraseText({ term }: Phrase): string {
  return withoutEscapes(withoutQuotes(term.text)).text;
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
  const written = /^([<>])(=(?=[\s\S]))?([\s\S]+)$/.exec(withoutEscapes(term.text).text);
  if (!written || tildeOf(suffixes) !== undefined) return undefined;
  const [, sign, equals, bound = ''] = written;
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
      return { kind: 'wildcard', field, pattern: normalizedPattern(field, term.text) };
    return { kind: 'prefix', field, prefix: normalized(field, withoutEscapes(term.text.slice(0, -1)).text) };
  };
}

/** A test for a value of a field. */
export function existsFilter(field: Field, { textExists }: Engine): ExistsFilter {
  const byNorms = field.type === 'text' && textExists === 'text';
  return { kind: 'exists', field, ...(byNorms && { byNorms }) };
}

/** A regular expression. Its escapes stay. */
export function resolveRegexp({ term }: Regexp): FieldResolver {
  const pattern = term.text.slice(1, -1);
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
  const value = withoutEscapes(raw).text;
  return toBound(value, { inclusive, isOpen: (openBound === 'any' ? value : term.text) === '*' });
}

function toBound(
  value: string,
  { inclusive, isOpen }: { readonly inclusive: boolean; readonly isOpen: boolean },
): WrittenBound {
  return isOpen ? undefined : { value, inclusive };
}
