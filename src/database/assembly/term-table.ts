/** Hash table of the terms, and their records. */

import { allocate } from './heap.ts';
import {
  fieldNumber,
  firstSlice,
  firstSliceBits,
  lastLog,
  lastPosition,
  logCount,
  occurrenceCount,
  sliceEnd,
  textAt,
  textLength,
  waitingLog,
  waitingPosition,
  writeAt,
} from './layout.ts';
import { writeWaiting } from './slices.ts';

export let table: i32 = 0;
export let tableMask: i32 = 0;
export let terms: i32 = 0;

/** Makes an empty table: the upper halves of its entries are hashes, the lower ones addresses of records. */
export function makeTable(slots: i32): void {
  table = allocate(slots * 8);
  tableMask = slots - 1;
  memory.fill(table, 0, slots * 8);
}

/** Doubles the table. The memory of the old one is not used again: all of them take as much as the last. */
function growTable(): void {
  const oldTable = table;
  const oldEnd = table + (tableMask + 1) * 8;
  makeTable((tableMask + 1) * 2);
  for (let at = oldTable; at < oldEnd; at += 8) {
    const entry = load<u64>(at);
    if (entry !== 0) store<u64>(freeSlot(<i32>(entry >>> 32)), entry);
  }
}

function freeSlot(hash: i32): i32 {
  let slot = hash & tableMask;
  while (load<u64>(table + slot * 8) !== 0) slot = (slot + 1) & tableMask;
  return table + slot * 8;
}

/** Returns the first bytes of a word, followed by zeros. */
export function firstBytes(word: u64, count: i32): u64 {
  return word & (((<u64>1) << (<u64>count * 8)) - 1);
}

/** Returns the record of a term, which is made if it is new. */
export function findTerm(field: i32, from: i32, length: i32, hash: u32): i32 {
  let slot = <i32>hash & tableMask;
  for (;;) {
    const entry = load<u64>(table + slot * 8);
    if (entry === 0) break;
    if (<u32>(entry >>> 32) === hash && isTerm(<i32>entry, field, from, length)) return <i32>entry;
    slot = (slot + 1) & tableMask;
  }
  if (terms * 3 > tableMask * 2) growTable();
  const record = makeRecord(field, from, length);
  store<u64>(freeSlot(<i32>hash), ((<u64>hash) << 32) | <u64>record);
  terms++;
  return record;
}

function isTerm(record: i32, field: i32, from: i32, length: i32): bool {
  if (load<i32>(record, textLength) !== length || <i32>load<u8>(record, fieldNumber) !== field) return false;
  let at = 0;
  for (; at + 8 <= length; at += 8) if (load<u64>(record + at, textAt) !== load<u64>(from + at)) return false;
  return at === length || load<u64>(record + at, textAt) === firstBytes(load<u64>(from + at), length - at);
}

function makeRecord(field: i32, from: i32, length: i32): i32 {
  const record = allocate(textAt + ((length + 7) & -8));
  store<i32>(record, length, textLength);
  store<i32>(record, field | ((firstSliceBits - 1) << 8), fieldNumber);
  store<u64>(record, 0, logCount);
  store<i32>(record, -1, lastLog);
  store<i32>(record, 0, writeAt);
  store<i32>(record, 0, sliceEnd);
  store<i32>(record, 0, firstSlice);
  let at = 0;
  for (; at + 8 <= length; at += 8) store<u64>(record + at, load<u64>(from + at), textAt);
  if (at < length) store<u64>(record + at, firstBytes(load<u64>(from + at), length - at), textAt);
  return record;
}

export function addOccurrence(record: i32, id: i32, position: i32): void {
  const last = load<i32>(record, lastLog);
  store<i32>(record, load<i32>(record, occurrenceCount) + 1, occurrenceCount);
  if (last === id) {
    writeWaiting(record, 1);
    store<i32>(record, -1, waitingLog);
    store<i32>(record, position - load<i32>(record, lastPosition) - 1, waitingPosition);
  } else {
    if (last !== -1) writeWaiting(record, 0);
    store<i32>(record, load<i32>(record, logCount) + 1, logCount);
    store<i32>(record, id - last - 1, waitingLog);
    store<i32>(record, id, lastLog);
    store<i32>(record, position, waitingPosition);
  }
  store<i32>(record, position, lastPosition);
}
