import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addId,
  bitsFor,
  emptyBitmap,
  idsOf,
  type LogSet,
  logsInAll,
  setOfBits,
  setOfFew,
  unionOf,
} from '../../src/word-index/log-set.ts';

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

  test('is combined with others as sets are, be they listed or bits', () => {
    const bits = bitsFor(300);
    const ids = fc.array(fc.nat(300), { maxLength: 40 });
    const toSet = ([listed, isFew]: readonly [number[], boolean]) => {
      const bitmap = emptyBitmap(bits);
      for (const id of listed) addId(bitmap, id);
      return isFew ? setOfFew(Uint32Array.from(listed), bits) : setOfBits(bitmap);
    };
    const several = fc.array(
      fc.tuple(fc.oneof(ids, fc.constant(Array.from({ length: 290 }, (_, id) => id))), fc.boolean()),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(several, several, (some, others) => {
        const [sets, excluded] = [some.map(toSet), others.map(toSet)];
        check(
          unionOf(sets, bits),
          some.flatMap(([listed]) => listed),
        );
        const [first, ...rest] = some;
        if (!first) return;
        const inAll = first[0].filter((id) => rest.every(([listed]) => listed.includes(id)));
        const left = inAll.filter((id) => !others.some(([listed]) => listed.includes(id)));
        check(logsInAll(sets, excluded, bits), left);
        // None of them was modified.
        for (const [index, [listed]] of some.entries()) check(sets[index] ?? toSet([[], true]), listed);
      }),
    );
  });
});
