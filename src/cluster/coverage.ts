import * as v from 'valibot';
import type { SourceCoverage } from '../case/index.ts';
import { deploymentParameters, ofDeployment } from './condition.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { readKeeping } from './loaded-rows.ts';
import { placesOf, quotedName } from './schema.ts';

const time = v.pipe(v.number(), v.safeInteger());

const shape = v.array(
  v.object({
    deployment: v.string(),
    filters: v.record(v.string(), v.string()),
    exports: v.array(v.number()),
    covered: v.array(
      v.object({ oldest: time, newest: time, state: v.picklist(['complete', 'capped', 'open']) }),
    ),
    doubts: v.optional(
      v.array(v.object({ export: v.number(), code: v.string(), message: v.string() })),
      () => [],
    ),
  }),
);

/** Coverage of a case at one moment. */
export interface CoverageOfCase {
  /** Identifies the case: the hash of its first action. */
  readonly source: string;
  /** Number of its actions: a later state has more. */
  readonly actions: number;
  readonly coverage: readonly SourceCoverage[];
}

/** Records the coverage of a case, unless the cluster has this or a later one. All its parts must be there. */
export async function saveCoverage(
  cluster: Cluster,
  deployment: string,
  { source, actions, coverage }: CoverageOfCase,
  options: QueryOptions = {},
): Promise<void> {
  if (coverage.length === 0) return;
  const table = `${quotedName(cluster.address.database)}.coverages`;
  const texts = { deployment, source, coverage: JSON.stringify(coverage) };
  const parameters = Object.entries(texts).map(
    ([name, value]) => ({ name, type: 'String', value: value.toWellFormed() }) as const,
  );
  const [known] = await cluster.query(
    `SELECT count() FROM ${table} WHERE deployment = {deployment:String} AND source = {source:String} AND actions >= ${Math.trunc(actions)}`,
    { ...options, parameters: parameters.slice(0, 2) },
  );
  if (Number(known?.[0]) !== 0) return;
  await cluster.command(
    `INSERT INTO ${table} (deployment, source, actions, coverage, place)
     SELECT {deployment:String}, {source:String}, ${Math.trunc(actions)}, {coverage:String}, arrayJoin(${await placesOf(cluster, options)})`,
    { ...options, parameters },
  );
}

/**
 * Reads the coverage of all cases that were pushed, the latest of each, for the deployment that the address names.
 * Times of which logs may have been deleted for their age are left out.
 */
export async function readCoverages(
  cluster: Cluster,
  options: QueryOptions,
): Promise<readonly SourceCoverage[]> {
  const { database } = cluster.address;
  const rows = await cluster.query(
    `SELECT argMax(coverage, (actions, pushed)) FROM ${quotedName(database)}.coverages WHERE true${ofDeployment(cluster)}
     GROUP BY deployment, source ORDER BY deployment, source`,
    { ...options, parameters: deploymentParameters(cluster) },
  );
  const all = rows.flatMap(([text]) => v.parse(v.pipe(v.string(), v.parseJson(), shape), text));
  if (all.length === 0) return [];
  const keeping = await readKeeping(cluster, options);
  return all.map((coverage) => ({ ...coverage, covered: keptIntervals(coverage.covered, keeping) }));
}

const dayLength = 86_400_000;

function keptIntervals(
  covered: SourceCoverage['covered'],
  keeping: Awaited<ReturnType<typeof readKeeping>>,
): SourceCoverage['covered'] {
  if (keeping.keepDays === undefined) return covered;
  const oldest = Math.floor((keeping.now - keeping.keepDays * dayLength) / dayLength + 1) * dayLength;
  return covered
    .filter(({ newest }) => oldest <= newest)
    .map((interval) => ({ ...interval, oldest: Math.max(oldest, interval.oldest) }));
}
