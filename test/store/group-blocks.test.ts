import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { fieldSeparators, streamGroupBlocks } from '../../src/case/searching/stream-groups.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';

const [field, row] = [fieldSeparators.field, fieldSeparators.row].map((code) => String.fromCharCode(code));
const fields = ['logCode', 'source', 'msg'] as const;
const longest = 6;

async function rowsOf(blocks: AsyncIterable<Uint8Array>): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const block of blocks)
    for (const each of new TextDecoder()
      .decode(block)
      .split(row ?? '')
      .slice(0, -1))
      rows.push(each.split(field ?? ''));
  return rows;
}

/** Adds up the rows with equal values. */
function addUp(rows: readonly (readonly [key: string, logs: number, first: number, last: number])[]) {
  const sums = new Map<string, { logs: number; first: number; last: number }>();
  for (const [key, logs, first, last] of rows) {
    const sum = sums.get(key) ?? { logs: 0, first, last };
    sums.set(key, {
      logs: sum.logs + logs,
      first: Math.min(sum.first, first),
      last: Math.max(sum.last, last),
    });
  }
  return new Map([...sums].sort());
}

const numberOf = (text = '') => (text === '' ? Number.NaN : Number(text));

/** A text as blocks hold it: cut, and with blanks for separators. */
const shown = (value = '') =>
  Array.from(value)
    .slice(0, longest)
    .join('')
    .replaceAll(field ?? '', ' ')
    .replaceAll(row ?? '', ' ');

/** The groups of the logs themselves. */
function expectedGroups(logs: readonly Log[], { start, length }: { start: number; length: number }) {
  return addUp(
    logs.map(({ time = Number.NaN, logCode = '', source, msg }) => {
      const key = [String(logCode), shown(source), shown(msg), Math.floor((time - start) / length)];
      return [JSON.stringify(key), 1, time, time];
    }),
  );
}

async function foundGroups(from: Case, interval: { start: number; length: number }) {
  const options = { fields, longest, intervals: [interval] };
  const rows = await rowsOf(streamGroupBlocks(from, matchAllFilter, options));
  return addUp(
    rows.map(([code = '', source = '', msg = '', logs, first, last, bucket]) => [
      JSON.stringify([code, source, msg, numberOf(bucket)]),
      ...([numberOf(logs), numberOf(first), numberOf(last)] as const),
    ]),
  );
}

// Few different values, so that most logs share them; separators, texts at the limit, and characters of several bytes.
const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    `a${field}b`,
    `${row}`,
    'sechs6',
    'sieben7',
    '\u{1f5fa}\u{1f5fa}\u{1f5fa}',
    'éééééé',
  ),
  fc.string({ unit: 'binary', maxLength: 2 }),
);
const log: fc.Arbitrary<Log> = fc.record(
  {
    time: fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(-8e15, 8e15)),
    logCode: fc.integer({ min: 1, max: 2 }),
    source: text,
    msg: text,
  },
  { requiredKeys: [] },
);
const interval = fc.record({
  start: fc.integer({ min: -20, max: 20 }),
  length: fc.constantFrom(1, 7, 10 / 3, 0.1, 1e9),
});

test('groups hold all logs, each with its values, times and interval', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(log, { maxLength: 40 }), interval, async (logs, each) => {
      await using into = await openCase(':memory:', { access: 'write' });
      if (0 < logs.length) await addLogs(into, logs, { part: 'test' });
      expect(await foundGroups(into, each)).toEqual(expectedGroups(logs, each));
    }),
    { numRuns: rounds(200, 8) },
  );
});

test('logs that share all values are one row, and rows of several statements add up', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const logs = Array.from({ length: 70_000 }, (_, index) => ({ msg: index % 2 === 0 ? 'even' : 'odd' }));
  await addLogs(into, logs, { part: 'test' });
  const rows = await rowsOf(streamGroupBlocks(into, matchAllFilter, { fields: ['msg'] }));
  expect(rows).toHaveLength(4);
  expect(addUp(rows.map(([msg = '', count]) => [msg, Number(count), 0, 0]))).toEqual(
    addUp([
      ['even', 35_000, 0, 0],
      ['odd', 35_000, 0, 0],
    ]),
  );
});
