/** Repeated texts of a region: each is added once. */

import {
  slotCode,
  slotFrom,
  slotHash,
  slotLength,
  textSlotLength,
  textSlots,
  textTable,
  vectorLength,
} from './memory.ts';
import { addReservedText, reserveText } from './rows.ts';
import { equalBytes } from './vectors.ts';

/** Maximum probes for a text or a free slot: bounds the time that a hostile file can cause. */
const maxProbes: i32 = 8;

/** Maximum length of cached texts, in bytes: longer ones rarely repeat. */
const longestRepeated: i32 = 200;

/** Drops all texts. */
export function clearTexts(): void {
  memory.fill(textTable, 0, textSlots * textSlotLength);
}

/** Returns the code of the text between two addresses. */
export function textCode(from: i32, to: i32, hash: u32): i32 {
  const length = to - from;
  const start = <i32>(hash ^ (hash >> 16));
  let free: i32 = 0;
  for (let probe = 0; probe < maxProbes && free === 0; probe++) {
    const slot = textTable + ((start + probe) & (textSlots - 1)) * textSlotLength;
    const code = load<i32>(slot, slotCode);
    if (code === 0) free = slot;
    else if (load<u32>(slot, slotHash) === hash && load<i32>(slot, slotLength) === length) {
      if (equalBytes(from, load<i32>(slot, slotFrom), length)) return code;
    }
  }
  const code = addText(from, length);
  if (free !== 0 && length <= longestRepeated) {
    store<u32>(free, hash, slotHash);
    store<i32>(free, from, slotFrom);
    store<i32>(free, length, slotLength);
    store<i32>(free, code, slotCode);
  }
  return code;
}

function addText(from: i32, length: i32): i32 {
  const into = reserveText(length);
  for (let at = 0; at < length; at += vectorLength) v128.store(into + at, v128.load(from + at));
  return addReservedText(length);
}
