import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PageState, pageViews, readState, writeState } from '../../src/page/page-state.ts';
import { rounds } from '../effort.ts';

const time = fc.integer({ min: -8.64e15, max: 8.64e15 });
const column = fc.constantFrom('time', 'msg', 'source', 'logLevel', 'thread');

const state: fc.Arbitrary<PageState> = fc.record(
  {
    cases: fc.array(fc.string(), { maxLength: 3 }),
    view: fc.constantFrom(...pageViews),
    q: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
    from: time,
    to: time,
    order: fc.constantFrom('newest', 'oldest'),
    columns: fc.uniqueArray(column, { minLength: 1 }),
    by: column,
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Tokyo', '+05:30'),
    times: fc.constantFrom('absolute', 'relative'),
    log: fc.tuple(fc.nat(999), fc.nat()).map((parts) => parts.join(':')),
    part: fc.constantFrom('context', 'record', 'notes'),
    pattern: fc.stringMatching(/^[0-9a-f]{10}$/),
    sqlCase: fc.integer({ min: 1, max: 999 }),
    request: fc.string(),
    sql: fc.string({ maxLength: 200 }),
    tag: fc.string({ maxLength: 20 }),
  },
  { requiredKeys: ['cases', 'view', 'q', 'order', 'columns', 'by', 'zone', 'times'] },
);

test('an address holds all of a state', () => {
  fc.assert(
    fc.property(state, (each) => {
      expect(readState(writeState(each).slice(1))).toEqual(each);
    }),
    { numRuns: rounds(1000) },
  );
});

test('any address is a state', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = readState(text);
      expect(readState(writeState(read).slice(1))).toEqual(read);
    }),
    { numRuns: rounds(1000) },
  );
});

test('what is not valid has its usual value', () => {
  const read = readState(
    '?view=nothing&from=x&columns=,<b>&log=../1&zone=Mars/Base&order=x&before=1&part=x&pattern=x&sqlCase=-1',
  );
  expect(writeState(read)).toBe('/');
});
