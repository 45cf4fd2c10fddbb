import { describe, expect, test } from 'vitest';
import type { ArchiveLayout } from '../../src/emulator/archive.ts';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import { orderSinceLast } from '../../src/export/run/open-export.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import type { Log } from '../../src/records/log.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

/** The logs as a deployment shows them that knows their milliseconds and writes whole seconds. */
function inSeconds(logs: readonly Log[]): readonly Log[] {
  return logs.map((log) => ({ ...log, time: Math.floor((log.time ?? 0) / 1000) * 1000 }));
}

const logs = burstyLogs(240, { spread: 0.4 });
const [first = 0, last = 0] = [logs[0]?.time, logs.at(-1)?.time];

describe('times that are no milliseconds since the epoch', () => {
  test.each<[string, ArchiveLayout, readonly Log[]]>([
    ['whole seconds', { times: 'seconds' }, inSeconds(logs)],
    ['epoch seconds', { times: 'epoch seconds', format: 'csv' }, inSeconds(logs)],
    ['the time of Kolkata', { times: 'local', zone: 'Asia/Kolkata' }, logs],
  ])('%s come whole', async (_what, archive, expected) => {
    await using setting = await startWindows({ logs, archive, cap: 120 });
    const zone = archive.zone === undefined ? {} : { zone: archive.zone };
    const order = setting.order({ ...zone, oldest: first - 300_000, newest: last + 400_000 });
    const result = await exportWindows({ ...setting, order });
    expect(result).toMatchObject({ logs: logs.length, complete: true, gaps: [] });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(expected));
  });

  test('a case has each log once after an export up to the middle of a second, and what came since', async () => {
    await using setting = await startWindows({ logs, archive: { times: 'seconds' }, cap: 240 });
    const middle = (logs[120]?.time ?? 0) + 1;
    await exportWindows({ ...setting, order: setting.order({ oldest: first - 1, newest: middle }) });
    const more = await orderSinceLast(setting.into, { now: last + 1500, overlap: 3000 });
    expect(await exportWindows({ ...setting, ...more })).toMatchObject({ complete: true });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(inSeconds(logs)));
  });

  test('times of another zone that is not named are reported', async () => {
    const archive = { times: 'local', zone: 'America/New_York' } as const;
    await using setting = await startWindows({ logs, archive, cap: 1000 });
    const wide = setting.order({ newest: last + 10_000 });
    await expect(exportWindows({ ...setting, order: wide })).rejects.toMatchObject({
      code: 'WINDOW_IGNORED',
    });
    const narrow = setting.order({
      oldest: first,
      newest: last,
      request: { ...newestLogsRequest, num: 900, source: 'Sharing' },
    });
    await expect(exportWindows({ ...setting, order: narrow })).rejects.toMatchObject({
      code: 'WINDOW_IGNORED',
      message: expect.stringContaining('name it with "--log-zone"'),
    });
    const troubles = setting.progress.flatMap((each) => (each.event === 'trouble' ? each.message : []));
    expect(troubles).toContain(
      'The times of its logs name no zone and are read as UTC: "--log-zone" names another one',
    );
  });
});
