import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase, readCase } from '../../../src/case/file/case.ts';
import { buildIndex } from '../../../src/case/index/build.ts';
import { addLogs } from '../../../src/case/loading/add-logs.ts';
import {
  type FoundTerm,
  type IndexReader,
  lookUp,
  positionsRange,
  readPostingsOf,
  scanTerms,
} from '../../../src/word-index/look-up.ts';
import { chunkIds, chunkOf, lowBits, readPostings } from '../../../src/word-index/postings.ts';
import {
  blobsOf,
  PageCache,
  pageBytes,
  pagesTable,
  readSegments,
  type Segment,
  unlessDamaged,
} from '../../../src/word-index/stored-segments.ts';
import { rounds } from '../../effort.ts';
import { tamperWith } from '../tamper.ts';

/*
 * Searches answer without an index that fails, so these tests read the segments themselves.
 */

const count = 6000;
/** Words of a message: shared ones, some in few logs, and those of one log, as digits, as hexadecimal ones and with other letters. */
const wordsOf = (number: number): readonly string[] => [
  'every',
  ...(number % 3 === 0 ? ['third', 'thirds'] : []),
  `some${Math.floor(number / 40)}`,
  `${number * 7919}`,
  (number * 2_654_435_761).toString(16).padStart(16, 'a'),
  `größe${number}x`,
];

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-look-up-'));
  path = join(folder, 'case.duckdb');
  await using into = await openCase(path, { access: 'write', create: true });
  const logs = Array.from({ length: count }, (_, index) => ({
    time: index,
    msg: wordsOf(index + 1).join(' '),
    source: index % 2 === 0 ? 'even' : 'odd',
  }));
  await addLogs(into, logs, { part: 'all' });
  await buildIndex(into, { segmentBytes: 700_000, threads: 0 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Gives the segments of the case to a test, with a cache of this many bytes. */
async function withReader(bytes: number, work: (reader: IndexReader) => Promise<void>): Promise<void> {
  await using of = await openCase(path, { access: 'read' });
  await readCase(of, async (connection) => {
    const segments = await readSegments(connection);
    await work({ connection, segments, cache: new PageCache(bytes) });
  });
}

/** Ids by word, computed in the simplest way. */
const idsByWord = new Map<string, number[]>();
for (let id = 1; id <= count; id++)
  for (const word of wordsOf(id)) idsByWord.set(word, [...(idsByWord.get(word) ?? []), id]);
const sortedWords = [...idsByWord.keys()]
  .map((word) => Buffer.from(word))
  .sort(Buffer.compare)
  .map(String);

const idsIn = (word: string, { firstId, lastId }: Segment) =>
  (idsByWord.get(word) ?? []).filter((id) => firstId <= id && id <= lastId);

async function storedIds(reader: IndexReader, found: readonly FoundTerm[]): Promise<readonly number[][]> {
  const postings = await readPostingsOf(reader, found);
  const lows = new Uint16Array(chunkIds);
  return found.map(({ segment, entry: { only } }, at) => {
    const chunks = only
      ? [chunkOf(only.id, only.positions.length)]
      : [...readPostings(postings[at] ?? new Uint8Array(), segment.firstId)];
    return chunks.flatMap((chunk) =>
      Array.from(lows.subarray(0, lowBits(chunk, lows)), (low) => chunk.chunk * chunkIds + low),
    );
  });
}

test.each([
  ['a cache that keeps next to nothing', 1],
  ['a cache of all', 1 << 26],
])('terms of every segment are found with their logs, and no others, by %s', async (_, bytes) => {
  await withReader(bytes, async (reader) => {
    expect(reader.segments.length).toBeGreaterThan(2);
    // Each place of a block comes; prefixes of terms sort right before blocks that begin with a longer one.
    const words = sortedWords.filter((_, index) => index % 13 === 0 || index < 40);
    const parts = words.flatMap((word) => [word, word.slice(0, -1)]);
    const asked = [...new Set(['', 'every', 'zzzz', '\u{10ffff}', ...parts])];
    const found = await lookUp(
      reader,
      asked.map((term) => ({ field: 0, term })),
    );
    for (const [at, term] of asked.entries()) {
      const ids = await storedIds(reader, found[at] ?? []);
      const expected = reader.segments.filter((segment) => 0 < idsIn(term, segment).length);
      expect(found[at]?.map(({ segment }) => segment.segment)).toEqual(
        expected.map(({ segment }) => segment),
      );
      expect(ids).toEqual(expected.map((segment) => idsIn(term, segment)));
      for (const [index, { entry }] of (found[at] ?? []).entries()) {
        expect(entry.logs).toBe(ids[index]?.length);
        expect(entry.repeats).toBe(0);
      }
    }
  });
});

test('a field without a token, and a term of another field, are not found', async () => {
  await withReader(1, async (reader) => {
    const asked = [
      { field: 1, term: 'even' },
      { field: 0, term: 'even' },
      { field: 2, term: 'every' },
      { field: 99, term: 'every' },
    ];
    const found = await lookUp(reader, asked);
    expect(found.map(({ length }) => length)).toEqual([reader.segments.length, 0, 0, 0]);
  });
});

test('a place outside of its section is an error', async () => {
  await withReader(1, async (reader) => {
    const [[found] = []] = await lookUp(reader, [{ field: 0, term: 'every' }]);
    if (!found) throw new Error('Each log has the term');
    const { length } = found.entry.positions;
    expect(positionsRange(found, { at: 0, length })).toMatchObject({ length });
    expect(() => positionsRange(found, { at: 1, length })).toThrow('are cut');
    const beyond = { at: found.field.postings.length, length: 1 };
    const cut = { ...found, entry: { ...found.entry, postings: beyond } };
    await expect(async () => readPostingsOf(reader, [cut])).rejects.toThrow('not in its section');
  });
});

test('terms of a range are visited in their order, and nothing is left out', async () => {
  await withReader(1 << 20, async (reader) => {
    const bound = fc.constantFrom(
      '',
      'a',
      'every',
      'größe3',
      'some1',
      'thirds',
      'zz',
      ...sortedWords.slice(0, 40),
    );
    await fc.assert(
      fc.asyncProperty(bound, fc.option(bound, { nil: undefined }), async (from, to) => {
        const visited = new Map<number, string[]>();
        const [lower, upper] = [Buffer.from(from), to === undefined ? undefined : Buffer.from(to)];
        const mayHave = (first: Uint8Array, next: Uint8Array | undefined) =>
          (!next || Buffer.compare(lower, next) < 0) && (!upper || Buffer.compare(first, upper) <= 0);
        for await (const { terms, segment } of scanTerms(reader, { field: 0, kinds: 0, mayHave })) {
          const { firstId } = segment;
          const list = visited.get(firstId) ?? [];
          visited.set(firstId, list);
          let before = '';
          while (terms.next()) {
            const text = terms.text();
            list.push(text);
            const shared = Buffer.from(before).subarray(0, terms.shared);
            expect(shared).toEqual(Buffer.from(text).subarray(0, terms.shared));
            before = text;
          }
        }
        const isWanted = (word: string) =>
          Buffer.compare(Buffer.from(word), Buffer.from(from)) >= 0 &&
          (to === undefined || Buffer.compare(Buffer.from(word), Buffer.from(to)) <= 0);
        for (const segment of reader.segments) {
          const all = sortedWords.filter((word) => 0 < idsIn(word, segment).length);
          const list = visited.get(segment.firstId) ?? [];
          expect(list).toEqual(all.filter((word) => list.includes(word)));
          expect(list).toEqual(expect.arrayContaining(all.filter(isWanted)));
        }
      }),
      { numRuns: rounds(6, 2) },
    );
  });
});

async function pagesOf(connection: DuckDBConnection, { segment }: Segment): Promise<Buffer> {
  return Buffer.concat(
    blobsOf(await connection.run(`SELECT bytes FROM ${pagesTable(segment)} ORDER BY rowid`)),
  );
}

test('any ranges of pages are read as they are stored, also again and in any order', async () => {
  await withReader(3 * pageBytes, async ({ connection, segments, cache }) => {
    const stored = await Promise.all(segments.map((segment) => pagesOf(connection, segment)));
    const range = fc.record({
      index: fc.nat(segments.length - 1),
      at: fc.nat(),
      length: fc.nat(3 * pageBytes),
    });
    const edge = fc.constantFrom(0, 1, pageBytes - 1, pageBytes, pageBytes + 1, 2 * pageBytes);
    const edges = fc.record({ index: fc.nat(segments.length - 1), at: edge, length: edge });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(range, edges), { maxLength: 9 }), async (asked) => {
        const pieces = asked.flatMap(({ index, at, length }) => {
          const [segment, bytes] = [segments[index], stored[index] ?? Buffer.alloc(0)];
          const from = at % bytes.length;
          const place = { at: from, length: Math.min(length, bytes.length - from) };
          return segment ? [{ segment, ...place, bytes: bytes.subarray(from, from + place.length) }] : [];
        });
        const read = await cache.read(connection, pieces);
        expect(read.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(
          pieces.map(({ bytes }) => bytes.toString('hex')),
        );
      }),
      { numRuns: rounds(100, 20) },
    );
  });
});

