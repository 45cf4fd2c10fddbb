/**
 * Reads plain lines of NDJSON into rows: those that are an object of nothing
 * but the fields of a log, each once, with keys that have no escapes and
 * numbers of a few digits. It finds in them what `readText` does, sooner. All
 * other lines are left to that, which has the last word on what a log is.
 *
 * This is AssemblyScript, which becomes WebAssembly: it looks at sixteen bytes at
 * a time, and makes nothing that a collector would have to take away. It has no
 * bounds but those that it keeps itself. Only `plain-lines.ts` of the folder
 * above calls it.
 */

import { forgetUnescaped, keepUnescaped } from './escapes.ts';
import { readLine } from './line.ts';
import {
  codes,
  entries,
  layOut,
  lineNumbers,
  lineText,
  lineTexts,
  moves,
  none,
  numberColumns,
  numberFields,
  numbers,
  region,
  textFields,
  textFrom,
  textHash,
  textIsAscii,
  texts,
  textTo,
  vector,
} from './memory.ts';
import {
  addRow,
  clearRows,
  note,
  reserve,
  rows,
  setNumber,
  setText,
  setTokens,
  textsAndNone,
  textsLength,
  tokensOfText,
} from './rows.ts';
import { codeOf, forgetTexts } from './texts.ts';
import { setWords } from './words.ts';

export { addRow, note, reserve, rows, setNumber, setText, setTokens, setWords, textsAndNone, textsLength };

export function movesAt(): i32 {
  return moves;
}
export function regionAt(): i32 {
  return region;
}
export function numbersAt(): i32 {
  return numbers;
}
export function codesAt(): i32 {
  return codes;
}
export function entriesAt(): i32 {
  return entries;
}
export function textsAt(): i32 {
  return texts;
}

let regionEnd: i32 = region;

/** Makes room for the bytes of a region. What was read before is gone. */
export function begin(length: i32): void {
  layOut(length);
  regionEnd = region + length;
  memory.fill(regionEnd, 0, vector);
  clear();
}

/** Forgets what was read. */
export function clear(): void {
  clearRows();
  forgetTexts();
  forgetUnescaped();
}

/** Whether a plain line begins at a place in the region, of no more than `most` bytes. */
export function isPlain(from: i32, most: i32): bool {
  return 0 <= plainEnd(region + from, most);
}

function plainEnd(from: i32, most: i32): i32 {
  const to = readLine(from, regionEnd);
  return to - from <= most ? to : none;
}

/**
 * Adds a row for each line from a place in the region on, up to the first line
 * that is not plain, and gives the place where that begins. So many records
 * stand before, and the region begins `offset` bytes behind the beginning of
 * its text.
 */
export function read(from: i32, records: i32, offset: f64, most: i32): i32 {
  let at = region + from;
  const before = records - rows();
  while (at < regionEnd) {
    const to = plainEnd(at, most);
    if (to < 0) break;
    addRow();
    setNumber(position, <f64>(before + rows()));
    setNumber(byteOffset, offset + <f64>(at - region));
    setNumber(byteLength, <f64>(to - at));
    setFields();
    keepUnescaped();
    at = to + 1;
  }
  return at - region;
}

// Places in the numbers of `logColumns`.
const position: i32 = 1;
const byteOffset: i32 = 2;
const byteLength: i32 = 3;

/** Gives the row the fields of the line that was read. */
function setFields(): void {
  for (let field = 0; field < numberFields; field++)
    setNumber(numberColumns - numberFields + field, load<f64>(lineNumbers + field * 8));
  for (let field = 0; field < textFields; field++) {
    const text = lineTexts + field * lineText;
    const from = load<i32>(text, textFrom);
    const to = load<i32>(text, textTo);
    if (from === to) continue;
    const code = codeOf(from, to, load<u32>(text, textHash), load<i32>(text, textIsAscii) !== 0);
    setText(1 + 2 * field, code);
    setText(2 + 2 * field, tokensOfText(code));
  }
}
