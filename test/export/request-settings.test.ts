import { expect, test } from 'vitest';
import { exportWindows, resumeWindows } from '../../src/export/run/export-windows.ts';
import { rounds } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

const logs = burstyLogs(rounds(400, 150), { spread: 0.5 });

test('an export that asked for more logs a call than are allowed goes on with fewer', async () => {
  await using setting = await startWindows({ logs });
  const order = setting.order();
  const tooMany = { ...order, request: { ...order.request, num: 5000 } };
  await expect(exportWindows({ ...setting, order: tooMany })).rejects.toMatchObject({ code: 'REFUSED' });
  expect(await resumeWindows({ ...setting, requestSettings: { num: 100 } })).toMatchObject({
    complete: true,
    export: 1,
  });
  expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
});

test('the same order with other request settings resumes as well', async () => {
  await using setting = await startWindows({ logs });
  const order = setting.order();
  const tooMany = { ...order, request: { ...order.request, num: 5000 } };
  await expect(exportWindows({ ...setting, order: tooMany })).rejects.toMatchObject({ code: 'REFUSED' });
  expect(await exportWindows({ ...setting, order })).toMatchObject({ complete: true, export: 1 });
  expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
});

largeTest('a job that was asked for fewer logs than now is no proof of what there is', async () => {
  await using setting = await startWindows({ logs, onDisk: true });
  const interruption = new AbortController();
  const onProgress: typeof setting.onProgress = (progress) => {
    if (progress.event === 'window' && progress.state === 'submitted')
      interruption.abort(new Error('Enough'));
  };
  const order = setting.order();
  const few = { ...order, request: { ...order.request, num: 10 } };
  const first = exportWindows({ ...setting, order: few, signal: interruption.signal, onProgress });
  await expect(first).rejects.toThrow('Enough');
  expect(await resumeWindows({ ...setting, requestSettings: { num: 100 } })).toMatchObject({
    complete: true,
  });
  expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
});

largeTest('times that are not heeded beside a query can go into it in a later run', async () => {
  await using setting = await startWindows({ logs, exports: { windowWithSearch: false } });
  const search = 'logLevel:SEVERE OR logLevel:INFO';
  const asParameters = setting.order({ search, windowBy: 'parameters' });
  const ignored = exportWindows({ ...setting, order: asParameters });
  await expect(ignored).rejects.toMatchObject({ code: 'WINDOW_IGNORED' });
  const result = await resumeWindows({ ...setting, requestSettings: { windowBy: 'query' } });
  expect(result).toMatchObject({ complete: true, export: 1 });
  const found = logs.filter(({ logLevel = '' }) => ['SEVERE', 'INFO'].includes(logLevel));
  expect(await textsOf(setting.into)).toEqual(sortedTexts(found));
});
