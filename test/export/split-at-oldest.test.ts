import { expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { openExportState } from '../../src/export/run/export-state.ts';
import { toRequestPlan, toStoredExport } from '../../src/export/run/order.ts';
import { splitAtOldest } from '../../src/export/run/probes.ts';
import { burstyLogs, startWindows } from './exporting-windows.ts';

test('the logs of a window that is split at the oldest log of the deployment are counted once', async () => {
  const logs = burstyLogs(30);
  await using setting = await startWindows({ logs });
  const order = setting.order();
  const { oldest, newest } = order;
  const window: StoredWindow = {
    window: 1,
    export: 1,
    oldest,
    newest,
    state: 'planned',
    attempts: 0,
    updated: 0,
    logs: 12,
  };
  const exportState = openExportState(setting.into, toStoredExport(order, 1), { windows: [window], next: 2 });
  const { windows: parts, seen } = await splitAtOldest(
    { ...setting, signal: undefined, maxWait: 1000 },
    {
      order,
      requestPlan: toRequestPlan(order),
      exportState,
      end: () => Infinity,
      isAlone: true,
      mayRepeat: false,
    },
    { window, number: 2 },
  );
  const first = Math.min(...logs.map(({ time = 0 }) => time));
  expect(parts.map((each) => [each.window, each.oldest, each.newest, each.logs])).toEqual([
    [1, first, newest, 12],
    [2, oldest, first - 1, undefined],
  ]);
  expect(seen).toEqual({ times: [first], bound: first });
});
