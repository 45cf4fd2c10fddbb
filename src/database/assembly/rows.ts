/** Rows, and their texts in the layout of DuckDB. */

import {
  codesAddress,
  entriesAddress,
  entryLength,
  growMemory,
  maxRows,
  maxTexts,
  numberColumnCount,
  numbersAddress,
  textColumnCount,
  textsAddress,
  vectorLength,
} from './memory.ts';
import { firstBytes } from './vectors.ts';

let addedRows: i32 = 0;
/** Includes the empty text. */
let textCount: i32 = 1;
/** Address at which the next text is written. */
export let textsEnd: i32 = 0;

export function rowCount(): i32 {
  return addedRows;
}

export function entryCount(): i32 {
  return textCount;
}

export function textsLength(): i32 {
  return textsEnd - textsAddress;
}

/** Drops the rows and their texts. */
export function clearRows(): void {
  addedRows = 0;
  textCount = 1;
  textsEnd = textsAddress;
}

/** Adds a row without numbers and texts. */
export function addRow(): void {
  if (addedRows === maxRows) unreachable();
  addedRows++;
  for (let column = 0; column < numberColumnCount; column++) setNumber(column, NaN);
  for (let column = 0; column < textColumnCount; column++) setText(column, 0);
}

/** Sets a number of the last row. */
export function setNumber(column: i32, value: f64): void {
  store<f64>(numbersAddress + ((addedRows - 1) * numberColumnCount + column) * 8, value);
}

/** Sets a text of the last row, by its code. */
export function setText(column: i32, code: i32): void {
  store<i32>(codesAddress + ((addedRows - 1) * textColumnCount + column) * 4, code);
}

/** Reserves memory for a text; returns its address. */
export function reserveText(length: i32): i32 {
  growMemory(textsEnd + length + vectorLength);
  return textsEnd;
}

/** Maximum bytes that are inlined into an entry, after its length. */
const maxInlineBytes: i32 = 12;

/** Adds the text written at the reserved address; returns its code, 0 for an empty text. */
export function addReservedText(length: i32): i32 {
  if (length === 0) return 0;
  if (textCount === maxTexts) unreachable();
  const entry = entriesAddress + textCount * entryLength;
  store<i32>(entry, length);
  if (length <= maxInlineBytes) v128.store(entry, firstBytes(v128.load(textsEnd), length), 4);
  else {
    store<i32>(entry, load<i32>(textsEnd), 4);
    store<i64>(entry, textsEnd - textsAddress, 8);
    textsEnd += length;
  }
  return textCount++;
}
