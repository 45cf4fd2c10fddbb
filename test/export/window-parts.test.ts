import { describe, expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { ClientError } from '../../src/client/errors.ts';
import { StoreError } from '../../src/database/store-error.ts';
import { toWindowEvent } from '../../src/export/decide/progress.ts';
import {
  giveUpNewerHalf,
  giveUpWindow,
  openStart,
  resetWindow,
  reviveWindow,
} from '../../src/export/decide/window.ts';
import { isRetryable } from '../../src/export/run/job.ts';
import {
  emptyZipReason,
  logFingerprint,
  logKey,
  toIncompleteReplyError,
} from '../../src/export/run/load-window.ts';
import { applyRequestSettings } from '../../src/export/run/open-export.ts';
import {
  ExportError,
  type ExportOrder,
  requestSettingsOf,
  toStoredExport,
  withRequestSettings,
} from '../../src/export/run/order.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';

const fetched: StoredWindow = {
  window: 3,
  export: 1,
  oldest: 100,
  newest: 199,
  state: 'fetched',
  attempts: 2,
  updated: 5,
  job: 'j1',
  reason: 'x',
  bytes: 7,
  found: 3,
};
const planned = { window: 3, export: 1, oldest: 100, newest: 199, state: 'planned', attempts: 2, updated: 5 };

describe('a window that is asked for anew', () => {
  test('keeps its times, what narrows it and what it brought, and nothing of its job', () => {
    expect(resetWindow(fetched)).toEqual(planned);
    const more = { logs: 0, slice: '{}', expected: '[]' };
    expect(resetWindow({ ...fetched, ...more })).toEqual({ ...planned, ...more });
  });

  test('has its attempts again in a new run, if it had failed', () => {
    expect(reviveWindow(fetched)).toBe(fetched);
    expect(reviveWindow({ ...fetched, state: 'failed' })).toEqual({ ...planned, attempts: 0 });
  });
});

describe('a window that is given up', () => {
  const up = { reason: 'Broken', attempts: 3, number: 9 };

  test('says why', () => {
    expect(giveUpWindow(fetched, up)).toEqual({ ...planned, state: 'failed', attempts: 3, reason: 'Broken' });
  });

  test('leaves its older half to be asked for', () => {
    const halves = giveUpNewerHalf({ ...fetched, expected: '[]', logs: 1 }, up);
    expect(halves).toEqual([
      { ...planned, oldest: 150, state: 'failed', attempts: 3, reason: 'Broken', logs: 1 },
      { ...planned, window: 9, newest: 149, attempts: 0 },
    ]);
    const bounds = (oldest: number, newest: number) =>
      giveUpNewerHalf({ ...fetched, oldest, newest }, up)?.map((each) => [each.oldest, each.newest]);
    expect(bounds(100, 102)).toEqual([
      [102, 102],
      [100, 101],
    ]);
    expect(bounds(100, 101)).toEqual([
      [101, 101],
      [100, 100],
    ]);
    const day = 86_400_000;
    expect(bounds(openStart, 0)).toEqual([
      [1 - day, 0],
      [openStart, -day],
    ]);
    expect(bounds(0, 2 * day - 1)?.[0]).toEqual([day, 2 * day - 1]);
    expect(bounds(0, 9 * day - 1)?.[0]).toEqual([8 * day, 9 * day - 1]);
  });

  test('is given up as a whole where it cannot be halved', () => {
    expect(giveUpNewerHalf({ ...fetched, newest: 100 }, up)).toBeUndefined();
    expect(giveUpNewerHalf({ ...fetched, slice: '{}' }, up)).toBeUndefined();
  });
});

test('a reply is incomplete when logs are missing, or an empty zip is not asked for again', () => {
  const fault = (
    verdict: Parameters<typeof toIncompleteReplyError>[0]['verdict'],
    windows?: StoredWindow[],
  ) => {
    const error = toIncompleteReplyError({ verdict, changes: windows ? { windows } : {} });
    return error && [error.code, error.message];
  };
  expect(fault({ kind: 'whole' })).toBeUndefined();
  expect(fault({ kind: 'lossy', missing: 1 })).toEqual([
    'INCOMPLETE_REPLY',
    'The reply lacks 1 log that came before',
  ]);
  expect(fault({ kind: 'lossy', missing: 2 })?.[1]).toBe('The reply lacks 2 logs that came before');
  expect(fault({ kind: 'bare' })).toEqual(['INCOMPLETE_REPLY', emptyZipReason]);
  expect(fault({ kind: 'bare' }, [])).toEqual(['INCOMPLETE_REPLY', emptyZipReason]);
  expect(fault({ kind: 'bare' }, [fetched])).toBeUndefined();
});

test.each([
  [new ClientError('UNREACHABLE', ''), true],
  [new ClientError('FORBIDDEN', ''), false],
  [new ClientError('TOKEN_EXPIRED', ''), false],
  [new ExportError('STILL_RUNNING', ''), true],
  [new ExportError('WINDOW_IGNORED', ''), false],
  [new StoreError('BAD_ZIP', ''), true],
  [new StoreError('TRUNCATED_ZIP', ''), true],
  [new StoreError('TOO_BIG', ''), true],
  [new StoreError('NOT_A_CASE', ''), false],
  [new Error('BAD_ZIP'), false],
  [undefined, false],
])('another try may go better after %s: %s', (error, expected) => {
  expect(isRetryable(error)).toBe(expected);
});

test('progress reports the state of a window, not its checks', () => {
  expect(toWindowEvent({ ...fetched, logs: 2, expected: '[]', sha256: 'abc' })).toEqual({
    event: 'window',
    window: 3,
    oldest: 100,
    newest: 199,
    state: 'fetched',
    job: 'j1',
    logs: 2,
    bytes: 7,
    reason: 'x',
  });
});

describe('other request settings', () => {
  const order: ExportOrder = {
    deployment: 'd',
    request: { ...newestLogsRequest, num: 10 },
    via: 'search',
    windowBy: 'auto',
    timeField: 'time',
    oldest: 0,
    newest: 9,
    given: 0,
  };

  test('changes how an order asks, and nothing else', () => {
    expect(withRequestSettings(order, {})).toEqual(order);
    expect(withRequestSettings(order, { num: 5, windowBy: 'query', zone: '+02:00' })).toEqual({
      ...order,
      windowBy: 'query',
      zone: '+02:00',
      request: { ...order.request, num: 5 },
    });
    expect(requestSettingsOf(order)).toEqual({ windowBy: 'auto', timeField: 'time', num: 10 });
    expect(requestSettingsOf({ ...order, zone: 'Europe/Berlin' })).toEqual({
      ...requestSettingsOf(order),
      zone: 'Europe/Berlin',
    });
  });

  test('has what was under way asked for anew', () => {
    const loaded: StoredWindow = { ...fetched, window: 4, state: 'loaded' };
    const opened = {
      stored: { ...toStoredExport(order, 1), learnt: { order: 'trusted' } },
      windows: [fetched, loaded],
      resumed: true,
    };
    expect(applyRequestSettings(opened, { num: 10, windowBy: 'auto' })).toBe(opened);
    const changed = applyRequestSettings(opened, { num: 5 });
    expect(changed.windows).toEqual([planned, loaded]);
    expect(changed.stored).toEqual({ ...opened.stored, request: { ...opened.stored.request, num: '5' } });
    const ways = applyRequestSettings(opened, { timeField: 'timestamp' });
    expect([ways.stored.settings.timeField, ways.windows[0]]).toEqual(['timestamp', planned]);
    expect(
      applyRequestSettings({ ...opened, windows: [] }, { windowBy: 'query' }).stored.settings.windowBy,
    ).toBe('query');
  });
});

test('logs are distinguished by all their members, in any order', () => {
  const log = { time: 1, msg: 'a' };
  const keys = [
    { log },
    { log: { ...log, logCode: 2n ** 60n } },
    { log: { ...log, msg: 'b' } },
    { log, extra: { x: '1', y: '2' } },
    { log, extra: { x: '1', y: '3' } },
    { log, extra: {} },
  ].map(logKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(logKey({ log, extra: { y: '2', x: '1' } })).toBe(keys[3]);
  expect(logKey({ log: { msg: 'a', time: 1 } })).toBe(keys[0]);
  expect([
    logFingerprint({ log }) === logFingerprint({ log: { ...log } }),
    logFingerprint({ log }) < 2 ** 48,
  ]).toEqual([true, true]);
  expect(logFingerprint({ log })).not.toBe(logFingerprint({ log: { ...log, msg: 'b' } }));
});
