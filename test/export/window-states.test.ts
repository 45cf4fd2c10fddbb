import { describe, expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import {
  canFilterSlice,
  markUnrequestable,
  type SliceClause,
  switchToFilterSlices,
  toFormFilter,
  type WindowSlice,
  writeSlice,
} from '../../src/export/decide/window.ts';

function sliceOf(
  window: number,
  slice: Partial<WindowSlice>,
  more: Partial<StoredWindow> = {},
): StoredWindow {
  return {
    window,
    export: 1,
    oldest: 7,
    newest: 7,
    state: 'planned',
    attempts: 0,
    updated: 0,
    slice: writeSlice({ exact: true, order: 'desc', clauses: [], ...slice }),
    ...more,
  };
}

const [severe, sharing]: readonly [SliceClause, SliceClause] = [
  { field: 'logLevel', values: ['SEVERE'], not: false },
  { field: 'source', values: ['Sharing'], not: false },
];

describe('a clause as a filter of the query form', () => {
  test.each<[clause: SliceClause, expected: unknown]>([
    [severe, { logLevel: 'SEVERE' }],
    [sharing, { source: 'Sharing' }],
    [{ field: 'username', values: ['ann'], not: false }, { users: 'ann' }],
    [{ field: 'serviceTypes', values: ['MapServer'], not: false }, { serviceTypes: 'MapServer' }],
    [{ field: 'logCode', values: ['9003'], not: false }, { logCodes: [9003] }],
    [{ field: 'logCode', values: ['1', '2'], not: false }, { logCodes: [1, 2] }],
    // Commas separate values there, and there is no NOT.
    [{ field: 'source', values: ['a,b'], not: false }, undefined],
    [{ field: 'source', values: ['a', 'b'], not: false }, undefined],
    [{ field: 'source', values: [], not: false }, undefined],
    [{ ...severe, not: true }, undefined],
    [{ field: 'logCode', values: ['-1'], not: false }, undefined],
    [{ field: 'logCode', values: ['1', 'x2'], not: false }, undefined],
    [{ field: 'logCode', values: ['1'.repeat(16)], not: false }, undefined],
    [{ field: 'logCode', values: [], not: false }, undefined],
  ])('%j', (clause, expected) => {
    expect(toFormFilter(clause)).toEqual(expected);
    expect(canFilterSlice(writeSlice({ exact: true, order: 'desc', clauses: [clause] }))).toBe(
      expected !== undefined,
    );
  });

  test('all of a slice have to be filters', () => {
    const clauses = [severe, { ...sharing, not: true }];
    expect(canFilterSlice(writeSlice({ exact: true, order: 'desc', clauses }))).toBe(false);
    expect(canFilterSlice(undefined)).toBe(true);
  });
});

describe('from slices by the search to slices by filters', () => {
  test('the slice that open ones were made from is asked for again in their place', () => {
    const origin = sliceOf(1, { order: 'asc' }, { state: 'split', attempts: 2, records: 9 });
    const open = [sliceOf(2, { clauses: [severe] }), sliceOf(3, { clauses: [{ ...severe, not: true }] })];
    const { windows, removed } = switchToFilterSlices([origin, ...open]);
    expect(windows).toEqual([sliceOf(1, { order: 'asc' }, { attempts: 2 })]);
    expect(removed).toEqual([2, 3]);
  });

  test('the one with the same clauses but the last, at the same times', () => {
    const windows = [
      sliceOf(1, { order: 'asc' }, { state: 'split' }),
      sliceOf(2, { order: 'desc', clauses: [severe] }, { state: 'split' }),
      sliceOf(3, { order: 'asc', clauses: [severe] }, { state: 'split', oldest: 6, newest: 6 }),
      sliceOf(4, { order: 'asc', clauses: [severe] }, { state: 'split', oldest: 6 }),
      sliceOf(5, { order: 'asc', clauses: [sharing] }, { state: 'split' }),
      sliceOf(6, { order: 'asc', clauses: [severe] }, { state: 'split' }),
      sliceOf(7, { clauses: [severe, sharing] }),
    ];
    const changes = switchToFilterSlices(windows);
    expect(changes.windows?.map(({ window }) => window)).toEqual([6]);
    expect(changes.removed).toEqual([7]);
  });

  test('what is loaded or split stays, and so does what has no clause', () => {
    const windows = [
      sliceOf(1, { order: 'asc' }, { state: 'split' }),
      sliceOf(2, { clauses: [severe] }, { state: 'loaded' }),
      sliceOf(3, { clauses: [severe] }, { state: 'split' }),
      sliceOf(4, {}),
    ];
    expect(switchToFilterSlices(windows)).toEqual({ windows: [], removed: [] });
  });
});

test('a slice that cannot be asked for is loaded without a log, and says why', () => {
  const window = sliceOf(3, { clauses: [severe] }, { attempts: 1, job: 'j1', expected: '[]' });
  expect(markUnrequestable(window, 99)).toEqual({
    ...sliceOf(3, { clauses: [severe] }, { attempts: 1, expected: '[]' }),
    state: 'loaded',
    found: 0,
    logs: 0,
    records: 0,
    bytes: 0,
    missing: 1,
    updated: 99,
    reason:
      'One millisecond holds more logs than two calls return, and no filter selects those whose values were not seen',
  });
});
