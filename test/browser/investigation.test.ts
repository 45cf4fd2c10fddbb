import type { Browser } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type { Log } from '../../src/records/log.ts';
import { servePage } from '../ui/serving.ts';
import { openPage } from './case-page.ts';
import { openChromium } from './chromium.ts';

const opened = await openChromium();

if ('missing' in opened) {
  test(`the lists of an investigation are left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  test('an investigation lists what recurs and clocks that are off', () => lists(opened));
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const begin = Date.UTC(2025, 2, 10);

/** Requests whose second source is a quarter of an hour ahead, and a job at two o'clock of each night. */
function logsOf(days: number): Log[] {
  return Array.from({ length: days }, (_, at) => begin + at * day).flatMap((start) => [
    ...Array.from(
      { length: 12 },
      (_, index): Log => ({
        time: start + 2 * hour + index * 30_000,
        logLevel: 'WARNING',
        logCode: 4321,
        source: 'Backup',
        msg: 'Backup skips an open file.',
      }),
    ),
    ...Array.from({ length: 100 }, (_, index): readonly Log[] => {
      const time = start + 8 * hour + index * 5 * minute + ((index * 7919) % 1000);
      const requestID = `r-${start}-${index}`;
      return [
        { time, logLevel: 'FINE', logCode: 9000, source: 'Gate', msg: 'Request arrives.', requestID },
        {
          time: time + 20 + 15 * minute,
          logLevel: 'FINE',
          logCode: 9001,
          source: 'Maps',
          msg: 'Drawn.',
          requestID,
        },
        { time: time + 60, logLevel: 'FINE', logCode: 9002, source: 'Gate', msg: 'Request ends.', requestID },
      ];
    }).flat(),
  ]);
}

async function lists(browser: Browser): Promise<void> {
  await using served = await servePage(logsOf(8));
  await using visited = await openPage(browser, served);
  const { page } = visited;
  await page.goto(`${served.origin}/?view=investigate`);
  const rowsUnder = (title: string) =>
    page.locator('h2', { hasText: title }).locator('xpath=following-sibling::table[1]').locator('tr');
  await page.getByRole('heading', { name: 'Recurs, and is no change' }).waitFor();
  expect(await rowsUnder('Recurs, and is no change').allTextContents()).toContainEqual(
    expect.stringMatching(/^each daylast .*8 of 8 days, 96 logs.*Backup skips an open file/),
  );
  expect(await rowsUnder('Clocks that are off').allTextContents()).toEqual([
    expect.stringMatching(/^Source Maps14 min 59 s aheadof Gate; .*by 800 of 800 common requests$/),
  ]);
  await rowsUnder('Recurs, and is no change').first().getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/\?q=/);
  expect(visited.complaints).toEqual([]);
}
