export { addFile } from './add-file.ts';
export { type Addition, addFiles } from './add-files.ts';
export { addLogs } from './add-logs.ts';
export type { AddedFile, AddOptions, AddProgress } from './add-options.ts';
export {
  type AddWindowOptions,
  addWindow,
  type ReadWindow,
  type SettledWindow,
} from './add-window.ts';
export { type BestOptions, findBest, type ScoredLog, type ScoredPlace, streamBest } from './best-logs.ts';
export { type Case, type OpenOptions, openCase } from './case.ts';
export { countByTime, type TimeCount, type TimeSpan, timeSpan } from './count-by-time.ts';
export type { Access } from './database.ts';
export type { LogFile } from './evidence.ts';
export { type ExportedLogsOptions, exportedLogs } from './exported-logs.ts';
export { findExports, type StoredExport, saveExport } from './exports.ts';
export {
  countBy,
  countLogs,
  type FindOptions,
  findLogs,
  type StreamOptions,
  streamLogs,
  type ValueCount,
} from './find-logs.ts';
export { findJobs, type Job, saveJob } from './jobs.ts';
export type { Limits } from './limits.ts';
export { comparePlaces, type Order, type Place } from './log-order.ts';
export { type LogInContext, streamContext } from './logs-in-context.ts';
export { type WrittenCase, writeLogsToParquet } from './logs-to-parquet.ts';
export type { ToFilter } from './matches.ts';
export { type Part, type Problem, type ProblemCode, problemCodes, type RemarkCount } from './parts.ts';
export { readRaw } from './raw.ts';
export { readLog } from './read-log.ts';
export { relevanceStatistics } from './relevance-statistics.ts';
export {
  type JsonValue,
  runSql,
  type SqlColumn,
  type SqlOptions,
  type SqlResult,
  writeSqlToParquet,
} from './run-sql.ts';
export { StoreError, type StoreErrorCode, storeErrorCodes } from './store-error.ts';
export type { StoredLog } from './stored-log.ts';
export { type CaseSummary, findUnreadable, summary, type UnreadableInCase } from './summary.ts';
export {
  buildIndex,
  type IndexOptions,
  type IndexProgress,
  type IndexState,
  indexState,
  removeIndex,
} from './token-index/build.ts';
export { type Deviation, type DeviationCode, deviationCodes } from './verify/deviation.ts';
export { type Verification, type VerifyOptions, type VerifyProgress, verifyCase } from './verify/verify.ts';
export {
  type ExportChanges,
  findWindows,
  type StoredWindow,
  saveWindows,
  type WindowState,
  windowStates,
} from './windows.ts';
