import { numberLine } from '../logic/theories.ts';
import type {
  BoolFilter,
  Filter,
  FilterBound,
  FuzzyFilter,
  RangeFilter,
  TermRangeFilter,
} from '../meaning/filter.ts';
import type { Field } from '../meaning/schema.ts';
import type { Scored } from '../meaning/scored.ts';
import type { NumberValue } from '../meaning/values.ts';
import type { TranslationLoss } from './translation-loss.ts';

/** A query in Elasticsearch's Query DSL: an object with one key, the kind of the query. */
export type ElasticsearchQuery =
  | { readonly match_all: Boosted }
  | { readonly match_none: object }
  | { readonly term: OnField<{ readonly value: string | number }> }
  | {
      readonly match_phrase: OnField<{
        readonly query: string;
        readonly slop: number;
        readonly analyzer: 'whitespace';
      }>;
    }
  | { readonly range: OnField<ElasticsearchEnds> }
  | { readonly exists: Boosted & { readonly field: string } }
  | { readonly prefix: OnField<{ readonly value: string }> }
  | { readonly wildcard: OnField<{ readonly value: string }> }
  | { readonly regexp: OnField<{ readonly value: string; readonly flags: 'ALL' }> }
  | {
      readonly fuzzy: OnField<{
        readonly value: string;
        readonly fuzziness: number;
        readonly max_expansions: number;
      }>;
    }
  | { readonly dis_max: Boosted & { readonly queries: readonly ElasticsearchQuery[] } }
  | { readonly bool: ElasticsearchBool };

/** Parameters by field name. */
type OnField<P> = { readonly [field: string]: P & Boosted };

/** The weight of a query for relevance; 1 if absent. */
interface Boosted {
  readonly boost?: number;
}

/** The ends of a range. */
export interface ElasticsearchEnds {
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
  readonly format?: 'epoch_millis';
}

/** The clauses of a level. */
export interface ElasticsearchBool extends Boosted {
  readonly must?: readonly ElasticsearchQuery[];
  readonly should?: readonly ElasticsearchQuery[];
  readonly must_not?: readonly ElasticsearchQuery[];
  readonly minimum_should_match?: 0 | 1;
}

/** A query for Elasticsearch, and the points in which it does not select exactly what the filter does. */
export interface ElasticsearchTranslation {
  readonly query: ElasticsearchQuery;
  readonly losses: readonly TranslationLoss[];
}

/**
 * Returns the query for an index whose fields have the names and types of the schema, with the
 * `standard` analyzer on text. The filter has tokens already, so the index analyses nothing. Dates
 * relative to now stay relative, and `boosts` become boosts.
 *
 * ```ts
 * toElasticsearch(resolve(parse('msg:timeout AND logCode:[9000 TO 9999]').query)).query;
 * // { bool: { must: [{ term: { msg: { value: 'timeout' } } }, { range: { logCode: { gte: 9000, lt: 10000 } } }] } }
 * ```
 */
export function toElasticsearch(
  filter: Filter,
  { boosts = new Map() }: Partial<Pick<Scored, 'boosts'>> = {},
): ElasticsearchTranslation {
  const losses: TranslationLoss[] = [];
  const query = translate(filter, { boosts, lose: (part, reason) => losses.push({ filter: part, reason }) });
  if (maxClauses < countClauses(filter)) {
    losses.push({ filter, reason: `It has more than ${maxClauses} clauses, which older servers refuse` });
  }
  return { query, losses };
}

/** The default limit on the clauses of a query (section 7.8 of the language specification). */
const maxClauses = 1024;

interface Context extends Pick<Scored, 'boosts'> {
  readonly lose: (part: Filter, reason: string) => void;
}

/** The boost of a part, which the parameters of any query can contain. */
function boostOf(filter: Filter, { boosts }: Context): Boosted {
  const boost = boosts.get(filter) ?? 1;
  return boost === 1 ? {} : { boost };
}

function translate(filter: Filter, context: Context): ElasticsearchQuery {
  const boost = boostOf(filter, context);
  switch (filter.kind) {
    case 'all':
      return { match_all: boost };
    case 'none':
      return { match_none: {} };
    case 'term':
      return { term: { [filter.field.name]: { value: filter.term, ...boost } } };
    case 'phrase': {
      const { field, terms, slop } = filter;
      // Tokens contain no white space, so this analyzer returns them unchanged.
      const phrase = { query: terms.join(' '), slop, analyzer: 'whitespace', ...boost } as const;
      return { match_phrase: { [field.name]: phrase } };
    }
    case 'range':
      return range(filter, boost);
    case 'termRange':
      if (isOpen(filter)) return anyOf(filter.field, boost);
      return { range: { [filter.field.name]: { ...ends(filter, String), ...boost } } };
    case 'exists':
      return filter.byNorms ? { exists: { field: filter.field.name, ...boost } } : anyOf(filter.field, boost);
    case 'prefix':
      return { prefix: { [filter.field.name]: { value: filter.prefix, ...boost } } };
    case 'wildcard':
      return { wildcard: { [filter.field.name]: { value: filter.pattern, ...boost } } };
    case 'regexp':
      return { regexp: { [filter.field.name]: { value: filter.pattern, flags: 'ALL', ...boost } } };
    case 'fuzzy':
      return fuzzy(filter, context);
    case 'fieldReference':
    case 'timePart':
    case 'network':
      context.lose(filter, `No query asks a server for this ${filter.kind} on "${filter.field.name}"`);
      return { match_all: boost };
    case 'disMax':
      return { dis_max: { queries: filter.filters.map((filter) => translate(filter, context)), ...boost } };
    case 'bool':
      return boolean(filter, context);
  }
}

