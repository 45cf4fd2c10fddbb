/// <reference lib="esnext.disposable" preserve="true" />

/**
 * Reads and checks queries, keeps logs in a case file, searches them, and exports
 * them from a deployment.
 *
 * The lists below are the whole interface. Questions such as patterns, changes and
 * services are in `logquarry/analysis`, all calls of a deployment in `logquarry/client`.
 * The parts that run in a browser are in `logquarry/language` and `logquarry/meaning`.
 *
 * @module logquarry
 */

// Case: search.
// Case: what it holds.
// Case: check it against its originals and its chain of hashes.
export type {
  Action,
  AddedFile,
  AddOptions,
  Deviation,
  DeviationCode,
  LogFile,
  PartProblem,
  ProblemCode,
  SqlPiece,
  StoredPart,
} from './case/index.ts';
export {
  type Addition,
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
  type EntryNote,
  entryNotes,
  type FindOptions,
  findActions,
  findBest,
  findLogs,
  findUnreadable,
  type IndexOptions,
  type IndexState,
  indexState,
  type Loss,
  lossesOf,
  type OpenOptions,
  openCase,
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
  type SqlResult,
  type StoredLog,
  type StreamOptions,
  streamLogs,
  summary,
  type TimeCount,
  type TimeSpan,
  timeSpan,
  type UnreadableInCase,
  type ValueCount,
  type Verification,
  type VerifyOptions,
  verifyCase,
  writeLogsToParquet,
  writeSqlToParquetInChild,
} from './case/index.ts';
// Export: all logs of a deployment into a case.
export {
  type Client,
  ClientError,
  type ClientOptions,
  type Credentials,
  openClient,
} from './client/index.ts';
export { StoreError, type StoreErrorCode } from './database/index.ts';
export {
  type Coverage,
  ExportError,
  type ExportErrorCode,
  type ExportOptions,
  type ExportOrder,
  type ExportPlan,
  type ExportProgress,
  type ExportResult,
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
  type WindowGap,
  type WindowsOptions,
  type WindowsProgress,
  type WindowsResult,
} from './export/index.ts';
// Queries: their text and tree, and the logs that they select.
export {
  applyFix,
  type DuckdbStatement,
  type Filter,
  type Finding,
  format,
  match,
  parse,
  print,
  type Query,
  quote,
  resolve,
  resolveScored,
  type Scored,
  toDuckdbStatement,
  validate,
} from './language/index.ts';
export { type Addresses, addressesOf, type ExportRequest, newestLogsRequest } from './protocol/index.ts';
// Case: open it and load logs.
// Case: SQL.
export type { JsonValue, Log, LogCursor, LogField, LogOrder } from './records/index.ts';
