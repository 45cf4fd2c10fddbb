/** A plain line as it stands in its bytes: nothing is made of it yet. */

import { dropUnescaped } from './escapes.ts';
import {
  afterBlanks,
  foundFrom,
  foundHash,
  foundIsAscii,
  foundNumber,
  foundTo,
  readNumber,
  readString,
} from './json.ts';
import { beforeFirst, foundField, readKey } from './keys.ts';
import {
  lineNumbers,
  lineText,
  lineTexts,
  none,
  numberFields,
  textFields,
  textFrom,
  textHash,
  textIsAscii,
  textTo,
} from './memory.ts';

const lineFeed: i32 = 0x0a;
const quote: i32 = 0x22;
const comma: i32 = 0x2c;
const openObject: i32 = 0x7b;
const closeObject: i32 = 0x7d;

// Places in `logFields`.
const time: i32 = 0;
const elapsed: i32 = 2;
const message: i32 = numberFields + 2;

/**
 * Reads the line that begins at an address, in a region that ends at another,
 * and gives where it ends; -1 when it is not plain.
 */
export function readLine(from: i32, regionEnd: i32): i32 {
  dropUnescaped();
  for (let field = 0; field < numberFields; field++) store<f64>(lineNumbers + field * 8, NaN);
  for (let field = 0; field < textFields; field++) v128.store(lineTexts + field * lineText, i64x2.splat(0));
  const to = readMembers(from);
  if (to < 0 || (to !== regionEnd && load<u8>(to) !== lineFeed)) return none;
  if (hasOddTime()) return none;
  return hasTime() || hasMessage() ? to : none;
}

/** Whether a time is a number that `readTime` remarks on: seconds, or too many milliseconds. */
function hasOddTime(): bool {
  const read = load<f64>(lineNumbers + time * 8);
  return (1e9 <= read && read < 1e11) || 1e14 <= read;
}

function hasTime(): bool {
  return 0 <= load<f64>(lineNumbers + time * 8);
}

function hasMessage(): bool {
  const text = lineTexts + (message - numberFields) * lineText;
  return load<i32>(text, textFrom) !== load<i32>(text, textTo);
}

/** Reads the object that begins at an address, and gives where the blanks behind it end. */
function readMembers(from: i32): i32 {
  if (load<u8>(from) !== openObject) return none;
  let seen: i32 = 0;
  let field = beforeFirst;
  let at = from;
  do {
    at = readKey(afterBlanks(at + 1), field);
    if (at < 0) return none;
    field = foundField;
    // Which of two values is the field's is for those to say who see the whole record.
    if ((seen & (1 << field)) !== 0) return none;
    seen |= 1 << field;
    at = readValue(afterBlanks(at), field);
    if (at < 0) return none;
    at = afterBlanks(at);
  } while (load<u8>(at) === comma);
  return load<u8>(at) === closeObject ? afterBlanks(at + 1) : none;
}

/** Reads the value of a field, and gives where it ends. */
function readValue(from: i32, field: i32): i32 {
  if (load<u8>(from) !== quote) return readNumberOf(field, from);
  const to = readString(from);
  if (to < 0) return none;
  // An empty text is no number either.
  if (field < numberFields) return foundFrom === foundTo ? to : none;
  const text = lineTexts + (field - numberFields) * lineText;
  store<i32>(text, foundFrom, textFrom);
  store<i32>(text, foundTo, textTo);
  store<u32>(text, foundHash, textHash);
  store<i32>(text, <i32>foundIsAscii, textIsAscii);
  return to;
}

function readNumberOf(field: i32, from: i32): i32 {
  if (numberFields <= field) return none;
  const to = readNumber(from, field === elapsed);
  if (0 <= to) store<f64>(lineNumbers + field * 8, foundNumber);
  return to;
}
