/** Slices of growing length, to which each term writes its logs and positions, and from which they are read. */

import { allocate } from './heap.ts';
import {
  firstSlice,
  firstSliceBits,
  linkLength,
  longestSliceBits,
  sliceBits,
  sliceEnd,
  waitingLog,
  waitingPosition,
  writeAt,
} from './layout.ts';
import { putNumber } from './numbers.ts';

/** Writes the last log of a term unless it is written, and its last position. */
export function writeWaiting(record: i32, isFollowed: u32): void {
  const gap = load<i32>(record, waitingLog);
  if (gap !== -1) writeNumber(record, <u32>gap);
  writeNumber(record, load<u32>(record, waitingPosition) * 2 + isFollowed);
}

function writeNumber(record: i32, number: u32): void {
  const at = load<i32>(record, writeAt);
  if (at + 5 <= load<i32>(record, sliceEnd)) {
    store<i32>(record, putNumber(at, number), writeAt);
    return;
  }
  let rest = number;
  for (; rest > 0x7f; rest >>>= 7) writeByte(record, (rest & 0x7f) | 0x80);
  writeByte(record, rest);
}

function writeByte(record: i32, byte: u32): void {
  let at = load<i32>(record, writeAt);
  if (at === load<i32>(record, sliceEnd)) {
    const bits = min(longestSliceBits, <i32>load<u8>(record, sliceBits) + 1);
    const slice = allocate((1 << bits) + linkLength);
    store<i32>(at === 0 ? record + firstSlice : at, slice);
    store<u8>(record, <u8>bits, sliceBits);
    store<i32>(record, slice + (1 << bits), sliceEnd);
    at = slice;
  }
  store<u8>(at, <u8>byte);
  store<i32>(record, at + 1, writeAt);
}

/** Reading of the slices of a term. */
let readFrom: i32 = 0;
let readEnd: i32 = 0;
let readBits: i32 = 0;

export function startReading(record: i32): void {
  readFrom = load<i32>(record, firstSlice);
  readBits = firstSliceBits;
  readEnd = readFrom + (1 << readBits);
}

export function readByte(): u32 {
  if (readFrom === readEnd) {
    readFrom = load<i32>(readFrom);
    readBits = min(longestSliceBits, readBits + 1);
    readEnd = readFrom + (1 << readBits);
  }
  return <u32>load<u8>(readFrom++);
}

export function readNumber(): u32 {
  let byte = readByte();
  let number = byte & 0x7f;
  for (let shift: u32 = 7; byte >= 0x80; shift += 7) {
    byte = readByte();
    number |= (byte & 0x7f) << shift;
  }
  return number;
}
