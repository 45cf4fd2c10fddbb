import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitRegions } from '../../src/case/loading/read-entry.ts';
import { type RecordCounts, recordCounter, regionReader } from '../../src/case/loading/read-regions.ts';
import {
  logBatchColumns,
  type RecordBatch,
  type RowBatch,
  recordBatcher,
  renumberRecords,
  unreadableColumns,
} from '../../src/case/rows/batches.ts';
import { maxRawLength, type ReadRecord } from '../../src/records/log.ts';
import { longestRecord, openText, readRecords } from '../../src/records/read-records.ts';
import { rounds } from '../effort.ts';
import { textOf } from '../store/text-of.ts';
import { writtenLine } from './written-line.ts';

const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom('', 'INFO', 'a', 'ä😀'));

const logLine = fc
  .record(
    {
      msg: value,
      time: fc.oneof(fc.integer({ min: 0, max: 2e12 }), fc.constantFrom('2024-01-05 10:00:00', 'x')),
      level: value,
      logLevel: value,
      source: value,
      stackTraces: value,
      elapsed: fc.constantFrom(0, 0.25, '1,5'),
      pod: value,
    },
    { requiredKeys: ['msg'] },
  )
  .map((log) => Buffer.from(JSON.stringify(log)));

const otherLine = fc.oneof(
  fc
    .constantFrom('', ' ', '\r', '{', '[]', 'null', '{"a":1}', '{"msg":"a","msg":"b"}')
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
);

/** The first line is a log, which makes the text NDJSON. */
const ndjson = fc
  .tuple(
    logLine,
    fc.array(fc.oneof({ weight: 3, arbitrary: logLine }, { weight: 6, arbitrary: writtenLine }, otherLine), {
      maxLength: 30,
      size: 'max',
    }),
    fc.boolean(),
  )
  .map(([first, lines, hasEnd]) =>
    Buffer.from(
      [first, ...lines]
        .flatMap((line, at) => [...(at === 0 ? [] : [10]), ...line])
        .concat(hasEnd ? [10] : []),
    ),
  );

async function* cut(bytes: Uint8Array, length: number) {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

type Columns = typeof logBatchColumns | typeof unreadableColumns;

/** The rows of a batch, each text spelt out. */
function rowsOf({ rows, numbers, codes, texts }: RowBatch, columns: Columns): unknown[][] {
  const widths = [columns.numbers.length, columns.texts.length] as const;
  return Array.from({ length: rows }, (_, row) => [
    ...numbers.slice(row * widths[0], (row + 1) * widths[0]),
    ...Array.from(codes.slice(row * widths[1], (row + 1) * widths[1]), (code) => textOf(texts, code)),
  ]);
}

interface Found {
  readonly logs: readonly unknown[][];
  readonly unreadable: readonly unknown[][];
  readonly counts: RecordCounts;
}

/** The rows of both tables. */
function tablesOf({ logs, unreadable }: RecordBatch) {
  return { logs: rowsOf(logs, logBatchColumns), unreadable: rowsOf(unreadable, unreadableColumns) };
}

/** Findings of one reader, without regions. */
async function readAtOnce(bytes: Uint8Array): Promise<Found> {
  const records: ReadRecord[] = [];
  const { records: batches } = await readRecords(cut(bytes, bytes.length || 1));
  for await (const batch of batches) records.push(...batch);
  const [batcher, tally] = [recordBatcher(), recordCounter()];
  for (const record of records) {
    tally.count(record);
    batcher.add(record);
  }
  const batch = batcher.take();
  renumberRecords(batch, { firstId: 7, before: 0 });
  return { ...tablesOf(batch), counts: tally.counts() };
}

/** Findings of readers of regions, each of which knows nothing of the others. */
async function readByRegion(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
  skipFastPath = false,
): Promise<Found> {
  const readers = [regionReader(), regionReader()];
  const found: { logs: unknown[][]; unreadable: unknown[][] } = { logs: [], unreadable: [] };
  const tally = recordCounter();
  let turn = 0;
  for await (const region of splitRegions(chunks, { length, allocate: (bytes) => new Uint8Array(bytes) })) {
    const { unreadable: before, logs: earlier } = tally.counts();
    const task = structuredClone({ region, skipFastPath });
    const batch = readers[turn++ % 2]?.(task) ?? expect.unreachable();
    renumberRecords(batch, { firstId: 7 + earlier, before: before + earlier });
    const { logs, unreadable } = tablesOf(batch);
    found.logs.push(...logs);
    found.unreadable.push(...unreadable);
    tally.add(batch.counts);
  }
  return { ...found, counts: tally.counts() };
}

function withoutFirst({ first: _, ...counts }: RecordCounts) {
  return counts;
}

test('regions that are read apart come to what one reader finds, wherever they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      ndjson,
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(1, 10, 100, 1_000),
      fc.boolean(),
      async (bytes, chunk, length, skipFastPath) => {
        const whole = await readAtOnce(bytes);
        await using opened = await openText(cut(bytes, chunk));
        const apart = await readByRegion(opened.text, length, skipFastPath);
        expect(apart.logs).toEqual(whole.logs);
        expect(apart.unreadable).toEqual(whole.unreadable);
        expect(withoutFirst(apart.counts)).toEqual(withoutFirst(whole.counts));
      },
    ),
    { numRuns: rounds(1_000) },
  );
});

