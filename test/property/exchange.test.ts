import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { isObject, writeExactJson } from '../../src/records/exact-json.ts';
import {
  durationNanoseconds,
  epochNanoseconds,
  type OutgoingLog,
  toEcs,
  toOtlp,
} from '../../src/records/exchange.ts';
import { textFields } from '../../src/records/log.ts';
import { edgeValues } from '../../src/testing/edge-numbers.ts';
import { rounds } from '../effort.ts';

/** Texts with control characters, half characters, quotation marks, and names that objects have already. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('\ud800', '\udfff', '\u2028', '\0', '"', '\\', '\n', 'a', '.'),
    maxLength: 5,
  }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '14',
    '0',
    '-1',
    '007',
    '1e3',
    '9007199254740993',
    'a.b',
    'a_b',
    '',
  ),
);

const level = fc.oneof(
  text,
  fc.constantFrom('SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG', 'severe'),
);

const outgoing: fc.Arbitrary<OutgoingLog> = fc.record(
  {
    log: fc.record(
      {
        ...Object.fromEntries(textFields.map((field) => [field, text])),
        msg: text,
        logLevel: level,
        requestID: fc.oneof(text, fc.uuid()),
        process: text,
        thread: text,
        time: fc.oneof(
          fc.integer({ min: -1e13, max: 1e13 }),
          fc.constantFrom(...edgeValues.date, 0, -1, 18446744073709).map(Number),
        ),
        logCode: fc.oneof(fc.integer(), fc.constantFrom(...edgeValues.integer)),
        elapsed: fc.oneof(
          fc.double({ min: 0, max: 1e6, noNaN: true }),
          fc.constantFrom(...edgeValues.decimal, 9_007_200, 9_223_372_036, 1.001).map(Number),
        ),
      },
      { requiredKeys: [] },
    ),
    extra: fc.dictionary(text, fc.jsonValue(), { maxKeys: 4 }),
    origin: fc.record({ id: fc.nat(), case: text }),
  },
  { requiredKeys: ['log'] },
);

/** The value at a path of members, as a receiver of the JSON finds it. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

/** The decimal digits of seconds, as the number prints, in nanoseconds. */
function digitsOfSeconds(seconds: number): bigint {
  const [whole = '', fraction = ''] = seconds.toFixed(9).split('.');
  return BigInt(whole + fraction);
}

describe('any log as an event of the Elastic Common Schema', () => {
  test('is JSON that keeps time, message, level and every digit', () => {
    fc.assert(
      fc.property(outgoing, (each) => {
        const { log } = each;
        const json = writeExactJson(toEcs(each));
        const event: unknown = JSON.parse(json);
        const time = at(event, '@timestamp');
        expect(json).not.toMatch(/[\n\r]/);
        expect(typeof time === 'string' ? Date.parse(time) : undefined).toBe(log.time);
        expect(at(event, 'message')).toBe(log.msg);
        expect(at(event, 'log.level')).toBe(log.logLevel);
        expect(at(event, 'event.code')).toBe(log.logCode?.toString());
        const [, duration] = /"duration":(\d+)/.exec(json.slice(json.indexOf('"event":{'))) ?? [];
        if (at(event, 'event.duration') !== undefined)
          expect(BigInt(duration ?? -1)).toBe(digitsOfSeconds(log.elapsed ?? -1));
        const pid = at(event, 'process.pid') ?? at(event, 'process.name');
        const thread = at(event, 'process.thread.id') ?? at(event, 'process.thread.name');
        expect([pid?.toString(), thread?.toString()]).toEqual([log.process, log.thread]);
        const labels = Object.entries(at(event, 'labels') ?? {});
        expect(labels).toHaveLength(Object.keys(each.extra ?? {}).length);
        for (const [key, value] of labels) {
          expect(key).toMatch(/^[^.*"\s]+$/);
          expect(typeof value).toBe('string');
        }
      }),
      { numRuns: rounds(3000) },
    );
  });
});

/** OTLP/JSON as strictly as its specification: no other members, 64-bit integers as digits, ids in hexadecimal. */
const value: v.GenericSchema<Record<string, unknown>> = v.union([
  v.strictObject({}),
  v.strictObject({ stringValue: v.string() }),
  v.strictObject({ boolValue: v.boolean() }),
  v.strictObject({ intValue: v.pipe(v.string(), v.regex(/^-?\d{1,19}$/)) }),
  v.strictObject({ doubleValue: v.number() }),
  v.strictObject({ arrayValue: v.strictObject({ values: v.array(v.lazy(() => value)) }) }),
  v.strictObject({ kvlistValue: v.strictObject({ values: v.lazy(() => attributeList) }) }),
]);
const attributeList = v.array(v.strictObject({ key: v.string(), value: v.lazy(() => value) }));
const resourceLogs = v.strictObject({
  resource: v.strictObject({ attributes: attributeList }),
  scopeLogs: v.array(
    v.strictObject({
      scope: v.optional(v.strictObject({ name: v.string() })),
      logRecords: v.pipe(
        v.array(
          v.strictObject({
            timeUnixNano: v.optional(v.pipe(v.string(), v.regex(/^\d{1,20}$/))),
            severityNumber: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(24))),
            severityText: v.optional(v.string()),
            body: v.optional(v.strictObject({ stringValue: v.string() })),
            attributes: attributeList,
            traceId: v.optional(v.pipe(v.string(), v.regex(/^[\da-f]{32}$/))),
          }),
        ),
        v.minLength(1),
      ),
    }),
  ),
});
const otlpRequest = v.strictObject({ resourceLogs: v.array(resourceLogs) });

