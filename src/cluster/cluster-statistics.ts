import * as v from 'valibot';
import type { ClickhouseParameter, Field, Filter } from '../language/index.ts';
import {
  type FieldNeeds,
  type FieldStatistics,
  needsOf,
  packParameters,
  type Statistics,
  toParameter,
} from '../language/index.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { deploymentParameters, ofDeployment } from './deployment.ts';
import { termsOf } from './exact-filter.ts';
import { quotedName } from './schema.ts';

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.safeInteger());

/** Computes the statistics of all logs of a cluster on which the relevance for a filter depends. */
export async function clusterStatistics(
  cluster: Cluster,
  filter: Filter,
  options: QueryOptions,
): Promise<Statistics> {
  const found = new Map<string, FieldStatistics>();
  for (const need of needsOf(filter))
    found.set(need.field.name, await fieldStatistics(cluster, need, options));
  return found;
}

async function fieldStatistics(
  cluster: Cluster,
  { field, terms: wanted, near }: FieldNeeds,
  options: QueryOptions,
): Promise<FieldStatistics> {
  const terms = new Set(wanted);
  for (const each of near) for (const term of await termsOf(cluster, each, options)) terms.add(term);
  const parameters: ClickhouseParameter[] = [...deploymentParameters(cluster)];
  const counts = [...terms].map((term, index) => {
    parameters.push(toParameter(`t${index}`, 'String', term));
    return `countIf(${hasTermSql(field, `{t${index}:String}`)})`;
  });
  const { documents, tokens } = lengthSql(field);
  const packed = packParameters({
    sql: `SELECT ${[documents, tokens, ...counts].join(', ')} FROM ${quotedName(cluster.address.database)}.searchable_logs
     WHERE true${ofDeployment(cluster)}`,
    parameters,
  });
  const [row] = await cluster.query(packed.sql, { ...options, parameters: packed.parameters });
  const [documentCount = 0, tokenCount = 0, ...termCounts] = v.parse(v.array(number), row);
  return {
    ...{ documents: documentCount, tokens: tokenCount },
    terms: new Map([...terms].map((term, index) => [term, termCounts[index] ?? 0])),
  };
}

function hasTermSql({ name, type }: Field, term: string): string {
  return type === 'text' ? `has(${quotedName(`${name}_tokens`)}, ${term})` : `${keywordSql(name)} = ${term}`;
}

function keywordSql(name: string): string {
  return `toString(${quotedName(name)})`;
}

/** The numbers of logs with a field, and of its tokens. */
function lengthSql({ name, type }: Field): { readonly documents: string; readonly tokens: string } {
  const tokens = quotedName(`${name}_tokens`);
  if (type === 'text') return { documents: `countIf(notEmpty(${tokens}))`, tokens: `sum(length(${tokens}))` };
  const documents = `countIf(${keywordSql(name)} != '')`;
  return { documents, tokens: documents };
}
