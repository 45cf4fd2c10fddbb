export { describeRequests, exportedOnly } from './contents/case-filter.ts';
export {
  type ExportChanges,
  findExports,
  findJobs,
  findWindows,
  type StoredExport,
  type StoredJob,
  type StoredWindow,
  saveExportChanges,
  saveJob,
  type WindowState,
} from './contents/exports.ts';
export {
  addNote,
  changeNote,
  listNotes,
  listSearches,
  type Note,
  removeNote,
  removeSearch,
  type SavedSearch,
  saveSearch,
} from './contents/notes.ts';
export {
  digestPart,
  type IdentifiedPart,
  identifyParts,
  type PartDigests,
  writePartRows,
} from './contents/part-rows.ts';
export {
  type CaseSummary,
  type ChainHead,
  chainHead,
  type EntryNote,
  entryNotes,
  entryNotesOfJobs,
  filesWithLogs,
  findActions,
  findUnreadable,
  isNoLogFile,
  isZipOfParts,
  type Loss,
  lossesOf,
  summary,
  type UnreadableInCase,
} from './contents/summary.ts';
export { type Case, type OpenOptions, openCase, reopenCase, writeBetweenReads } from './file/case.ts';
export { openCaseSet, timesOfCase } from './file/case-set.ts';
export type { Action } from './file/chain.ts';
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
  addFile,
  addFiles,
} from './loading/add-files.ts';
export { addLogs, addStoredLogs, addStoredParts, deleteLogs, keepNewestLogs } from './loading/add-logs.ts';
export { addWindow, type ReadWindow } from './loading/add-window.ts';
export type { HandOverFacts } from './loading/hand-over-entries.ts';
export {
  type ImportProgress,
  type ImportResult,
  importFiles,
  type NamedOverlap,
  overlapsOf,
} from './loading/import-files.ts';
export {
  type Contents,
  type CopyOptions,
  expandFuzzyOf,
  type LogSource,
  type SourceCoverage,
  sourceOf,
  type UnprovedOfExport,
} from './log-source.ts';
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
export {
  type CountedCell,
  countBySourceSlot,
  countByTime,
  countCells,
  countEach,
  countFailures,
  countSources,
  type FailureCounts,
  type FilterCount,
  type Listed,
  type SevereValue,
  type SourceCounts,
  type SourceSlot,
  type TimeCount,
  type TimedLog,
  type TimeSpan,
  timeSpan,
} from './searching/count-logs.ts';
export {
  addedLogs,
  countBy,
  countLevels,
  countLogs,
  exportedLogs,
  type FindOptions,
  findLogs,
  nearestTime,
  type StreamOptions,
  sampleLogs,
  streamLogs,
  timesAround,
  type ValueCount,
  writeLogsToParquet,
} from './searching/find-logs.ts';
export type { ContextOptions, LogInContext } from './searching/logs-in-context.ts';
export {
  type Arrivals,
  countArrivals,
  countErrors,
  type ErrorCount,
  groupTimings,
  type RequestPart,
  type RequestSpan,
  requestParts,
  slowestRequests,
  slowestTimings,
  type TimedRequest,
  type TimingGroup,
  type TimingKey,
  timingIntervals,
} from './searching/request-timings.ts';
export { type PartSample, partSamples, readLog, type StoredLog } from './searching/stored-log.ts';
export {
  fieldSeparators,
  readEvents,
  streamGroupBlocks,
  streamNumberLists,
} from './searching/stream-groups.ts';
export { runSql, type SqlColumn, type SqlOptions, type SqlResult } from './sql/run-sql.ts';
export type { SqlPiece } from './sql/sql-in-child.ts';
export { runSqlInChild, type SqlInChildOptions, writeSqlToParquetInChild } from './sql/sql-in-child.ts';
export type { LaterActions } from './verify/later-actions.ts';
export type { Deviation, DeviationCode } from './verify/recorded-parts.ts';
export { type Verification, type VerifyOptions, verifyCase } from './verify/verify.ts';
