export { type ByteRange, TermReader } from './dictionary.ts';
export { dropIdIndex, idIndexName, makeIdIndex } from './id-index.ts';
export { type CollectedSegment, collectSegments, readTexts } from './index-logs.ts';
export { fieldNumber } from './indexed-fields.ts';
export { joinRanges } from './joined-ranges.ts';
export { type ChunkLengths, readLengths } from './lengths.ts';
export {
  type AskedRange,
  type FoundTerm,
  type IndexReader,
  lookUp,
  positionsRange,
  readPostingsOf,
  type SegmentTerms,
  scanTerms,
} from './look-up.ts';
export { PageCache } from './page-cache.ts';
export {
  asNumbers,
  chunkBits,
  chunkBytes,
  chunkIds,
  chunkOf,
  countBits,
  denseCount,
  fewLogs,
  kindBits,
  kindMask,
  lowsOf,
  lowsOfBits,
  type PostingChunk,
  positionsOf,
  readPostings,
  skipPositions,
} from './posting-chunks.ts';
export { usualThreads } from './segment-threads.ts';
export {
  dropSegmentsFrom,
  dropSegmentsOfParts,
  findUnlistedPages,
  isDamage,
  makePagesTable,
  readSegments,
  type Segment,
  segmentsTable,
  unlessDamaged,
} from './stored-segments.ts';
export type { IdRange } from './text-blocks.ts';
export { addTextSink } from './text-sink.ts';
export { logsInSequence } from './word-sequence.ts';
export { findDifference, tokensOf, writeSegment } from './write-segment.ts';
