/**
 * Collects the words of logs and writes them as terms with postings, in the format of a segment of the token index.
 * AssemblyScript, compiled to WebAssembly. Only `posting-collector.ts` of the segments calls it.
 *
 * A term waits with its last log in its record, so that a term that occurs once takes nothing else. All earlier
 * logs are in slices of growing length: for each log the gap of its id, then the gaps of its positions, doubled,
 * plus one if another follows.
 */

/** Record of a term, followed by its text, padded with zeros to a multiple of eight bytes. */
const textLength: i32 = 0;
/** Number of the field, and in the next byte the binary logarithm of the length of the last slice. */
const fieldNumber: i32 = 4;
const sliceBits: i32 = 5;
const logCount: i32 = 8;
const occurrenceCount: i32 = 12;
const lastLog: i32 = 16;
const lastPosition: i32 = 20;
/** Gap of the last log; -1 once it is written. */
const waitingLog: i32 = 24;
const waitingPosition: i32 = 28;
const writeAt: i32 = 32;
const sliceEnd: i32 = 36;
const firstSlice: i32 = 40;
const textAt: i32 = 44;

const firstSliceBits: i32 = 3;
const longestSliceBits: i32 = 15;
/** At the end of a slice: the address of the next. */
const linkLength: i32 = 4;

/** See `posting-chunks.ts`. */
const chunkBits: i32 = 12;
const chunkIds: i32 = 4096;
const chunkBytes: i32 = 512;
const denseCount: i32 = 512;

/** See `dictionary.ts`. */
const blockTerms: i32 = 32;
const pageBlocks: i32 = 256;
const blockHead: i32 = 4;

/** Bits of the id that the logs of one call share. */
const batchBits: i32 = 9;
const batchIds: i32 = 512;

const blank: i32 = 0x20;
const separator: i32 = 0x1f;
const longestText: i32 = 0xffff;
const maxFields: i32 = 32;

/** Addresses of fixed memory. */
const placesAddress: i32 = 1024;
const tokensAddress: i32 = placesAddress + batchIds * 4;
const sectionsAddress: i32 = tokensAddress + maxFields * 8;
const lowsAddress: i32 = sectionsAddress + 64;
const logsAddress: i32 = lowsAddress + chunkIds * 2;
const wordsAddress: i32 = logsAddress + chunkIds * 3;
const maxWords: i32 = 512;
const heapAddress: i32 = wordsAddress + maxWords * 24;

/** A word that waits to be added, of one log with the others. */
const wordFrom: i32 = 0;
const wordLength: i32 = 4;
const wordHash: i32 = 8;
const wordPosition: i32 = 12;
const wordField: i32 = 16;
const wordRecord: i32 = 20;

let heap: i32 = 0;
let table: i32 = 0;
let tableMask: i32 = 0;
let terms: i32 = 0;
let seed: u64 = 0;
let input: i32 = 0;
let inputCapacity: i32 = 0;
let inputEnd: i32 = 0;
let fields: i32 = 0;
let logs: i32 = 0;
let lastId: i32 = 0;

/**
 * Starts to collect the words of some fields of about as many logs, once in a memory. The seed hides which terms
 * collide.
 */
export function start(fieldCount: i32, logCount: i32, randomSeed: u64): void {
  heap = (heapAddress + 15) & -16;
  fields = fieldCount;
  seed = randomSeed | 1;
  let slots = 1 << 12;
  while (slots < logCount * 2 && slots < 1 << 20) slots *= 2;
  makeTable(slots);
}

/** Returns the address for an input of a length. */
export function inputFor(length: i32): i32 {
  if (inputCapacity < length) {
    inputCapacity = max(1 << 20, 2 * length);
    input = allocate(inputCapacity + 32);
  }
  return input;
}

export function usedBytes(): i32 {
  return heap;
}
export function logsAdded(): i32 {
  return logs;
}
export function lastAdded(): i32 {
  return lastId;
}
/** Returns the number of words of a field. */
export function tokensOf(field: i32): f64 {
  return <f64>load<u64>(tokensAddress + field * 8);
}

function allocate(bytes: i32): i32 {
  const at = heap;
  heap += (bytes + 7) & -8;
  const pages = (heap + 64 + 0xffff) >>> 16;
  if (memory.size() < pages && memory.grow(pages - memory.size() + 64) < 0) unreachable();
  return at;
}

