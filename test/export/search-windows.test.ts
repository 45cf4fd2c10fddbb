import { describe, expect, test } from 'vitest';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import { filterOfText } from '../../src/language/meaning/explicit.ts';
import { match } from '../../src/language/meaning/match.ts';
import { rounds, sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

const logs = burstyLogs(rounds(1500, 500), { spread: 0.8 });
const search = 'source:Sharing OR logCode:9003 AND NOT msg:repeated';
const selected = logs.filter((log) => match(filterOfText(search), log));

describe('a search comes whole', () => {
  test.each(
    sampled(
      [
        ['times beside the query', {}, 'auto', 'search'],
        ['times that the deployment ignores beside a query', { windowWithSearch: false }, 'auto', 'search'],
        ['times in the query', {}, 'query', 'search'],
        ['times in the query, bounds excluded', { bounds: 'excluded' }, 'query', 'search'],
        ['a query that is evaluated here', {}, 'auto', 'query'],
      ] as const,
      1,
    ),
  )('with %s', async (_what, exports, windowBy, via) => {
    await using setting = await startWindows({ logs, cap: 100, exports });
    const order = setting.order({ search, windowBy, via });
    const result = await exportWindows({ ...setting, order });
    expect(result).toMatchObject({ logs: selected.length, complete: true, gaps: [] });
    expect(await textsOf(setting.into)).toEqual(sortedTexts(selected));
  });
});

test('a field of the time that the deployment does not know is no empty export', async () => {
  await using setting = await startWindows({ logs, cap: 100 });
  const order = setting.order({ search, windowBy: 'query', timeField: 'moment' });
  await expect(exportWindows({ ...setting, order })).rejects.toMatchObject({
    code: 'WINDOW_IGNORED',
    message: expect.stringContaining('"--time-field"'),
  });
});

largeTest('times that are ignored, and may not be asked for otherwise, are said', async () => {
  await using setting = await startWindows({ logs, cap: 5, exports: { windowWithSearch: false } });
  const order = setting.order({ search, windowBy: 'parameters' });
  await expect(exportWindows({ ...setting, order })).rejects.toMatchObject({ code: 'WINDOW_IGNORED' });
});
