export { type AddedFile, type AddOptions, type AddProgress, addFile } from './add-file.ts';
export { addLogs } from './add-logs.ts';
export {
  type AddWindowOptions,
  addWindow,
  type ReadWindow,
  type SettledWindow,
} from './add-window.ts';
export { type Case, type OpenOptions, openCase } from './case.ts';
export type { Access } from './database.ts';
export type { LogFile } from './evidence.ts';
export { type ExportedLogsOptions, exportedLogs } from './exported-logs.ts';
export { findExports, type StoredExport, saveExport } from './exports.ts';
export {
  countBy,
  countLogs,
  type FindOptions,
  findLogs,
  type Order,
  streamLogs,
  type ValueCount,
} from './find-logs.ts';
export { findJobs, type Job, saveJob } from './jobs.ts';
export type { Limits } from './limits.ts';
export { type Part, type Problem, type ProblemCode, problemCodes, type RemarkCount } from './parts.ts';
export { readRaw } from './raw.ts';
export { readLog } from './read-log.ts';
export { type JsonValue, runSql, type SqlColumn, type SqlOptions, type SqlResult } from './run-sql.ts';
export { StoreError, type StoreErrorCode } from './store-error.ts';
export type { StoredLog } from './stored-log.ts';
export { type CaseSummary, findUnreadable, summary, type UnreadableInCase } from './summary.ts';
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