/**
 * Any term or number of a field. The server counts every text as a value, even one without tokens;
 * all terms follow the empty one.
 */
function anyOf({ name, type }: Field, boost: Boosted): ElasticsearchQuery {
  return type === 'text'
    ? { range: { [name]: { gte: '', ...boost } } }
    : { exists: { field: name, ...boost } };
}

function isOpen({ lower, upper }: TermRangeFilter): boolean {
  return !lower && !upper;
}

/** The server expands a fuzzy term to at most as many terms as a query may have clauses. */
function fuzzy(filter: FuzzyFilter, context: Context): ElasticsearchQuery {
  const { field, term: value, edits: fuzziness, maxExpansions } = filter;
  if (maxExpansions === undefined && 0 < fuzziness)
    context.lose(filter, `Only the ${maxClauses} nearest terms of the index are looked up`);
  const max_expansions = Math.min(maxExpansions ?? maxClauses, maxClauses);
  return { fuzzy: { [field.name]: { value, fuzziness, max_expansions, ...boostOf(filter, context) } } };
}

function boolean(filter: BoolFilter, context: Context): ElasticsearchQuery {
  const { must, should, mustNot } = filter;
  const boost = boostOf(filter, context);
  const all = (filters: readonly Filter[]) => filters.map((filter) => translate(filter, context));
  if (must.length + should.length + mustNot.length === 0) return { match_all: boost };
  return {
    bool: {
      ...boost,
      ...(0 < must.length && { must: all(must) }),
      ...(0 < should.length && { should: all(should) }),
      ...(0 < mustNot.length && { must_not: all(mustNot) }),
      // The server's default depends on the position of the query, so it is explicit.
      ...(0 < should.length && { minimum_should_match: must.length === 0 ? 1 : 0 }),
    },
  };
}

/**
 * Whole numbers have whole ends: the server rounds a fraction towards zero, which is wrong for a
 * negative one.
 */
function range(filter: RangeFilter, boost: Boosted): ElasticsearchQuery {
  const { name, type } = filter.field;
  if (type === 'text' || type === 'keyword') return { match_none: {} };
  if (!filter.lower && !filter.upper) return { exists: { field: name, ...boost } };
  if (type === 'decimal') return { range: { [name]: { ...ends(filter, jsonNumber), ...boost } } };
  if (filter.lower?.relative ?? filter.upper?.relative)
    return { range: { [name]: { ...ends(filter, jsonNumber), format: 'epoch_millis', ...boost } } };
  const line = numberLine(type);
  const { from, to } = line.interval(filter) ?? { from: undefined, to: undefined };
  if (from === Number.POSITIVE_INFINITY) return { match_none: {} };
  if (from === undefined && to === undefined) return { exists: { field: name, ...boost } };
  const only = line.onlyValue({ from, to });
  if (type === 'integer' && only !== undefined)
    return { term: { [name]: { value: jsonNumber(only), ...boost } } };
  const bounds: ElasticsearchEnds = {
    ...(from !== undefined && { gte: jsonNumber(from) }),
    ...(to !== undefined && { lt: jsonNumber(to) }),
    ...(type === 'date' && { format: 'epoch_millis' }),
  };
  return { range: { [name]: { ...bounds, ...boost } } };
}

/** The ends as they are; a date relative to now as written, since the server rounds it alike. */
function ends<V>(
  { lower, upper }: { readonly lower?: FilterBound<V>; readonly upper?: FilterBound<V> },
  toJson: (value: V) => string | number,
): ElasticsearchEnds {
  return {
    ...(lower && { [lower.inclusive ? 'gte' : 'gt']: lower.relative ?? toJson(lower.value) }),
    ...(upper && { [upper.inclusive ? 'lte' : 'lt']: upper.relative ?? toJson(upper.value) }),
  };
}

/** A number that the server reads exactly: a text where JavaScript has no exact JSON number. */
function jsonNumber(value: NumberValue): string | number {
  if (Object.is(value, -0)) return '-0.0';
  return typeof value === 'bigint' ? String(value) : value;
}

function countClauses(filter: Filter): number {
  const parts =
    filter.kind === 'bool'
      ? [...filter.must, ...filter.should, ...filter.mustNot]
      : filter.kind === 'disMax'
        ? filter.filters
        : [];
  return parts.length === 0 ? 1 : parts.reduce((sum, part) => sum + countClauses(part), 0);
}
