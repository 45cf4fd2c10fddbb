/// <reference lib="esnext.disposable" preserve="true" />

/**
 * Reads and checks queries, keeps logs in a case file, searches them, and exports
 * them from a deployment.
 *
 * The lists below are the whole interface. All calls of a deployment are in
 * `logquarry/client`, and the parts that run in a browser in `logquarry/language`
 * and `logquarry/meaning`.
 *
 * @module logquarry
 */

// Analysis: questions over one or several cases.
export {
  type BestOfCasesOptions,
  type Bucket,
  bestOfCases,
  type ContextOfCasesOptions,
  type CursorInCases,
  contextOfCases,
  type Facets,
  facets,
  type Histogram,
  type HistogramOptions,
  histogram,
  type ListedInContext,
  type LogOfCase,
  mergeLogs,
  type RequestedInterval,
  type ScoredCursorInCases,
} from './analysis/index.ts';
// Client: a connection to a deployment.
export {
  type Client,
  ClientError,
  type ClientErrorCode,
  type ClientOptions,
  type Credentials,
  clientErrorCodes,
  deploymentTime,
  type NetworkOptions,
  openClient,
} from './client/index.ts';
// Export: all logs of a deployment into a case.
export {
  type Coverage,
  type CoverageState,
  type CoveredInterval,
  ExportError,
  type ExportErrorCode,
  type ExportOptions,
  type ExportOrder,
  type ExportPlan,
  type ExportProgress,
  type ExportResult,
  exportErrorCodes,
  exportWindows,
  openStart,
  orderSinceLast,
  planExport,
  type RequestSettings,
  readCoverage,
  resumeExport,
  resumeWindows,
  retryGaps,
  runExport,
  type SinceLast,
  type Window,
  type WindowGap,
  type WindowsOptions,
  type WindowsProgress,
  type WindowsResult,
} from './export/index.ts';
// Language: the text of a query and its tree.
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
export { type Addresses, addressesOf, type ExportRequest, newestLogsRequest } from './protocol/index.ts';
// Meaning: the logs that a query selects.
export {
  documentedSchema,
  type Field,
  type Filter,
  match,
  type Reading,
  resolve,
  resolveScored,
  type Schema,
  type Scored,
  validate,
} from './query.ts';
export type { Log, LogField } from './records/log.ts';
// Case: open it and load logs.
// Case: what it holds.
// Case: search.
// Case: the index of its words.
// Case: SQL.
// Case: check it against its originals and its chain of hashes.
export {
  type Access,
  type Action,
  type AddedFile,
  type Addition,
  type AddOptions,
  type AddProgress,
  addFile,
  addFiles,
  addLogs,
  type BestOptions,
  buildIndex,
  type Case,
  type CaseSummary,
  type ChainHead,
  chainHead,
  countBy,
  countByTime,
  countLogs,
  type Deviation,
  type DeviationCode,
  deviationCodes,
  type EntryNote,
  entryNotes,
  type FindOptions,
  findActions,
  findBest,
  findLogs,
  findUnreadable,
  type IndexOptions,
  type IndexProgress,
  type IndexState,
  indexState,
  type JsonValue,
  type Limits,
  type LogCursor,
  type LogFile,
  type LogOrder,
  type Loss,
  lossesOf,
  type OpenOptions,
  openCase,
  type PartProblem,
  type ProblemCode,
  problemCodes,
  type RemarkCount,
  type ResultPiece,
  readLog,
  readRaw,
  removeIndex,
  runSql,
  runSqlInChild,
  type ScoredCursor,
  type ScoredLog,
  type SqlColumn,
  type SqlInChildOptions,
  type SqlOptions,
  type SqlPiece,
  type SqlResult,
  type StoredJob,
  type StoredLog,
  type StoredPart,
  StoreError,
  type StoreErrorCode,
  type StreamOptions,
  storeErrorCodes,
  streamLogs,
  summary,
  type TimeCount,
  type TimeSpan,
  type ToFilter,
  timeSpan,
  type UnreadableInCase,
  type ValueCount,
  type Verification,
  type VerifyOptions,
  type VerifyProgress,
  verifyCase,
  type WrittenCase,
  writeLogsToParquet,
  writeSqlToParquetInChild,
} from './store/index.ts';
export { type DuckdbStatement, toDuckdbStatement } from './translate/duckdb-statement.ts';
