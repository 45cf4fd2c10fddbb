/**
 * Table of record keys by exact spelling, with quotes and colon. Records repeat the same keys in
 * the same order, so the next key is predictable, and verifying the prediction is cheaper than a
 * lookup.
 */

import { afterBlanks, foundFrom, foundHash, foundTo, isDigit, readPlainString } from './json.ts';
import {
  keyField,
  keyHash,
  keyLength,
  keyNext,
  keySlotLength,
  keyTable,
  keyText,
  longestKey,
  maxKeys,
  noField,
  notFound,
} from './memory.ts';
import { equalBytes } from './vectors.ts';

/**
 * Returns the index in `logFields` of the key between two addresses; -1 if unknown, -2 if the line is left
 * to the reference reader.
 */
declare function fieldOf(from: i32, to: i32): i32;

const otherReader: i32 = -2;
const quote: i32 = 0x22;
const colon: i32 = 0x3a;

/** Slot of the last key read. The slot before the table precedes the first key of a line. */
export let foundKey: i32 = keyTable;

let addedKeys: i32 = 0;

/** Starts a line. */
export function beginKeys(): void {
  foundKey = keyTable;
}

/** Returns the field of the last key read; `noField` if it is unknown. */
export function foundField(): i32 {
  return load<i32>(foundKey, keyField);
}

/** Reads an unescaped key and its colon; returns the end. */
export function readKey(from: i32): i32 {
  const likely = load<i32>(foundKey, keyNext);
  if (likely !== 0) {
    const length = load<i32>(likely, keyLength);
    if (equalBytes(from, likely + keyText, length)) {
      foundKey = likely;
      return from + length;
    }
  }
  const to = readPlainString(from);
  if (to < 0) return notFound;
  const key = lookUpKey();
  if (key < 0) return notFound;
  store<i32>(foundKey, key, keyNext);
  foundKey = key;
  const end = afterBlanks(to);
  return load<u8>(end) === colon ? end + 1 : notFound;
}

/** Returns the slot of the last string read; -1 if it is left to the reference reader. */
function lookUpKey(): i32 {
  const length = foundTo - foundFrom;
  const keys = addedKeys < maxKeys ? addedKeys : maxKeys;
  for (let number = 1; number <= keys; number++) {
    const key = keyTable + number * keySlotLength;
    if (load<u32>(key, keyHash) !== foundHash || load<i32>(key, keyLength) !== length + 3) continue;
    if (equalBytes(foundFrom, key + keyText + 1, length)) return key;
  }
  return longestKey < length || isIndex() ? notFound : addKey(length);
}

/** Reports if the last string read may be an index: JavaScript moves such keys before all others. */
function isIndex(): bool {
  let at = foundFrom;
  while (at < foundTo && isDigit(load<u8>(at))) at++;
  return foundFrom < at && at === foundTo;
}

/** Adds the last string read to the table, in place of the oldest key of a full one; returns its slot. */
function addKey(length: i32): i32 {
  const field = fieldOf(foundFrom, foundTo);
  if (field === otherReader) return notFound;
  const key = keyTable + (1 + (addedKeys++ % maxKeys)) * keySlotLength;
  store<i32>(key, field < 0 ? noField : field, keyField);
  store<i32>(key, length + 3, keyLength);
  store<i32>(key, 0, keyNext);
  store<u32>(key, foundHash, keyHash);
  store<u8>(key, quote, keyText);
  memory.copy(key + keyText + 1, foundFrom, length);
  store<u8>(key + length, quote, keyText + 1);
  store<u8>(key + length, colon, keyText + 2);
  return key;
}
