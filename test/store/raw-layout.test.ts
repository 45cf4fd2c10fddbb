import { expect, test } from 'vitest';
import type { RowBatch } from '../../src/case/rows/batches.ts';
import { isRawLayoutKnown, openRawChunkWriter } from '../../src/case/rows/row-writer.ts';

/** Opens a writer that alters each batch, as if the database read its memory in another way. */
const openOther = (alter: (batch: RowBatch) => void) => () => {
  const writer = openRawChunkWriter({ numbers: 1, texts: 1 });
  const setBatch = (batch: RowBatch) => {
    alter(batch);
    writer.setBatch(batch);
  };
  return { ...writer, setBatch };
};

test('the memory of chunks is written as this version of the database has it', () => {
  expect(isRawLayoutKnown()).toBe(true);
});

test.each<[what: string, alter: (batch: RowBatch) => void]>([
  ['the first bytes of a long text', ({ texts }) => texts.entries.fill(0, 13, 14)],
  ['an inlined text', ({ texts }) => texts.entries.fill(0, 10, 11)],
  ['the bytes of a long text', ({ texts }) => texts.bytes.fill(32, 20, 30)],
  ['a number', ({ numbers }) => numbers.fill(7, 1, 2)],
  ['a NULL', ({ numbers }) => numbers.fill(7, 4, 5)],
  ['what makes the writer fail', ({ codes }) => codes.fill(100)],
])('a writer is not used where %s would differ', (_, alter) => {
  expect(isRawLayoutKnown(openOther(alter))).toBe(false);
});
