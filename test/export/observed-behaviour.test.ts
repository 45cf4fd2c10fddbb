import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayBeTruncated } from '../../src/export/windows/decide/observed-behaviour.ts';

const size = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 990, max: 1010 }), fc.nat(10_000));

test('no cap, whatever it is, cuts a reply that is taken for whole, once a larger one was seen', () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 10_000 }), fc.array(size), size, (cap, earlier, logs) => {
      const largest = Math.max(0, ...earlier.map((each) => Math.min(each, cap)));
      const records = Math.min(logs, cap);
      if (!mayBeTruncated(records, { num: 10_000, largest })) expect(records).toBe(logs);
    }),
  );
});

test.each([
  [10_000, 0, true],
  [10, 0, false],
  [11, 0, true],
  [11, 11, true],
  [11, 12, false],
  // A cap looks like this, and a deployment can have several servers.
  [5000, 9000, true],
  [4999, 9000, true],
  [5001, 9000, false],
  [999, 9000, true],
  [998, 9000, false],
  [500, 9000, true],
  [499, 9000, true],
  [498, 9000, false],
  [1024, 9000, true],
  [1023, 9000, true],
  [8192, 9000, true],
  [100, 9000, true],
  [64, 9000, false],
])('%d logs beside %d', (records, largest, expected) => {
  expect(mayBeTruncated(records, { num: 10_000, largest })).toBe(expected);
});
