import { expect, test } from 'vitest';
import type { StoredExport, StoredWindow } from '../../src/case/contents/exports.ts';
import { wholeSlice, writeSlice } from '../../src/export/decide/window.ts';
import { toWindowsResult } from '../../src/export/run/export-windows.ts';

const stored: StoredExport = {
  export: 7,
  deployment: '',
  request: {},
  settings: {},
  oldest: 1,
  newest: 9,
  learnt: {},
  started: 0,
};
const each = { export: 7, attempts: 0, updated: 0 };
const loaded = { ...each, state: 'loaded', oldest: 1, newest: 1, logs: 3, unreadable: 1, bytes: 20 } as const;

test('windows that are loaded are added up, whatever the others were', () => {
  const windows: readonly StoredWindow[] = [
    { ...loaded, window: 1 },
    { ...loaded, window: 2, missing: 0 },
    // One that brought nothing into the case.
    { ...each, state: 'loaded', window: 3, oldest: 2, newest: 2 },
    // One that was requested again, and then split: what it brought before is in the case.
    { ...loaded, window: 4, state: 'split' },
  ];
  expect(toWindowsResult({ stored, windows, before: 2, calls: 5, notes: [] })).toEqual({
    export: 7,
    oldest: 1,
    newest: 9,
    calls: 5,
    windows: 3,
    logs: 9,
    added: 7,
    unreadable: 2,
    bytes: 40,
    complete: true,
    gaps: [],
    notes: [],
  });
});

test('gaps are named with what narrows them, the newest first', () => {
  const clauses = ['a', 'b'].map((value) => ({ field: 'source' as const, values: [value], not: false }));
  const windows: readonly StoredWindow[] = [
    { ...each, window: 1, state: 'failed', oldest: 2, newest: 3, reason: 'Broken' },
    {
      ...loaded,
      window: 2,
      oldest: 5,
      newest: 5,
      missing: 4,
      reason: 'Too many',
      slice: writeSlice({ ...wholeSlice, clauses }),
    },
    { ...each, window: 3, state: 'planned', oldest: 4, newest: 4, slice: writeSlice(wholeSlice) },
  ];
  const { complete, gaps } = toWindowsResult({ stored, windows, before: 0, calls: 0, notes: [] });
  expect(complete).toBe(false);
  expect(gaps).toEqual([
    {
      kind: 'capped',
      oldest: 5,
      newest: 5,
      missing: 4,
      reason: 'Too many',
      slice: 'source:"a" AND source:"b"',
    },
    { kind: 'failed', oldest: 4, newest: 4, reason: '' },
    { kind: 'failed', oldest: 2, newest: 3, reason: 'Broken' },
  ]);
});
