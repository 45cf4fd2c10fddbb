import { type Comparison, compare } from '../logic/compare.ts';
import { type Occur, occursOf, operatorsOf, type Unit, unitsOf } from '../meaning/clauses.ts';
import { describe } from '../meaning/describe.ts';
import { documentedSchema } from '../meaning/fields.ts';
import type { Filter } from '../meaning/filter.ts';
import { type ResolveOptions, resolve } from '../meaning/resolve.ts';
import { type Targets, targetsOf } from '../meaning/targets.ts';
import { print } from '../parse/print.ts';
import type { Clause, Group, Query, Span } from '../parse/tree.ts';

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
  const filter = resolve(query, { ...options, onClause: (clause, each) => filters.set(clause, each) });
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
    ordinary: compare(filter, resolve(query, { ...options, reading: 'ordinary' })),
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
    parts: units.map((unit, place) => {
      const occur = occurs[place] ?? 'vanishes';
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
      return tokensOf(filter.filters.find((each) => 0 < tokensOf(each).length) ?? { kind: 'none' });
    case 'bool':
      return [...filter.must, ...filter.should].flatMap(tokensOf);
    default:
      return [];
  }
}
