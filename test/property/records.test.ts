import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLevel } from '../../src/records/levels.ts';
import { type Log, type ReadRecord, textFields } from '../../src/records/log.ts';
import { edgeNumberText, edgeValues } from '../../src/testing/edge-numbers.ts';
import { rounds } from '../effort.ts';
import { readAll, toBytes } from '../records/check-reading.ts';

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });

const logs: fc.Arbitrary<Log[]> = fc.array(
  fc.record(
    {
      ...Object.fromEntries(textFields.map((field) => [field, text])),
      msg: text,
      // A level of another system becomes one of the deployment's.
      logLevel: text.filter((level) => readLevel(level) === undefined),
      // From 1e9 to 1e11 a number is seconds.
      time: fc
        .oneof(fc.integer({ min: -1e13, max: 1e13 }), fc.constantFrom(...edgeValues.date).map(Number))
        .filter((time) => time < 1e9 || 1e11 <= time),
      logCode: fc.oneof(fc.integer(), fc.constantFrom(...edgeValues.integer)),
      elapsed: fc
        .oneof(
          fc.double({ min: 0, max: 1e6, noNaN: true }),
          fc.constantFrom(...edgeValues.decimal).map(Number),
        )
        .map((value) => value + 0),
    },
    { requiredKeys: ['msg'] },
  ),
  { minLength: 2, maxLength: 8 },
);

const chunkLength = fc.constantFrom(1, 5, 64, 1 << 20);

function found(records: readonly ReadRecord[]): Log[] {
  return records.flatMap((record) => (record.kind === 'log' ? [record.log] : []));
}

/** A value of CSV, quoted wherever it may be. */
const quoted = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;

/** A value of an attribute or a text of XML. */
const escaped = (value: unknown) =>
  String(value).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const columns = ['time', 'logCode', 'elapsed', ...textFields] as const;

/** JSON with all digits of a code. */
const toJson = (value: unknown, indent?: number) =>
  JSON.stringify(
    value,
    (_key, each: unknown) => (typeof each === 'bigint' ? `digits ${each}` : each),
    indent,
  ).replace(/"digits (-?\d+)"/g, '$1');

const writers: [string, (logs: readonly Log[]) => string][] = [
  ['ndjson', (all) => all.map((log) => `${toJson(log)}\n`).join('')],
  ['json', (all) => toJson(all)],
  ['json', (all) => toJson({ total: all.length, messages: all }, 2)],
  [
    'csv',
    (all) =>
      [columns, ...all.map((log) => columns.map((name) => log[name]))]
        .map((row) => row.map(quoted).join(','))
        .join('\r\n'),
  ],
  [
    'xml',
    (all) =>
      all
        .map(({ msg, ...log }) => {
          const attributes = Object.entries(log).map(([name, value]) => ` ${name}="${escaped(value)}"`);
          return `<Msg level=""${attributes.join('')}>${escaped(msg)}</Msg>\n`;
        })
        .join(''),
  ],
];

test.each(writers)('logs written as %s are read as they were, whatever the chunks', async (format, write) => {
  await fc.assert(
    fc.asyncProperty(logs, chunkLength, async (given, length) => {
      const read = await readAll(write(given), { chunkLength: length });
      expect(read.format).toBe(format);
      expect(found(read.records)).toEqual(given);
      expect(read.records).toHaveLength(given.length);
    }),
    { numRuns: rounds(150) },
  );
});