/** Makes an empty table: the upper halves of its entries are hashes, the lower ones addresses of records. */
function makeTable(slots: i32): void {
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

/**
 * Adds logs from the input, in any order: of each its id in digits, a separator, and for each field its words between
 * single blanks, which are also around them, and a separator. All ids have the same upper bits, `batch`. Returns 0,
 * or -1 if the input has another form.
 */
export function addLogs(batch: i32, length: i32): i32 {
  inputEnd = input + length;
  memory.fill(inputEnd, 0, 32);
  memory.fill(placesAddress, 0, batchIds * 4);
  for (let at = input; at < inputEnd; ) {
    let id = 0;
    let byte = <i32>load<u8>(at);
    for (; 0x30 <= byte && byte <= 0x39; byte = <i32>load<u8>(++at)) id = id * 10 + byte - 0x30;
    const place = placesAddress + (id & (batchIds - 1)) * 4;
    if (byte !== separator || id >>> batchBits !== batch || load<i32>(place) !== 0) return -1;
    store<i32>(place, at + 1);
    at = afterSeparators(at + 1);
    if (at === 0) return -1;
  }
  for (let low = 0; low < batchIds; low++) {
    const at = load<i32>(placesAddress + low * 4);
    if (at === 0) continue;
    const id = (batch << batchBits) | low;
    if (!addWords(id, at)) return -1;
    logs++;
    lastId = id;
  }
  return 0;
}

/** Returns the address after the separators of all fields; 0 if there are fewer. */
function afterSeparators(from: i32): i32 {
  let left = fields;
  for (let at = from; at < inputEnd; at += 16) {
    let found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>separator)));
    const count = popcnt(found);
    if (left <= count) {
      for (; 1 < left; left--) found &= found - 1;
      return at + ctz(found) + 1;
    }
    left -= count;
  }
  return 0;
}

/** The lowest bit of each byte. */
const lowestBits: u64 = ((<u64>0x01010101) << 32) | 0x01010101;

/** Returns a value whose lowest bit is in the first byte of a word that is a blank; 0 without a blank. */
// @ts-expect-error: a decorator of AssemblyScript
function blanksOf(word: u64): u64 {
  const others = word ^ (lowestBits * blank);
  return (others - lowestBits) & ~others & (lowestBits << 7);
}

// @ts-expect-error: a decorator of AssemblyScript
function firstBytes(word: u64, count: i32): u64 {
  return word & (((<u64>1) << (<u64>count * 8)) - 1);
}

// @ts-expect-error: a decorator of AssemblyScript
function mix(hash: u64, word: u64): u64 {
  const mixed = (hash ^ word) * seed;
  return mixed ^ (mixed >>> 29);
}

/** Adds the words of a log; false if the texts have another form. */
function addWords(id: i32, from: i32): bool {
  let at = from;
  for (let field = 0; field < fields; field++) {
    if (<i32>load<u8>(at) === separator) {
      at++;
      continue;
    }
    if (<i32>load<u8>(at) !== blank) return false;
    at++;
    let position = 0;
    for (; <i32>load<u8>(at) !== separator; position++) {
      const wordAt = at;
      let bytes = load<u64>(at);
      let blanks = blanksOf(bytes);
      let hash = <u64>field + 1;
      for (; blanks === 0; blanks = blanksOf(bytes)) {
        hash = mix(hash, bytes);
        at += 8;
        if (inputEnd <= at) return false;
        bytes = load<u64>(at);
      }
      const rest = <i32>(ctz(blanks) >>> 3);
      if (0 < rest) hash = mix(hash, firstBytes(bytes, rest));
      at += rest;
      const length = at - wordAt;
      if (inputEnd <= at || length === 0 || longestText < length) return false;
      at++;
      if (words === maxWords) addWaiting(id);
      const hash32 = <u32>(mix(hash, <u64>length) >>> 32);
      const word = wordsAddress + words++ * 24;
      store<i32>(word, wordAt, wordFrom);
      store<i32>(word, length, wordLength);
      store<u32>(word, hash32, wordHash);
      store<i32>(word, position, wordPosition);
      store<i32>(word, field, wordField);
      store<i32>(word, load<i32>(table + (<i32>hash32 & tableMask) * 8), wordRecord);
    }
    at++;
    const tokens = tokensAddress + field * 8;
    store<u64>(tokens, load<u64>(tokens) + <u64>position);
  }
  addWaiting(id);
  return true;
}

