import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { joinBatches, type RowBatch, rowBatcher } from '../../src/case/rows/batches.ts';
import { openRowWriter, registerRowSource } from '../../src/case/rows/row-writer.ts';
import { edgeValues } from '../../src/testing/edge-numbers.ts';
import { rounds } from '../effort.ts';

const width = { numbers: 4, texts: 3 };

/** Texts about the length from which they stand elsewhere than in their entry, and long ones. */
const text = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: 'binary', maxLength: 16 }) },
  { weight: 20, arbitrary: fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }) },
  { weight: 20, arbitrary: fc.constantFrom('', 'twelve bytes', 'thirteenbytes', 'again and again') },
  // Seldom, since a batch may come 700 times.
  { weight: 1, arbitrary: fc.constant('x'.repeat(70_000)) },
);

const number = fc.option(fc.double({ noNaN: true }), { nil: undefined });
const edges = fc.constantFrom(...edgeValues.integer).map(BigInt);

type Row = readonly [number | undefined, bigint, string, string, string];

const row: fc.Arbitrary<Row> = fc.tuple(number, edges, text, text, text);

/** A few rows, come again so often that they go beyond a vector of the database, or not at all. */
const batch = fc
  .tuple(fc.array(row, { maxLength: 12 }), fc.constantFrom(1, 1, 3, 700))
  .map(([rows, times]) => Array.from({ length: times }, () => rows).flat());

const batcher = rowBatcher(width);

/** As a log is made into a row: a text that was there before has the number that it had. */
function toBatch(rows: readonly Row[]): RowBatch {
  const numbers = new Map<string, number>();
  for (const [first, second, ...texts] of rows) {
    batcher.addRow();
    if (first !== undefined) batcher.setNumber(0, first);
    batcher.setNumber(2, Number(second - (second & 0x7ffn)));
    if ((second & 0x7ffn) !== 0n) batcher.setNumber(1, Number(second & 0x7ffn));
    for (const [column, text] of texts.entries()) {
      const number = numbers.get(text) ?? batcher.addText(text);
      numbers.set(text, number);
      batcher.setText(column, number);
    }
  }
  // Half of a surrogate pair comes as the sign that stands for what is none.
  return batcher.take();
}

const asStored = (text: string) => Buffer.from(text).toString() || null;

const columns = {
  numbers: [
    { name: 'a', type: 'DOUBLE' },
    { name: 'b', type: 'low bits' },
    { name: 'b', type: 'BIGINT' },
    { name: 'c', type: 'DOUBLE' },
  ],
  texts: ['x', 'y', 'z'],
} as const;

async function connect() {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  registerRowSource(connection);
  return connection;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each(['raw', 'plain'])('written %s', (how) => {
  beforeEach(() => {
    vi.stubEnv('LOGQUARRY_ROWS', how);
  });

  test('rows come into the database as they are, in batches of any size', async () => {
    const connection = await connect();
    const constants = [{ name: 'batch', type: 'INTEGER' }] as const;
    const target = { table: 'main.rows', constants, ...columns };
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 4 }), async (batches) => {
        await connection.run(
          'CREATE OR REPLACE TABLE rows (batch INTEGER, a DOUBLE, b BIGINT, c DOUBLE, x VARCHAR, y VARCHAR, z VARCHAR)',
        );
        await using writer = await openRowWriter(connection, target);
        for (const [number, rows] of batches.entries()) await writer.write(toBatch(rows), [number]);
        await writer.finish();
        const found = await connection.runAndReadAll('SELECT a, b, x, y, z, batch FROM rows');
        expect(found.getRowsJS()).toEqual(
          batches.flatMap((rows, number) =>
            rows.map(([a, b, ...texts]) => [a ?? null, b, ...texts.map(asStored), number]),
          ),
        );
      }),
      { numRuns: rounds(60, 6) },
    );
  });

  test('batches that are joined come as each of them would, with its number and its text', async () => {
    const connection = await connect();
    const target = {
      table: 'main.joined',
      constants: [],
      numbers: [...columns.numbers, { name: 'part', type: 'INTEGER' }],
      texts: [...columns.texts, 'entry'],
    } as const;
    const entry = text.filter((each) => each !== '');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(batch, entry), { maxLength: 5 }), async (entries) => {
        await connection.run(
          'CREATE OR REPLACE TABLE joined (part INTEGER, a DOUBLE, b BIGINT, c DOUBLE, x VARCHAR, y VARCHAR, z VARCHAR, entry VARCHAR)',
        );
        const tagged = entries.map(([rows, name], number) => ({ batch: toBatch(rows), number, text: name }));
        await using writer = await openRowWriter(connection, target);
        await writer.write(joinBatches(tagged, width), []);
        await writer.finish();
        const found = await connection.runAndReadAll('SELECT a, b, x, y, z, part, entry FROM joined');
        expect(found.getRowsJS()).toEqual(
          entries.flatMap(([rows, name], number) =>
            rows.map(([a, b, ...texts]) => [a ?? null, b, ...texts.map(asStored), number, asStored(name)]),
          ),
        );
      }),
      { numRuns: rounds(60, 6) },
    );
  });
});
