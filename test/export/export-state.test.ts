import { expect, test } from 'vitest';
import { findExports, findWindows, type StoredWindow } from '../../src/case/contents/exports.ts';
import { openCase } from '../../src/case/file/case.ts';
import { openExportState } from '../../src/export/run/export-state.ts';
import { readCoverage } from '../../src/export/run/open-export.ts';
import { type ExportOrder, toStoredExport } from '../../src/export/run/order.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';

const order: ExportOrder = {
  deployment: 'https://gis.example.com/portaladmin',
  request: { ...newestLogsRequest, num: 100, logLevel: 'INFO' },
  via: 'search',
  windowBy: 'auto',
  timeField: 'time',
  oldest: 0,
  newest: 9,
  given: 1,
};

const windowOf = (number: number, oldest: number, newest: number): StoredWindow => ({
  window: number,
  export: 1,
  oldest,
  newest,
  state: 'loaded',
  attempts: 0,
  updated: 0,
});

test('changes of an export are saved in the case, and numbers are reserved once', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const first = toStoredExport(order, 1);
  const planned = windowOf(1, 0, 9);
  const exportState = openExportState(into, first, { windows: [planned], next: 2 });
  expect(exportState.windows()).toEqual([planned]);
  expect([exportState.reserve(2), exportState.reserve(1)]).toEqual([2, 4]);
  await exportState.save(() => ({ export: first, windows: [planned] }));
  const changed = { ...first, learnt: { order: 'trusted' } };
  const parts = [windowOf(2, 0, 4), windowOf(3, 5, 9)];
  await exportState.save(() => {
    expect(exportState.windows()).toEqual([planned]);
    return { export: changed, removed: [1], windows: parts };
  });
  expect([exportState.stored(), exportState.windows()]).toEqual([changed, parts]);
  expect(await findExports(into)).toMatchObject([changed]);
  expect((await findWindows(into)).map(({ window }) => window).sort()).toEqual([2, 3]);
  exportState.adopt({});
  expect(exportState.windows()).toEqual(parts);
  exportState.adopt({ windows: [{ ...windowOf(2, 0, 4), state: 'failed' }] });
  expect(exportState.stored()).toBe(changed);
  expect(exportState.windows().map(({ state }) => state)).toEqual(['failed', 'loaded']);
});

test('exports that ask for the same logs share their coverage, others have their own', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const add = async (number: number, more: Partial<ExportOrder>, windows: readonly StoredWindow[]) => {
    const each = toStoredExport({ ...order, ...more }, number);
    const exportState = openExportState(into, each, { windows: [], next: 1 });
    await exportState.save(() => ({
      export: each,
      windows: windows.map((one) => ({ ...one, export: number })),
    }));
  };
  await add(1, {}, [windowOf(1, 0, 4)]);
  await add(2, { request: { ...order.request, searchQuery: 'a' } }, [windowOf(2, 20, 29)]);
  await add(3, { oldest: 5, newest: 9, request: { ...order.request, num: 7 } }, [windowOf(3, 5, 9)]);
  const found = await readCoverage(into);
  expect(found).toHaveLength(2);
  expect(found.find(({ exports }) => exports.includes(1))).toEqual({
    deployment: order.deployment,
    filters: { stackTraces: 'true', logLevel: 'INFO' },
    exports: expect.arrayContaining([1, 3]),
    covered: [{ oldest: 0, newest: 9, state: 'complete' }],
    doubts: [],
  });
  expect(found.find(({ exports }) => exports.includes(2))).toMatchObject({
    filters: { searchQuery: 'a' },
    exports: [2],
    covered: [{ oldest: 20, newest: 29, state: 'complete' }],
  });
});
