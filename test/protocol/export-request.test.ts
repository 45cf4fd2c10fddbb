import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ExportRequest,
  fromExportForm,
  maxLogs,
  newestLogsRequest,
  sortKeys,
  sortOrders,
  toExportForm,
} from '../../src/protocol/export-jobs.ts';

const time = fc.integer({ min: -8.64e13, max: 8.64e13 });
// White space around a filter and commas in a list item have no form on the wire.
const word = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && !text.includes(','));
const request: fc.Arbitrary<ExportRequest> = fc.record(
  {
    num: fc.integer({ min: 1, max: maxLogs }),
    stackTraces: fc.boolean(),
    logLevel: word,
    newest: time,
    oldest: time,
    logCodes: fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 })),
    users: word,
    requestIDs: fc.array(word),
    serviceTypes: word,
    source: word,
    searchQuery: fc.string({ minLength: 1 }),
    sortBy: fc.constantFrom(...sortKeys),
    sortOrder: fc.constantFrom(...sortOrders),
  },
  { requiredKeys: ['num', 'stackTraces', 'logCodes', 'requestIDs', 'sortBy', 'sortOrder'] },
);

test('every request comes back from its form, also from the text of the form', () => {
  fc.assert(
    fc.property(request, (original) => {
      const form = new URLSearchParams(toExportForm(original).toString());
      expect(fromExportForm(form)).toEqual({ request: original, findings: [] });
    }),
  );
});

test('any form gives a request within the limits', () => {
  const parameters = [...toExportForm(newestLogsRequest).keys()];
  const form = fc.array(fc.tuple(fc.constantFrom(...parameters), fc.string()));
  fc.assert(
    fc.property(form, (entries) => {
      const { num, newest, logCodes } = fromExportForm(new URLSearchParams(entries)).request;
      expect(num).toBeGreaterThanOrEqual(1);
      expect(num).toBeLessThanOrEqual(maxLogs);
      expect(newest).not.toBeNaN();
      expect(logCodes.every(Number.isSafeInteger)).toBe(true);
    }),
  );
});

test('all parameters are sent, empty ones included, and the newest time is the start', () => {
  const form = toExportForm({ ...newestLogsRequest, newest: 1_700_000_000_000, oldest: 0 });
  expect(Object.fromEntries(form)).toEqual({
    num: '10000',
    stackTraces: 'true',
    logLevel: '',
    startTime: '1700000000000',
    endTime: '0',
    logCode: '',
    users: '',
    requestIDs: '',
    serviceTypes: '',
    source: '',
    searchQuery: '',
    sortBy: 'time',
    sortOrder: 'desc',
    f: 'json',
  });
});

describe('a form that is read', () => {
  test('has the documented defaults', () => {
    expect(fromExportForm(new URLSearchParams())).toEqual({
      request: {
        num: 1000,
        stackTraces: false,
        logCodes: [],
        requestIDs: [],
        sortBy: 'bestMatch',
        sortOrder: 'desc',
      },
      findings: [],
    });
  });

  test('takes the text form of a time as UTC', () => {
    const form = new URLSearchParams({ startTime: '2023-11-14T22:13:20', endTime: '1970-01-01T00:00:00' });
    expect(fromExportForm(form).request).toMatchObject({ newest: 1_700_000_000_000, oldest: 0 });
  });

  test('takes lists with blanks', () => {
    const form = new URLSearchParams({ logCode: ' 9000, 9003 ,', requestIDs: 'a,,b ' });
    expect(fromExportForm(form).request).toMatchObject({ logCodes: [9000, 9003], requestIDs: ['a', 'b'] });
  });

  test.each([
    ['num', '10001', '"num" requires a whole number from 1 to 10000'],
    ['num', '0', '"num" requires a whole number from 1 to 10000'],
    ['num', '1.5', '"num" requires a whole number from 1 to 10000'],
    ['num', '-3', '"num" requires a whole number from 1 to 10000'],
    ['num', '9'.repeat(400), '"num" requires a whole number from 1 to 10000'],
    ['stackTraces', 'yes', '"stackTraces" requires true or false'],
    ['startTime', 'now', '"startTime" requires milliseconds since the epoch or yyyy-mm-ddThh:mm:ss'],
    [
      'endTime',
      '2023-13-01T00:00:00',
      '"endTime" requires milliseconds since the epoch or yyyy-mm-ddThh:mm:ss',
    ],
    ['logCode', '9000;9003', '"logCode" requires whole numbers'],
    ['sortBy', 'level', '"sortBy" requires one of "bestMatch", "time"'],
    ['sortOrder', 'down', '"sortOrder" requires one of "desc", "asc"'],
  ])('%s=%s is a finding', (parameter, value, message) => {
    const { request: read, findings } = fromExportForm(new URLSearchParams({ [parameter]: value }));
    expect(findings).toEqual([{ parameter, message }]);
    expect(read).toEqual(fromExportForm(new URLSearchParams()).request);
  });
});