test('an altered page or head, and pages that are gone, are damage, and other errors are not', async () => {
  let copies = 0;
  /** Reads the first pages of a copy of the case after a statement; undefined if a search would do without them. */
  const readAfter = async (statement: string, { mayMiss = false } = {}) => {
    copies++;
    const copy = join(folder, `copy-${copies}.duckdb`);
    await copyFile(path, copy);
    await tamperWith(copy, [statement]);
    await using of = await openCase(copy, { access: 'read' });
    return await readCase(of, async (connection) => {
      const read = async () => {
        const [segment] = await readSegments(connection);
        return await new PageCache(1).read(
          connection,
          segment ? [{ segment, at: 0, length: 2 * pageBytes }] : [],
        );
      };
      return await (mayMiss ? unlessDamaged(read) : read());
    });
  };
  const flipped = (column: string) =>
    `unhex(hex(${column})[:-3] || CASE hex(${column})[-2:] WHEN '00' THEN '01' ELSE '00' END)`;
  const [whole] = (await readAfter('SELECT 1')) ?? [];
  expect(whole).toHaveLength(2 * pageBytes);
  const page = `UPDATE stored.segment_1 SET bytes = ${flipped('bytes')} WHERE rowid = 1`;
  await expect(readAfter(page)).rejects.toThrow(/is damaged|is missing/);
  expect(await readAfter(page, { mayMiss: true })).toBeUndefined();
  expect(await readAfter('DROP TABLE stored.segment_1', { mayMiss: true })).toBeUndefined();
  for (const head of [
    flipped('head'),
    "unhex('00' || hex(head)[3:])",
    "unhex('86' || hex(head)[3:])",
    'unhex(hex(head)[:-9])',
  ])
    await expect(readAfter(`UPDATE stored.segments SET head = ${head}`)).rejects.toThrow(RangeError);
  await expect(unlessDamaged(() => Promise.reject(new Error('The disk is full')))).rejects.toThrow('full');
});
