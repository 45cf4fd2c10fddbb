import type { RowBatch } from './row-batch.ts';
import type { RowTarget } from './row-writer.ts';
import { entryWords, maxInlineBytes, type Texts, textHeap } from './text-heap.ts';

/** A batch of rows, and one number and one text that hold for all of them. */
export interface TaggedBatch {
  readonly batch: RowBatch;
  readonly number: number;
  /** Not empty: an empty text would be NULL. */
  readonly text: string;
}

/** Returns the target of joined batches: the part and its entry are columns behind the others. */
export function joinedTarget({ table, numbers, texts }: RowTarget): RowTarget {
  const part = { name: 'part', type: 'INTEGER' } as const;
  return { table, constants: [], numbers: [...numbers, part], texts: [...texts, 'entry'] };
}

/**
 * Joins batches with the same columns into one, in order. Each row has its number and its text in
 * two more columns, behind the others.
 */
export function joinBatches(
  tagged: readonly TaggedBatch[],
  width: { readonly numbers: number; readonly texts: number },
): RowBatch {
  const rows = tagged.reduce((sum, { batch }) => sum + batch.rows, 0);
  const numbers = new Float64Array(rows * (width.numbers + 1));
  const codes = new Int32Array(rows * (width.texts + 1));
  const tags = textHeap();
  const tagCodes = tagged.map(({ text }) => tags.add(text));
  const texts = [tags.take(), ...tagged.map(({ batch }) => batch.texts)];
  const firstCodes = firstCodesOf(texts);
  let row = 0;
  for (const [index, { batch, number }] of tagged.entries()) {
    const offset = firstCodes[index + 1] ?? 0;
    for (let each = 0; each < batch.rows; each++, row++) {
      for (let column = 0; column < width.numbers; column++)
        numbers[row * (width.numbers + 1) + column] = batch.numbers[each * width.numbers + column] ?? 0;
      numbers[row * (width.numbers + 1) + width.numbers] = number;
      for (let column = 0; column < width.texts; column++) {
        const code = batch.codes[each * width.texts + column] ?? 0;
        codes[row * (width.texts + 1) + column] = code === 0 ? 0 : code + offset;
      }
      codes[row * (width.texts + 1) + width.texts] = tagCodes[index] ?? 0;
    }
  }
  return { rows, numbers, codes, texts: joinTexts(texts) };
}

/** Returns what to add to the codes of each of several texts: the empty text is common to all. */
function firstCodesOf(texts: readonly Texts[]): readonly number[] {
  let count = 0;
  return texts.map(({ entries }) => {
    const first = count;
    count += entries.length / entryWords - 1;
    return first;
  });
}

/** Joins texts. Their first entry, the empty text, is there once. */
function joinTexts(all: readonly Texts[]): Texts {
  const words = all.reduce((sum, { entries }) => sum + entries.length - entryWords, entryWords);
  const entries = new Uint32Array(words);
  const bytes = new Uint8Array(all.reduce((sum, each) => sum + each.bytes.length, 0));
  let [word, end] = [entryWords, 0];
  for (const each of all) {
    entries.set(each.entries.subarray(entryWords), word);
    for (const last = word + each.entries.length - entryWords; word < last; word += entryWords)
      if (maxInlineBytes < (entries[word] ?? 0)) entries[word + 2] = (entries[word + 2] ?? 0) + end;
    bytes.set(each.bytes, end);
    end += each.bytes.length;
  }
  return { entries, bytes };
}
