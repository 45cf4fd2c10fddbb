import { describe, expect, test } from 'vitest';
import { requestedBounds } from '../../src/export/decide/observed-behaviour.ts';
import { wholeSlice } from '../../src/export/decide/window.ts';
import {
  type ExportOrder,
  isSameRequest,
  isWindowInQuery,
  planStructuredFilters,
  toOrder,
  toRequestPlan,
  toStoredExport,
  windowRequest,
} from '../../src/export/run/order.ts';
import { filterOfText } from '../../src/language/meaning/explicit.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';

const order: ExportOrder = {
  deployment: 'https://gis.example.com/portaladmin',
  request: { ...newestLogsRequest, num: 100, logLevel: 'INFO' },
  via: 'search',
  windowBy: 'auto',
  timeField: 'time',
  oldest: 10,
  newest: 20,
  given: 1_700_000_000_000,
};

test.each<[string, Partial<ExportOrder>]>([
  ['bounds left to the program', {}],
  ['bounds of zero', { from: 0, to: 0 }],
  ['one bound', { to: 20 }],
  ['other ways', { via: 'query', windowBy: 'parameters', timeField: 'at' }],
  ['a search', { request: { ...order.request, searchQuery: 'a', logCodes: [9003], requestIDs: ['r'] } }],
])('an order is kept as it was given: %s', (_what, more) => {
  const given = { ...order, ...more };
  expect(toOrder(toStoredExport(given, 3))).toEqual(given);
  expect(toStoredExport(given, 3)).toMatchObject({ export: 3, learnt: {}, started: given.given });
});

test('what a case of another version kept becomes the ordinary ways', () => {
  const stored = { ...toStoredExport(order, 1), settings: { via: 'else', windowBy: 'else' } };
  expect(toOrder(stored)).toEqual(order);
});

describe('orders ask for the same', () => {
  const search = { ...order.request, searchQuery: 'a' };
  test.each<[string, Partial<ExportOrder>, Partial<ExportOrder>, boolean]>([
    ['at other times', {}, { oldest: 1, newest: 2, from: 1, given: 5 }, true],
    ['with fewer logs a call', {}, { request: { ...order.request, num: 5 } }, true],
    ['with times in the query', { request: search }, { request: search, windowBy: 'query' }, true],
    ['filtered elsewhere, without a query', {}, { via: 'query' }, true],
    ['filtered elsewhere', { request: search }, { request: search, via: 'query' }, false],
    ['of another deployment', {}, { deployment: 'https://other.example.com' }, false],
    ['at another level', {}, { request: { ...order.request, logLevel: 'FINE' } }, false],
    ['with a query', {}, { request: search }, false],
  ])('%s', (_what, a, b, expected) => {
    expect(isSameRequest({ ...order, ...a }, { ...order, ...b })).toBe(expected);
  });
});

describe('the structured filters take what the query needs', () => {
  const asked = (searchQuery: string, more: Partial<ExportOrder['request']> = {}) =>
    toRequestPlan({
      ...order,
      via: 'query',
      request: { ...newestLogsRequest, num: 100, ...more, searchQuery },
    });

  test.each([
    ['logLevel:SEVERE', {}, { logLevel: 'SEVERE' }],
    ['msg:a', {}, { logLevel: 'DEBUG' }],
    ['logLevel:WARNING', { logLevel: 'SEVERE' }, { logLevel: 'SEVERE' }],
    ['logLevel:SEVERE', { logLevel: 'FINE' }, { logLevel: 'SEVERE' }],
    ['logCode:9003', {}, { logCodes: [9003] }],
    ['logCode:9003', { logCodes: [9000] }, { logCodes: [9000] }],
    ['msg:a', { source: 'Rest', users: 'ann' }, { source: 'Rest', users: 'ann' }],
  ])('%s with %j', (query, more, expected) => {
    const { request, residual } = asked(query, more);
    expect(request).toMatchObject(expected);
    expect(request).not.toHaveProperty('searchQuery');
    expect(residual).toBeDefined();
  });

  test('with the time of the order, whenever a call is made', () => {
    const each: ExportOrder = {
      ...order,
      via: 'query',
      request: { ...order.request, searchQuery: 'time:[now-1d TO *]' },
    };
    expect(planStructuredFilters(each)?.necessary).toEqual({ oldest: order.given - 86_400_000 });
    expect(toRequestPlan(each).residual).toEqual(filterOfText('time:[now-1d TO *]', { now: order.given }));
  });

  test('and without a query, or where the deployment searches, the request is the one that was given', () => {
    for (const each of [
      { ...order, via: 'query' as const },
      { ...order, request: { ...order.request, searchQuery: 'a' } },
    ])
      expect(toRequestPlan(each)).toEqual({ request: each.request, residual: undefined });
  });
});

describe('the request for a window', () => {
  const window = { oldest: 10, newest: 20 };
  const search = { ...order.request, searchQuery: 'a OR b' };
  const clauses = [{ field: 'source' as const, values: ['x'], not: false }];

  test('asks for a millisecond more on both sides, until bounds are known to be included', () => {
    const exact = { ...wholeSlice, exact: true };
    const included = { oldestIncluded: 'yes', newestIncluded: 'yes' } as const;
    expect(requestedBounds(window, wholeSlice, included)).toEqual({ oldest: 9, newest: 21 });
    expect(requestedBounds(window, exact, {})).toEqual({ oldest: 9, newest: 21 });
    expect(requestedBounds(window, exact, { oldestIncluded: 'yes' })).toEqual({ oldest: 10, newest: 21 });
    expect(requestedBounds(window, exact, { newestIncluded: 'yes' })).toEqual({ oldest: 9, newest: 20 });
  });

  test('has its times as parameters, and what parts it in the query', () => {
    const requestPlan = { request: order.request, residual: undefined };
    expect(windowRequest(order, requestPlan, { window, slice: wholeSlice, observed: {} })).toEqual({
      ...order.request,
      oldest: 9,
      newest: 21,
      sortBy: 'time',
      sortOrder: 'desc',
    });
    const slice = { ...wholeSlice, order: 'asc' as const, clauses };
    expect(windowRequest(order, requestPlan, { window, slice, observed: {} })).toMatchObject({
      oldest: 9,
      newest: 21,
      sortOrder: 'asc',
      searchQuery: 'source:"x"',
    });
  });

  test('has its times in the query where parameters are not heeded', () => {
    const requestPlan = { request: search, residual: undefined };
    const slice = { ...wholeSlice, clauses };
    const observed = { windowBy: 'query' } as const;
    const request = windowRequest({ ...order, timeField: 'at' }, requestPlan, { window, slice, observed });
    expect(request.searchQuery).toBe('(a OR b) AND at:[9 TO 21] AND source:"x"');
    expect(request).not.toHaveProperty('oldest');
  });

  test.each([
    ['auto', search, {}, false],
    ['auto', search, { windowBy: 'query' }, true],
    ['query', search, {}, true],
    ['parameters', search, { windowBy: 'query' }, false],
    ['query', order.request, {}, false],
  ] as const)('%s: times in the query', (windowBy, request, observed, expected) => {
    expect(isWindowInQuery({ windowBy }, request, observed)).toBe(expected);
  });
});