test('plain lines behind many others come to the same as without them', async () => {
  const texts = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at));
  const bytes = Buffer.from(
    [
      ...texts(4_000, (at) => `{"msg":"other line ${at}","thread":"t-${at}","pod":"a"}`),
      ...texts(4_000, (at) => `{"msg":"plain line ${at}","thread":"p-${at}"}`),
    ].join('\n'),
  );
  const whole = await readAtOnce(bytes);
  expect((await readByRegion(cut(bytes, bytes.length), bytes.length)).logs).toEqual(whole.logs);
});

/** Parts of an object that is written in a thousand ways. */
const spellings = Array.from({ length: 256 }, (_, bits) =>
  Array.from('stack-trace', (letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
);

const long = 'a long text that is more than a vector of bytes, which is told apart by any of them, '.repeat(
  2,
);

test.each<[what: string, lines: readonly string[]]>([
  [
    'texts of any length that differ in one byte',
    Array.from({ length: 2 * long.length }, (_, at) => {
      const length = at % long.length;
      const text =
        at < long.length ? long.slice(0, length) : `${long.slice(0, length)}#${long.slice(length + 1)}`;
      return `{"msg":"${text}","thread":"${text}"}`;
    }),
  ],
  [
    'more texts than are remembered, each twice',
    Array.from({ length: 50_000 }, (_, at) => `{"time":1,"msg":"text ${(at * 7) % 25_000}"}`),
  ],
  ['keys of more spellings than are remembered', spellings.map((key) => `{"msg":"a","${key}":"b"}`)],
  [
    'keys in another order at every turn',
    Array.from({ length: 500 }, (_, at) => {
      const members = ['"msg":"a"', '"time":1', '"thread":"b"', '"elapsed":0.5'];
      return `{${[...members.slice(at % 4), ...members.slice(0, at % 4)].join(',')}}`;
    }),
  ],
  [
    'texts that take more room than their lines, among others',
    Array.from({ length: 300 }, (_, at) =>
      at % 2 ? `{"msg":"plain ${at} ä"}` : `{"msg":"b","list":[${'1e9,'.repeat(900)}1]}`,
    ),
  ],
  [
    'stack traces, with escapes of any length between vectors of bytes',
    Array.from({ length: 300 }, (_, at) => {
      const trace = Array.from(
        { length: 1 + (at % 20) },
        (_, line) => `at com.vendor.A${'x'.repeat((at + line) % 33)}("a\\b")`,
      );
      return JSON.stringify({ time: at, msg: 'failed', stackTraces: trace.join('\n\t') });
    }),
  ],
  [
    'texts that say the same in several spellings, beside keys with escapes',
    Array.from(
      { length: 300 },
      (_, at) =>
        [
          `{"msg":"a sixteen bytes/${at % 7}","thread":"b"}`,
          `{"msg":"a sixteen bytes\\/${at % 7}","thread":"\\u0062"}`,
          `{"\\u006dsg":"a sixteen bytes/${at % 7}"}`,
        ][at % 3] ?? '',
    ),
  ],
  [
    'a text with escapes that is cut off in the middle of one',
    ['{"msg":"a\\n', '{"msg":"a\\', '{"msg":"a\\u00', '{"msg":"a"}'],
  ],
  [
    'texts of the same hash in the memory of the reader, without and with an escape',
    ['098881', '113789'].flatMap((digits) => [`{"msg":"a\\n${digits}"}`, `{"msg":"${digits}"}`]),
  ],
  [
    'texts with escapes among lines that are read twice',
    Array.from(
      { length: 300 },
      (_, at) => `{"time":1,"msg":"\\t${at} ${'long '.repeat(100)}"${at % 3 ? ',"pod":1' : ''}}`,
    ),
  ],
  ['the shortest logs', Array.from({ length: 5_000 }, (_, at) => `{"msg":${at % 2 ? '"1"' : '1'}}`)],
  [
    'long runs of joiners',
    ['_'.repeat(300), `${'_'.repeat(700)}a`, `${'_'.repeat(254)}a`].map(
      (text) => `{"msg":"${text}!${text}"}`,
    ),
  ],
])('%s are read as one reader reads them', async (_, lines) => {
  const bytes = Buffer.from(lines.join('\n'));
  const whole = await readAtOnce(bytes);
  for (const length of [bytes.length, 3_000, 60_000])
    expect((await readByRegion(cut(bytes, 1_000), length)).logs).toEqual(whole.logs);
});

const tokenText = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...Array.from({ length: 128 }, (_, at) => String.fromCharCode(at))),
    maxLength: 300,
  }),
  fc.string({ unit: fc.constantFrom('a', 'Z', '_', '.', '1', ' ', "'", '#'), maxLength: 400 }),
);

