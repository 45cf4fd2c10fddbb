import { quotedName, type SchemaOptions, tablePlacement } from './schema.ts';

/**
 * Returns the statements that create a role for readers and one for writers of a database, each ready to run by an
 * administrator. A reader may read the logs and nothing else: no other table, no file, no address.
 *
 * ```ts
 * roleStatements('gis')[0]; // 'CREATE ROLE IF NOT EXISTS `gis_reader` SETTINGS max_execution_time = 60 MAX 3600, …'
 * ```
 */
export function roleStatements(database: string, options: SchemaOptions = {}): readonly string[] {
  const { onCluster } = tablePlacement(options);
  const [reader, writer] = [quotedName(`${database}_reader`), quotedName(`${database}_writer`)];
  const tables = `${quotedName(database)}.*`;
  const limits = 'max_execution_time = 60 MAX 3600, max_memory_usage = 4000000000 MAX 16000000000';
  return [
    `CREATE ROLE IF NOT EXISTS ${reader}${onCluster} SETTINGS ${limits}`,
    `GRANT${onCluster} SELECT ON ${tables} TO ${reader}`,
    ...(options.cluster === undefined ? [] : [`GRANT${onCluster} SELECT ON system.clusters TO ${reader}`]),
    `CREATE ROLE IF NOT EXISTS ${writer}${onCluster}`,
    `GRANT${onCluster} SELECT, INSERT, ALTER DELETE ON ${tables} TO ${writer}`,
  ];
}
