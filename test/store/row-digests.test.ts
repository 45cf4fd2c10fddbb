import { createHash } from 'node:crypto';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import { rowDigests } from '../../src/case/file/chain.ts';

test('a digest has every row of a part once, however many there are', async () => {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  await connection.run(`CREATE SCHEMA stored;
    CREATE TABLE stored.unreadable AS SELECT part, position, 'row ' || position AS raw
    FROM (VALUES (2, 12000), (11, 3), (30, 5001)) AS parts(part, count), range(1, count + 1) AS r(position)`);
  const columns = ['position', 'raw'];
  const digests = await rowDigests(connection, { table: 'unreadable', columns, parts: [30, 2, 11, 77] });
  expect(digests).toEqual(
    new Map([2, 11, 30].map((part) => [part, digestOf({ 2: 12_000, 11: 3, 30: 5_001 }[part] ?? 0)])),
  );
  const part = { table: 'unreadable', columns, parts: [2], after: 4, upTo: 11_000 } as const;
  const some = await rowDigests(connection, part);
  for (const position of [5, 56, 549, 5499, 10_999, 11_000]) {
    await connection.run(`UPDATE stored.unreadable SET raw = 'x' WHERE part = 2 AND position = ${position}`);
    expect([position, await rowDigests(connection, part)]).not.toEqual([position, some]);
    await connection.run(
      `UPDATE stored.unreadable SET raw = 'row ${position}' WHERE part = 2 AND position = ${position}`,
    );
  }
  expect(await rowDigests(connection, part)).toEqual(some);
});

/** SHA-256 of rows 1 to a number, in the order of their positions as texts. */
function digestOf(count: number): string {
  const positions = Array.from({ length: count }, (_, index) => String(index + 1)).sort();
  const rows = positions.map((position) => `${JSON.stringify([position, `row ${position}`])}\n`);
  return createHash('sha256').update(rows.join('')).digest('hex');
}
