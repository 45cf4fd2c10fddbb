import { describe, expect, test } from 'vitest';
import { type StoredExport, type StoredWindow, saveExportChanges } from '../../src/case/contents/exports.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { openClient } from '../../src/client/client.ts';
import { addObserved } from '../../src/export/decide/observed-behaviour.ts';
import { wholeSlice, writeSlice } from '../../src/export/decide/window.ts';
import {
  applyRequestSettings,
  findExportWithGaps,
  findOpenExport,
  openExport,
} from '../../src/export/run/open-export.ts';
import {
  type ExportOrder,
  requestSettingsOf,
  toOrder,
  toStoredExport,
  withRequestSettings,
} from '../../src/export/run/order.ts';
import { planExport } from '../../src/export/run/plan-export.ts';
import { countIndependently } from '../../src/export/run/sampling.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { addressesFor, noPause } from '../client/deployment.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { burstyLogs, startWindows, transportTo } from './exporting-windows.ts';

const order: ExportOrder = {
  deployment: 'https://gis.example.com/portaladmin',
  request: { ...newestLogsRequest, num: 100, logLevel: 'INFO' },
  via: 'search',
  windowBy: 'auto',
  timeField: 'time',
  oldest: 0,
  newest: 99,
  given: 1,
};

const memory = () => openCase(':memory:', { access: 'write', memory: 'little' });

let numbers = 0;
const windowOf = (number: number, more: Partial<StoredWindow> = {}): StoredWindow => {
  numbers += 1;
  const loaded = { state: 'loaded', attempts: 0, updated: 0 } as const;
  return { window: numbers, export: number, oldest: numbers, newest: numbers, ...loaded, ...more };
};

async function save(into: Case, stored: StoredExport, windows: readonly StoredWindow[]): Promise<void> {
  await saveExportChanges(into, () => ({ export: stored, windows }));
}

describe('the newest export that is not finished', () => {
  test('is none where all windows are loaded or split', async () => {
    await using into = await memory();
    expect(await findOpenExport(into)).toBeUndefined();
    await save(into, toStoredExport(order, 1), [windowOf(1), windowOf(1, { state: 'split' })]);
    expect(await findOpenExport(into)).toBeUndefined();
  });

  test.each(sampled(['planned', 'submitted', 'ready', 'fetched', 'failed'] as const, 2))(
    'is the one with a window that is %s, and its own windows',
    async (state) => {
      await using into = await memory();
      const open = [windowOf(2), windowOf(2, { state })];
      await save(into, toStoredExport(order, 1), [windowOf(1, { state: 'planned' })]);
      await save(into, toStoredExport(order, 2), open);
      await save(into, toStoredExport(order, 3), [windowOf(3)]);
      const found = await findOpenExport(into);
      expect(found).toMatchObject({ stored: { export: 2 }, resumed: true });
      expect(found?.windows).toMatchObject(open);
      expect(found?.windows).toHaveLength(2);
    },
  );
});

describe('the newest export that lacks logs', () => {
  test('is none where no window lacks any', async () => {
    await using into = await memory();
    await save(into, toStoredExport(order, 1), [windowOf(1, { missing: 0 }), windowOf(1)]);
    expect(await findExportWithGaps(into)).toBeUndefined();
  });

  test('is asked for its capped windows from the beginning, and keeps the others', async () => {
    await using into = await memory();
    const whole = windowOf(1, { records: 7, logs: 7 });
    const failed = windowOf(1, { state: 'failed', attempts: 3, reason: 'x' });
    const capped = windowOf(1, { missing: 2, attempts: 2, expected: '[]', job: 'j1', records: 100 });
    await save(into, toStoredExport(order, 1), [whole, failed, capped]);
    await save(into, toStoredExport(order, 2), [windowOf(2)]);
    const found = await findExportWithGaps(into);
    expect(found).toMatchObject({ stored: { export: 1 }, resumed: true });
    const [first, second, third] = found?.windows ?? [];
    expect([first, second]).toMatchObject([whole, failed]);
    const { window, oldest, newest } = capped;
    expect(third).toMatchObject({ window, oldest, newest, state: 'planned', attempts: 0 });
    expect([third?.expected, third?.job, third?.missing]).toEqual([undefined, undefined, undefined]);
  });

  test('keeps a slice that no filter can select where filters are all there is', async () => {
    await using into = await memory();
    const clause = (not: boolean) => ({ field: 'source' as const, values: ['x'], not });
    const sliceOf = (not: boolean) => writeSlice({ ...wholeSlice, exact: true, clauses: [clause(not)] });
    const windows = [false, true].map((not) => windowOf(1, { missing: 1, slice: sliceOf(not) }));
    const stored = toStoredExport(order, 1);
    const states = async () => (await findExportWithGaps(into))?.windows.map(({ state }) => state);
    await save(into, stored, windows);
    expect(await states()).toEqual(['planned', 'planned']);
    await save(into, addObserved(stored, { slices: 'filters' }), windows);
    expect(await states()).toEqual(['planned', 'loaded']);
  });
});

