/**
 * The keys of records as they were spelt, each with its quotes and its colon.
 * Records spell alike, and have their keys in the same order: so it is likely
 * which one comes next, and to see that it does takes less than to look it up.
 */

import { afterBlanks, foundFrom, foundTo, readPlainString } from './json.ts';
import {
  following,
  keyField,
  keyLength,
  keyRoom,
  keys,
  keyText,
  longestKey,
  mostKeys,
  none,
  numberFields,
  textFields,
} from './memory.ts';
import { isSame } from './vectors.ts';

/** The field, by its place in `logFields`, of the key between two addresses; -1 when it is none's. */
declare function fieldOf(from: i32, to: i32): i32;

const quote: i32 = 0x22;
const colon: i32 = 0x3a;

/** What stands before the first key of a record. */
export const beforeFirst: i32 = numberFields + textFields;

/** The field of the key that was read last. */
export let foundField: i32 = 0;

let keyCount: i32 = 0;

/** Reads a key without escapes behind that of another field, and its colon, and gives where they end. */
export function readKey(from: i32, before: i32): i32 {
  const likely = <i32>load<i8>(following + before);
  if (0 <= likely) {
    const key = keys + likely * keyRoom;
    const length = load<i32>(key, keyLength);
    if (isSame(from, key + keyText, length)) {
      foundField = load<i32>(key, keyField);
      return from + length;
    }
  }
  const to = readPlainString(from);
  if (to < 0) return none;
  foundField = lookUp(before);
  const end = afterBlanks(to);
  return 0 <= foundField && load<u8>(end) === colon ? end + 1 : none;
}

/** The field of the key that was read as a string, behind one of a field; -1 when it is none's. */
function lookUp(before: i32): i32 {
  const length = foundTo - foundFrom;
  for (let number = 0; number < keyCount; number++) {
    const key = keys + number * keyRoom;
    if (load<i32>(key, keyLength) !== length + 3 || !isSame(foundFrom, key + keyText + 1, length)) continue;
    store<i8>(following + before, <i8>number);
    return load<i32>(key, keyField);
  }
  if (longestKey < length) return none;
  const field = fieldOf(foundFrom, foundTo);
  // More spellings than this come from a hostile file only and are not remembered.
  if (0 <= field && keyCount < mostKeys) learn(field, length);
  return field;
}

function learn(field: i32, length: i32): void {
  const key = keys + keyCount * keyRoom;
  store<i32>(key, field, keyField);
  store<i32>(key, length + 3, keyLength);
  store<u8>(key, quote, keyText);
  memory.copy(key + keyText + 1, foundFrom, length);
  store<u8>(key + length, quote, keyText + 1);
  store<u8>(key + length, colon, keyText + 2);
  keyCount++;
}
