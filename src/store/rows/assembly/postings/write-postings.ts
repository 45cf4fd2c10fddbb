/** Writes the logs of a term as chunks, and its positions. */

import {
  chunkBits,
  chunkBytes,
  chunkIds,
  denseCount,
  fewLogs,
  logCount,
  logsAddress,
  lowsAddress,
  positionSection,
  postingSection,
  sectionEnd,
} from './layout.ts';
import { putNumber, putText } from './numbers.ts';
import { readByte, readNumber, startReading } from './slices.ts';

/** Kinds of the positions of a chunk: see `posting-chunks.ts`. */
const firstWords: i32 = 0;
const sameByte: i32 = 1;
const byteEach: i32 = 2;
const numbers: i32 = 3;

/** What `same` is for logs whose positions are not one byte, equal in all of them. */
const differing: i32 = -1;

/** The chunk before that of the first id of the segment. */
let chunkBeforeAll: i32 = -1;

/** Sets the id that the segment begins with. */
export function setFirstId(id: i32): void {
  chunkBeforeAll = (id >>> chunkBits) - 1;
}

/** Writes the chunks of a term and its positions. */
export function writePostings(record: i32): void {
  startReading(record);
  let id = -1;
  let chunk = -1;
  let chunkBefore = chunkBeforeAll;
  let count = 0;
  let to = load<i32>(positionSection, sectionEnd);
  let chunkPositions = to;
  let same = differing;
  for (let left = load<i32>(record, logCount); 0 < left; left--) {
    id += <i32>readNumber() + 1;
    if (id >>> chunkBits !== chunk && 0 < count) {
      to = writeChunk(chunk - chunkBefore - 1, count, chunkPositions, to, same);
      chunkBefore = chunk;
      count = 0;
      chunkPositions = to;
    }
    chunk = id >>> chunkBits;
    store<u16>(lowsAddress + count * 2, <u16>(id & (chunkIds - 1)));
    const logPositions = to;
    for (let isFollowed = true; isFollowed; ) {
      let byte = readByte();
      isFollowed = (byte & 1) === 1;
      for (; byte >= 0x80; byte = readByte()) store<u8>(to++, <u8>byte);
      store<u8>(to++, <u8>byte);
    }
    const only = to - logPositions === 1 ? <i32>load<u8>(logPositions) : differing;
    if (count === 0) same = only;
    else if (only !== same) same = differing;
    count++;
  }
  store<i32>(
    positionSection,
    writeChunk(chunk - chunkBefore - 1, count, chunkPositions, to, same),
    sectionEnd,
  );
}

/** Writes a chunk, given its positions and the byte that all of them are; returns the address after those to keep. */
function writeChunk(gap: i32, count: i32, positionsFrom: i32, positionsTo: i32, same: i32): i32 {
  let positionBytes = positionsTo - positionsFrom;
  let kind = positionBytes === count ? byteEach : numbers;
  if (same !== differing) {
    kind = same === 0 ? firstWords : sameByte;
    positionBytes = kind;
  }
  let at = load<i32>(postingSection, sectionEnd);
  at = putNumber(at, ((gap * fewLogs + min(count, fewLogs) - 1) << 2) | kind);
  if (fewLogs <= count) at = putNumber(at, count - fewLogs);
  let length = chunkBytes;
  if (denseCount <= count) writeBits(count);
  else {
    length = writeGaps(count);
    if (fewLogs <= count) at = putNumber(at, length);
  }
  if (kind === numbers) at = putNumber(at, positionBytes);
  store<i32>(postingSection, putText(at, logsAddress, length), sectionEnd);
  return positionsFrom + positionBytes;
}

function writeBits(count: i32): void {
  memory.fill(logsAddress, 0, chunkBytes);
  for (let index = 0; index < count; index++) {
    const low = <i32>load<u16>(lowsAddress + index * 2);
    const at = logsAddress + (low >>> 3);
    store<u8>(at, <u8>(<i32>load<u8>(at) | (0x80 >>> (low & 7))));
  }
}

function writeGaps(count: i32): i32 {
  let at = logsAddress;
  let prior = -1;
  for (let index = 0; index < count; index++) {
    const low = <i32>load<u16>(lowsAddress + index * 2);
    at = putNumber(at, low - prior - 1);
    prior = low;
  }
  return at - logsAddress;
}
