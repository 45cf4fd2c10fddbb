import { describe, expect, test } from 'vitest';
import type { ObservedBehaviour } from '../../src/export/decide/observed-behaviour.ts';
import { openStart, type SliceClause, type WindowSlice, wholeSlice } from '../../src/export/decide/window.ts';
import { isWindowInQuery, probeRequest, usesFilterForm, windowRequest } from '../../src/export/run/order.ts';
import { type ExportRequest, newestLogsRequest } from '../../src/protocol/export-jobs.ts';

const way = { windowBy: 'auto', timeField: 'time' } as const;
const window = { oldest: 100, newest: 199 };
const source: SliceClause = { field: 'source', values: ['a'], not: false };
const codes: SliceClause = { field: 'logCode', values: ['9003'], not: false };
const others: SliceClause = { field: 'source', values: ['a'], not: true };

/** All logs, in another order than windows need. */
const base: ExportRequest = { ...newestLogsRequest, sortBy: 'bestMatch', sortOrder: 'asc' };

interface Given extends Partial<WindowSlice> {
  readonly by?: Parameters<typeof windowRequest>[0];
  readonly request?: Partial<ExportRequest>;
}

/** Differences of the request for a window. */
function asked(
  { by = way, request = {}, ...slice }: Given,
  observed: ObservedBehaviour = {},
  times = window,
) {
  const requestPlan = { request: { ...base, ...request }, residual: undefined };
  const made = windowRequest(by, requestPlan, {
    window: times,
    slice: { ...wholeSlice, ...slice },
    observed,
  });
  const before = new Map<string, unknown>(Object.entries(base));
  const isNew = ([name, value]: [string, unknown]) =>
    JSON.stringify(before.get(name)) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(made).filter(isNew));
}

const sorted = { sortBy: 'time', sortOrder: 'desc' };

describe('a window is asked for', () => {
  test('with a millisecond around it, or a second where times are whole seconds', () => {
    expect(asked({})).toEqual({ ...sorted, oldest: 99, newest: 200 });
    expect(asked({}, { times: 'seconds' }, { oldest: 1000, newest: 1999 })).toEqual({
      ...sorted,
      oldest: 0,
      newest: 2999,
    });
    expect(asked({}, {}, { oldest: openStart, newest: 199 })).toEqual({ ...sorted, newest: 200 });
  });

  test('by its exact bounds where those are known to be included', () => {
    expect(asked({ exact: true })).toMatchObject({ oldest: 99, newest: 200 });
    expect(asked({ exact: true }, { oldestIncluded: 'yes' })).toMatchObject({ oldest: 100, newest: 200 });
    expect(asked({ exact: true }, { newestIncluded: 'yes' })).toMatchObject({ oldest: 99, newest: 199 });
    expect(asked({}, { oldestIncluded: 'yes', newestIncluded: 'yes' })).toMatchObject({
      oldest: 99,
      newest: 200,
    });
  });

  test('by a query for its slice', () => {
    expect(asked({ clauses: [source, others] })).toEqual({
      ...sorted,
      oldest: 99,
      newest: 200,
      searchQuery: 'source:"a" AND NOT source:"a"',
    });
    expect(asked({ request: { searchQuery: 'x OR y' }, clauses: [source] }).searchQuery).toBe(
      '(x OR y) AND source:"a"',
    );
    expect(asked({ request: { searchQuery: 'x' } }).searchQuery).toBe('x');
  });

  test('in the query where its times are not heeded beside one', () => {
    const request = { searchQuery: 'x' };
    const inQuery = { ...sorted, searchQuery: '(x) AND time:[99 TO 200]' };
    expect(asked({ request }, { windowBy: 'query' })).toEqual(inQuery);
    expect(asked({ request, by: { ...way, windowBy: 'query' } })).toEqual(inQuery);
    expect(asked({ request, by: { ...way, windowBy: 'parameters' } }, { windowBy: 'query' })).toMatchObject({
      oldest: 99,
    });
    expect(asked({ request }, { windowBy: 'query' }, { oldest: openStart, newest: 199 }).searchQuery).toBe(
      '(x) AND time:[0 TO 200]',
    );
    expect(isWindowInQuery({ windowBy: 'query' }, base, {})).toBe(false);
  });

  test('by filters where a slice can be asked for by them only', () => {
    const filters: ObservedBehaviour = { slices: 'filters' };
    expect(asked({ clauses: [source, codes] }, filters)).toEqual({
      ...sorted,
      oldest: 99,
      newest: 200,
      source: 'a',
      logCodes: [9003],
    });
    // Values that no filter can express are left out.
    expect(asked({ clauses: [codes, others], exact: true }, { ...filters, newestIncluded: 'yes' })).toEqual({
      ...sorted,
      oldest: 99,
      newest: 199,
      logCodes: [9003],
    });
    expect(asked({ clauses: [source] }, filters)).not.toHaveProperty('searchQuery');
    const form = (more: Partial<ExportRequest>, clauses: SliceClause[], observed: ObservedBehaviour) =>
      usesFilterForm({ request: { ...base, ...more }, slice: { ...wholeSlice, clauses }, observed });
    expect([form({}, [source], filters), form({ searchQuery: 'x' }, [source], filters)]).toEqual([
      true,
      false,
    ]);
    expect([form({}, [], filters), form({}, [source], {})]).toEqual([false, false]);
  });
});

test('a probe asks for no more than its times, whatever is known of the bounds', () => {
  const requestPlan = { request: { ...base, searchQuery: 'x' }, residual: undefined };
  for (const observed of [{}, { times: 'seconds' }] as const) {
    expect(probeRequest(way, requestPlan, { window, sortOrder: 'asc', observed })).toEqual({
      ...base,
      searchQuery: 'x',
      oldest: 100,
      newest: 199,
      sortBy: 'time',
      sortOrder: 'asc',
    });
  }
  const inQuery = probeRequest(way, requestPlan, {
    window,
    sortOrder: 'desc',
    observed: { windowBy: 'query' },
  });
  expect(inQuery).toMatchObject({ searchQuery: '(x) AND time:[100 TO 199]', sortOrder: 'desc' });
});
