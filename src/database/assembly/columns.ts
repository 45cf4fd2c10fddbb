/**
 * Converts rows to columns: the values of each as a DuckDB vector. AssemblyScript, compiled to
 * WebAssembly. Only `columns.ts` of the parent folder calls it.
 */

/** Rows of a DuckDB vector. */
const maxRows: i32 = 2048;

const entryLength: i32 = 16;
const numberLength: i32 = 8;
const codeLength: i32 = 4;

/** Values of the current column, and their validity bits. */
const values: i32 = 1024;
const validity: i32 = values + maxRows * entryLength;
const validityLength: i32 = maxRows / 8;

/** The current batch, row by row: its text entries, numbers and text codes. */
const entries: i32 = validity + validityLength;
let entryCount: i32 = 0;
let numbers: i32 = 0;
let codes: i32 = 0;

/** Maximum bytes that are inlined into an entry, after its length. */
const maxInlineBytes: u32 = 12;

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

/** Allocates memory for a batch with the given numbers of texts, numbers and codes. */
export function layOutBatch(texts: i32, numberCount: i32, codeCount: i32): void {
  entryCount = texts;
  numbers = entries + texts * entryLength;
  codes = numbers + numberCount * numberLength;
  const pages = (codes + codeCount * codeLength + 0xffff) >>> 16;
  if (memory.size() < pages && memory.grow(pages - memory.size()) < 0) unreachable();
}

/**
 * Replaces the offsets in the entries of longer texts by addresses in the database, which holds
 * `length` bytes at `address`. Returns false if an offset is out of range.
 */
export function setAddresses(address: u64, length: u64): bool {
  for (let entry = entries; entry < numbers; entry += entryLength) {
    const bytes = load<u32>(entry);
    if (bytes <= maxInlineBytes) continue;
    const offset = load<u64>(entry, 8);
    if (length < offset || length - offset < bytes) return false;
    store<u64>(entry, address + offset, 8);
  }
  return true;
}

/** Results of a column: every row has a value, some are NULL, or a code names a text that does not exist. */
const allValid: i32 = 1;
const someNull: i32 = 0;
const invalidCode: i32 = -1;

/** Copies a numeric column that begins at index `first`. NaN is NULL. */
export function takeNumbers(first: i32, step: i32, rows: i32): i32 {
  let result = allValid;
  for (let row = 0, from = numbers + first * numberLength; row < rows; row++, from += step * numberLength) {
    const value = load<f64>(from);
    store<f64>(values + row * numberLength, value);
    if (F64.isNaN(value)) result = markNull(row, result);
  }
  return result;
}

/** Copies a text column whose codes begin at index `first`. Code 0 is NULL. */
export function takeTexts(first: i32, step: i32, rows: i32): i32 {
  let result = allValid;
  for (let row = 0, from = codes + first * codeLength; row < rows; row++, from += step * codeLength) {
    const code = load<u32>(from);
    if (<u32>entryCount <= code) return invalidCode;
    v128.store(values + row * entryLength, v128.load(entries + code * entryLength));
    if (code === 0) result = markNull(row, result);
  }
  return result;
}

/** Marks a row as NULL. The first one also initializes the validity bits. */
function markNull(row: i32, result: i32): i32 {
  if (result === allValid) memory.fill(validity, 0xff, validityLength);
  const byte = validity + (row >> 3);
  const bits = <i32>load<u8>(byte);
  store<u8>(byte, <u8>(bits & ~(1 << (row & 7))));
  return someNull;
}
