/**
 * Finds the logs of one chunk of postings that have some words in sequence. `posting-chunks.ts` says what a chunk and
 * its positions are. AssemblyScript, compiled to WebAssembly: most time goes into skipping the positions of other logs,
 * here sixteen bytes at a time. Only `phrase-program.ts` of the segments calls it.
 */

import { chunkBytes, chunkIds, denseCount } from './layout.ts';

/** Row of a word: addresses and lengths of its logs and positions. */
const logCount: i32 = 0;
const logsFrom: i32 = 4;
const logsTo: i32 = 8;
const positionsFrom: i32 = 12;
const positionsTo: i32 = 16;
/** Number of words before it in the phrase. */
const offsetInPhrase: i32 = 20;
const rowLength: i32 = 24;

/** Result: a bit for each log of the chunk. */
const resultAddress: i32 = 1024;
/** Logs with all words, likewise, in the order of `loadBits`. */
const commonAddress: i32 = resultAddress + chunkBytes;
const rowsAddress: i32 = commonAddress + chunkBytes;

const setBytes: i32 = 8;
const highest: u64 = 0x8000000000000000;
/** Bytes after the input that a vector may reach into. */
const margin: i32 = 16;

let words: i32 = 0;
let bitsAddress: i32 = 0;
let startsAddress: i32 = 0;

/** Makes room for the rows of some words and for bytes of input; returns the address of the input. */
export function layOut(count: i32, inputLength: i32): i32 {
  words = count;
  bitsAddress = (rowsAddress + count * rowLength + 15) & -16;
  const inputAddress = bitsAddress + count * chunkBytes;
  startsAddress = (inputAddress + inputLength + margin + 7) & -8;
  reserve(startsAddress);
  return inputAddress;
}

function reserve(end: i32): void {
  const pages = (end + 0xffff) >>> 16;
  if (memory.size() < pages && memory.grow(pages - memory.size()) < 0) unreachable();
}

export function rowsAt(): i32 {
  return rowsAddress;
}

export function resultAt(): i32 {
  return resultAddress;
}

/** Starts of the phrase, in a list of pairs of a log and a position, which `noLog` ends. */
const startLength: i32 = 8;
const startPosition: i32 = 4;
const noLog: i32 = -1;

/** Marks the logs in sequence; returns the number of places, or -1 if the bytes of a word end early. */
export function markSequences(): i32 {
  if (!loadAllBits()) return -1;
  if (!hasCommon()) return 0;
  const mostStarts = load<i32>(rowsAddress, positionsTo) - load<i32>(rowsAddress, positionsFrom);
  reserve(startsAddress + (mostStarts + 1) * startLength);
  let starts = 0;
  for (let word = 0; word < words; word++) {
    starts = keepStarts(word);
    if (starts <= 0) return starts;
    store<i32>(startsAddress + starts * startLength, noLog);
  }
  loadBits(commonAddress, resultAddress);
  return starts;
}

function loadAllBits(): bool {
  memory.fill(commonAddress, 0xff, chunkBytes);
  for (let word = 0; word < words; word++) {
    const row = rowsAddress + word * rowLength;
    const bits = bitsAddress + word * chunkBytes;
    if (denseCount <= load<i32>(row, logCount)) loadBits(load<i32>(row, logsFrom), bits);
    else if (!loadGaps(row, bits)) return false;
    for (let at = 0; at < chunkBytes; at += 16)
      v128.store(commonAddress + at, v128.and(v128.load(commonAddress + at), v128.load(bits + at)));
  }
  return true;
}

