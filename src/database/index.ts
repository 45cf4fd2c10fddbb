export {
  type AtomicFile,
  beginAtomicFile,
  makeFolder,
  removeStaleFiles,
  syncFolder,
  temporaryBeside,
} from './atomic-file.ts';
export { blobBytes } from './blob-bytes.ts';
export { builtFile } from './built-file.ts';
export { chunksOf } from './chunks-of.ts';
export {
  type Access,
  type Database,
  inMemoryPath,
  type Memory,
  mostLookedUp,
  openDatabase,
  realPath,
  type Spill,
} from './database.ts';
export { diskFailureOf } from './disk-failure.ts';
export { isDriverError, toStoreError } from './driver-errors.ts';
export { type ColumnValue, insertRows } from './insert-rows.ts';
export { interruptOn } from './interrupt-on.ts';
export {
  memoryLimit,
  raiseMemoryLimit,
  reserveMemoryForLogs,
  retryWithMoreMemory,
  vectorSize,
  withLowMemory,
} from './memory-limit.ts';
export { runInOneThread } from './one-thread.ts';
export { startProgram } from './program.ts';
export { readNumberList } from './read-number-list.ts';
export { ChildEnded, LimitExceeded, runInChild } from './run-in-child.ts';
export { serveTask, type TaskContext } from './serve-task.ts';
export { type ShareText, textSharing } from './share-text.ts';
export { newSpillFolder, removeSpill, removeStaleSpill } from './spill-folder.ts';
export { messageOf, StoreError, type StoreErrorCode } from './store-error.ts';
export { beginTransactionOnce, streamRows } from './stream-rows.ts';
export { makeTemporaryFolder, temporaryPath } from './temporary-folder.ts';
export { readTextRows, streamTextRows, type TextRow, timestampText } from './text-rows.ts';
export { packageVersion } from './version.ts';
