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

// Export: all logs of a deployment into a case.
export {
  type Client,
  ClientError,
  type ClientOptions,
  type Credentials,
  openClient,
} from './client/index.ts';
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
export { applyFix, type Finding, format, parse, print, type Query, quote } from './language/index.ts';
export { type Addresses, addressesOf, type ExportRequest, newestLogsRequest } from './protocol/index.ts';
export { type Filter, match, resolve, resolveScored, type Scored, validate } from './query.ts';
// Case: open it and load logs.
export type { Log, LogField } from './records/log.ts';
export { type Case, type OpenOptions, openCase } from './store/case/case.ts';
// Case: search.
export type { LogCursor, LogOrder } from './store/case/log-order.ts';
export type { PartProblem, ProblemCode, StoredPart } from './store/case/parts.ts';
// Case: what it holds.
export type { Action } from './store/chain/actions.ts';
export { type ChainHead, chainHead, findActions } from './store/contents/chain-head.ts';
export { type EntryNote, entryNotes } from './store/contents/entry-notes.ts';
export { type Loss, lossesOf } from './store/contents/losses.ts';
export {
  type CaseSummary,
  findUnreadable,
  summary,
  type UnreadableInCase,
} from './store/contents/summary.ts';
export { StoreError, type StoreErrorCode } from './store/database/store-error.ts';
export { addLogs } from './store/loading/add-logs.ts';
export { type Addition, addFile, addFiles } from './store/loading/files/add-files.ts';
export type { AddedFile, AddOptions } from './store/loading/files/add-options.ts';
export type { LogFile } from './store/originals/evidence.ts';
export { readRaw } from './store/originals/raw.ts';
export {
  type BestOptions,
  findBest,
  type ScoredCursor,
  type ScoredLog,
} from './store/searching/best-logs.ts';
export { countByTime, type TimeCount, type TimeSpan, timeSpan } from './store/searching/count-by-time.ts';
export {
  countBy,
  countLogs,
  type FindOptions,
  findLogs,
  type StreamOptions,
  streamLogs,
  type ValueCount,
} from './store/searching/find-logs.ts';
export { writeLogsToParquet } from './store/searching/logs-to-parquet.ts';
export { readLog, type StoredLog } from './store/searching/stored-log.ts';
// Case: SQL.
export {
  type JsonValue,
  runSql,
  type SqlColumn,
  type SqlOptions,
  type SqlResult,
} from './store/sql/run-sql.ts';
export { runSqlInChild, type SqlInChildOptions, writeSqlToParquetInChild } from './store/sql/sql-in-child.ts';
export type { SqlPiece } from './store/sql/sql-task.ts';
export {
  buildIndex,
  type IndexOptions,
  type IndexState,
  indexState,
  removeIndex,
} from './store/token-index/build.ts';
// Case: check it against its originals and its chain of hashes.
export type { Deviation, DeviationCode } from './store/verify/deviation.ts';
export { type Verification, type VerifyOptions, verifyCase } from './store/verify/verify.ts';
export { type DuckdbStatement, toDuckdbStatement } from './translate/duckdb-statement.ts';
