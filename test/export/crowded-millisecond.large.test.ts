import { expect, test } from 'vitest';
import { findWindows } from '../../src/case/contents/exports.ts';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import type { Log } from '../../src/records/log.ts';
import { burstyLogs, generator, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

const moment = 1_700_000_050_123;
const around = burstyLogs(300, { spread: 0.3 });

/** As many logs of one millisecond, by the number of each. */
function crowd(count: number, toLog: (index: number) => Log): readonly Log[] {
  return Array.from({ length: count }, (_, index) => ({ time: moment, ...toLog(index) }));
}

async function exportCrowd(logs: readonly Log[], exports: object = {}) {
  const setting = await startWindows({ logs: [...around, ...logs], cap: 100, exports });
  const result = await exportWindows({ ...setting, order: setting.order() });
  return { setting, result };
}

test('up to twice the cap come from both ends of the order', async () => {
  const logs = crowd(180, (index) => ({ logLevel: 'INFO', msg: `log ${index}` }));
  const { setting, result } = await exportCrowd(logs);
  expect(result).toMatchObject({ complete: true, gaps: [], logs: around.length + 180 });
  expect(await textsOf(setting.into)).toEqual(sortedTexts([...around, ...logs]));
  await setting[Symbol.asyncDispose]();
});

test('equal logs of one millisecond are evidence: all of them stay', async () => {
  const logs = crowd(90, () => ({ logLevel: 'INFO', msg: 'again and again' }));
  const { setting, result } = await exportCrowd(logs);
  expect(result).toMatchObject({ complete: true, logs: around.length + 90 });
  expect(await textsOf(setting.into)).toEqual(sortedTexts([...around, ...logs]));
  await setting[Symbol.asyncDispose]();
});

test('many more come whole where fields tell them apart', async () => {
  const random = generator(5);
  const levels = ['SEVERE', 'WARNING', 'INFO', 'FINE'];
  const count = 1500;
  const logs = crowd(count, (index) => ({
    logLevel: levels[Math.floor(random() * 4)] ?? 'INFO',
    logCode: 9000 + Math.floor(random() * 5),
    source: `Folder/Service ${Math.floor(random() * 3)}.MapServer`,
    msg: `log ${index % 700}`,
  }));
  const { setting, result } = await exportCrowd(logs);
  expect(result).toMatchObject({ complete: true, gaps: [], logs: around.length + count });
  expect(await textsOf(setting.into)).toEqual(sortedTexts([...around, ...logs]));
  await setting[Symbol.asyncDispose]();
});

test('what nothing tells apart is named, and all the rest comes', async () => {
  const logs = [
    ...crowd(450, (index) => ({ logLevel: 'SEVERE', logCode: 9003, msg: `severe ${index}` })),
    ...crowd(50, (index) => ({ logLevel: 'INFO', logCode: 9029, msg: `info ${index}` })),
  ];
  const { setting, result } = await exportCrowd(logs);
  expect(result.complete).toBe(false);
  expect(result.gaps).toMatchObject([
    {
      kind: 'capped',
      oldest: moment,
      newest: moment,
      slice: 'logLevel:"SEVERE" AND logCode:9003',
      missing: 1,
    },
  ]);
  // Both ends of the severe ones, all others.
  expect(result.logs).toBe(around.length + 200 + 50);
  const texts = await textsOf(setting.into);
  expect(new Set(texts).size).toBe(new Set(sortedTexts([...around, ...logs])).size - 250);
  expect((await findWindows(setting.into)).filter(({ missing }) => missing !== undefined)).toHaveLength(1);
  await setting[Symbol.asyncDispose]();
});

test('a deployment that does not sort names what it keeps back', async () => {
  const logs = crowd(180, (index) => ({ logLevel: 'INFO', msg: `log ${index}` }));
  const { setting, result } = await exportCrowd(logs, { order: 'unsorted' });
  expect(result.gaps).toMatchObject([{ kind: 'capped', oldest: moment, newest: moment, missing: 1 }]);
  await setting[Symbol.asyncDispose]();
});

test('a deployment that heeds no times beside a query is asked by its filters; what they cannot select is named', async () => {
  const logs = crowd(500, (index) => ({
    logLevel: index % 5 === 0 ? 'SEVERE' : 'INFO',
    logCode: 9000 + (index % 7),
    source: `Folder/Service ${index % 3}.MapServer`,
    msg: `log ${index}`,
  }));
  const { setting, result } = await exportCrowd(logs, { windowWithSearch: false });
  await using _ = setting;
  expect(await textsOf(setting.into)).toEqual(sortedTexts([...around, ...logs]));
  expect(result.complete).toBe(false);
  const inOneMillisecond = {
    kind: 'capped',
    oldest: moment,
    newest: moment,
    slice: expect.stringContaining('NOT'),
  };
  for (const gap of result.gaps) expect(gap).toMatchObject(inOneMillisecond);
});
