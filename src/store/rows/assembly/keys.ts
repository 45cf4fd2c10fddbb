/**
 * Table of record keys by exact spelling, with quotes and colon. Records repeat the same keys in
 * the same order, so the next key is predictable, and verifying the prediction is cheaper than a
 * lookup.
 */

import { afterBlanks, foundFrom, foundTo, readPlainString } from './json.ts';
import {
  keyField,
  keyLength,
  keySlotLength,
  keyTable,
  keyText,
  longestKey,
  maxKeys,
  nextKeyTable,
  notFound,
  numberFieldCount,
  textFieldCount,
} from './memory.ts';
import { equalBytes } from './vectors.ts';

/** Returns the index in `logFields` of the key between two addresses; -1 if unknown. */
declare function fieldOf(from: i32, to: i32): i32;

const quote: i32 = 0x22;
const colon: i32 = 0x3a;

/** Predecessor of the first key of a record. */
export const beforeFirst: i32 = numberFieldCount + textFieldCount;

/** Field of the last key read. */
export let foundField: i32 = 0;

let keyCount: i32 = 0;

/** Reads an unescaped key and its colon; `before` is the field of the preceding key. Returns the end. */
export function readKey(from: i32, before: i32): i32 {
  const likely = <i32>load<i8>(nextKeyTable + before);
  if (0 <= likely) {
    const key = keyTable + likely * keySlotLength;
    const length = load<i32>(key, keyLength);
    if (equalBytes(from, key + keyText, length)) {
      foundField = load<i32>(key, keyField);
      return from + length;
    }
  }
  const to = readPlainString(from);
  if (to < 0) return notFound;
  foundField = lookUpKey(before);
  const end = afterBlanks(to);
  return 0 <= foundField && load<u8>(end) === colon ? end + 1 : notFound;
}

/** Returns the field of the last string read as a key; -1 if unknown. `before` is the preceding field. */
function lookUpKey(before: i32): i32 {
  const length = foundTo - foundFrom;
  for (let number = 0; number < keyCount; number++) {
    const key = keyTable + number * keySlotLength;
    if (load<i32>(key, keyLength) !== length + 3 || !equalBytes(foundFrom, key + keyText + 1, length))
      continue;
    store<i8>(nextKeyTable + before, <i8>number);
    return load<i32>(key, keyField);
  }
  if (longestKey < length) return notFound;
  const field = fieldOf(foundFrom, foundTo);
  // Only a hostile file has more spellings.
  if (0 <= field && keyCount < maxKeys) addKey(field, length);
  return field;
}

function addKey(field: i32, length: i32): void {
  const key = keyTable + keyCount * keySlotLength;
  store<i32>(key, field, keyField);
  store<i32>(key, length + 3, keyLength);
  store<u8>(key, quote, keyText);
  memory.copy(key + keyText + 1, foundFrom, length);
  store<u8>(key + length, quote, keyText + 1);
  store<u8>(key + length, colon, keyText + 2);
  keyCount++;
}
