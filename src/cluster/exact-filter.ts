import { describe } from '../meaning/describe.ts';
import { type Filter, type FuzzyFilter, matchNoneFilter } from '../meaning/filter.ts';
import { limitedFuzzy, nearestTerms, withExpansions } from '../meaning/relevance/expansion.ts';
import { assertRunnable } from '../meaning/runnable.ts';
import { type TermPattern, termTest } from '../meaning/term-test.ts';
import { toClickhouse } from '../translate/clickhouse.ts';
import { type ClickhouseParameter, toParameter } from '../translate/clickhouse-parameter.ts';
import { termPatternCondition } from '../translate/clickhouse-pattern.ts';
import { ClusterError } from './cluster-error.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { quotedName } from './schema.ts';

/** Maximum number of terms that one pattern stands for. */
const maxTerms = 20_000;

/**
 * Returns a filter for which SQL is exact: a pattern that SQL does not express becomes the terms of the cluster that
 * it matches. Rejects with `CLUSTER_INEXACT` if a part remains.
 */
export async function exactFilter(cluster: Cluster, filter: Filter, options: QueryOptions): Promise<Filter> {
  assertRunnable(filter);
  const limited = limitedFuzzy(filter);
  const nearest = new Map<FuzzyFilter, readonly string[]>();
  for (const each of limited) nearest.set(each, await nearTerms(cluster, each, options));
  const expanded = withExpansions({ filter, boosts: new Map() }, nearest).filter;
  const terms = new Map<Filter, Filter>();
  for (const { filter: part, reason } of toClickhouse(expanded).losses) {
    if (terms.has(part) || (part.kind === 'range' && reason.endsWith('Z'))) continue;
    if (!isTermPattern(part))
      throw new ClusterError(
        'CLUSTER_INEXACT',
        `A cluster has no exact answer for ${describe(part)}. ${reason}. Search a case instead`,
      );
    const found = await termsOf(cluster, part, options);
    const filters = found.map((term): Filter => ({ kind: 'term', field: part.field, term }));
    terms.set(part, filters.length === 0 ? matchNoneFilter : { kind: 'disMax', filters });
  }
  return terms.size === 0 ? expanded : replaced(expanded, terms);
}

/** Returns the nearest terms of a cluster for a fuzzy term, as many as its limit. */
export async function nearTerms(
  cluster: Cluster,
  fuzzy: FuzzyFilter,
  options: QueryOptions = {},
): Promise<readonly string[]> {
  const { maxExpansions: _, ...unlimited } = fuzzy;
  return nearestTerms(fuzzy, await termsOf(cluster, unlimited, options));
}

function isTermPattern(filter: Filter): filter is TermPattern {
  return ['prefix', 'wildcard', 'regexp', 'fuzzy'].includes(filter.kind);
}

/** Returns the terms of a cluster that a pattern matches: those that SQL selects, tested here. */
export async function termsOf(
  cluster: Cluster,
  pattern: TermPattern,
  options: QueryOptions,
): Promise<readonly string[]> {
  const { field } = pattern;
  const column = quotedName(field.type === 'text' ? `${field.name}_tokens` : field.name);
  const parameters: ClickhouseParameter[] = [];
  const onTerm: TermPattern = { ...pattern, field: { ...field, type: 'keyword' } };
  const condition = termPatternCondition(onTerm, 'term', (value) => {
    const name = `p${parameters.length + 1}`;
    parameters.push(toParameter(name, 'String', value));
    return `{${name}:String}`;
  });
  const terms = `SELECT ${field.type === 'text' ? `arrayJoin(${column})` : column} AS term FROM ${quotedName(cluster.address.database)}.searchable_logs`;
  const rows = await cluster.query(
    `SELECT DISTINCT term FROM (${terms}) WHERE ${condition?.sql ?? "term != ''"} LIMIT ${10 * maxTerms}`,
    { ...options, parameters },
  );
  const isMatch = termTest(pattern);
  const found = rows.map(([each]) => String(each)).filter(isMatch);
  if (10 * maxTerms <= rows.length || maxTerms < found.length)
    throw new ClusterError(
      'CLUSTER_LIMIT',
      `${describe(pattern)} stands for more than ${maxTerms} terms of the cluster: name more of its characters`,
    );
  return found;
}

function replaced(filter: Filter, by: ReadonlyMap<Filter, Filter>): Filter {
  const other = by.get(filter);
  if (other) return other;
  const each = (part: Filter) => replaced(part, by);
  if (filter.kind === 'disMax') return { ...filter, filters: filter.filters.map(each) };
  if (filter.kind !== 'bool') return filter;
  const { must, should, mustNot } = filter;
  return { ...filter, must: must.map(each), should: should.map(each), mustNot: mustNot.map(each) };
}
