import {
  assertRunnable,
  type ClickhouseParameter,
  describe,
  type Field,
  type Filter,
  type FuzzyFilter,
  limitedFuzzy,
  matchDocument,
  matchNoneFilter,
  nearestTerms,
  type ParameterisedSql,
  type PhraseFilter,
  packParameters,
  type TermPattern,
  termPatternCondition,
  termTest,
  toClickhouse,
  toDocument,
  toParameter,
  withExpansions,
} from '../language/index.ts';
import { ClusterError } from './address.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { quotedName, visibleLogs } from './schema.ts';

/**
 * Returns the condition of the logs that a filter selects, of the deployment that the address names. Rejects with
 * `CLUSTER_INEXACT` if there is none.
 */
export async function conditionOf(
  cluster: Cluster,
  filter: Filter,
  options: QueryOptions,
): Promise<ParameterisedSql> {
  const { sql, parameters } = packParameters(toClickhouse(await exactFilter(cluster, filter, options)));
  return {
    sql: `(${sql})${ofDeployment(cluster)}`,
    parameters: [...parameters, ...deploymentParameters(cluster)],
  };
}

/** Maximum number of terms that one pattern stands for. */
const maxTerms = 20_000;

/**
 * Returns a filter for which SQL is exact: a pattern that SQL does not express becomes the terms of the cluster that
 * it matches, and a phrase the texts. Rejects with `CLUSTER_INEXACT` if a part remains.
 */
async function exactFilter(cluster: Cluster, filter: Filter, options: QueryOptions): Promise<Filter> {
  assertRunnable(filter);
  const limited = limitedFuzzy(filter);
  const nearest = new Map<FuzzyFilter, readonly string[]>();
  for (const filter of limited) nearest.set(filter, await nearTerms(cluster, filter, options));
  const expanded = withExpansions({ filter, boosts: new Map() }, nearest).filter;
  const terms = new Map<Filter, Filter>();
  for (const { filter: part, reason } of toClickhouse(expanded).losses) {
    if (terms.has(part) || (part.kind === 'range' && reason.endsWith('Z'))) continue;
    const filters = await oneOf(cluster, part, options);
    if (!filters)
      throw new ClusterError(
        'CLUSTER_INEXACT',
        `A cluster has no exact answer for ${describe(part)}. ${reason}. Search a case instead`,
      );
    terms.set(part, filters.length === 0 ? matchNoneFilter : { kind: 'disMax', filters });
  }
  return terms.size === 0 ? expanded : replaced(expanded, terms);
}

/** Returns filters of which one selects each log that a part does; undefined if there are none. */
async function oneOf(
  cluster: Cluster,
  part: Filter,
  options: QueryOptions,
): Promise<readonly Filter[] | undefined> {
  if (isTermPattern(part)) {
    const found = await termsOf(cluster, part, options);
    return found.map((term): Filter => ({ kind: 'term', field: part.field, term }));
  }
  if (part.kind !== 'phrase') return undefined;
  const field: Field = { ...part.field, type: 'keyword' };
  const found = await textsOf(cluster, part, options);
  return found.map((term): Filter => ({ kind: 'term', field, term }));
}

/** Returns the texts of a cluster with a phrase: those with its words, tested here. */
async function textsOf(
  cluster: Cluster,
  phrase: PhraseFilter,
  options: QueryOptions,
): Promise<readonly string[]> {
  const { sql, parameters } = toClickhouse(phrase);
  const column = quotedName(phrase.field.name);
  const from = visibleLogs(cluster.address.database);
  const select = `SELECT DISTINCT ${column} FROM ${from} AND ${sql}${ofDeployment(cluster)}`;
  const rows = cluster.stream(select, {
    ...options,
    parameters: [...parameters, ...deploymentParameters(cluster)],
  });
  const found: string[] = [];
  for await (const some of rows)
    for (const [text] of some.map((row) => row.map(String)))
      if (text !== undefined && matchDocument(phrase, toDocument({ [phrase.field.name]: text }))) {
        if (maxTerms <= found.length) throw tooMany(phrase, 'texts');
        found.push(text);
      }
  return found;
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

/** Returns the terms that a pattern matches in the deployment of the address: those that SQL selects, tested here. */
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
  const terms = `SELECT ${field.type === 'text' ? `arrayJoin(${column})` : column} AS term FROM ${visibleLogs(cluster.address.database)}${ofDeployment(cluster)}`;
  const rows = await cluster.query(
    `SELECT DISTINCT term FROM (${terms}) WHERE ${condition?.sql ?? "term != ''"} LIMIT ${10 * maxTerms}`,
    { ...options, parameters: [...parameters, ...deploymentParameters(cluster)] },
  );
  const isMatch = termTest(pattern);
  const found = rows.map(([term]) => String(term)).filter(isMatch);
  if (10 * maxTerms <= rows.length || maxTerms < found.length) throw tooMany(pattern, 'terms');
  return found;
}

function tooMany(part: TermPattern | PhraseFilter, what: 'terms' | 'texts'): ClusterError {
  const advice = what === 'terms' ? 'name more of its characters' : 'name more of its words';
  return new ClusterError(
    'CLUSTER_LIMIT',
    `${describe(part)} stands for more than ${maxTerms} ${what} of the cluster: ${advice}`,
  );
}

function replaced(filter: Filter, by: ReadonlyMap<Filter, Filter>): Filter {
  const other = by.get(filter);
  if (other) return other;
  const replacedPart = (part: Filter) => replaced(part, by);
  if (filter.kind === 'disMax') return { ...filter, filters: filter.filters.map(replacedPart) };
  if (filter.kind !== 'bool') return filter;
  const { must, should, mustNot } = filter;
  return {
    ...filter,
    must: must.map(replacedPart),
    should: should.map(replacedPart),
    mustNot: mustNot.map(replacedPart),
  };
}

/** The rest of a condition for the deployment of the address. */
export function ofDeployment({ address }: Cluster): string {
  return address.deployment === undefined ? '' : ' AND deployment = {deployment:String}';
}

/** The parameters of `ofDeployment`. */
export function deploymentParameters({ address: { deployment } }: Cluster): readonly ClickhouseParameter[] {
  return deployment === undefined ? [] : [{ name: 'deployment', type: 'String', value: deployment }];
}

/**
 * Returns the deployments of the cluster if that of the address is not among them: the address may have it misspelt.
 * Undefined if it is, or if the address names none.
 */
export async function otherDeployments(cluster: Cluster): Promise<readonly string[] | undefined> {
  const { database, deployment } = cluster.address;
  if (deployment === undefined) return undefined;
  const rows = await cluster.query(
    `SELECT DISTINCT deployment FROM ${quotedName(database)}.loads ORDER BY deployment`,
  );
  const known = rows.map(([name]) => String(name));
  return known.includes(deployment) ? undefined : known;
}
