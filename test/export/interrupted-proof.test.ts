import { expect, test } from 'vitest';
import { findWindows, type StoredWindow } from '../../src/case/contents/exports.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { resumeWindows } from '../../src/export/run/export-windows.ts';
import { openExport, orderSinceLast, readCoverage } from '../../src/export/run/open-export.ts';
import { firstTime, servedLogs, startAwkward } from './awkward-export.ts';
import { counted, ordered, rules } from './awkward-server.ts';

const logs = servedLogs(30);
const now = (logs.at(-1)?.time ?? 0) + 3_600_000;
const rule = rules(ordered('as asked'), counted());

/** Exports, and is interrupted as soon as all windows are loaded. */
async function interruptedBeforeSample() {
  for (let calls = 1; ; calls += 1) {
    const abort = new AbortController();
    let left = calls;
    const instead = (url: URL) => {
      if (url.pathname.endsWith('/logs/export')) left -= 1;
      if (left < 0) abort.abort();
      return undefined;
    };
    const setting = await startAwkward({ logs, rule, now, instead });
    await expect(setting.run({}, { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' });
    const windows = await findWindows(setting.options.into);
    const isWhole = ({ state, missing = 0 }: StoredWindow) => state === 'loaded' && missing === 0;
    if (windows.every((window) => window.state === 'split' || isWhole(window))) return setting;
    await setting[Symbol.asyncDispose]();
  }
}

test('an export that was interrupted before its sample claims nothing, and goes on with it', async () => {
  await using setting = await interruptedBeforeSample();
  const { into } = setting.options;
  const [coverage] = await readCoverage(into);
  expect(coverage?.covered.map(({ state }) => state)).toEqual(['open']);
  await expect(orderSinceLast(into, { now })).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
  const others = await openExport(into, setting.order({ oldest: firstTime - 1, from: firstTime - 1 }));
  expect(others.windows).toMatchObject([{ oldest: firstTime - 1, newest: now - 60_000 }]);
  const resumed = await resumeWindows(setting.options);
  expect(resumed).toMatchObject({ complete: true, logs: logs.length, added: 0 });
  expect(resumed.calls).toBeGreaterThan(0);
  const [ended] = await readCoverage(into);
  expect(ended?.covered.map(({ state }) => state)).toEqual(['complete']);
});

test('a seal of an export that was pending promises what had come, and says what followed', async () => {
  await using setting = await interruptedBeforeSample();
  const { into } = setting.options;
  const { head } = await verifyCase(into);
  await resumeWindows(setting.options);
  const { deviations, since } = await verifyCase(into, { head });
  expect(deviations).toEqual([]);
  const changes = ['The export 1 had not ended then, and has since'];
  expect(since).toMatchObject([{ changes, problems: [] }]);
  expect(since?.[0]?.later.map(({ action }) => action)).toEqual(['note exports']);
});
