export { ChildEnded, LimitExceeded, runInChild, serveTask, type TaskContext } from './child.ts';
export {
  type Access,
  type Database,
  inMemoryPath,
  interruptOn,
  isDriverError,
  type Memory,
  memoryLimit,
  mostLookedUp,
  newSpillFolder,
  openDatabase,
  raiseMemoryLimit,
  realPath,
  removeSpill,
  removeStaleSpill,
  reserveMemoryForLogs,
  retryWithMoreMemory,
  runInOneThread,
  type Spill,
  toStoreError,
  vectorSize,
  withLowMemory,
} from './database.ts';
export {
  type AtomicFile,
  beginAtomicFile,
  diskFailureOf,
  makeFolder,
  makeTemporaryFolder,
  removeStaleFiles,
  syncFolder,
  temporaryBeside,
  temporaryPath,
} from './files.ts';
export { builtFile, packageVersion } from './package.ts';
export { startProgram } from './program.ts';
export {
  beginTransactionOnce,
  blobBytes,
  type ColumnValue,
  chunksOf,
  insertRows,
  readNumberList,
  readTextRows,
  type ShareText,
  streamRows,
  streamTextRows,
  type TextRow,
  textSharing,
  timestampText,
} from './rows.ts';
export { messageOf, StoreError, type StoreErrorCode } from './store-error.ts';
