import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { type RowBatch, rowBatcher, separator } from '../../src/store/loading/row-batch.ts';
import { addRowSource } from '../../src/store/loading/row-source.ts';
import { openRowWriter } from '../../src/store/loading/row-writer.ts';

type Row = readonly [number: number | undefined, text: string];

function toBatch(rows: readonly Row[]): RowBatch {
  const batcher = rowBatcher({ numbers: 1, texts: 1 });
  for (const [number, text] of rows) {
    batcher.addRow([number]);
    batcher.setText(0, batcher.addPiece(text));
  }
  return batcher.take(separator);
}

/** Writes batches into a table of a database of its own, and gives back what is in it. */
async function checkWritten(batches: readonly RowBatch[]) {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  addRowSource(connection);
  await connection.run('CREATE TABLE logs (part INTEGER, entry VARCHAR, number BIGINT, text VARCHAR)');
  await using writer = await openRowWriter(connection, {
    ...{
      table: 'main.logs',
      constants: [
        { name: 'part', type: 'INTEGER' },
        { name: 'entry', type: 'VARCHAR' },
      ],
    },
    ...{ numbers: [{ name: 'number', type: 'BIGINT' }], texts: ['text'] },
  });
  for (const batch of batches) await writer.write(batch, [7, "o'clock"]);
  await writer.finish();
  const result = await connection.runAndReadAll('SELECT number::DOUBLE, text, part, entry FROM logs');
  return result.getRowsJS();
}

describe('a batch', () => {
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

  test('without any text has rows all the same', async () => {
    expect(await checkWritten([toBatch([[1, '']])])).toEqual([[1, null, 7, "o'clock"]]);
  });

  test('one of whose texts holds the separator is refused, not put together wrongly', async () => {
    const rows: Row[] = [
      [1, `a${separator}b`],
      [2, 'c'],
    ];
    const batch = toBatch(rows);
    await expect(checkWritten([batch])).rejects.toThrow('A batch of 2 rows became 0');
  });
});

test('a source that is not open has no rows', async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  addRowSource(connection);
  const result = await connection.runAndReadAll('SELECT * FROM incoming_rows(1000000)');
  expect(result.getRowsJS()).toEqual([]);
});
