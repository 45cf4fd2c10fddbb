/** Collects the words of logs as terms, each with its logs and positions. */

import { afterNoWord, toLowerCase, wordEnd } from './cut-words.ts';
import { allocate, heap, startHeap } from './heap.ts';
import {
  batchBits,
  batchIds,
  blank,
  cutMark,
  cutMarkLength,
  lastLog,
  lengthsAddress,
  longestText,
  maxWords,
  placesAddress,
  separator,
  tokensAddress,
  wordsAddress,
} from './layout.ts';
import { addOccurrence, findTerm, firstBytes, makeTable, table, tableMask } from './term-table.ts';

/** A word that waits to be added, of one log with the others. */
const wordFrom: i32 = 0;
const wordLength: i32 = 4;
const wordHash: i32 = 8;
const wordPosition: i32 = 12;
const wordField: i32 = 16;
const wordRecord: i32 = 20;

let seed: u64 = 0;
let input: i32 = 0;
let inputCapacity: i32 = 0;
let inputEnd: i32 = 0;
export let fields: i32 = 0;
let logs: i32 = 0;
export let lastId: i32 = 0;
let words: i32 = 0;

/**
 * Starts to collect the words of some fields of about as many logs, once in a memory. The seed hides which terms
 * collide.
 */
export function start(fieldCount: i32, logCount: i32, randomSeed: u64): void {
  startHeap();
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
/** Returns the address of the lengths of a field in the logs of the last batch: four bytes for each id. */
export function lengthsOf(field: i32): i32 {
  return lengthsAddress + field * batchIds * 4;
}

/**
 * Adds logs from the input, in any order: of each its id in digits, a separator, and for each field its text and a
 * separator. A text that is not ASCII is cut before: a mark, then its words between single blanks, which are also
 * around them. All ids have the same upper bits, `batch`. Returns 0, or -1 if the input has another form.
 */
export function addLogs(batch: i32, length: i32): i32 {
  inputEnd = input + length;
  memory.fill(inputEnd, 0, 32);
  // Words that are cut are in lower case already.
  for (let at = input; at < inputEnd; at += 16) v128.store(at, toLowerCase(v128.load(at)));
  memory.fill(placesAddress, 0, batchIds * 4);
  memory.fill(lengthsAddress, 0, fields * batchIds * 4);
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

/** Adds the words of a log; false if the texts have another form. */
function addWords(id: i32, from: i32): bool {
  let at = from;
  for (let field = 0; field < fields; field++) {
    at = <i32>load<u8>(at) < 0x80 ? addAsciiWords(id, field, at) : addCutWords(id, field, at);
    if (at === 0 || inputEnd < at) return false;
  }
  addWaiting(id);
  return true;
}

/** Adds the words of an ASCII text of a field; returns the address after its separator. */
function addAsciiWords(id: i32, field: i32, from: i32): i32 {
  let position = 0;
  let at = from;
  while (<i32>load<u8>(at) !== separator) {
    const end = wordEnd(at);
    if (end === at) at = afterNoWord(at);
    else {
      addWord(id, field, at, end - at, position++);
      at = end;
    }
  }
  countTokens(id, field, position);
  return at + 1;
}

/** Adds the words of any other text of a field, which was cut before; returns the address after its separator, or 0. */
function addCutWords(id: i32, field: i32, from: i32): i32 {
  if (<i32>load<u16>(from) !== cutMark) return 0;
  let position = 0;
  let at = from + cutMarkLength;
  if (<i32>load<u8>(at) === blank) at++;
  while (<i32>load<u8>(at) !== separator) {
    const wordAt = at;
    while (at < inputEnd && <i32>load<u8>(at) !== blank) at++;
    const length = at - wordAt;
    if (inputEnd <= at || length === 0 || longestText < length) return 0;
    addWord(id, field, wordAt, length, position++);
    at++;
  }
  countTokens(id, field, position);
  return at + 1;
}

function countTokens(id: i32, field: i32, count: i32): void {
  store<i32>(lengthsOf(field) + (id & (batchIds - 1)) * 4, count);
  const tokens = tokensAddress + field * 8;
  store<u64>(tokens, load<u64>(tokens) + <u64>count);
}

/** Adds a word to those that wait. */
function addWord(id: i32, field: i32, from: i32, length: i32, position: i32): void {
  if (words === maxWords) addWaiting(id);
  const hash = hashOf(field, from, length);
  const word = wordsAddress + words++ * 24;
  store<i32>(word, from, wordFrom);
  store<i32>(word, length, wordLength);
  store<u32>(word, hash, wordHash);
  store<i32>(word, position, wordPosition);
  store<i32>(word, field, wordField);
  store<i32>(word, load<i32>(table + (<i32>hash & tableMask) * 8), wordRecord);
}

function hashOf(field: i32, from: i32, length: i32): u32 {
  let hash = <u64>field + 1;
  let at = 0;
  for (; at + 8 <= length; at += 8) hash = mix(hash, load<u64>(from + at));
  if (at < length) hash = mix(hash, firstBytes(load<u64>(from + at), length - at));
  return <u32>(mix(hash, <u64>length) >>> 32);
}

function mix(hash: u64, word: u64): u64 {
  const mixed = (hash ^ word) * seed;
  return mixed ^ (mixed >>> 29);
}

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
