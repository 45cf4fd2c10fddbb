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
const samePosition: i32 = 1;
const halfBytes: i32 = 2;
const numbers: i32 = 3;

/** Value of `same` and `most` for logs whose positions take several bytes. */
const severalBytes: i32 = 0x100;
/** Value of `same` for logs with different positions of one byte. */
const differing: i32 = -1;
/** The least doubled position that takes more than half a byte. */
const longPosition: i32 = 32;

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
  let most = 0;
  for (let left = load<i32>(record, logCount); 0 < left; left--) {
    id += <i32>readNumber() + 1;
    if (id >>> chunkBits !== chunk && 0 < count) {
      to = endChunk(chunk - chunkBefore - 1, count, chunkPositions, to, same, most);
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
    const only = to - logPositions === 1 ? <i32>load<u8>(logPositions) : severalBytes;
    same = count === 0 || only === same ? only : differing;
    most = count === 0 ? only : max(most, only);
    count++;
  }
  endChunk(chunk - chunkBefore - 1, count, chunkPositions, to, same, most);
}

/** Writes a chunk whose positions are between two addresses; returns the address after those that are kept. */
function endChunk(gap: i32, count: i32, from: i32, to: i32, same: i32, most: i32): i32 {
  const kind = kindOf(same, most);
  const end = packPositions(kind, count, from, to);
  writeChunk(gap, count, kind, end - from);
  store<i32>(positionSection, end, sectionEnd);
  return end;
}

function kindOf(same: i32, most: i32): i32 {
  if (same === 0) return firstWords;
  if (same !== differing && same !== severalBytes) return samePosition;
  return most < longPosition ? halfBytes : numbers;
}

/** Packs the positions of a chunk as their kind says, in place; returns the address after them. */
function packPositions(kind: i32, count: i32, from: i32, to: i32): i32 {
  if (kind < halfBytes) return from + kind;
  if (kind === numbers) return to;
  for (let index = 0; index < count; index += 2) {
    const low = index + 1 < count ? <i32>load<u8>(from + index + 1) >>> 1 : 0;
    store<u8>(from + (index >>> 1), <u8>(((<i32>load<u8>(from + index)) << 3) | low));
  }
  return from + ((count + 1) >>> 1);
}

function writeChunk(gap: i32, count: i32, kind: i32, positionBytes: i32): void {
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
