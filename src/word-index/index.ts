export { bestScores, selectsLogs } from './best-scores.ts';
export {
  addColumnTest,
  afterCursorSql,
  bitParts,
  bitSql,
  type Condition,
  type FirstLogs,
  idListSql,
  idsSql,
  maxScattered,
  orderBySql,
  partIds,
  scannedIdsSql,
  selectIds,
  shiftPlaceholders,
  splitIds,
  startCondition,
  upToCursorSql,
  withCondition,
} from './log-conditions.ts';
export { type Bitmap, bitsFor } from './log-set.ts';
export { countByStart, countValues, countValuesByStart, firstIds, spanOf } from './log-values.ts';
export { lookUp } from './look-up.ts';
export {
  addTextSink,
  type CollectedSegment,
  collectSegments,
  findDifference,
  readTexts,
  tokensOf,
  usualThreads,
  writeSegment,
} from './make-segments.ts';
export { termsOfPattern } from './pattern.ts';
export { type Hits, planIndexUse, searchIndex } from './search-index.ts';
export { fieldNumber, type IdRange } from './segment-maker.ts';
export { readerOf, readSnapshot, type Snapshot } from './snapshot.ts';
export {
  dropIdIndex,
  dropSegmentsFrom,
  dropSegmentsOfParts,
  findUnlistedPages,
  idIndexName,
  isDamage,
  makeIdIndex,
  makePagesTable,
  readSegments,
  type Segment,
  segmentsTable,
  unlessDamaged,
} from './stored-segments.ts';
