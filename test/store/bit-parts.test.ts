import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitParts, bitSql, partIds, setSql } from '../../src/word-index/log-conditions.ts';
import { addId, bitsFor, emptyBitmap, setOfBits } from '../../src/word-index/log-set.ts';
import { rounds } from '../effort.ts';

/** Ids at the edges of parts, and of sets that end within a part or with it. */
const edges = [0, 1, 2, 3].flatMap((part) =>
  [-65, -1, 0, 1, 63, 64, 70_000].map((beside) => part * partIds + beside),
);
const ids = edges.filter((id) => 0 < id);

/** More ids than a condition lists, so that it tests bits. */
const many = Array.from({ length: 1001 }, (_, index) => 100 + index);

test('rows are selected by the parts of a set as by the whole set', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE logs AS SELECT unnest([${[...ids, ...many].join(', ')}])::BIGINT AS id ORDER BY hash(id)`,
  );
  const select = async (sql: string, parameters: Parameters<typeof connection.runAndReadAll>[1]) =>
    (await connection.runAndReadAll(`SELECT id::DOUBLE FROM logs WHERE ${sql} ORDER BY id`, parameters))
      .getRowsJS()
      .flat();
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(ids, { minLength: 1 }),
      fc.constantFrom(0, 0, 64, partIds),
      async (chosen, beyond) => {
        const set = emptyBitmap(bitsFor(Math.max(...chosen, ...many) + beyond));
        for (const id of [...chosen, ...many]) addId(set, id);
        const bits = 32 * set.words.length;
        const parts = bitParts(set, bits);
        const names = parts.map((_, index) => `$${index + 1}::BIT`);
        const expected = [...chosen, ...many].sort((one, other) => one - other);
        expect(await select(`id < ${bits} AND ${bitSql('id::INTEGER', names)} = 1`, [...parts])).toEqual(
          expected,
        );
        const bound: (typeof parts)[number][] = [];
        const condition = setSql(setOfBits(set), (value) => `$${bound.push(value)}`);
        expect(await select(condition, bound)).toEqual(expected);
      },
    ),
    { numRuns: rounds(60) },
  );
  connection.closeSync();
  instance.closeSync();
});
