import { type Comparison, compare } from '../logic/compare.ts';
import type { LeafFilter } from '../logic/diagram.ts';
import { hasMatch } from '../logic/theories.ts';
import { analyzeSpans, type TokenSpan } from '../meaning/analyze.ts';
import { describe } from '../meaning/describe.ts';
import { type Filter, filterKey, type PhraseFilter } from '../meaning/filter.ts';
import { assertRunnable, type FieldValues, matcherOf, toDocument } from '../meaning/match.ts';
import {
  type Occur,
  occursOf,
  operatorsOf,
  type ResolveOptions,
  resolve,
  type Targets,
  targetsOf,
  type Unit,
  unitsOf,
} from '../meaning/resolve.ts';
import { documentedSchema } from '../meaning/schema.ts';
import { type Clause, type Group, print, type Query, type Span } from '../parse/tree.ts';

/** The circumstances of an explanation. */
export type ExplainOptions = Omit<ResolveOptions, 'onClause' | 'reading'>;

/** The server's reading of a query, part by part. */
export interface Explanation {
  readonly text: string;
  readonly filter: Filter;
  readonly level: ExplainedLevel;
  /**
   * The server's reading, `a`, compared with the ordinary one, `b`, in which NOT
   * binds before AND and AND before OR.
   */
  readonly ordinary: Comparison;
}

/** The list of parts between two parentheses, or at the top. */
export interface ExplainedLevel<P = ExplainedPart> {
  readonly parts: readonly P[];
}

/**
 * The effect of a part on its level. It `must` match; `should` match, as at least
 * one of those parts has to; `mustNot` match; `filtersNothing` beside parts that
 * must match; or `vanishes`, since analysis leaves nothing of it.
 */
export type PartEffect = Occur | 'filtersNothing' | 'vanishes';

/** One clause of a level, or a run of neighbouring words that is one text. Its place begins behind AND or OR. */
export interface ExplainedPart extends Span {
  /** The part as it is written. */
  readonly text: string;
  readonly taken: PartEffect;
  /** A description of the logs it asks for; for a prohibited part without its NOT. */
  readonly asks: string;
  /** The names of the fields that it searches. */
  readonly fields: readonly string[];
  /** The tokens that analysis makes of it, where it searches text fields for words or a phrase. */
  readonly tokens: readonly string[];
  /** Undefined where analysis leaves nothing of it. */
  readonly filter: Filter | undefined;
  /** The level inside a group; undefined for any other part. */
  readonly level: ExplainedLevel | undefined;
}

/**
 * Explains a query as the server reads it. Broken text is explained in its sound parts.
 *
 * ```ts
 * explainLines(explain(parse('logLevel:SEVERE OR msg:timeout').query));
 * ```
 */
export function explain(query: Query, options: ExplainOptions = {}): Explanation {
  const filters = new Map<Clause, Filter | undefined>();
  // Both readings are of the same moment.
  const read = { ...options, now: options.now ?? Date.now() };
  const filter = resolve(query, {
    ...read,
    onClause: (clause, clauseFilter) => filters.set(clause, clauseFilter),
  });
  const text = print(query);
  const context: Context = {
    text,
    filters,
    schema: options.schema ?? documentedSchema,
    targets: targetsOf(query, options.schema ?? documentedSchema, options.engine),
    defaultOperator: options.defaultOperator ?? 'or',
  };
  return {
    text,
    filter,
    level: explainLevel(query, context),
    ordinary: compare(filter, resolve(query, { ...read, reading: 'ordinary' })),
  };
}

interface Context extends Required<Pick<ResolveOptions, 'schema' | 'defaultOperator'>> {
  readonly text: string;
  readonly filters: ReadonlyMap<Clause, Filter | undefined>;
  readonly targets: ReadonlyMap<Clause, Targets>;
}

function explainLevel({ parts }: Query | Group, context: Context): ExplainedLevel {
  const units = unitsOf(parts, 'server');
  const occurs = occursOf(
    units.map(([first]) => ({ ...operatorsOf(first), kept: context.filters.get(first) !== undefined })),
    context.defaultOperator,
  );
  const isRequired = occurs.includes('must');
  return {
    parts: units.map((unit, index) => {
      const occur = occurs[index] ?? 'vanishes';
      return explainUnit(unit, occur === 'should' && isRequired ? 'filtersNothing' : occur, context);
    }),
  };
}

