import type { Cluster, QueryOptions } from './connection.ts';
import { quotedName } from './schema.ts';

/** A file as a deployment has it. */
interface LoadedFile {
  readonly deployment: string;
  readonly sha256: string;
  readonly file: string;
  /** Zone of times without one; `UTC` is the default of a case. */
  readonly zone: string;
}

/** Reports if a cluster has all parts of a file. */
export async function hasFile(
  cluster: Cluster,
  { deployment, sha256, file, zone }: LoadedFile,
  options: QueryOptions = {},
): Promise<boolean> {
  const texts = { deployment, sha256, file, zone };
  const parameters = Object.entries(texts).map(
    ([name, value]) => ({ name, type: 'String', value: value.toWellFormed() }) as const,
  );
  const [row] = await cluster.query(
    `SELECT 0 < max(file_parts) AND max(file_parts) <= count() FROM ${quotedName(cluster.address.database)}.parts
     WHERE deployment = {deployment:String} AND file_sha256 = {sha256:String} AND file = {file:String}
       AND if(zone = '', 'UTC', zone) = {zone:String}`,
    { ...options, parameters },
  );
  return Number(row?.[0]) === 1;
}
