import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, openCase, readCase } from '../../src/case/file/case.ts';
import { readValidParts } from '../../src/case/file/parts.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { findUnproven, readOriginals, type Unproven } from '../../src/case/verify/check-originals.ts';
import { toZip } from './zips.ts';

let folder: string;
let of: Case;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const line = (index: number) =>
  JSON.stringify({ time: index, msg: `log ${index} of é`, source: 's', elapsed: index / 8 });
const lines = (count: number) => Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** More rows than one test takes, with records between them that are no logs. */
const many = Array.from({ length: 70_000 }, (_, index) => (index % 9_000 === 7 ? 'nonsense' : '{"msg":"x"}'));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-unproven-'));
  of = await openCase(join(folder, 'case.duckdb'), { access: 'write', create: true });
  const entries = [
    { name: 'a.ndjson', content: `${lines(40)}\nnonsense` },
    { name: 'b.csv', content: 'time,msg\n1,"x, y"\n2,z\n' },
    { name: 'c.ndjson', content: lines(5) },
  ];
  await addFile(of, { name: 'some.zip', bytes: toZip(entries) });
  await addFile(of, { name: 'bare.ndjson', bytes: bytesOf(lines(30)) });
  await addFile(of, { name: 'many.ndjson', bytes: bytesOf(many.join('\n')) });
});
afterAll(async () => {
  await of[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** First ids of the parts, in their order. */
const firstIds = [1, 41, 43, 48, 78];

interface Altered {
  readonly statements?: readonly string[];
  /** Names of the files to prove; default: all. */
  readonly files?: readonly string[];
  readonly miscounted?: readonly number[];
}

/** Returns what is unproven after statements, which are rolled back. */
function unproven({ statements = [], files, miscounted = [] }: Altered = {}): Promise<Unproven> {
  return readCase(of, async (connection) => {
    const { parts } = await readValidParts(connection);
    const originals = await readOriginals(connection, parts);
    await connection.run('BEGIN');
    try {
      for (const statement of statements) await connection.run(statement);
      return await findUnproven(of, connection, {
        originals: originals.filter(({ name }) => files?.includes(name) ?? true),
        parts: new Map(
          originals.map(({ sha256 }) => [sha256, parts.filter(({ fileSha256 }) => fileSha256 === sha256)]),
        ),
        recorded: new Map(firstIds.map((firstId, index) => [index + 1, { firstId, leftOut: 0 }])),
        miscounted: new Set(miscounted),
        onBytes: () => () => undefined,
      });
    } finally {
      await connection.run('ROLLBACK');
    }
  });
}

const nothing = { files: new Set(), parts: new Set() };

test('a case as it was made is proven whole', async () => {
  expect(await unproven()).toEqual(nothing);
});

test('rows are proven wherever they are in the table', async () => {
  const statements = [
    'CREATE TEMP TABLE moved AS FROM stored.logs',
    'DELETE FROM stored.logs',
    'INSERT INTO stored.logs FROM moved WHERE part = 5 ORDER BY position > 100, position',
    'INSERT INTO stored.logs FROM moved WHERE part < 5 ORDER BY part DESC, position % 3, position',
  ];
  expect(await unproven({ statements })).toEqual(nothing);
});

test.each([
  ['its last row', `UPDATE stored.logs SET msg = 'y' WHERE part = 5 AND position = 70000`],
  ['an unreadable record', `UPDATE stored.unreadable SET raw = 'y' WHERE part = 5 AND position = 63008`],
  ['two rows that changed places', positions(5, 6)],
  [
    'a row that is there twice instead of another',
    'INSERT INTO stored.logs FROM stored.logs WHERE id = 82; DELETE FROM stored.logs WHERE id = 83',
  ],
  ['a row without a position', 'UPDATE stored.logs SET position = NULL WHERE id = 83'],
  ['a row outside of the file', 'UPDATE stored.logs SET position = 70001 WHERE id = 83'],
  ['a row of another part', 'UPDATE stored.logs SET part = 4 WHERE id = 83'],
])('of a part that takes several tests, %s is noticed', async (_, statement) => {
  expect((await unproven({ statements: [statement], files: ['many.ndjson'] })).parts).toContain(5);
});

function positions(one: number, other: number): string {
  return `UPDATE stored.logs SET position = ${one + other} - position WHERE part = 5 AND position IN (${one}, ${other})`;
}

test('each altered value of a small part is noticed', async () => {
  const others = [
    ...['"time" = "time" + INTERVAL 1 microsecond', '"logCode" = 1', 'elapsed = -0.5', 'extra = \'{"a":1}\''],
    ...['id = 500', "entry = 'd'", 'byte_offset = byte_offset + 1', 'byte_length = NULL'],
    ...["source = 'S'", "msg = ' x '", "thread = ''", "machine = 'm'", 'part = 77'],
  ];
  for (const part of [1, 3, 4])
    for (const change of part === 4 ? others : others.slice(0, 3)) {
      const statements = [`UPDATE stored.logs SET ${change} WHERE part = ${part} AND position = 2`];
      const { parts } = await unproven({ statements, files: ['some.zip', 'bare.ndjson'] });
      expect([change, parts.has(part)]).toEqual([change, true]);
    }
});

test('a miscounted part, and files that are gone, are left to the thorough check', async () => {
  expect((await unproven({ miscounted: [3] })).parts).toEqual(new Set([3]));
  await rm(join(folder, 'case.duckdb.evidence'), { recursive: true });
  expect((await unproven()).files.size).toBe(3);
});
