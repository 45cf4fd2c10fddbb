import type { ByteRange } from './dictionary.ts';

/** A range that covers others. */
export interface JoinedRange {
  readonly range: ByteRange;
  readonly parts: readonly ByteRange[];
}

/** Ranges with a smaller gap are read together. */
const nearBytes = 16 * 1024;

/** Joins ascending ranges that are near to each other. */
export function joinRanges(ascending: readonly ByteRange[]): readonly JoinedRange[] {
  const joined: { range: ByteRange; readonly parts: ByteRange[] }[] = [];
  for (const part of ascending) {
    const last = joined.at(-1);
    const end = part.at + part.length;
    if (last && part.at - last.range.at - last.range.length < nearBytes) {
      last.range = { at: last.range.at, length: end - last.range.at };
      last.parts.push(part);
    } else joined.push({ range: part, parts: [part] });
  }
  return joined;
}