function explainUnit(unit: Unit, taken: PartEffect, context: Context): ExplainedPart {
  const [first] = unit;
  const { item } = first;
  const from = (first.modifier ?? first.field ?? item).from;
  const to = unit.at(-1)?.to ?? first.to;
  const filter = context.filters.get(first);
  const targets = context.targets.get(first);
  return {
    from,
    to,
    text: context.text.slice(from, to),
    taken,
    asks: asks(first, filter, context),
    fields: targets?.fields.map(({ name }) => name) ?? [],
    tokens: item.kind === 'Group' || !filter ? [] : tokensOf(filter),
    filter,
    level: item.kind === 'Group' ? explainLevel(item, context) : undefined,
  };
}

function asks(clause: Clause, filter: Filter | undefined, { schema, targets }: Context): string {
  if (!filter) return 'nothing: analysis leaves no word of it';
  if (clause.item.kind === 'Group') return 'what its parentheses hold';
  const said = describe(filter, schema.defaults);
  const searched = targets.get(clause);
  if (said !== 'no log' || !searched) return said;
  if (searched.fields.length === 0) return `no log: there is no field "${searched.named}"`;
  return `no log: it is nothing that ${searched.fields.map(({ name }) => name).join(', ')} could hold`;
}

/** The tokens that a filter asks for as words or a phrase, each once. */
function tokensOf(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'term':
      return filter.field.type === 'text' ? [filter.term] : [];
    case 'phrase':
      return filter.terms;
    case 'disMax':
      return tokensOf(filter.filters.find((filter) => 0 < tokensOf(filter).length) ?? { kind: 'none' });
    case 'bool':
      return [...filter.must, ...filter.should].flatMap(tokensOf);
    default:
      return [];
  }
}

/** The reasons why the server selects a log for a query, or does not, part by part. */
export interface MatchExplanation extends Omit<Explanation, 'level'> {
  readonly matches: boolean;
  readonly level: ExplainedLevel<MatchedPart>;
}

/** A part and its matches in the log. */
export interface MatchedPart extends Omit<ExplainedPart, 'level'> {
  /** True if the log has what it asks for. A prohibited part that matches excludes the log. */
  readonly matches: boolean;
  /** The spans that match; none if it does not match. */
  readonly highlights: readonly Highlight[];
  readonly level: ExplainedLevel<MatchedPart> | undefined;
}

/**
 * Matches each part of a query against one log. Throws `QueryTooComplex` if that would take too
 * long, as `match` does.
 *
 * ```ts
 * explainMatchLines(explainMatch(parse('msg:timeout').query, log));
 * ```
 */
export function explainMatch(
  query: Query,
  values: FieldValues,
  options: ExplainOptions = {},
): MatchExplanation {
  const explanation = explain(query, options);
  assertRunnable(explanation.filter);
  const matching = matchingOf(values);
  return {
    ...explanation,
    matches: matching.matches(explanation.filter),
    level: matchLevel(explanation.level, matching),
  };
}

function matchLevel({ parts }: ExplainedLevel, matching: Matching): ExplainedLevel<MatchedPart> {
  return {
    parts: parts.map((part) => ({
      ...part,
      matches: part.filter !== undefined && matching.matches(part.filter),
      highlights: part.filter ? matching.highlights(part.filter) : [],
      level: part.level && matchLevel(part.level, matching),
    })),
  };
}

/** The matching spans in the value of one field. */
export interface Highlight {
  readonly field: string;
  /** Spans in the text of the value, in UTF-16 units, sorted and disjoint. */
  readonly spans: readonly Span[];
}

/**
 * The spans of a log that a filter matches: the tokens of words, phrases and
 * patterns, and whole values of fields without tokens. Parts that must not match
 * mark nothing. A log that the filter does not select has no highlights. Throws
 * `QueryTooComplex` if finding out would take too long.
 *
 * ```ts
 * for (const { field, spans } of highlightMatches(filter, log)) console.log(field, spans);
 * ```
 */
export function highlightMatches(filter: Filter, values: FieldValues): readonly Highlight[] {
  assertRunnable(filter);
  return matchingOf(values).highlights(filter);
}