test('the words of any text in ASCII are those that the analyzer finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tokenText, { minLength: 1, maxLength: 5 }), async (texts) => {
      const bytes = Buffer.from(texts.map((msg) => JSON.stringify({ time: 1, msg })).join('\n'));
      expect((await readByRegion(cut(bytes, bytes.length), 1)).logs).toEqual((await readAtOnce(bytes)).logs);
    }),
    { numRuns: rounds(1_000) },
  );
});

test('a line beyond the limit is a region of its own, of which the beginning is kept', async () => {
  const long = Buffer.alloc(longestRecord + 10, 'x');
  const bytes = Buffer.concat([Buffer.from('{"msg":"a"}\n'), long, Buffer.from('\n{"msg":"b"}')]);
  const { logs, unreadable, counts } = await readByRegion(cut(bytes, 100_000), 1_000_000);
  expect(counts).toMatchObject({ logs: 2, unreadable: 1 });
  expect(logs).toEqual((await readAtOnce(bytes)).logs);
  const [[number, offset, length, code, , raw] = expect.unreachable()] = unreadable;
  expect({ number, offset, length, code }).toEqual({
    number: 2,
    offset: 12,
    length: longestRecord + 10,
    code: 'TOO_LONG',
  });
  expect(raw).toHaveLength(maxRawLength);
});

test.each([
  ['bytes that are no UTF-8', Buffer.from('{"time":1,"msg":"Gr\u00f6\u00dfe"}', 'latin1')],
  ['characters lost before', Buffer.from('{"time":1,"msg":"Gr\ufffd\ufffde"}')],
])('%s are remarked on wherever they stand', async (_, line) => {
  const plain = Buffer.from('{"time":1,"msg":"plain"}\n'.repeat(20));
  const bytes = Buffer.concat([plain, line, Buffer.from('\n'), plain]);
  for (const length of [10, bytes.length]) {
    const { counts } = await readByRegion(cut(bytes, bytes.length), length);
    expect(counts).toMatchObject({
      logs: 41,
      remarks: [{ code: 'LOST_CHARACTERS', field: 'msg', count: 1 }],
    });
  }
});
