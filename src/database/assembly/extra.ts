/**
 * The text of column `extra`: the members of a line that have unknown keys, as `JSON.stringify`
 * writes them. What that may write in another way is left to the reference reader.
 */

import { afterBlanks, readString } from './json.ts';
import { foundField, foundKey, readKey } from './keys.ts';
import {
  keyHash,
  keyLength,
  keyText,
  maxOpenKeys,
  noField,
  notFound,
  numberFieldCount,
  openKeyTable,
} from './memory.ts';
import { addReservedText, reserveText } from './rows.ts';
import { beginWriting, copyBytes, put, writeNumber, writeText, writtenLength } from './write-json.ts';

const quote: i32 = 0x22;
const comma: i32 = 0x2c;
const openList: i32 = 0x5b;
const letterF: i32 = 0x66;
const openObject: i32 = 0x7b;
const closeObject: i32 = 0x7d;

/** Maximum nesting: no log is nested deeper. */
const maxDepth: i32 = 20;

/** Number of keys of the objects that are still open. */
let openKeys: i32 = 0;

/** Starts a line of at most this length: its text is never longer. */
export function beginExtra(maxLength: i32): void {
  beginWriting(reserveText(maxLength));
  openKeys = 0;
}

/** Adds the text of the line; returns its code, 0 if it has no unknown keys. */
export function addExtra(): i32 {
  if (writtenLength() !== 0) put(closeObject);
  return addReservedText(writtenLength());
}

/** Writes the member of the key that was read last. Its value is at an address; returns the end. */
export function writeMember(from: i32): i32 {
  put(writtenLength() === 0 ? openObject : comma);
  return writeKey(0) ? writeValue(from, false, 0) : notFound;
}

/**
 * Writes the key that was read last; `firstKey` is the number of the first key of its object.
 * Returns false if the object may have it already.
 */
function writeKey(firstKey: i32): bool {
  const hash = load<u32>(foundKey, keyHash);
  for (let key = firstKey; key < openKeys; key++)
    if (load<u32>(openKeyTable + key * 4) === hash) return false;
  if (openKeys === maxOpenKeys) return false;
  store<u32>(openKeyTable + openKeys++ * 4, hash);
  copyBytes(foundKey + keyText, load<i32>(foundKey, keyLength));
  return true;
}

/** Writes the value at an address, whose key may denote a text field; returns its end. */
function writeValue(from: i32, isOfText: bool, depth: i32): i32 {
  const code = <i32>load<u8>(from);
  if (code === quote) return writeString(from);
  if (code === openObject || code === openList) return depth < maxDepth ? writeNested(from, depth) : notFound;
  const length = literalLength(from);
  if (length === 0) return writeNumber(from, isOfText);
  copyBytes(from, length);
  return from + length;
}

function writeString(from: i32): i32 {
  const to = readString(from);
  if (0 <= to) writeText();
  return to;
}

/** Four bytes of the literals. */
const literalNull: u32 = 0x6c6c756e;
const literalTrue: u32 = 0x65757274;
const literalAlse: u32 = 0x65736c61;

/** Returns the length of `null`, `true` or `false` at an address; 0 if there is none. */
function literalLength(from: i32): i32 {
  const bytes = load<u32>(from);
  if (bytes === literalNull || bytes === literalTrue) return 4;
  return load<u8>(from) === letterF && load<u32>(from, 1) === literalAlse ? 5 : 0;
}

/** Writes the object or list at an address; returns its end. */
function writeNested(from: i32, depth: i32): i32 {
  const firstKey = openKeys;
  const open = <i32>load<u8>(from);
  // Both closing brackets are two after their opening ones.
  const close = open + 2;
  put(open);
  let at = afterBlanks(from + 1);
  if (load<u8>(at) === close) {
    put(close);
    return at + 1;
  }
  at = from;
  do {
    at = afterBlanks(at + 1);
    let isOfText = false;
    if (open === openObject) {
      at = readKey(at);
      if (at < 0 || !writeKey(firstKey)) return notFound;
      isOfText = numberFieldCount <= foundField() && foundField() !== noField;
      at = afterBlanks(at);
    }
    at = writeValue(at, isOfText, depth + 1);
    if (at < 0) return notFound;
    at = afterBlanks(at);
    put(load<u8>(at));
  } while (load<u8>(at) === comma);
  openKeys = firstKey;
  return load<u8>(at) === close ? at + 1 : notFound;
}
