import { describe, expect, test } from 'vitest';
import { type StoredWindow, saveExportChanges } from '../../src/case/contents/exports.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { type SliceClause, type WindowSlice, writeSlice } from '../../src/export/decide/window.ts';
import { exportWindows, resumeWindows } from '../../src/export/run/export-windows.ts';
import { mergeCoverage, openExport, orderSinceLast, readCoverage } from '../../src/export/run/open-export.ts';
import { planExport } from '../../src/export/run/plan-export.ts';
import { rounds } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

const count = rounds(400, 160);
const logs = burstyLogs(count, { spread: 0.5 });
const first = logs[0]?.time ?? 0;
const last = logs.at(-1)?.time ?? 0;
const middle = logs[count / 2]?.time ?? 0;

describe('the same export again', () => {
  test('asks for nothing that is there', async () => {
    await using setting = await startWindows({ logs });
    const order = setting.order();
    await exportWindows({ ...setting, order });
    expect(await exportWindows({ ...setting, order })).toMatchObject({ calls: 0, logs: 0, complete: true });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  });

  test('over a longer time asks for the rest of it', async () => {
    await using setting = await startWindows({ logs });
    const bounds = { from: first, oldest: first };
    await exportWindows({ ...setting, order: setting.order({ ...bounds, to: middle, newest: middle }) });
    const longer = setting.order({ ...bounds, to: last, newest: last });
    const { windows } = await openExport(setting.into, longer);
    expect(windows).toMatchObject([{ oldest: middle + 1, newest: last, state: 'planned' }]);
    await exportWindows({ ...setting, order: longer });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  });

  largeTest('with other filters asks for all of it, and adds no log twice', async () => {
    await using setting = await startWindows({ logs });
    await exportWindows({ ...setting, order: setting.order({ search: 'logLevel:SEVERE' }) });
    const severe = logs.filter(({ logLevel }) => logLevel === 'SEVERE').length;
    expect(await exportWindows({ ...setting, order: setting.order() })).toMatchObject({
      logs: logs.length - severe,
    });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  });

  largeTest('whose window had failed brings that window', async () => {
    await using setting = await startWindows({
      logs,
      faults: [
        { on: 'exportLogs', skip: 4, times: 3, effect: 'endJob', state: 'FAILED', messages: ['No space'] },
      ],
    });
    const order = setting.order();
    expect(await exportWindows({ ...setting, order, jobs: 1 })).toMatchObject({ complete: false });
    expect(await exportWindows({ ...setting, order })).toMatchObject({ complete: true, export: 1 });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
    await expect(resumeWindows(setting)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
  });
});

describe('what is new since the last export', () => {
  test('comes with what was late, and nothing twice', async () => {
    const late = { time: middle - 5, logLevel: 'INFO', msg: 'late' };
    const news = burstyLogs(50, { seed: 9 }).map((log) => ({
      ...log,
      time: (log.time ?? 0) - first + middle + 1,
    }));
    await using setting = await startWindows({ logs: logs.slice(0, count / 2 + 1) });
    await exportWindows({ ...setting, order: setting.order({ to: middle, newest: middle }) });
    await using later = await startWindows({ logs: [...logs.slice(0, count / 2 + 1), late, ...news] });
    const found = await orderSinceLast(setting.into, { now: last + 1_000_000, overlap: 60_000 });
    expect(found).toMatchObject({ order: { oldest: middle - 60_000 }, repeat: { newest: middle } });
    const result = await exportWindows({ ...setting, client: later.client, ...found });
    expect(result).toMatchObject({ complete: true, logs: 1 + news.length });
    expect(await textsOf(setting.into)).toEqual(
      sortedTexts([...logs.slice(0, count / 2 + 1), late, ...news]),
    );
  });

  test('asks for an export that is finished', async () => {
    await using setting = await startWindows({ logs });
    const at = { now: last, overlap: 0 };
    await expect(orderSinceLast(setting.into, at)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
    const { stored, windows } = await openExport(setting.into, setting.order());
    await saveExportChanges(setting.into, () => ({ export: stored, windows }));
    await expect(orderSinceLast(setting.into, at)).rejects.toMatchObject({
      message: expect.stringContaining('"--resume"'),
    });
  });
});

largeTest('an export of long ago that came to nothing keeps nobody from what is new', async () => {
  await using setting = await startWindows({ logs });
  const refused = await openExport(setting.into, setting.order({ search: 'msg:(' }));
  await saveExportChanges(setting.into, () => ({ export: refused.stored, windows: refused.windows }));
  await exportWindows({ ...setting, order: setting.order() });
  const found = await orderSinceLast(setting.into, { now: last, overlap: 0 });
  expect(found.order.request.searchQuery).toBeUndefined();
});

describe('the coverage of a case', () => {
  test('is what was asked for, by filters', async () => {
    await using setting = await startWindows({ logs });
    const bounds = { from: first, oldest: first, to: middle, newest: middle };
    await exportWindows({ ...setting, order: setting.order(bounds) });
    await exportWindows({ ...setting, order: setting.order({ search: 'logLevel:SEVERE', ...bounds }) });
    const planned = await openExport(setting.into, setting.order({ ...bounds, to: last, newest: last }));
    await saveExportChanges(setting.into, () => ({ export: planned.stored, windows: planned.windows }));
    expect(await readCoverage(setting.into)).toMatchObject([
      {
        exports: [3, 1],
        filters: { logLevel: 'DEBUG' },
        covered: [
          { oldest: first, newest: middle, state: 'complete' },
          { oldest: middle + 1, newest: last, state: 'open' },
        ],
      },
      {
        exports: [2],
        filters: { searchQuery: 'logLevel:SEVERE' },
        covered: [{ oldest: first, newest: middle }],
      },
    ]);
  });

  largeTest('names a millisecond that is capped', async () => {
    const crowd = Array.from({ length: 250 }, (_, index) => ({
      time: middle,
      logLevel: 'INFO',
      msg: `${index}`,
    }));
    await using setting = await startWindows({ logs: [...logs, ...crowd] });
    await exportWindows({ ...setting, order: setting.order() });
    const [covered] = await readCoverage(setting.into);
    expect(covered?.covered.map(({ state }) => state)).toEqual(['complete', 'capped', 'complete']);
    expect(covered?.covered[1]).toEqual({ oldest: middle, newest: middle, state: 'capped' });
    // The same again asks for that millisecond alone, and does not call the rest of it complete.
    const order = setting.order();
    const again = await openExport(setting.into, order);
    expect(again.windows).toMatchObject([{ oldest: middle, newest: middle }]);
    expect(await exportWindows({ ...setting, order })).toMatchObject({ complete: false, logs: 0 });
  });

  test('has no hole where a window was asked for by its exact bounds', () => {
    const window = { export: 1, state: 'loaded', attempts: 0, updated: 0 } as const;
    const exact = (order: 'asc' | 'desc', clauses: WindowSlice['clauses'] = []) =>
      writeSlice({ exact: true, order, clauses });
    const severe: SliceClause = { field: 'logLevel', values: ['SEVERE'], not: false };
    const windows: readonly StoredWindow[] = [
      { ...window, window: 1, oldest: 1, newest: 4 },
      { ...window, window: 2, oldest: 5, newest: 8, slice: exact('desc') },
      { ...window, window: 3, oldest: 9, newest: 9, slice: exact('desc') },
      { ...window, window: 4, oldest: 9, newest: 9, slice: exact('asc', [severe]), missing: 1 },
    ];
    expect(mergeCoverage(windows)).toEqual([
      { oldest: 1, newest: 8, state: 'complete' },
      { oldest: 9, newest: 9, state: 'capped' },
    ]);
  });

  test('of a case without an export is none', async () => {
    await using setting = await startWindows();
    await addLogs(setting.into, logs, { part: 'logs' });
    expect(await readCoverage(setting.into)).toEqual([]);
  });
});

describe('a plan', () => {
  largeTest('tells about how much there is, and exports nothing', async () => {
    await using setting = await startWindows({ logs: burstyLogs(3000, { spread: 0.2 }) });
    const plan = await planExport({ ...setting, order: setting.order() });
    expect(plan.samples.calls).toBeLessThanOrEqual(14);
    expect(plan.logs).toBeGreaterThan(1500);
    expect(plan.logs).toBeLessThan(6000);
    expect(plan.leastCalls).toBe(Math.ceil(plan.logs / 100));
    expect(plan.windows.length).toBeGreaterThan(10);
    expect(await textsOf(setting.into)).toEqual([]);
  });

  test('is exact where one sample holds all', async () => {
    await using setting = await startWindows({ logs: logs.slice(0, 60) });
    const plan = await planExport({ ...setting, order: setting.order() });
    expect(plan).toMatchObject({ exact: true, logs: 60, calls: 3, samples: { calls: 2 } });
  });

  test('says which filters of the structured form are used for a query that is evaluated here', async () => {
    await using setting = await startWindows({ logs });
    const order = setting.order({ search: 'logCode:9003 AND msg:request', via: 'query' });
    const plan = await planExport({ ...setting, order });
    expect(plan).toMatchObject({ residual: true, parameters: { logCode: '9003' } });
    expect(plan.parameters).not.toHaveProperty('searchQuery');
  });

  largeTest('leaves out what the case has', async () => {
    await using setting = await startWindows({ logs });
    const order = setting.order();
    await exportWindows({ ...setting, order });
    expect(await planExport({ ...setting, order })).toMatchObject({ asked: [], logs: 0, calls: 0 });
  });
});
