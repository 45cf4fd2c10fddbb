/**
 * Everything that a program can do with logs: read and check queries, run them,
 * keep logs in a case file, and export them from a deployment. The parts that
 * run in a browser are `logquarry/language` and `logquarry/meaning`.
 */
export * from './analysis/index.ts';
export * from './client/index.ts';
export * from './export/index.ts';
export {
  applyFix,
  type Finding,
  type Fix,
  format,
  type Parsed,
  parse,
  print,
  type Query,
  quote,
} from './language/index.ts';
export { type Addresses, addressesOf, type ExportRequest, everything } from './protocol/index.ts';
export {
  documentedSchema,
  type Field,
  type Filter,
  match,
  type Reading,
  resolve,
  type Schema,
  validate,
} from './query.ts';
export type { Log, LogField } from './records/log.ts';
export * from './store/index.ts';
export { type DuckdbCondition, toDuckdb } from './translate/duckdb.ts';
export { type DuckdbStatement, toDuckdbStatement } from './translate/duckdb-statement.ts';
