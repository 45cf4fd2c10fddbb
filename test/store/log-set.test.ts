import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addId, bitsFor, emptyBitmap, idsOf } from '../../src/store/token-index/bitmap.ts';
import { logSetOf } from '../../src/store/token-index/find-terms.ts';
import { type LogSet, setOfBits, setOfFew } from '../../src/store/token-index/log-set.ts';

const lastId = 5000;

describe('a set of logs', () => {
  const check = (set: LogSet, ids: Iterable<number>) => {
    const expected = [...new Set(ids)].sort((one, other) => one - other);
    // In either order: neither the count nor the bits change the other.
    expect(set.count()).toBe(expected.length);
    expect(idsOf(set.bitmap())).toEqual(expected);
    expect(set.count()).toBe(expected.length);
    expect(set.bitmap()).toBe(set.bitmap());
  };

  test('has its ids once, in whatever order and however often they are named', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300)), (ids) => {
        const named = Uint32Array.from(ids);
        check(setOfFew(named, bitsFor(300)), ids);
        expect([...named]).toEqual(ids);
        const bitmap = emptyBitmap(bitsFor(300));
        for (const id of ids) addId(bitmap, id);
        check(setOfBits(bitmap), ids);
      }),
    );
  });

  const every = (step: number) =>
    Uint32Array.from({ length: Math.floor(lastId / step) }, (_id, at) => at * step);

  test.each([
    ['no logs', []],
    ['few of one slice', [every(10)]],
    ['as many as are kept by their ids', [every(10), every(10)]],
    ['one more', [every(10), every(10), Uint32Array.of(7)]],
    ['many', [every(2)]],
  ])('of a term has the logs of all entries: %s', (_name, lists) => {
    const entries = lists.map((ids) => ({ first: 1, logs: { ids } }));
    check(
      logSetOf(entries, lastId),
      lists.flatMap((list) => [...list]),
    );
    // The first byte has the bits of the ids up to 7.
    const frequent = { first: 1, logs: { bits: Uint8Array.of(0b0001_0000) } };
    check(logSetOf([...entries, frequent], lastId), [3, ...lists.flatMap((list) => [...list])]);
  });
});