test('no number is changed: it is in its field as it was meant, or as it was written', async () => {
  const key = fc.constantFrom('logCode', 'elapsed', 'time', 'requestID', 'thread', 'pod');
  await fc.assert(
    fc.asyncProperty(key, edgeNumberText, async (name, written) => {
      const { records } = await readAll(`{"msg":"a","n":{"m":[${written}]},"${name}":${written}}\n`);
      const [record] = records;
      expect(record?.kind).toBe('log');
      const { log, extra, remarks } = record?.kind === 'log' ? record : { log: {} };
      const inField = { ...log, msg: undefined, ...(extra && { pod: extra.pod }) }[name];
      const kept = extra?.[name];
      // A number that cannot be milliseconds is remarked on besides.
      const ofValue = remarks?.filter(({ code }) => code !== 'TIME_UNIT');
      expect(ofValue?.length ?? 0).toBe(kept !== undefined && name !== 'pod' ? 1 : 0);
      if (name === 'requestID' || name === 'thread') expect(inField).toBe(written);
      // The nearest double, which is all that the field is.
      else if (name === 'elapsed' && kept === undefined) expect(inField).toBe(Number(written));
      else if (name === 'time' && kept === undefined) {
        // Seconds, microseconds and nanoseconds are told apart by their size, and said.
        const isOtherUnit = remarks?.some(({ code }) => code === 'TIME_UNIT') ?? false;
        const times = (isOtherUnit ? [1, 1e3, 1e-3, 1e-6] : [1]).map((unit) => Number(written) * unit);
        expect(times.some((time) => Math.abs(Number(inField) - Math.trunc(time)) <= 1)).toBe(true);
      } else expect(exact(String(kept ?? inField))).toBe(exact(written));
      expect(exact(String(Object(extra?.n).m[0]))).toBe(exact(written));
    }),
    { numRuns: rounds(500) },
  );
});

/** A number as a whole number of units that are far smaller than any of those here. */
function exact(text: string): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e(.*))?$/i.exec(text) ?? [];
  const units = BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length + 800);
  return sign === '-' ? -units : units;
}

describe('whatever the bytes', () => {
  /** Texts that look like entries, damaged: pieces of JSON, quotes, separators and ends of lines. */
  const damaged = fc
    .array(
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.constantFrom(
            '{"time":1,"msg":"a"}',
            '{',
            '}',
            '[',
            ']',
            '"',
            ',',
            ':',
            '\\',
            '\n',
            '\r\n',
            ' ',
          ),
        },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            'time,msg\n',
            '{"messages":[',
            '"msg":"b"',
            '1',
            'null',
            'é😀',
            '\0',
            '\ufeff',
          ),
        },
      ),
      { maxLength: 40 },
    )
    .map((pieces) => toBytes(pieces.join('')));
  const bytes = fc.oneof(
    { weight: 4, arbitrary: damaged },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  );

  test('reading ends without an error, and records stand one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, chunkLength, async (content, length) => {
        const { records } = await readAll(content, { chunkLength: length, maxLength: 60 });
        let end = 0;
        for (const [index, { position }] of records.entries()) {
          expect(position.number).toBe(index + 1);
          expect(position.offset).toBeGreaterThanOrEqual(end);
          end = position.offset + position.length;
        }
      }),
      { numRuns: rounds(2_000) },
    );
  });

  test('what is read does not depend on the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, chunkLength, async (content, length) => {
        const whole = await readAll(content);
        expect(await readAll(content, { chunkLength: length })).toEqual(whole);
      }),
      { numRuns: rounds(2_000) },
    );
  });

  test('a damaged line of NDJSON takes no other with it', async () => {
    const line = fc.oneof(
      fc.constant('{"time":1,"msg":"a"}'),
      fc.string({ unit: 'binary', maxLength: 20 }).map((content) => content.replace(/[\r\n]/g, ' ')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 10 }), chunkLength, async (lines, length) => {
        const content = ['{"time":0,"msg":"first"}', ...lines, '{"time":9,"msg":"last"}'].join('\n');
        const { records } = await readAll(content, { chunkLength: length });
        const good = lines.filter((each) => each === '{"time":1,"msg":"a"}').length;
        const messages = found(records).map(({ msg }) => msg);
        expect(messages.at(0)).toBe('first');
        expect(messages.at(-1)).toBe('last');
        expect(messages.filter((msg) => msg === 'a').length).toBeGreaterThanOrEqual(good);
        expect(records).toHaveLength(lines.filter((each) => /\S/.test(each)).length + 2);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('a damaged record of a JSON list takes no other with it, when it keeps to its line', async () => {
    const good = '{"time":1,"msg":"a"}';
    const cut = fc.integer({ min: 1, max: good.length - 1 }).map((length) => good.slice(0, length));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constant(good), cut), { maxLength: 8 }),
        chunkLength,
        async (records, length) => {
          const lines = ['{"time":0,"msg":"first"}', ...records, '{"time":9,"msg":"last"}'];
          const read = await readAll(`[\n${lines.join(',\n')}\n]`, { chunkLength: length });
          const expected = ['first', ...records.filter((each) => each === good).map(() => 'a'), 'last'];
          expect(found(read.records).map(({ msg }) => msg)).toEqual(expected);
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});