test('what lies around a loaded time is planned as windows with numbers of their own', async () => {
  await using into = await memory();
  const split = windowOf(1, { oldest: 0, newest: 99, state: 'split' });
  const loaded = windowOf(1, { oldest: 10, newest: 19 });
  await save(into, addObserved(toStoredExport(order, 1), { times: 'seconds' }), [split, loaded]);
  const { stored, windows, resumed } = await openExport(into, order);
  expect([stored.export, stored.learnt, resumed]).toEqual([2, { times: 'seconds' }, false]);
  const planned = { export: 2, state: 'planned', attempts: 0 };
  expect(windows.toSorted((one, other) => one.oldest - other.oldest)).toMatchObject([
    { ...planned, oldest: 0, newest: 9 },
    { ...planned, oldest: 20, newest: 99 },
  ]);
  expect(new Set(windows.map(({ window }) => window - loaded.window))).toEqual(new Set([1, 2]));
});

describe('the settings of requests', () => {
  const zoned = { ...order, zone: 'Europe/Berlin', from: 5, to: 6 };

  test('are stored with an order, which is read as it was', () => {
    expect(toOrder(toStoredExport(zoned, 1))).toEqual(zoned);
    expect(toOrder(toStoredExport(order, 1))).toStrictEqual(order);
    expect(requestSettingsOf(zoned)).toStrictEqual({
      windowBy: 'auto',
      timeField: 'time',
      num: 100,
      zone: 'Europe/Berlin',
    });
    expect(requestSettingsOf(order)).toStrictEqual({ windowBy: 'auto', timeField: 'time', num: 100 });
    expect(withRequestSettings(order, { num: 5, zone: '+02:00' })).toEqual({
      ...order,
      zone: '+02:00',
      request: { ...order.request, num: 5 },
    });
  });

  test('begin windows under way anew where they change, and nothing where they are the same', () => {
    const windows = [
      windowOf(1),
      windowOf(1, { state: 'submitted', job: 'j1' }),
      windowOf(1, { state: 'planned' }),
    ];
    const opened = { stored: toStoredExport(zoned, 1), windows, resumed: true };
    expect(applyRequestSettings(opened, requestSettingsOf(zoned))).toBe(opened);
    const changed = applyRequestSettings(opened, { num: 50 });
    expect(changed.resumed).toBe(true);
    expect(toOrder(changed.stored)).toEqual({ ...zoned, request: { ...zoned.request, num: 50 } });
    expect(changed.stored.learnt).toBe(opened.stored.learnt);
    expect(changed.windows.map(({ state, job }) => [state, job])).toEqual([
      ['loaded', undefined],
      ['planned', undefined],
      ['planned', undefined],
    ]);
  });
});

describe('the count of a deployment', () => {
  const logs = burstyLogs(120, { spread: 1 });
  const [first = 0, last = 0] = [logs[0]?.time, logs.at(-1)?.time];

  largeTest('is that of the times, and the number of logs of a plan', async () => {
    await using setting = await startWindows({ logs, cap: 30, exports: { counts: true } });
    const { client } = setting;
    const within = setting.order({ oldest: first, newest: last });
    const count = (oldest: number, newest: number) =>
      countIndependently({ client, request: within.request }, { oldest, newest });
    expect(await count(first, last)).toBe(120);
    expect(await count(first, first - 1)).toBe(0);
    const plan = await planExport({ ...setting, order: within, into: undefined, jobs: 4 });
    expect(plan).toMatchObject({ exact: true, logs: 120, least: 120, most: 120, leastCalls: 4, calls: 11 });
    expect(plan.asked).toEqual([{ oldest: first, newest: last }]);
    const [newest, oldest] = [plan.windows[0], plan.windows.at(-1)];
    expect([newest?.newest, oldest?.oldest]).toEqual([last, first]);
    expect(plan.milliseconds).toBeGreaterThanOrEqual(0);
    const alone = await planExport({ ...setting, order: within, into: undefined, jobs: 1 });
    expect(alone.logs).toBe(120);
  });

  test('is none where it ignores times, or where there is none', async () => {
    await using setting = await startWindows({ logs, cap: 30, exports: { counts: true } });
    const request = { ...setting.order().request, newest: last };
    const client = openClient({
      addresses: addressesFor(`https://gis.example.com${setting.deployment.paths.context}`),
      credentials: { kind: 'password', ...setting.deployment.account },
      clock: setting.clock,
      retry: noPause,
      transport: async (asked) => {
        const answer = transportTo(setting.deployment);
        if (!asked.url.endsWith('/logs/search')) return answer(asked);
        const body = new URLSearchParams(await asked.text());
        for (const name of ['startTime', 'endTime']) body.delete(name);
        return answer(new Request(asked.url, { method: 'POST', headers: asked.headers, body }));
      },
    });
    const times = { oldest: first, newest: last };
    expect(await countIndependently({ client, request }, times)).toBeUndefined();
    await client[Symbol.asyncDispose]();
    await using plain = await startWindows({ logs, cap: 30 });
    expect(await countIndependently({ client: plain.client, request }, times)).toBeUndefined();
  });
});
