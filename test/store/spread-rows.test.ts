import { expect, test } from 'vitest';
import { maxWriters, spreadRows } from '../../src/case/loading/part-writer.ts';
import type { RowBatch } from '../../src/case/rows/batches.ts';
import { type RowWriter, rowGroupSize } from '../../src/case/rows/row-writer.ts';

const batch: RowBatch = {
  rows: 5_000,
  numbers: new Float64Array(),
  codes: new Int32Array(),
  texts: { entries: new Uint32Array(), bytes: new Uint8Array() },
};

/** Writers that count their rows, of which each batch takes a moment. */
function writersThatCount() {
  const rows: number[] = [];
  const open = (): RowWriter => {
    const number = rows.push(0) - 1;
    let running: Promise<void> = Promise.resolve();
    const write = async (written: RowBatch) => {
      await running;
      rows[number] = (rows[number] ?? 0) + written.rows;
      running = new Promise((resolve) => setImmediate(resolve));
    };
    return { write, finish: () => running, [Symbol.asyncDispose]: async () => undefined };
  };
  return { rows, open };
}

/** Number of rows that each writer got. */
async function sharesOf(rows: number, likelyRows?: number): Promise<readonly number[]> {
  const counted = writersThatCount();
  const more = { open: async () => counted.open(), likelyRows: () => likelyRows };
  await using writer = spreadRows(counted.open(), more);
  for (let written = 0; written < rows; written += batch.rows) await writer.write(batch, []);
  await writer.finish();
  return counted.rows;
}

test('rows that are likely to be few have one writer', async () => {
  expect(await sharesOf(100_000, 100_000)).toHaveLength(1);
  expect(await sharesOf(2 * rowGroupSize, 2 * rowGroupSize)).toHaveLength(1);
});

test('of those that are likely to be many, each writer gets more than a row group', async () => {
  const two = await sharesOf(300_000, 300_000);
  expect(two).toHaveLength(2);
  const many = await sharesOf(1_000_000, 1_000_000);
  expect(many).toHaveLength(maxWriters);
  for (const rows of [...two, ...many]) expect(rows).toBeGreaterThan(rowGroupSize);
});

test('where it is not known how many there are, or there are more, writers are opened for those that came', async () => {
  expect(await sharesOf(rowGroupSize)).toHaveLength(1);
  expect(await sharesOf(2 * rowGroupSize)).toHaveLength(2);
  expect(await sharesOf(1_000_000)).toHaveLength(maxWriters);
  expect(await sharesOf(1_000_000, 10)).toHaveLength(maxWriters);
});

test('without further writers, the first gets all', async () => {
  const counted = writersThatCount();
  await using writer = spreadRows(counted.open());
  for (let turn = 0; turn < 60; turn++) await writer.write(batch, []);
  expect(counted.rows).toEqual([300_000]);
});