/** What filters match in one log. What several of them have in common is matched and marked once. */
interface Matching {
  readonly matches: (filter: Filter) => boolean;
  readonly highlights: (filter: Filter) => readonly Highlight[];
}

function matchingOf(values: FieldValues): Matching {
  const matches = matcherOf(toDocument(values));
  const tokens = new Map<string, TokensOfField>();
  const found = new Map<Filter, readonly Highlight[]>();
  const foundByLeaf = new Map<string, readonly Highlight[]>();
  const highlights = (filter: Filter): readonly Highlight[] => {
    const known = found.get(filter) ?? (matches(filter) ? marksIn(filter) : []);
    found.set(filter, known);
    return known;
  };
  const marksIn = (filter: Filter): readonly Highlight[] => {
    switch (filter.kind) {
      case 'all':
      case 'none':
        return [];
      case 'disMax':
        return joined(filter.filters.flatMap(highlights));
      case 'bool':
        return joined([...filter.must, ...filter.should].flatMap(highlights));
      default:
        return marksOfLeaf(filter);
    }
  };
  const marksOfLeaf = (leaf: LeafFilter): readonly Highlight[] => {
    const field = leaf.field.name;
    const key = filterKey({ ...leaf, field });
    const known = foundByLeaf.get(key) ?? [{ field, spans: merged(spansOf(leaf, { values, tokens })) }];
    foundByLeaf.set(key, known);
    return known;
  };
  return { matches, highlights };
}

/**
 * One highlight for each field, in the order in which they come first. Thousands of equal words of a query have one
 * highlight, whose spans are taken once.
 */
function joined(highlights: readonly Highlight[]): readonly Highlight[] {
  const byField = new Map<string, Set<Highlight>>();
  for (const highlight of highlights) {
    const known = byField.get(highlight.field);
    if (known) known.add(highlight);
    else byField.set(highlight.field, new Set([highlight]));
  }
  return [...byField].map(([field, distinct]) => {
    const [first, ...others] = distinct;
    if (first && others.length === 0) return first;
    return { field, spans: united([...distinct].map(({ spans }) => spans)) };
  });
}

interface Marking {
  readonly values: FieldValues;
  readonly tokens: Map<string, TokensOfField>;
}

/** The tokens of a text in order, and by their terms. */
interface TokensOfField {
  readonly inOrder: readonly TokenSpan[];
  readonly byTerm: ReadonlyMap<string, readonly TokenSpan[]>;
}

/** The spans that a matching leaf matches. */
function spansOf(leaf: LeafFilter, marking: Marking): readonly Span[] {
  const text = String(marking.values[leaf.field.name] ?? '');
  if (leaf.field.type !== 'text') return text === '' ? [] : [{ from: 0, to: text.length }];
  // The existence of a value has no span in it.
  if (leaf.kind === 'exists') return [];
  const { inOrder, byTerm } = tokensOfField(leaf.field.name, text, marking);
  if (leaf.kind === 'phrase') return phraseSpans(leaf, inOrder);
  if (leaf.kind === 'term') return byTerm.get(leaf.term) ?? [];
  const matched = new Set([...byTerm.keys()].filter((term) => hasMatch(leaf, [term])));
  return matched.size === 0 ? [] : inOrder.filter(({ term }) => matched.has(term));
}

function tokensOfField(field: string, text: string, { tokens }: Marking): TokensOfField {
  const known = tokens.get(field);
  if (known) return known;
  const inOrder = analyzeSpans(text.toWellFormed());
  const byTerm = new Map<string, TokenSpan[]>();
  for (const token of inOrder) {
    const sameTerm = byTerm.get(token.term);
    if (sameTerm) sameTerm.push(token);
    else byTerm.set(token.term, [token]);
  }
  const found = { inOrder, byTerm };
  tokens.set(field, found);
  return found;
}

/** The spans of a phrase. A sloppy phrase marks each token, since others may lie between them. */
function phraseSpans({ terms, slop }: PhraseFilter, tokens: readonly TokenSpan[]): Span[] {
  if (0 < slop) return tokens.filter(({ term }) => terms.includes(term));
  return tokens.flatMap((first, start) => {
    const last = tokens[start + terms.length - 1];
    const isHere = terms.every((term, offset) => tokens[start + offset]?.term === term);
    return isHere && last ? [{ from: first.from, to: last.to }] : [];
  });
}