describe('any logs as a request of OTLP', () => {
  test('are JSON that keeps time, message, level and every digit, each log once', () => {
    fc.assert(
      fc.property(fc.array(outgoing, { minLength: 1, maxLength: 6 }), (logs) => {
        const request = v.parse(otlpRequest, JSON.parse(JSON.stringify(toOtlp(logs))));
        const records = request.resourceLogs.flatMap(recordsOf);
        const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).sort();
        expect(sorted(records)).toEqual(sorted(logs.map(expected)));
      }),
      { numRuns: rounds(2000) },
    );
  });
});

const wellFormed = (value: string | undefined) => value?.toWellFormed();

function expected({ log }: OutgoingLog) {
  return {
    time: log.time,
    level: wellFormed(log.logLevel),
    message: wellFormed(log.msg),
    code: log.logCode?.toString(),
    source: wellFormed(log.source),
    machine: wellFormed(log.machine),
    className: wellFormed(log.className),
    requestID: wellFormed(log.requestID),
  };
}

/** The logs of a resource, as a receiver reads them. */
function recordsOf({ resource, scopeLogs }: v.InferOutput<typeof resourceLogs>): unknown[] {
  return scopeLogs.flatMap(({ scope, logRecords }) =>
    logRecords.map(({ timeUnixNano, severityText, body, attributes }) => ({
      time:
        timeUnixNano === undefined
          ? numberOf(attributeOf(attributes, 'logquarry.time_ms'))
          : Number(BigInt(timeUnixNano) / 1_000_000n),
      level: severityText,
      message: body?.stringValue,
      code: attributeOf(attributes, 'logquarry.code'),
      source: attributeOf(resource.attributes, 'service.name'),
      machine: attributeOf(resource.attributes, 'host.name'),
      className: scope?.name,
      requestID: attributeOf(attributes, 'logquarry.request_id'),
    })),
  );
}

function attributeOf(attributes: v.InferOutput<typeof attributeList>, key: string): unknown {
  return Object.values(attributes.find((each) => each.key === key)?.value ?? {})[0];
}

const numberOf = (digits: unknown) => (digits === undefined ? undefined : Number(digits));

describe('nanoseconds', () => {
  test.each([
    [1.001, '1001000000'],
    [0.1, '100000000'],
    [9_007_200, '9007200000000000'],
    [9_223_372_036, '9223372036000000000'],
    [9_223_372_037, undefined],
    [1e300, undefined],
    [0, undefined],
    [-1, undefined],
    [1e-10, undefined],
  ])('of %d seconds are %s', (seconds, digits) => {
    expect(durationNanoseconds(seconds)).toBe(digits);
  });

  test.each([
    [0, undefined],
    [1_741_766_400_000, '1741766400000000000'],
    [18_446_744_073_709, '18446744073709000000'],
    [18_446_744_073_710, undefined],
    [-1, undefined],
  ])('of %d milliseconds since 1970 are %s', (time, digits) => {
    expect(epochNanoseconds(time)).toBe(digits);
  });
});

test('only what a log has is written', () => {
  expect(toEcs({ log: { msg: 'a' } })).toEqual({ message: 'a', ecs: { version: '8.11.0' } });
  expect(toOtlp([{ log: { msg: 'a' } }])).toEqual({
    resourceLogs: [
      {
        resource: { attributes: [] },
        scopeLogs: [{ logRecords: [{ body: { stringValue: 'a' }, attributes: [] }] }],
      },
    ],
  });
});

test('the severities of OTLP keep the order of the levels', () => {
  const levels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG', 'OTHER'];
  const request = toOtlp(levels.map((logLevel) => ({ log: { logLevel } })));
  const records = request.resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap((each) => each.logRecords),
  );
  expect(records.map(({ severityNumber }) => severityNumber)).toEqual([17, 13, 9, 7, 6, 5, undefined]);
});
