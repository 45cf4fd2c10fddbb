import { expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { resumeWindows, retryGaps } from '../../src/export/run/export-windows.ts';
import { readCoverage } from '../../src/export/run/open-export.ts';
import { findUncounted } from '../../src/export/run/sampling.ts';
import { servedLogs, startAwkward } from './awkward-export.ts';
import { counted, ordered, rules } from './awkward-server.ts';

const logs = servedLogs(250);
const now = (logs.at(-1)?.time ?? 0) + 3_600_000;
const [hidden] = logs.slice(100);

/** A deployment that counts all of its logs, and never returns one of them as long as it hides that. */
async function startCounting() {
  let isHidden = true;
  const cut = rules(ordered('as asked'), counted(60));
  const setting = await startAwkward({
    logs,
    now,
    rule: (matching, call) => cut(isHidden ? matching.filter((log) => log !== hidden) : matching, call),
    instead: (url, _, form) => {
      if (!url.pathname.endsWith('/logs/search')) return undefined;
      const [newest, oldest] = [Number(form.get('startTime')), Number(form.get('endTime'))];
      return Response.json({ total: logs.filter(({ time }) => oldest <= time && time <= newest).length });
    },
  });
  return {
    setting,
    show: () => {
      isHidden = false;
    },
    states: async () => {
      const [coverage] = await readCoverage(setting.options.into);
      return (coverage?.covered ?? []).map(({ state, oldest, newest }) => ({ state, oldest, newest }));
    },
  };
}

test('a window of which the deployment counts more logs than came is a gap in the case, until it is filled', async () => {
  const { setting, show, states } = await startCounting();
  await using _ = setting;
  const first = await setting.run();
  expect(first).toMatchObject({ complete: false, lost: 1, logs: 249, counted: 250 });
  const [gap] = first.gaps;
  expect(first.gaps).toMatchObject([{ kind: 'capped', missing: 1 }]);
  expect(gap?.reason).toBe('The deployment counts more logs of these times than came');
  const { time = 0 } = hidden ?? {};
  const lacking = (await states()).filter(({ state }) => state !== 'complete');
  expect(lacking).toEqual([{ state: 'capped', oldest: gap?.oldest, newest: gap?.newest }]);
  expect([Number(gap?.oldest) <= time, time <= Number(gap?.newest)]).toEqual([true, true]);
  // Some of the logs, not all of them.
  expect(Number(gap?.newest) - Number(gap?.oldest)).toBeLessThan((now - (logs[0]?.time ?? 0)) / 2);
  await expect(resumeWindows(setting.options)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
  expect(await retryGaps(setting.options)).toMatchObject({ complete: false, added: 0, counted: 250 });
  expect((await states()).map(({ state }) => state)).toContain('capped');
  show();
  expect(await retryGaps(setting.options)).toMatchObject({
    complete: true,
    added: 1,
    gaps: [],
    counted: 250,
  });
  expect((await states()).map(({ state }) => state)).toEqual(['complete']);
});

const windowOf = (index: number): StoredWindow => ({
  window: index + 1,
  export: 1,
  state: 'loaded',
  attempts: 1,
  updated: 0,
  oldest: index * 10,
  newest: index * 10 + 9,
  found: 5,
  logs: 5,
});
const windows = Array.from({ length: 8 }, (_, index) => windowOf(index));

test('windows that lack logs are found by halves', async () => {
  const lacks = new Map([
    [2, 3],
    [7, 1],
  ]);
  const count = async ({ oldest, newest }: { readonly oldest: number; readonly newest: number }) =>
    windows
      .filter((window) => oldest <= window.oldest && window.newest <= newest)
      .reduce((sum, { window, found = 0 }) => sum + found + (lacks.get(window - 1) ?? 0), 0);
  const found = await findUncounted(windows, { missing: 4, count });
  expect(found.map(({ window, missing }) => [window - 1, missing])).toEqual([...lacks]);
});

test('where no more counts come, or they show nothing, all windows are doubtful', async () => {
  for (const answer of [undefined, 0]) {
    const found = await findUncounted(windows, { missing: 4, count: async () => answer });
    expect(found.map(({ window, missing }) => [window, missing])).toEqual(
      windows.map(({ window }) => [window, 1]),
    );
    expect(new Set(found.map(({ reason }) => reason)).size).toBe(1);
  }
});

test('slices of a millisecond count together', async () => {
  const slices = [4, 6, 2].map((added, index) => ({
    ...windowOf(0),
    window: 20 + index,
    logs: added,
    found: 9,
  }));
  const count = async ({ newest }: { readonly newest: number }) => (newest < 10 ? 12 : 6);
  const found = await findUncounted([...slices, windowOf(1)], { missing: 1, count });
  expect(found).toMatchObject([{ window: 2, missing: 1 }]);
});
