export { type Case, type OpenOptions, openCase, reopenCase, writeBetweenReads } from './case/case.ts';
export { compareCursors, type LogCursor, type LogOrder } from './case/log-order.ts';
export {
  problemCodes,
  type RemarkCount,
  type StoredPart,
} from './case/parts.ts';
export type { Action } from './chain/actions.ts';
export { type ChainHead, chainHead, findActions } from './contents/chain-head.ts';
export { type EntryNote, entryNotes, entryNotesOfJobs } from './contents/entry-notes.ts';
export { isNoLogFile, isZipOfParts, type Loss, lossesOf } from './contents/losses.ts';
export { digestPart, type PartDigests } from './contents/part-digests.ts';
export {
  type CaseSummary,
  filesWithLogs,
  findUnreadable,
  summary,
  type UnreadableInCase,
} from './contents/summary.ts';
export { StoreError, type StoreErrorCode, storeErrorCodes } from './database/store-error.ts';
export { exportedLogs, nearestTime } from './exports/exported-logs.ts';
export { findExports, type StoredExport, saveExport } from './exports/exports.ts';
export { findJobs, type StoredJob, saveJob } from './exports/jobs.ts';
export {
  type ExportChanges,
  findWindows,
  type StoredWindow,
  saveExportChanges,
  type WindowState,
} from './exports/windows.ts';
export { addLogs } from './loading/add-logs.ts';
export { addStoredLogs, addStoredParts } from './loading/add-stored-logs.ts';
export {
  type AddWindowOptions,
  addWindow,
  type ReadWindow,
} from './loading/add-window.ts';
export { addFile, addFiles } from './loading/files/add-files.ts';
export type { AddedFile, AddOptions, AddProgress } from './loading/files/add-options.ts';
export {
  addNote,
  changeNote,
  listNotes,
  type Note,
  removeNote,
} from './notes/notes.ts';
export { listSearches, removeSearch, type SavedSearch, saveSearch } from './notes/saved-searches.ts';
export { DamagedCopy } from './originals/damaged-copy.ts';
export { hashSource, type LogFile } from './originals/evidence.ts';
export { findCopy } from './originals/find-copy.ts';
export { readRaw } from './originals/raw.ts';
export { type ByteSource, readSource } from './originals/source.ts';
export { type Redaction, redactCase } from './redaction/redact-case.ts';
export { type CountedCell, countCells } from './reporting/count-cells.ts';
export {
  countFailures,
  countSources,
  type FailureCounts,
  type Listed,
  type SourceCounts,
} from './reporting/count-failures.ts';
export { sampleLogs } from './reporting/spread-sample.ts';
export {
  type BestOptions,
  findBest,
  type ScoredLog,
  streamBest,
} from './searching/best-logs.ts';
export { fieldSeparators, streamGroupBlocks } from './searching/blocks/group-blocks.ts';
export { streamNumberLists } from './searching/blocks/number-lists.ts';
export { countByTime, type TimeCount, type TimeSpan, timeSpan } from './searching/count-by-time.ts';
export { countEach, type FilterCount } from './searching/count-each.ts';
export { expandFuzzy } from './searching/expand-fuzzy.ts';
export {
  countBy,
  countLogs,
  findLogs,
  type StreamOptions,
  streamLogs,
  type ValueCount,
} from './searching/find-logs.ts';
export { logCursors } from './searching/log-cursors.ts';
export { type LogInContext, streamContext } from './searching/logs-in-context.ts';
export { writeLogsToParquet } from './searching/logs-to-parquet.ts';
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

export {
  type JsonValue,
  runSql,
  type SqlColumn,
  type SqlResult,
  writeSqlToParquet,
} from './sql/run-sql.ts';
export { runSqlInChild, writeSqlToParquetInChild } from './sql/sql-in-child.ts';
export type { SqlPiece } from './sql/sql-task.ts';
export {
  buildIndex,
  type IndexState,
  indexState,
  removeIndex,
} from './token-index/build.ts';
export { type Deviation, deviationCodes } from './verify/deviation.ts';
export { type Verification, type VerifyOptions, verifyCase } from './verify/verify.ts';
