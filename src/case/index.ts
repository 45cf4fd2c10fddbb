export { type ChainHead, chainHead, findActions } from './contents/chain-head.ts';
export { type CountedCell, countCells } from './contents/count-cells.ts';
export {
  countFailures,
  countSources,
  type FailureCounts,
  type Listed,
  type SourceCounts,
} from './contents/count-failures.ts';
export { type EntryNote, entryNotes, entryNotesOfJobs } from './contents/entry-notes.ts';
export { exportedLogs, nearestTime } from './contents/exported-logs.ts';
export { findExports, type StoredExport } from './contents/exports.ts';
export { findJobs, type StoredJob, saveJob } from './contents/jobs.ts';
export { isNoLogFile, isZipOfParts, type Loss, lossesOf } from './contents/losses.ts';
export { addNote, changeNote, listNotes, type Note, removeNote } from './contents/notes.ts';
export { digestPart, type PartDigests } from './contents/part-digests.ts';
export { listSearches, removeSearch, type SavedSearch, saveSearch } from './contents/saved-searches.ts';
export { sampleLogs } from './contents/spread-sample.ts';
export {
  type CaseSummary,
  filesWithLogs,
  findUnreadable,
  summary,
  type UnreadableInCase,
} from './contents/summary.ts';
export {
  type ExportChanges,
  findWindows,
  type StoredWindow,
  saveExportChanges,
  type WindowState,
} from './contents/windows.ts';
export { type Case, type OpenOptions, openCase, reopenCase, writeBetweenReads } from './file/case.ts';
export type { Action } from './file/chain.ts';
export { compareCursors, type LogCursor, type LogOrder } from './file/log-order.ts';
export {
  type PartProblem,
  type ProblemCode,
  problemCodes,
  type RemarkCount,
  type StoredPart,
} from './file/parts.ts';
export { buildIndex, type IndexOptions, type IndexState, indexState, removeIndex } from './index/build.ts';
export {
  type AddedFile,
  type Addition,
  type AddOptions,
  type AddProgress,
  addFile,
  addFiles,
} from './loading/add-files.ts';
export { addLogs, addStoredLogs, addStoredParts, keepNewestLogs } from './loading/add-logs.ts';
export { addWindow, type ReadWindow } from './loading/add-window.ts';
export { findCopy, hashSource, type LogFile } from './originals/evidence.ts';
export { readRaw } from './originals/raw.ts';
export { type ByteSource, DamagedCopy, readSource } from './originals/source.ts';
export { type Redaction, redactCase } from './redact-case.ts';
export {
  type BestOptions,
  findBest,
  type ScoredCursor,
  type ScoredLog,
  streamBest,
} from './searching/best-logs.ts';
export { countByTime, type TimeCount, type TimeSpan, timeSpan } from './searching/count-by-time.ts';
export { countEach, type FilterCount } from './searching/count-each.ts';
export { expandFuzzy } from './searching/expand-fuzzy.ts';
export {
  countBy,
  countLogs,
  type FindOptions,
  findLogs,
  type StreamOptions,
  streamLogs,
  type ValueCount,
} from './searching/find-logs.ts';
export { fieldSeparators, streamGroupBlocks } from './searching/group-blocks.ts';
export { logCursors } from './searching/log-cursors.ts';
export { type LogInContext, streamContext } from './searching/logs-in-context.ts';
export { writeLogsToParquet } from './searching/logs-to-parquet.ts';
export { streamNumberLists } from './searching/number-lists.ts';
export { type IdentifiedPart, identifyParts, writePartRows } from './searching/part-rows.ts';
export { readEvents } from './searching/read-events.ts';
export { relevanceStatistics } from './searching/relevance-statistics.ts';
export {
  type Arrivals,
  countArrivals,
  countErrors,
  type ErrorCount,
  type RequestSpan,
  slowestRequests,
  slowestTimings,
  type TimedRequest,
} from './searching/request-lists.ts';
export { type TimingKey, timingIntervals } from './searching/request-timings.ts';
export { countSevereBy, type SevereValue, type TimedLog } from './searching/severe-values.ts';
export { countBySourceSlot, type SourceSlot } from './searching/source-slots.ts';
export { readLog, type StoredLog } from './searching/stored-log.ts';
export { groupTimings, type TimingGroup } from './searching/timing-groups.ts';
export { runSql, type SqlColumn, type SqlOptions, type SqlResult } from './sql/run-sql.ts';
export { runSqlInChild, type SqlInChildOptions, writeSqlToParquetInChild } from './sql/sql-in-child.ts';
export type { SqlPiece } from './sql/sql-task.ts';
export type { Deviation, DeviationCode } from './verify/recorded-parts.ts';
export { type Verification, type VerifyOptions, verifyCase } from './verify/verify.ts';
