/**
 * Reads plain lines of NDJSON into rows: an object with each field at most once, with unescaped
 * keys and short numbers, and other members that JavaScript writes as `extra.ts` does. The result
 * equals that of `readJsonRecord`, but faster. All other lines are left to that reference reader.
 *
 * AssemblyScript, compiled to WebAssembly: it processes sixteen bytes at a time, and creates no
 * garbage. Memory bounds are checked only by this code. Only `plain-lines.ts` of the loading folder
 * calls it.
 */

import { clearUnescaped, commitUnescaped } from './escapes.ts';
import { addExtra } from './extra.ts';
import { readLine } from './line.ts';
import {
  codesAddress,
  entriesAddress,
  layOutMemory,
  lineNumbers,
  lineTextLength,
  lineTexts,
  notFound,
  numberColumnCount,
  numberFieldCount,
  numbersAddress,
  regionAddress,
  textFieldCount,
  textFrom,
  textHash,
  textsAddress,
  textTo,
  vectorLength,
} from './memory.ts';
import {
  addReservedText,
  addRow,
  clearRows,
  entryCount,
  reserveText,
  rowCount,
  setNumber,
  setText,
  textsLength,
} from './rows.ts';
import { clearTexts, textCode } from './texts.ts';

export { addReservedText, addRow, entryCount, reserveText, rowCount, setNumber, setText, textsLength };

export function regionAt(): i32 {
  return regionAddress;
}
export function numbersAt(): i32 {
  return numbersAddress;
}
export function codesAt(): i32 {
  return codesAddress;
}
export function entriesAt(): i32 {
  return entriesAddress;
}
export function textsAt(): i32 {
  return textsAddress;
}

let regionEnd: i32 = regionAddress;

/** Allocates memory for a region. Earlier rows are dropped. */
export function setRegion(length: i32): void {
  layOutMemory(length);
  regionEnd = regionAddress + length;
  memory.fill(regionEnd, 0, vectorLength);
  clearAll();
}

/** Drops all rows. */
export function clearAll(): void {
  clearRows();
  clearTexts();
  clearUnescaped();
}

/** Reports if a plain line of at most `maxLength` bytes begins at an offset of the region. */
export function isPlainLine(from: i32, maxLength: i32): bool {
  return 0 <= plainEnd(regionAddress + from, maxLength);
}

function plainEnd(from: i32, maxLength: i32): i32 {
  const to = readLine(from, regionEnd);
  return to - from <= maxLength ? to : notFound;
}

/**
 * Adds a row for each line from an offset of the region up to the first line that is not plain;
 * returns the offset of that line. `records` precede these lines, and the region begins at `offset`
 * of its text.
 */
export function readRows(from: i32, records: i32, offset: f64, maxLength: i32): i32 {
  let at = regionAddress + from;
  const before = records - rowCount();
  while (at < regionEnd) {
    const to = plainEnd(at, maxLength);
    if (to < 0) break;
    addRow();
    setNumber(position, <f64>(before + rowCount()));
    setNumber(byteOffset, offset + <f64>(at - regionAddress));
    setNumber(byteLength, <f64>(to - at));
    setFields();
    commitUnescaped();
    at = to + 1;
  }
  return at - regionAddress;
}

// Indices in the numbers of `logBatchColumns`.
const position: i32 = 1;
const byteOffset: i32 = 2;
const byteLength: i32 = 3;

/** Sets the fields of the current row from the current line. */
function setFields(): void {
  // Its text is written already, behind the other texts.
  setText(0, addExtra());
  for (let field = 0; field < numberFieldCount; field++)
    setNumber(numberColumnCount - numberFieldCount + field, load<f64>(lineNumbers + field * 8));
  for (let field = 0; field < textFieldCount; field++) {
    const text = lineTexts + field * lineTextLength;
    const from = load<i32>(text, textFrom);
    const to = load<i32>(text, textTo);
    if (from === to) continue;
    setText(1 + field, textCode(from, to, load<u32>(text, textHash)));
  }
}
