/** Sorts the terms of each field. */

import { fields, lastId } from './collect-words.ts';
import { allocate, heap } from './heap.ts';
import {
  blockSection,
  blockTerms,
  chunkBits,
  chunkIds,
  fieldNumber,
  logCount,
  occurrenceCount,
  pageSection,
  positionSection,
  postingSection,
  sectionEnd,
  textAt,
  textLength,
  topSection,
  writeAt,
} from './layout.ts';
import { writeWaiting } from './slices.ts';
import { table, tableMask, terms } from './term-table.ts';

/** Entries to sort: the first bytes of a term in the order of its text, and its record. */
export let sorted: i32 = 0;

/** Ends the collecting: sorts the terms, and makes room for what `writeTerms` writes at a time, `limit` bytes. */
export function sortTerms(limit: i32): void {
  const slicesEnd = heap;
  sorted = allocate(terms * 16 + 16);
  const places = allocate(fields * 4);
  memory.fill(places, 0, fields * 4);
  let longest = 0;
  let longestTerm = 0;
  let mostLogs = 0;
  const tableEnd = table + (tableMask + 1) * 8;
  for (let at = table; at < tableEnd; at += 8) {
    const record = load<i32>(at);
    if (record === 0) continue;
    if (load<i32>(record, writeAt) !== 0) writeWaiting(record, 0);
    const place = places + <i32>load<u8>(record, fieldNumber) * 4;
    store<i32>(place, load<i32>(place) + 1);
    longest = max(longest, load<i32>(record, occurrenceCount));
    mostLogs = max(mostLogs, load<i32>(record, logCount));
    longestTerm = max(longestTerm, load<i32>(record, textLength));
  }
  let from = 0;
  for (let field = 0; field < fields; field++) {
    const count = load<i32>(places + field * 4);
    store<i32>(places + field * 4, from);
    from += count;
  }
  for (let at = table; at < tableEnd; at += 8) {
    const record = load<i32>(at);
    if (record === 0) continue;
    const place = places + <i32>load<u8>(record, fieldNumber) * 4;
    const entry = sorted + load<i32>(place) * 16;
    store<i32>(place, load<i32>(place) + 1);
    store<u64>(entry, bswap(load<u64>(record, textAt)));
    store<i32>(entry, record, 8);
  }
  for (let field = 0; field < fields; field++) {
    const start = field === 0 ? 0 : load<i32>(places + field * 4 - 4);
    sortRange(sorted + start * 16, sorted + load<i32>(places + field * 4) * 16 - 16);
  }
  // Positions take no more than they did in slices. A log takes at most two bytes, the head of a chunk fourteen.
  const positionBytes = <i32>min<i64>(<i64>longest * 5, <i64>slicesEnd);
  const termBytes = (blockTerms + 1) * (longestTerm + 64);
  const postingBytes = 2 * mostLogs + 14 * min(mostLogs, (lastId >>> chunkBits) + 1) + chunkIds;
  makeSection(blockSection, limit + termBytes + positionBytes);
  makeSection(pageSection, limit + termBytes);
  makeSection(topSection, limit + termBytes);
  makeSection(postingSection, limit + postingBytes);
  makeSection(positionSection, limit + positionBytes + chunkIds);
}

function makeSection(section: i32, room: i32): void {
  const start = allocate(room);
  store<i32>(section, start);
  store<i32>(section, start, sectionEnd);
}

/** Sorts the entries between two addresses: quicksort with the middle as pivot, the smaller part first. */
function sortRange(from: i32, to: i32): void {
  while (from + 12 * 16 < to) {
    const middle = from + (((to - from) >>> 5) << 4);
    const key = load<u64>(middle);
    const record = load<i32>(middle, 8);
    let low = from;
    let high = to;
    while (low <= high) {
      while (isBefore(load<u64>(low), load<i32>(low, 8), key, record)) low += 16;
      while (isBefore(key, record, load<u64>(high), load<i32>(high, 8))) high -= 16;
      if (high < low) break;
      swap(low, high);
      low += 16;
      high -= 16;
    }
    if (high - from < to - low) {
      sortRange(from, high);
      from = low;
    } else {
      sortRange(low, to);
      to = high;
    }
  }
  for (let at = from + 16; at <= to; at += 16)
    for (let before = at; from < before; before -= 16) {
      const prior = before - 16;
      if (!isBefore(load<u64>(before), load<i32>(before, 8), load<u64>(prior), load<i32>(prior, 8))) break;
      swap(prior, before);
    }
}

function swap(first: i32, second: i32): void {
  const kept = v128.load(first);
  v128.store(first, v128.load(second));
  v128.store(second, kept);
}

function isBefore(firstKey: u64, first: i32, secondKey: u64, second: i32): bool {
  return firstKey === secondKey ? isTextBefore(first, second) : firstKey < secondKey;
}

/** Compares texts from their ninth byte on. */
function isTextBefore(first: i32, second: i32): bool {
  const length = load<i32>(first, textLength);
  const other = load<i32>(second, textLength);
  const shared = min(length, other);
  for (let at = 8; at < shared; at += 8) {
    const key = bswap(load<u64>(first + at, textAt));
    const otherKey = bswap(load<u64>(second + at, textAt));
    if (key !== otherKey) return key < otherKey;
  }
  return length < other;
}
