import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RowBatch, rowBatcher } from '../../src/case/rows/batches.ts';
import { openRowWriter, registerRowSource } from '../../src/case/rows/row-writer.ts';

type Row = readonly [number: number | undefined, text: string];

function toBatch(rows: readonly Row[]): RowBatch {
  const batcher = rowBatcher({ numbers: 1, texts: 1 });
  for (const [number, text] of rows) {
    batcher.addRow();
    if (number !== undefined) batcher.setNumber(0, number);
    batcher.setText(0, batcher.addText(text));
  }
  return batcher.take();
}

/** Writes batches into a table of a database of its own, and gives back what is in it. */
async function checkWritten(batches: readonly RowBatch[]) {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  registerRowSource(connection);
  await connection.run('CREATE TABLE logs (part INTEGER, entry VARCHAR, number BIGINT, text VARCHAR)');
  await using writer = await openRowWriter(connection, {
    table: 'main.logs',
    constants: [
      { name: 'part', type: 'INTEGER' },
      { name: 'entry', type: 'VARCHAR' },
    ],
    numbers: [{ name: 'number', type: 'BIGINT' }],
    texts: ['text'],
  });
  for (const batch of batches) await writer.write(batch, [7, "o'clock"]);
  await writer.finish();
  const result = await connection.runAndReadAll('SELECT number::DOUBLE, text, part, entry FROM logs');
  return result.getRowsJS();
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each(['raw', 'plain'])('a batch that is written %s', (how) => {
  beforeEach(() => {
    vi.stubEnv('LOGQUARRY_ROWS', how);
  });

  test('comes into the table as it is and in its order, whatever its size', async () => {
    const hard = ['', 'a\u0000b', '\u001e', 'ä😀', '"', "'", '\n', 'x'.repeat(100_000)];
    const rows = Array.from(
      { length: 5_000 },
      (_, at): Row => [at % 3 === 0 ? undefined : at * 2 ** 40, hard[at % hard.length] ?? ''],
    );
    const batches = [rows.slice(0, 4_097), rows.slice(4_097, 4_098), [], rows.slice(4_098)];
    const written = await checkWritten(batches.map(toBatch));
    expect(written).toEqual(rows.map(([number, text]) => [number ?? null, text || null, 7, "o'clock"]));
  });

  test('has texts of every length about that from which they stand elsewhere', async () => {
    const texts = Array.from({ length: 40 }, (_, length) => 'äbcdefghij'.repeat(4).slice(0, length));
    const written = await checkWritten([toBatch(texts.map((text) => [1, text]))]);
    expect(written.map(([, text]) => text)).toEqual(texts.map((text) => text || null));
  });

  test('may have rows without any text', async () => {
    expect(await checkWritten([toBatch([[1, '']])])).toEqual([[1, null, 7, "o'clock"]]);
  });

  test('may have rows without a text or a number anywhere in a vector', async () => {
    const rows = Array.from(
      { length: 2_048 * 2 + 5 },
      (_, at): Row => [at % 64 === 63 ? undefined : at, at % 65 === 64 ? '' : `text of row ${at}`],
    );
    const written = await checkWritten([toBatch(rows)]);
    expect(written.map(([number, text]) => [number ?? undefined, text ?? ''])).toEqual(rows);
  });

  test('whose entries lead beyond its texts is refused', async () => {
    for (const place of [1, 2 ** 32 - 1]) {
      const batch = toBatch([[1, 'longer than twelve bytes']]);
      batch.texts.entries[6] = place;
      await expect(checkWritten([batch])).rejects.toThrow('A text of a batch lies outside its bytes');
    }
  });

  test('whose numbers name texts that it does not have is refused', async () => {
    for (const code of [2, -1, 2 ** 30]) {
      const batch = toBatch([[1, 'a']]);
      batch.codes[0] = code;
      await expect(checkWritten([batch])).rejects.toThrow(
        'A row of a batch refers to a text that does not exist',
      );
    }
  });

  test('whose texts are not UTF-8 is refused', async () => {
    const batch = toBatch([[1, 'longer than twelve bytes']]);
    batch.texts.bytes[3] = 0xff;
    await expect(checkWritten([batch])).rejects.toThrow('The texts of a batch are not UTF-8');
  });
});

test('a source that is not open has no rows', async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  registerRowSource(connection);
  const result = await connection.runAndReadAll('SELECT * FROM incoming_rows(1000000)');
  expect(result.getRowsJS()).toEqual([]);
});
