import { numberLine } from '../meaning/compare/number-line.ts';
import type { Bool, Bound, Filter, Range, TermRange } from '../meaning/filter.ts';
import type { Loss } from './loss.ts';

/** A query in Elasticsearch's Query DSL: an object with one key, the kind of the query. */
export type ElasticsearchQuery =
  | { readonly match_all: object }
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
  | { readonly exists: { readonly field: string } }
  | { readonly prefix: OnField<{ readonly value: string }> }
  | { readonly wildcard: OnField<{ readonly value: string }> }
  | { readonly regexp: OnField<{ readonly value: string; readonly flags: 'ALL' }> }
  | { readonly fuzzy: OnField<{ readonly value: string; readonly fuzziness: number }> }
  | { readonly dis_max: { readonly queries: readonly ElasticsearchQuery[] } }
  | { readonly bool: ElasticsearchBool };

/** Parameters under the name of their field. */
type OnField<P> = { readonly [field: string]: P };

/** The ends of a range. */
export interface ElasticsearchEnds {
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
  readonly format?: 'epoch_millis';
}

/** The clauses of a level. */
export interface ElasticsearchBool {
  readonly must?: readonly ElasticsearchQuery[];
  readonly should?: readonly ElasticsearchQuery[];
  readonly must_not?: readonly ElasticsearchQuery[];
  readonly minimum_should_match?: 0 | 1;
}

/** A query for Elasticsearch, and where it does not select exactly what the filter does. */
export interface ElasticsearchTranslation {
  readonly query: ElasticsearchQuery;
  readonly losses: readonly Loss[];
}

/**
 * The query for an index whose fields have the names and types of the schema,
 * with the `standard` analyzer on text. Words are in the filter as tokens
 * already, so nothing is left to the analysis of the index.
 *
 * ```ts
 * toElasticsearch(resolve(parse('msg:timeout AND logCode:[9000 TO 9999]').query)).query;
 * // { bool: { must: [{ term: { msg: { value: 'timeout' } } }, { range: { logCode: { gte: 9000, lt: 10000 } } }] } }
 * ```
 */
export function toElasticsearch(filter: Filter): ElasticsearchTranslation {
  const losses: Loss[] = [];
  const query = translate(filter, losses);
  if (maxClauses < countClauses(filter)) {
    losses.push({ filter, reason: `It has more than ${maxClauses} clauses, which older servers refuse` });
  }
  return { query, losses };
}

/** How many clauses a server takes unless it is set up otherwise (section 7.8 of the language specification). */
const maxClauses = 1024;

function translate(filter: Filter, losses: Loss[]): ElasticsearchQuery {
  switch (filter.kind) {
    case 'all':
      return { match_all: {} };
    case 'none':
      return { match_none: {} };
    case 'term':
      return { term: { [filter.field.name]: { value: filter.term } } };
    case 'phrase': {
      const { field, terms, slop } = filter;
      // Tokens have no white space in them, so this analyzer gives them back as they are.
      return { match_phrase: { [field.name]: { query: terms.join(' '), slop, analyzer: 'whitespace' } } };
    }
    case 'range':
      return range(filter);
    case 'termRange':
      return termRange(filter, losses);
    case 'exists':
      return exists(filter, losses);
    case 'prefix':
      return { prefix: { [filter.field.name]: { value: filter.prefix } } };
    case 'wildcard':
      return { wildcard: { [filter.field.name]: { value: filter.pattern } } };
    case 'regexp':
      return { regexp: { [filter.field.name]: { value: filter.pattern, flags: 'ALL' } } };
    case 'fuzzy':
      losses.push({ filter, reason: 'Only the 50 nearest terms of the index are looked up' });
      return { fuzzy: { [filter.field.name]: { value: filter.term, fuzziness: filter.edits } } };
    case 'disMax':
      return { dis_max: { queries: filter.filters.map((each) => translate(each, losses)) } };
    case 'bool':
      return boolean(filter, losses);
  }
}

function boolean({ must, should, mustNot }: Bool, losses: Loss[]): ElasticsearchQuery {
  const all = (filters: readonly Filter[]) => filters.map((each) => translate(each, losses));
  if (must.length + should.length + mustNot.length === 0) return { match_all: {} };
  return {
    bool: {
      ...(0 < must.length && { must: all(must) }),
      ...(0 < should.length && { should: all(should) }),
      ...(0 < mustNot.length && { must_not: all(mustNot) }),
      // What is optional depends on where a query stands, unless it is said.
      ...(0 < should.length && { minimum_should_match: must.length === 0 ? 1 : 0 }),
    },
  };
}

/** Whole numbers have whole ends: the server rounds a fraction towards zero, which for a negative one is the wrong way. */
function range(filter: Range): ElasticsearchQuery {
  const { name, type } = filter.field;
  if (type === 'text' || type === 'keyword') return { match_none: {} };
  if (!filter.lower && !filter.upper) return { exists: { field: name } };
  if (type === 'decimal') return { range: { [name]: ends(filter) } };
  const line = numberLine(type);
  const { from, to } = line.interval(filter) ?? { from: undefined, to: undefined };
  if (from === Number.POSITIVE_INFINITY) return { match_none: {} };
  const only = line.only({ from, to });
  if (type === 'integer' && only !== undefined) return { term: { [name]: { value: only } } };
  const bounds: ElasticsearchEnds = {
    ...(from !== undefined && { gte: from }),
    ...(to !== undefined && Number.isFinite(to) && { lt: to }),
    ...(type === 'date' && { format: 'epoch_millis' }),
  };
  return { range: { [name]: bounds } };
}

function termRange(filter: TermRange, losses: Loss[]): ElasticsearchQuery {
  if (!filter.lower && !filter.upper) return exists(filter, losses);
  return { range: { [filter.field.name]: ends(filter) } };
}

function ends<V extends string | number>({
  lower,
  upper,
}: {
  readonly lower?: Bound<V>;
  readonly upper?: Bound<V>;
}): ElasticsearchEnds {
  return {
    ...(lower && { [lower.inclusive ? 'gte' : 'gt']: lower.value }),
    ...(upper && { [upper.inclusive ? 'lte' : 'lt']: upper.value }),
  };
}

function exists(
  filter: Extract<Filter, { kind: 'exists' | 'termRange' }>,
  losses: Loss[],
): ElasticsearchQuery {
  if (filter.field.type === 'text') {
    losses.push({ filter, reason: 'A text without any word in it, as "---", counts as a value too' });
  }
  return { exists: { field: filter.field.name } };
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
