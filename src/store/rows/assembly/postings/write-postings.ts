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

/** Writes the chunks of a term and its positions. */
export function writePostings(record: i32): void {
  startReading(record);
  let id = -1;
  let chunk = -1;
  let chunkBefore = -1;
  let count = 0;
  let to = load<i32>(positionSection, sectionEnd);
  let chunkPositions = to;
  let isPlain = true;
  for (let left = load<i32>(record, logCount); 0 < left; left--) {
    id += <i32>readNumber() + 1;
    if (id >>> chunkBits !== chunk && 0 < count) {
      if (isPlain) to = chunkPositions;
      writeChunk(chunk - chunkBefore - 1, count, to - chunkPositions);
      chunkBefore = chunk;
      count = 0;
      chunkPositions = to;
      isPlain = true;
    }
    chunk = id >>> chunkBits;
    store<u16>(lowsAddress + count * 2, <u16>(id & (chunkIds - 1)));
    count++;
    for (let isFollowed = true; isFollowed; ) {
      let byte = readByte();
      isFollowed = (byte & 1) === 1;
      for (; byte >= 0x80; byte = readByte()) store<u8>(to++, <u8>byte);
      store<u8>(to++, <u8>byte);
      if (byte !== 0) isPlain = false;
    }
  }
  if (isPlain) to = chunkPositions;
  writeChunk(chunk - chunkBefore - 1, count, to - chunkPositions);
  store<i32>(positionSection, to, sectionEnd);
}

function writeChunk(gap: i32, count: i32, positionBytes: i32): void {
  let at = load<i32>(postingSection, sectionEnd);
  const positions = positionBytes === 0 ? 0 : positionBytes === count ? 1 : 2;
  at = putNumber(at, gap);
  at = putNumber(at, count * 3 + positions);
  let length = chunkBytes;
  if (denseCount <= count) writeBits(count);
  else {
    length = writeGaps(count);
    if (fewLogs <= count) at = putNumber(at, length);
  }
  if (positions === 2) at = putNumber(at, positionBytes);
  store<i32>(postingSection, putText(at, logsAddress, length), sectionEnd);
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
