/** Parses a plain line in place, without allocation. Only the text of `extra` is written meanwhile. */

import { dropUnescaped } from './escapes.ts';
import { beginExtra, writeMember } from './extra.ts';
import { afterBlanks, foundFrom, foundHash, foundNumber, foundTo, readNumber, readString } from './json.ts';
import { beginKeys, foundField, readKey } from './keys.ts';
import {
  lineNumbers,
  lineTextLength,
  lineTexts,
  noField,
  notFound,
  numberFieldCount,
  textFieldCount,
  textFrom,
  textHash,
  textTo,
} from './memory.ts';

const lineFeed: i32 = 0x0a;
const quote: i32 = 0x22;
const comma: i32 = 0x2c;
const openObject: i32 = 0x7b;
const closeObject: i32 = 0x7d;

// Indices in `logFields`.
const time: i32 = 0;
const elapsed: i32 = 2;
const level: i32 = numberFieldCount;
const message: i32 = numberFieldCount + 2;

/** Bit mask of the fields of the line so far. */
let seen: i32 = 0;

/**
 * Reads the line at an address, in a region that ends at `regionEnd`; returns its end, or -1 if it
 * is not plain.
 */
export function readLine(from: i32, regionEnd: i32): i32 {
  dropUnescaped();
  beginKeys();
  beginExtra(regionEnd - from);
  seen = 0;
  for (let field = 0; field < numberFieldCount; field++) store<f64>(lineNumbers + field * 8, NaN);
  for (let field = 0; field < textFieldCount; field++)
    v128.store(lineTexts + field * lineTextLength, i64x2.splat(0));
  const to = readMembers(from);
  if (to < 0 || (to !== regionEnd && load<u8>(to) !== lineFeed)) return notFound;
  if (hasOddTime()) return notFound;
  return hasTime() || hasMessage() ? to : notFound;
}

/** Reports if the time is a number that `readLogTime` may read otherwise than as milliseconds: outside 1990 to 2100. */
function hasOddTime(): bool {
  const read = load<f64>(lineNumbers + time * 8);
  return read < 631152000000.0 || 4102444800000.0 <= read;
}

function hasTime(): bool {
  return 0 <= load<f64>(lineNumbers + time * 8);
}

function hasMessage(): bool {
  const text = lineTexts + (message - numberFieldCount) * lineTextLength;
  return load<i32>(text, textFrom) !== load<i32>(text, textTo);
}

/** Reads the object at an address; returns the end of the white space after it. */
function readMembers(from: i32): i32 {
  if (load<u8>(from) !== openObject) return notFound;
  let at = from;
  do {
    at = readKey(afterBlanks(at + 1));
    if (at < 0) return notFound;
    at = readMember(afterBlanks(at));
    if (at < 0) return notFound;
    at = afterBlanks(at);
  } while (load<u8>(at) === comma);
  return load<u8>(at) === closeObject ? afterBlanks(at + 1) : notFound;
}

/** Reads the value of the last key; returns its end. */
function readMember(from: i32): i32 {
  const field = foundField();
  if (field === noField) return writeMember(from);
  // The choice between two values of a field requires the whole record.
  if ((seen & (1 << field)) !== 0) return notFound;
  seen |= 1 << field;
  return readValue(from, field);
}

/** Reads the value of a field; returns its end. */
function readValue(from: i32, field: i32): i32 {
  if (load<u8>(from) !== quote) return readNumberOf(field, from);
  const to = readString(from);
  if (to < 0) return notFound;
  // An empty text is also valid for a number.
  if (field < numberFieldCount) return foundFrom === foundTo ? to : notFound;
  if (field === level && !isOwnLevel()) return notFound;
  const text = lineTexts + (field - numberFieldCount) * lineTextLength;
  store<i32>(text, foundFrom, textFrom);
  store<i32>(text, foundTo, textTo);
  store<u32>(text, foundHash, textHash);
  return to;
}

function readNumberOf(field: i32, from: i32): i32 {
  if (numberFieldCount <= field) return notFound;
  const to = readNumber(from, field === elapsed);
  if (0 <= to) store<f64>(lineNumbers + field * 8, foundNumber);
  return to;
}

/** Reports if the last string read is empty or a level of the deployment: others are translated by `levels.ts`. */
function isOwnLevel(): bool {
  const length = foundTo - foundFrom;
  if (length < 4) return length === 0;
  // Four letters of the beginning and of the end, as little-endian words.
  const first = load<u32>(foundFrom);
  const last = load<u32>(foundTo - 4);
  if (length === 4) return first === 0x4f464e49 || first === 0x454e4946;
  if (length === 5) return first === 0x55424544 && last === 0x47554245;
  if (length === 6) return first === 0x45564553 && last === 0x45524556;
  if (length !== 7) return false;
  const isWarning = first === 0x4e524157 && last === 0x474e494e;
  return isWarning || (first === 0x42524556 && last === 0x45534f42);
}