/** Turns bits into numbers of 64 bits whose highest one is the first log. */
function loadBits(from: i32, to: i32): void {
  for (let at = 0; at < chunkBytes; at += 16) {
    const bytes = v128.load(from + at);
    v128.store(to + at, v128.shuffle<u8>(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  }
}

function loadGaps(row: i32, to: i32): bool {
  memory.fill(to, 0, chunkBytes);
  at = load<i32>(row, logsFrom);
  const last = load<i32>(row, logsTo);
  let low = -1;
  for (let left = load<i32>(row, logCount); 0 < left; left--) {
    low += <i32>readNumber() + 1;
    if (chunkIds <= low || last < at) return false;
    const set = to + (low >>> 6) * setBytes;
    store<u64>(set, load<u64>(set) | (highest >>> (low & 63)));
  }
  return true;
}

function hasCommon(): bool {
  let all = v128.load(commonAddress);
  for (let at = 16; at < chunkBytes; at += 16) all = v128.or(all, v128.load(commonAddress + at));
  return v128.any_true(all);
}

/**
 * Keeps the starts that a word agrees with, and the logs with one, in place; the first word lists them. Returns the
 * number of starts, or -1 if the positions end early.
 */
function keepStarts(word: i32): i32 {
  const row = rowsAddress + word * rowLength;
  const end = load<i32>(row, positionsTo);
  const offset = load<i32>(row, offsetInPhrase);
  const bits = bitsAddress + word * chunkBytes;
  let from = load<i32>(row, positionsFrom);
  let logsBefore = 0;
  let logsPassed = 0;
  next = startsAddress;
  kept = startsAddress;
  for (let set = 0; set < chunkBytes; set += setBytes) {
    const own = load<u64>(bits + set);
    const common = load<u64>(commonAddress + set);
    let left = common;
    for (let rest = common; rest !== 0; ) {
      const lead = clz(rest);
      const bit = highest >>> lead;
      const log = set * 8 + <i32>lead;
      const logs = logsBefore + <i32>popcnt(own & ~(u64.MAX_VALUE >>> lead));
      from = afterLogs(from, end, logs - logsPassed);
      if (end <= from) return -1;
      logsPassed = logs + 1;
      rest ^= bit;
      const before = kept;
      const byte = <i32>load<u8>(from);
      const isSingle = (byte & 0x81) === 0;
      if (isSingle && word === 0) {
        from++;
        addStart(log, (byte >>> 1) - offset);
      } else if (isSingle && load<i32>(next, startLength) !== log) {
        from++;
        const start = load<i32>(next, startPosition);
        next += startLength;
        if (byte >>> 1 === start + offset) keep(log, start);
      } else {
        at = from;
        if (word === 0) addAll(log, offset, end);
        else compareAll(log, offset, end);
        from = at;
      }
      if (kept === before) left ^= bit;
    }
    store<u64>(commonAddress + set, left);
    logsBefore += <i32>popcnt(own);
  }
  return (kept - startsAddress) / startLength;
}

// The list of starts while it is read and written.
let next: i32 = 0;
let kept: i32 = 0;

function keep(log: i32, position: i32): void {
  store<i32>(kept, log);
  store<i32>(kept, position, startPosition);
  kept += startLength;
}

/** Lists a start, unless the text begins after it. */
function addStart(log: i32, position: i32): void {
  if (0 <= position) keep(log, position);
}

/** Where positions are read. */
let at: i32 = 0;

/** Lists a start for each position of a log. */
function addAll(log: i32, offset: i32, end: i32): void {
  let position = -1;
  for (let isFollowed = true; isFollowed && at < end; ) {
    const number = readNumber();
    position += 1 + <i32>(number >>> 1);
    isFollowed = (number & 1) === 1;
    addStart(log, position - offset);
  }
}

/** Keeps the starts of a log that are before one of its positions. */
function compareAll(log: i32, offset: i32, end: i32): void {
  let position = -1;
  let isFollowed = true;
  for (; load<i32>(next) === log; next += startLength) {
    const start = load<i32>(next, startPosition);
    while (isFollowed && position < start + offset && at < end) {
      const number = readNumber();
      position += 1 + <i32>(number >>> 1);
      isFollowed = (number & 1) === 1;
    }
    if (position === start + offset) keep(log, start);
  }
  while (isFollowed && at < end) isFollowed = (readNumber() & 1) === 1;
}

/** Skips the positions of some logs. A number of one byte that is even is the last one of its log. */
function afterLogs(start: i32, end: i32, count: i32): i32 {
  let from = start;
  for (let left = count; 0 < left && from < end; ) {
    const bytes = v128.load(from);
    const notLast = i8x16.bitmask(v128.or(bytes, i8x16.shl(bytes, 7)));
    if (notLast === 0) {
      const logs = min(left, 16);
      from += logs;
      left -= logs;
    } else if (i8x16.bitmask(bytes) !== 0) {
      at = from;
      while (at < end && (readNumber() & 1) === 1);
      from = at;
      left--;
    } else {
      let lasts = ~notLast & 0xffff;
      const logs = <i32>popcnt(lasts);
      if (logs < left) {
        from += 16;
        left -= logs;
      } else {
        for (; 1 < left; left--) lasts &= lasts - 1;
        from += ctz(lasts) + 1;
        left = 0;
      }
    }
  }
  return from;
}

function readNumber(): u32 {
  let byte = <i32>load<u8>(at++);
  let number: u32 = byte & 0x7f;
  for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
    byte = <i32>load<u8>(at++);
    number |= (byte & 0x7f) << shift;
  }
  return number;
}
