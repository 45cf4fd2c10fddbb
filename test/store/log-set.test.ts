import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addId, bitsFor, emptyBitmap, idsOf } from '../../src/store/token-index/bitmap.ts';
import { type LogSet, setOfBits, setOfFew } from '../../src/store/token-index/log-set.ts';

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
});
