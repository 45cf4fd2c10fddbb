/**
 * Makes rows into columns: the values of one after the other, as a vector of
 * DuckDB has them. This is AssemblyScript, which becomes WebAssembly. Only
 * `columns.ts` of the folder above calls it.
 */

/** As many rows as a vector of DuckDB holds. */
const mostRows: i32 = 2048;

const entryLength: i32 = 16;
const numberLength: i32 = 8;
const codeLength: i32 = 4;

/** The values of the column that was taken last, and a bit for each that is there. */
const values: i32 = 1024;
const validity: i32 = values + mostRows * entryLength;
const validityLength: i32 = mostRows / 8;

/** The batch under way: its entries, its numbers and the numbers of its texts, row by row. */
const entries: i32 = validity + validityLength;
let entryCount: i32 = 0;
let numbers: i32 = 0;
let codes: i32 = 0;

/** So many bytes stand in the entry of a text, behind its length. */
const longestWithin: u32 = 12;

export function valuesAt(): i32 {
  return values;
}
export function validityAt(): i32 {
  return validity;
}
export function entriesAt(): i32 {
  return entries;
}
export function numbersAt(): i32 {
  return numbers;
}
export function codesAt(): i32 {
  return codes;
}

/** Makes room for a batch of so many texts, numbers and numbers of texts. */
export function begin(texts: i32, numberCount: i32, codeCount: i32): void {
  entryCount = texts;
  numbers = entries + texts * entryLength;
  codes = numbers + numberCount * numberLength;
  const pages = (codes + codeCount * codeLength + 0xffff) >>> 16;
  if (memory.size() < pages && memory.grow(pages - memory.size()) < 0) unreachable();
}

/**
 * Gives the entries of the longer texts the addresses that they have in the
 * database, which holds so many bytes of them from an address on. Gives whether
 * all of them are among those.
 */
export function setAddresses(address: u64, length: u64): bool {
  for (let entry = entries; entry < numbers; entry += entryLength) {
    const bytes = load<u32>(entry);
    if (bytes <= longestWithin) continue;
    const place = load<u64>(entry, 8);
    if (length < place || length - place < bytes) return false;
    store<u64>(entry, address + place, 8);
  }
  return true;
}

/** What came of taking a column: every row has a value, some have none, or one names a text that is not there. */
const whole: i32 = 1;
const lacking: i32 = 0;
const wrong: i32 = -1;

/** Takes the numbers of so many rows, the first of which is at a place. NaN is none. */
export function takeNumbers(first: i32, step: i32, rows: i32): i32 {
  let result = whole;
  for (let row = 0, from = numbers + first * numberLength; row < rows; row++, from += step * numberLength) {
    const value = load<f64>(from);
    store<f64>(values + row * numberLength, value);
    if (F64.isNaN(value)) result = lacks(row, result);
  }
  return result;
}

/** Takes the texts of so many rows, whose numbers begin at a place. 0 is none. */
export function takeTexts(first: i32, step: i32, rows: i32): i32 {
  let result = whole;
  for (let row = 0, from = codes + first * codeLength; row < rows; row++, from += step * codeLength) {
    const code = load<u32>(from);
    if (<u32>entryCount <= code) return wrong;
    v128.store(values + row * entryLength, v128.load(entries + code * entryLength));
    if (code === 0) result = lacks(row, result);
  }
  return result;
}

/** Notes that a row has no value. Until the first of them nothing was noted. */
function lacks(row: i32, result: i32): i32 {
  if (result === whole) memory.fill(validity, 0xff, validityLength);
  const byte = validity + (row >> 3);
  const bits = <i32>load<u8>(byte);
  store<u8>(byte, <u8>(bits & ~(1 << (row & 7))));
  return lacking;
}
