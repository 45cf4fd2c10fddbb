/** Writes the terms of a field as blocks of a dictionary, pages of blocks and a top level. */

import {
  blockHead,
  blockSection,
  blockTerms,
  fieldNumber,
  hexSuffix,
  lastLog,
  logCount,
  mostAdded,
  mostShared,
  occurrenceCount,
  pageBlocks,
  pageSection,
  positionSection,
  postingSection,
  sectionBytes,
  sectionCount,
  sectionEnd,
  sharedShift,
  textAt,
  textLength,
  topSection,
  waitingPosition,
  writeAt,
} from './layout.ts';
import { putNumber, putText } from './numbers.ts';
import { readNumber, startReading } from './slices.ts';
import { sorted } from './sort-terms.ts';
import { terms } from './term-table.ts';
import { setFirstId, writePostings } from './write-postings.ts';

/** Number of the next term to write. */
let next: i32 = 0;
/** The id that the segment begins with. */
let firstId: i32 = 0;

/** Sets the id that the segment begins with, before terms are written. */
export function beginAt(id: i32): void {
  firstId = id;
  setFirstId(id);
}

export function sectionAddress(section: i32): i32 {
  return load<i32>(blockSection + section * sectionBytes);
}
/** Returns the length of what was written of a section: of the blocks, those that are complete. */
export function sectionLength(section: i32): i32 {
  const written = section === 0 ? blockAt : load<i32>(blockSection + section * sectionBytes, sectionEnd);
  return written - load<i32>(blockSection + section * sectionBytes);
}

/** The current block: its start, the terms that it lacks, its first record, and the one before the next. */
let blockAt: i32 = 0;
let missing: i32 = 0;
let firstOfBlock: i32 = 0;
let before: i32 = 0;
/** Of the current field: the bytes of all sections that were taken, and its blocks in the current page. */
let takenBlocks: i32 = 0;
let takenPages: i32 = 0;
let takenPostings: i32 = 0;
let takenPositions: i32 = 0;
let blocksOfPage: i32 = 0;
let firstOfPage: i32 = 0;
let pageAt: i32 = 0;
let writtenField: i32 = -1;
/** Kinds of bytes in the terms of the current block and page, a bit each. */
let blockKinds: u32 = 0;
let pageKinds: u32 = 0;

/**
 * Writes terms of a field, until a section has `limit` bytes or all are written. Call it until it returns 0: then the
 * field is complete.
 */
export function writeTerms(field: i32, limit: i32): i32 {
  if (writtenField !== field) startField(field);
  else takeSections();
  while (next < terms && <i32>load<u8>(load<i32>(sorted + next * 16, 8), fieldNumber) === field) {
    if (missing === 0) startBlock();
    const record = load<i32>(sorted + next * 16, 8);
    next++;
    writeTerm(record);
    before = record;
    if (--missing === 0) endBlock();
    for (let section = 0; section < sectionCount; section++) if (limit <= sectionLength(section)) return 1;
  }
  if (0 < missing) {
    missing = 0;
    endBlock();
  }
  if (0 < blocksOfPage) endPage();
  return 0;
}

function startField(field: i32): void {
  writtenField = field;
  takenBlocks = takenPages = takenPostings = takenPositions = blocksOfPage = missing = 0;
  for (let section = 0; section < sectionCount; section++)
    store<i32>(
      blockSection + section * sectionBytes,
      load<i32>(blockSection + section * sectionBytes),
      sectionEnd,
    );
  blockAt = load<i32>(blockSection);
}

/** Makes room again for what the caller has taken; keeps the block that is not complete. */
function takeSections(): void {
  takenBlocks += sectionLength(0);
  takenPages += sectionLength(1);
  takenPostings += sectionLength(3);
  takenPositions += sectionLength(4);
  const kept = load<i32>(blockSection, sectionEnd) - blockAt;
  memory.copy(load<i32>(blockSection), blockAt, kept);
  blockAt = load<i32>(blockSection);
  store<i32>(blockSection, blockAt + kept, sectionEnd);
  for (let section = 1; section < sectionCount; section++)
    store<i32>(
      blockSection + section * sectionBytes,
      load<i32>(blockSection + section * sectionBytes),
      sectionEnd,
    );
}

function startBlock(): void {
  missing = blockTerms;
  firstOfBlock = load<i32>(sorted + next * 16, 8);
  before = 0;
  blockKinds = 0;
  let at = blockAt + blockHead;
  at = putNumber(at, takenPostings + sectionLength(3));
  store<i32>(blockSection, putNumber(at, takenPositions + sectionLength(4)), sectionEnd);
}

function endBlock(): void {
  const blockEnd = load<i32>(blockSection, sectionEnd);
  store<i32>(blockAt, blockEnd - blockAt - blockHead);
  if (blocksOfPage === 0) {
    firstOfPage = firstOfBlock;
    pageAt = takenPages + sectionLength(1);
    pageKinds = 0;
  }
  pageKinds |= blockKinds;
  const at = takenBlocks + blockAt - load<i32>(blockSection);
  writeFirst(pageSection, firstOfBlock, at, blockEnd - blockAt);
  putKinds(pageSection, blockKinds);
  blockAt = blockEnd;
  if (++blocksOfPage === pageBlocks) endPage();
}

