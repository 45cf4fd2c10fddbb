import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countFieldValues,
  isPartialSlice,
  readSlice,
  sliceFields,
  splitClauses,
  toClauseQuery,
  type WindowSlice,
  wholeSlice,
  writeSlice,
} from '../../src/export/decide/window.ts';
import { filterOfText } from '../../src/language/meaning/explicit.ts';
import { matchDocument, toDocument } from '../../src/language/meaning/match.ts';
import type { Log } from '../../src/records/log.ts';

const log: fc.Arbitrary<Log> = fc.record(
  {
    logLevel: fc.constantFrom('SEVERE', 'INFO'),
    logCode: fc.constantFrom(9000, 9003),
    source: fc.constantFrom('Sharing', 'Rest "Catalog"', 'C:\\logs', 'Portal Admin'),
    username: fc.constantFrom('ann', 'bo b'),
  },
  { requiredKeys: [] },
);

const holdsClause = (each: Log, clause: Parameters<typeof toClauseQuery>[0]) =>
  matchDocument(filterOfText(toClauseQuery(clause)), toDocument({ ...each }));

test('the clauses of a slice part all logs: each has one, whether it was seen or not', () => {
  fc.assert(
    fc.property(fc.array(log, { minLength: 1, maxLength: 8 }), log, (seen, unseen) => {
      const clauses = splitClauses(wholeSlice, countFieldValues(seen)) ?? [];
      const hasValue = seen.some((each) => sliceFields.some((field) => each[field] !== undefined));
      expect(0 < clauses.length).toBe(hasValue);
      if (!hasValue) return;
      for (const each of [...seen, unseen])
        expect(clauses.filter((clause) => holdsClause(each, clause))).toHaveLength(1);
      for (const { field, values } of clauses)
        expect(seen.map((each) => String(each[field]))).toEqual(expect.arrayContaining(values));
    }),
    { numRuns: 200 },
  );
});

describe('the field that parts best', () => {
  const seen = countFieldValues([
    { logLevel: 'INFO', logCode: 9000, source: 'a' },
    { logLevel: 'INFO', logCode: 9001, source: 'b' },
    { logLevel: 'INFO', logCode: 9001, source: 'b' },
    { logLevel: 'INFO', logCode: 9002, source: 'b' },
  ]);
  const [codes, sources] = [
    { field: 'logCode', values: ['9001', '9000', '9002'] },
    { field: 'source', values: ['b', 'a'] },
  ] as const;
  const partedBy = (clauses: WindowSlice['clauses']) => splitClauses({ ...wholeSlice, clauses }, seen);

  test('is the one whose most frequent value is the least frequent, and its frequent values come first', () => {
    expect(partedBy([])).toEqual([
      ...codes.values.map((value) => ({ field: codes.field, values: [value], not: false })),
      { ...codes, not: true },
    ]);
  });

  test('is none that has its value already, and another one for the rest', () => {
    const done = { field: 'logCode' as const, values: ['9001'], not: false };
    expect(partedBy([done])?.at(-1)).toEqual({ ...sources, not: true });
    expect(partedBy([{ ...done, not: true }])?.at(-1)).toEqual({ ...sources, not: true });
    const all = sliceFields.map((field) => ({ field, values: ['a'], not: false }));
    expect(partedBy(all)).toBeUndefined();
  });

  test('is found among fields in any order', () => {
    const logs = [1, 1, 2, 2].map((logCode, at) => ({
      logCode,
      logLevel: at ? 'INFO' : 'FINE',
      source: `${at > 0}`,
    }));
    expect(splitClauses(wholeSlice, countFieldValues(logs))?.at(-1)?.field).toBe('logCode');
  });

  test('has twelve values of its own at most', () => {
    const many = countFieldValues(Array.from({ length: 20 }, (_, code) => ({ logCode: code })));
    expect(splitClauses(wholeSlice, many)).toHaveLength(13);
    expect(splitClauses(wholeSlice, countFieldValues([{}]))).toBeUndefined();
  });
});

test.each([
  [{ field: 'logCode', values: ['9003'], not: false }, 'logCode:9003'],
  [{ field: 'source', values: ['a "b" \\'], not: false }, 'source:"a \\"b\\" \\\\"'],
  [{ field: 'source', values: ['a', 'b'], not: true }, 'NOT source:("a" OR "b")'],
] as const)('the query of %j', (clause, expected) => {
  expect(toClauseQuery({ ...clause, values: [...clause.values] })).toBe(expected);
});

test('a slice is kept as it is, and is part of a window by its order or its clauses', () => {
  const clauses = [{ field: 'source' as const, values: ['a'], not: false }];
  for (const [slice, part] of [
    [wholeSlice, false],
    [{ ...wholeSlice, exact: true }, false],
    [{ ...wholeSlice, order: 'asc' as const }, true],
    [{ ...wholeSlice, clauses }, true],
  ] as const) {
    expect(readSlice(writeSlice(slice))).toEqual(slice);
    expect(isPartialSlice(writeSlice(slice))).toBe(part);
  }
  expect(readSlice(undefined)).toBe(wholeSlice);
});
