import { entryWords, maxInlineBytes, type Texts } from '../../src/case/rows/batches.ts';

/** The text with a number, read as the header of DuckDB says that it is laid out; null where the number is 0. */
export function textOf({ entries, bytes }: Texts, number: number): string | null {
  if (number === 0) return null;
  const [length = 0, , place = 0] = entries.subarray(number * entryWords, (number + 1) * entryWords);
  if (length <= maxInlineBytes)
    return Buffer.from(entries.buffer, number * entryWords * 4 + 4, length).toString();
  const text = Buffer.from(bytes.subarray(place, place + length));
  const start = Buffer.from(entries.buffer, number * entryWords * 4 + 4, 4);
  if (!start.equals(text.subarray(0, 4))) throw new Error('An entry has other bytes than its text');
  return text.toString();
}