function endPage(): void {
  writeFirst(topSection, firstOfPage, pageAt, takenPages + sectionLength(1) - pageAt);
  putKinds(topSection, pageKinds);
  blocksOfPage = 0;
}

/** Writes the first term of a block or page, and where that is. */
function writeFirst(section: i32, record: i32, from: i32, length: i32): void {
  let at = load<i32>(section, sectionEnd);
  at = putNumber(at, load<i32>(record, textLength));
  at = putText(at, record + textAt, load<i32>(record, textLength));
  at = putNumber(at, from);
  store<i32>(section, putNumber(at, length), sectionEnd);
}

function putKinds(section: i32, kinds: u32): void {
  const at = load<i32>(section, sectionEnd);
  store<u32>(at, kinds);
  store<i32>(section, at + 4, sectionEnd);
}

function writeTerm(record: i32): void {
  const shared = before === 0 ? 0 : sharedLength(record);
  let at = putSuffix(load<i32>(blockSection, sectionEnd), record, shared);
  const count = load<i32>(record, logCount);
  if (count === 1) at = putOnlyLog(at, record);
  else {
    const postingsAt = load<i32>(postingSection, sectionEnd);
    const positionsAt = load<i32>(positionSection, sectionEnd);
    writePostings(record);
    const repeats = load<i32>(record, occurrenceCount) - count;
    at = putNumber(at, (count << 2) | (repeats === 0 ? 1 : 3));
    if (repeats !== 0) at = putNumber(at, repeats);
    at = putNumber(at, load<i32>(postingSection, sectionEnd) - postingsAt);
    at = putNumber(at, load<i32>(positionSection, sectionEnd) - positionsAt);
  }
  store<i32>(blockSection, at, sectionEnd);
}

/** Writes what a term does not share with the one before; hexadecimal digits take half a byte each. */
function putSuffix(to: i32, record: i32, shared: i32): i32 {
  const length = load<i32>(record, textLength) - shared;
  const from = record + textAt + shared;
  const isHex = areHex(from, length);
  for (let index = from; index < from + length; index++) blockKinds |= kindOf(<i32>load<u8>(index));
  let at = to;
  const head = (isHex ? hexSuffix : 0) | (min(shared, mostShared) << sharedShift) | min(length, mostAdded);
  store<u8>(at++, <u8>head);
  if (mostShared <= shared) at = putNumber(at, shared - mostShared);
  if (mostAdded <= length) at = putNumber(at, length - mostAdded);
  if (!isHex) return putText(at, from, length);
  for (let index = 0; index < length; index += 2) {
    const low = index + 1 < length ? hexDigit(<i32>load<u8>(from + index + 1)) : 0;
    store<u8>(at++, <u8>((hexDigit(<i32>load<u8>(from + index)) << 4) | low));
  }
  return at;
}

function areHex(from: i32, length: i32): bool {
  for (let at = from; at < from + length; at++) if (hexDigit(<i32>load<u8>(at)) < 0) return false;
  return 1 < length;
}

/** Returns the bit of the kind of a byte: of a small letter its own, then digits, bytes of other characters, and the rest. */
function kindOf(byte: i32): u32 {
  if (0x61 <= byte && byte <= 0x7a) return 1 << (byte - 0x61);
  if (0x80 <= byte) return 1 << 27;
  return 0x30 <= byte && byte <= 0x39 ? 1 << 26 : 1 << 28;
}

/** Returns the value of a digit in lower case; -1 for any other character. */
function hexDigit(byte: i32): i32 {
  if (0x30 <= byte && byte <= 0x39) return byte - 0x30;
  return 0x61 <= byte && byte <= 0x66 ? byte - 0x57 : -1;
}

function sharedLength(record: i32): i32 {
  const limit = min(load<i32>(record, textLength), load<i32>(before, textLength));
  for (let at = 0; at < limit; at += 8) {
    const differing = load<u64>(record + at, textAt) ^ load<u64>(before + at, textAt);
    if (differing !== 0) return min(limit, at + <i32>(ctz(differing) >>> 3));
  }
  return limit;
}

/** Writes the log and the positions of a term that is in one log only. */
function putOnlyLog(to: i32, record: i32): i32 {
  let at = putNumber(to, (load<i32>(record, lastLog) - firstId) << 1);
  if (load<i32>(record, writeAt) === 0) return putNumber(at, load<u32>(record, waitingPosition) * 2);
  startReading(record);
  readNumber();
  for (let isFollowed = true; isFollowed; ) {
    const number = readNumber();
    isFollowed = (number & 1) === 1;
    at = putNumber(at, number);
  }
  return at;
}