/** The spans of several lists, merged. Hundreds of patterns mark the same thousands of words. */
function united(lists: readonly (readonly Span[])[]): Span[] {
  const ends = new Map<number, number>();
  for (const spans of lists)
    for (const { from, to } of spans) if ((ends.get(from) ?? from) < to) ends.set(from, to);
  return merged(Array.from(ends, ([from, to]) => ({ from, to })));
}

/** The spans in order; overlapping ones are merged. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from < last.to) result.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) });
    else result.push({ from, to });
  }
  return result;
}

/**
 * An explanation as lines of text: one for each part, groups indented, then a line
 * if the ordinary reading selects other logs.
 *
 * ```ts
 * explainLines(explain(parse('logLevel:SEVERE').query)).join('\n');
 * ```
 */
export function explainLines(explanation: Explanation): string[] {
  const rows = rowsOf(explanation.level, '', (part, label) => [label, part.text, part.asks]);
  return [...columns(rows), ...comparisonLines(explanation.ordinary)];
}

/**
 * The explanation of a match as lines of text: the parts with the fields that matched, then the result.
 *
 * ```ts
 * explainMatchLines(explainMatch(parse('msg:timeout').query, log)).join('\n');
 * ```
 */
export function explainMatchLines(explanation: MatchExplanation): string[] {
  const rows = rowsOf(explanation.level, '', (part: MatchedPart, label) => [
    part.matches ? 'found' : 'not found',
    label,
    part.text,
    part.matches && 0 < part.highlights.length
      ? `in ${part.highlights.map(({ field }) => field).join(', ')}`
      : part.asks,
  ]);
  return [...columns(rows), explanation.matches ? 'The log is selected' : 'The log is not selected'];
}

const labels: { readonly [T in PartEffect]: string } = {
  must: 'must match',
  should: 'one of these must match',
  mustNot: 'must not match',
  filtersNothing: 'filters nothing',
  vanishes: 'vanishes',
};

/** The effect of a part of a level in words, such as "must match". */
export function effectLabel(
  { parts }: ExplainedLevel<Pick<ExplainedPart, 'taken'>>,
  taken: PartEffect,
): string {
  if (taken !== 'should') return labels[taken];
  const first = parts.findIndex((part) => part.taken === 'should');
  const isAlone = !parts.some((part, index) => first < index && part.taken === 'should');
  return isAlone ? labels.must : labels.should;
}

type Row = readonly string[];

function rowsOf<P extends Omit<ExplainedPart, 'level'> & { readonly level: ExplainedLevel<P> | undefined }>(
  level: ExplainedLevel<P>,
  indent: string,
  rowOf: (part: P, label: string) => Row,
): Row[] {
  return level.parts.flatMap((part) => {
    const row = rowOf(part, indent + effectLabel(level, part.taken)).map(onOneLine);
    return [row, ...(part.level ? rowsOf(part.level, `${indent}  `, rowOf) : [])];
  });
}

/** A text with a blank for each run of tabs and line breaks. */
function onOneLine(text: string): string {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
}

/** The greatest width to which a column is padded, in UTF-16 units. */
const widest = 40;

function columns(rows: readonly Row[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(widest, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  '),
  );
}

function comparisonLines(comparison: Comparison): string[] {
  if (comparison.same) return [];
  const ordinary = 'with NOT before AND and AND before OR';
  if (comparison.same === undefined) {
    return [
      `Whether it selects the same logs when read ${ordinary} could not be decided: ${comparison.undecided}`,
    ];
  }
  const { values, selectedBy } = comparison.example;
  const who = selectedBy === 'a' ? 'only the server selects' : 'the server does not select';
  return [`Read ${ordinary} it selects other logs; for instance ${who} ${logText(values)}`];
}

/** A log as text: its fields with their values, or a note that it has none. */
function logText(values: FieldValues): string {
  const fields = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? JSON.stringify(value) : value}`,
  );
  return fields.length === 0 ? 'a log without any of these fields' : `a log with ${fields.join(', ')}`;
}