let words: i32 = 0;

/**
 * Adds the waiting words of a log. The memory of their records is asked for at once, before the first is used: waiting
 * for one after the other takes most of the time of an index.
 */
function addWaiting(id: i32): void {
  const end = wordsAddress + words * 24;
  for (let word = wordsAddress; word < end; word += 24)
    store<i32>(word, load<i32>(load<i32>(word, wordRecord), lastLog), wordRecord);
  for (let word = wordsAddress; word < end; word += 24) {
    addOccurrence(
      findTerm(
        load<i32>(word, wordField),
        load<i32>(word, wordFrom),
        load<i32>(word, wordLength),
        load<u32>(word, wordHash),
      ),
      id,
      load<i32>(word, wordPosition),
    );
  }
  words = 0;
}

function findTerm(field: i32, from: i32, length: i32, hash: u32): i32 {
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

function addOccurrence(record: i32, id: i32, position: i32): void {
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

/** Writes the last log of a term unless it is written, and its last position. */
function writeWaiting(record: i32, isFollowed: u32): void {
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

function putNumber(to: i32, number: u32): i32 {
  let at = to;
  let rest = number;
  for (; rest > 0x7f; rest >>>= 7) store<u8>(at++, <u8>((rest & 0x7f) | 0x80));
  store<u8>(at++, <u8>rest);
  return at;
}

/** Writes text of some bytes, and up to seven bytes of any value after it. */
function putText(to: i32, from: i32, length: i32): i32 {
  for (let at = 0; at < length; at += 8) store<u64>(to + at, load<u64>(from + at));
  return to + length;
}

/** Entries to sort: the first bytes of a term in the order of its text, and its record. */
let sorted: i32 = 0;
let next: i32 = 0;

/** Sections of output, each with its start and its end. */
const blocks: i32 = sectionsAddress;
const pages: i32 = sectionsAddress + 8;
const top: i32 = sectionsAddress + 16;
const postings: i32 = sectionsAddress + 24;
const positions: i32 = sectionsAddress + 32;
const sectionCount: i32 = 5;
const end: i32 = 4;

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
  makeSection(blocks, limit + termBytes + positionBytes);
  makeSection(pages, limit + termBytes);
  makeSection(top, limit + termBytes);
  makeSection(postings, limit + postingBytes);
  makeSection(positions, limit + positionBytes + chunkIds);
}

function makeSection(section: i32, room: i32): void {
  const start = allocate(room);
  store<i32>(section, start);
  store<i32>(section, start, end);
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

// @ts-expect-error: a decorator of AssemblyScript
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

export function sectionAddress(section: i32): i32 {
  return load<i32>(sectionsAddress + section * 8);
}
/** Returns the length of what was written of a section: of the blocks, those that are complete. */
export function sectionLength(section: i32): i32 {
  const written = section === 0 ? blockAt : load<i32>(sectionsAddress + section * 8, end);
  return written - load<i32>(sectionsAddress + section * 8);
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
    store<i32>(sectionsAddress + section * 8, load<i32>(sectionsAddress + section * 8), end);
  blockAt = load<i32>(blocks);
}

/** Makes room again for what the caller has taken; keeps the block that is not complete. */
function takeSections(): void {
  takenBlocks += sectionLength(0);
  takenPages += sectionLength(1);
  takenPostings += sectionLength(3);
  takenPositions += sectionLength(4);
  const kept = load<i32>(blocks, end) - blockAt;
  memory.copy(load<i32>(blocks), blockAt, kept);
  blockAt = load<i32>(blocks);
  store<i32>(blocks, blockAt + kept, end);
  for (let section = 1; section < sectionCount; section++)
    store<i32>(sectionsAddress + section * 8, load<i32>(sectionsAddress + section * 8), end);
}

function startBlock(): void {
  missing = blockTerms;
  firstOfBlock = load<i32>(sorted + next * 16, 8);
  before = 0;
  let at = blockAt + blockHead;
  at = putNumber(at, takenPostings + sectionLength(3));
  store<i32>(blocks, putNumber(at, takenPositions + sectionLength(4)), end);
}

function endBlock(): void {
  const blockEnd = load<i32>(blocks, end);
  store<i32>(blockAt, blockEnd - blockAt - blockHead);
  if (blocksOfPage === 0) {
    firstOfPage = firstOfBlock;
    pageAt = takenPages + sectionLength(1);
  }
  const at = takenBlocks + blockAt - load<i32>(blocks);
  writeFirst(pages, firstOfBlock, at, blockEnd - blockAt);
  blockAt = blockEnd;
  if (++blocksOfPage === pageBlocks) endPage();
}

function endPage(): void {
  writeFirst(top, firstOfPage, pageAt, takenPages + sectionLength(1) - pageAt);
  blocksOfPage = 0;
}

/** Writes the first term of a block or page, and where that is. */
function writeFirst(section: i32, record: i32, from: i32, length: i32): void {
  let at = load<i32>(section, end);
  at = putNumber(at, load<i32>(record, textLength));
  at = putText(at, record + textAt, load<i32>(record, textLength));
  at = putNumber(at, from);
  store<i32>(section, putNumber(at, length), end);
}

function writeTerm(record: i32): void {
  const length = load<i32>(record, textLength);
  const shared = before === 0 ? 0 : sharedLength(record);
  let at = load<i32>(blocks, end);
  at = putNumber(at, shared);
  at = putNumber(at, length - shared);
  at = putText(at, record + textAt + shared, length - shared);
  const count = load<i32>(record, logCount);
  at = putNumber(at, count);
  if (count === 1) at = putOnlyLog(at, record);
  else {
    const postingsAt = load<i32>(postings, end);
    const positionsAt = load<i32>(positions, end);
    writePostings(record);
    at = putNumber(at, load<i32>(record, occurrenceCount) - count);
    at = putNumber(at, load<i32>(postings, end) - postingsAt);
    at = putNumber(at, load<i32>(positions, end) - positionsAt);
  }
  store<i32>(blocks, at, end);
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
  let at = putNumber(to, load<i32>(record, lastLog));
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

/** Reading of the slices of a term. */
let readFrom: i32 = 0;
let readEnd: i32 = 0;
let readBits: i32 = 0;

function startReading(record: i32): void {
  readFrom = load<i32>(record, firstSlice);
  readBits = firstSliceBits;
  readEnd = readFrom + (1 << readBits);
}

function readByte(): u32 {
  if (readFrom === readEnd) {
    readFrom = load<i32>(readFrom);
    readBits = min(longestSliceBits, readBits + 1);
    readEnd = readFrom + (1 << readBits);
  }
  return <u32>load<u8>(readFrom++);
}

function readNumber(): u32 {
  let byte = readByte();
  let number = byte & 0x7f;
  for (let shift: u32 = 7; byte >= 0x80; shift += 7) {
    byte = readByte();
    number |= (byte & 0x7f) << shift;
  }
  return number;
}

/** Writes the chunks of a term and its positions. */
function writePostings(record: i32): void {
  startReading(record);
  let id = -1;
  let chunk = -1;
  let chunkBefore = -1;
  let count = 0;
  let to = load<i32>(positions, end);
  let chunkPositions = to;
  for (let left = load<i32>(record, logCount); 0 < left; left--) {
    id += <i32>readNumber() + 1;
    if (id >>> chunkBits !== chunk && 0 < count) {
      writeChunk(chunk - chunkBefore - 1, count, to - chunkPositions);
      chunkBefore = chunk;
      count = 0;
      chunkPositions = to;
    }
    chunk = id >>> chunkBits;
    store<u16>(lowsAddress + count * 2, <u16>(id & (chunkIds - 1)));
    count++;
    for (let isFollowed = true; isFollowed; ) {
      let byte = readByte();
      isFollowed = (byte & 1) === 1;
      for (; byte >= 0x80; byte = readByte()) store<u8>(to++, <u8>byte);
      store<u8>(to++, <u8>byte);
    }
  }
  writeChunk(chunk - chunkBefore - 1, count, to - chunkPositions);
  store<i32>(positions, to, end);
}

function writeChunk(gap: i32, count: i32, positionBytes: i32): void {
  let at = load<i32>(postings, end);
  at = putNumber(at, gap);
  at = putNumber(at, count);
  let length = chunkBytes;
  if (denseCount <= count) writeBits(count);
  else {
    length = writeGaps(count);
    at = putNumber(at, length);
  }
  at = putNumber(at, positionBytes);
  store<i32>(postings, putText(at, logsAddress, length), end);
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
