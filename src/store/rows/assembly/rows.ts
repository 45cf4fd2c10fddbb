/** Rows, and their texts in the form in which DuckDB holds them. */

import {
  codes,
  entries,
  entryLength,
  mostRows,
  mostTexts,
  numberColumns,
  numbers,
  reach,
  textColumns,
  texts,
  tokensOf,
  vector,
} from './memory.ts';
import { firstBytes } from './vectors.ts';

let rowCount: i32 = 0;
/** With the empty text. */
let textCount: i32 = 1;
/** Where the next text is written. */
export let textsEnd: i32 = 0;

export function rows(): i32 {
  return rowCount;
}

export function textsAndNone(): i32 {
  return textCount;
}

export function textsLength(): i32 {
  return textsEnd - texts;
}

/** Forgets the rows and their texts. */
export function clearRows(): void {
  rowCount = 0;
  textCount = 1;
  textsEnd = texts;
}

/** Begins a row, which has no numbers and no texts yet. */
export function addRow(): void {
  if (rowCount === mostRows) unreachable();
  rowCount++;
  for (let column = 0; column < numberColumns; column++) setNumber(column, NaN);
  for (let column = 0; column < textColumns; column++) setText(column, 0);
}

/** Gives the row that was added last a number. */
export function setNumber(column: i32, value: f64): void {
  store<f64>(numbers + ((rowCount - 1) * numberColumns + column) * 8, value);
}

/** Gives the row that was added last a text, by its number. */
export function setText(column: i32, code: i32): void {
  store<i32>(codes + ((rowCount - 1) * textColumns + column) * 4, code);
}

/** Gives the address at which a text of so many bytes can be written. */
export function reserve(length: i32): i32 {
  reach(textsEnd + length + vector);
  return textsEnd;
}

/** So many bytes stand in the entry of a text, behind its length. */
const longestWithin: i32 = 12;

/** Makes a text of so many bytes that were written, and gives its number; 0 where there are none. */
export function note(length: i32): i32 {
  if (length === 0) return 0;
  if (textCount === mostTexts) unreachable();
  const entry = entries + textCount * entryLength;
  store<i32>(entry, length);
  if (length <= longestWithin) v128.store(entry, firstBytes(v128.load(textsEnd), length), 4);
  else {
    store<i32>(entry, load<i32>(textsEnd), 4);
    store<i64>(entry, textsEnd - texts, 8);
    textsEnd += length;
  }
  return textCount++;
}

/** Says which tokens a text has, by their numbers. */
export function setTokens(code: i32, tokens: i32): void {
  store<i32>(tokensOf + code * 4, tokens);
}

/** The number of the tokens of a text. */
export function tokensOfText(code: i32): i32 {
  return load<i32>(tokensOf + code * 4);
}
