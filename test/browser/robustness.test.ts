import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { makeTemporaryFolder } from '../../src/database/files.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { type ServedPage, serveFolder, servePage } from '../ui/serving.ts';
import { counted, openPage, search, type Visit, violations, visit } from './case-page.ts';
import { openChromium } from './chromium.ts';

/** Starts a search whose histogram does not come before the release. */
async function searchWithoutAnswer(page: Page) {
  let isHeld = true;
  await page.route('**/api/histogram*', async (route) => {
    while (isHeld) await new Promise((resolve) => setTimeout(resolve, 20));
    await route.continue().catch(() => {});
  });
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('histogram'));
  await search(page, 'logLevel:SEVERE');
  await page.getByRole('status').getByText('Counting').waitFor();
  const release = async () => {
    isHeld = false;
    await page.unroute('**/api/histogram*');
  };
  return { aborted, release };
}

const opened = await openChromium();

if ('missing' in opened) {
  test(`the page in trouble in a browser is left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  describe('the page in trouble', () => journeys(opened));
  describe('a server that is lost', () => lostServer(opened));
}

function lostServer(browser: Browser): void {
  test('is said, and the page goes on when it is back at the same address', async () => {
    const folder = await makeTemporaryFolder();
    const path = join(folder, 'incident.duckdb');
    {
      await using into = await openCase(path, { access: 'write', create: true });
      await addLogs(into, [...incidentLogs({ count: 300 })], { part: 'logs' });
    }
    const first = await serveFolder({ folder, given: [path] });
    const port = Number(new URL(first.origin).port);
    const { page, context } = await visit(browser, first);
    await first[Symbol.asyncDispose]();
    await search(page, 'logLevel:SEVERE');
    await page.getByRole('alert').getByText('The server does not answer').waitFor();
    await using second = await serveFolder({ folder, given: [path], port });
    await page.getByRole('alert').getByText('The server was started again').waitFor();
    const other = await context.newPage();
    await other.goto(second.url);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await expect.poll(() => counted(page)).toMatch(/^\d+ logs$/);
    expect(new URL(page.url()).searchParams.get('q')).toBe('logLevel:SEVERE');
    await context.close();
    await rm(folder, { recursive: true, force: true });
  });
}

function journeys(browser: Browser): void {
  let served: ServedPage;
  let there: Visit;
  beforeAll(async () => {
    served = await servePage(incidentLogs({ count: 2000 }));
    there = await visit(browser, served);
  });
  afterAll(async () => {
    await there[Symbol.asyncDispose]();
    await served[Symbol.asyncDispose]();
  });

  test('a slow answer is cancelled, at the server too, and the last good one stays greyed', async () => {
    const { page } = there;
    await page.goto(served.origin);
    await counted(page);
    const { aborted, release } = await searchWithoutAnswer(page);
    await page.locator('.stale .histogram').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await aborted;
    await page.getByRole('status').getByText('Cancelled').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await release();
    await search(page, 'logLevel:WARNING');
    await expect.poll(() => counted(page)).toMatch(/logs$/);
  });

  largeTest('a query that is replaced is aborted', async () => {
    const { page } = there;
    await page.goto(served.origin);
    await counted(page);
    const { aborted, release } = await searchWithoutAnswer(page);
    await search(page, 'logLevel:WARNING');
    await aborted;
    await release();
    await counted(page);
  });

  test('an answer that fails is said in the words of the server', async () => {
    const { page } = there;
    await page.route('**/api/histogram*', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/json',
        body: '{"error":"The case is damaged"}',
      }),
    );
    await page.goto(`${served.origin}/?q=logLevel:SEVERE`);
    await page.getByRole('alert').getByText('The case is damaged').waitFor();
    await page.unroute('**/api/histogram*');
  });

  largeTest('no hit says why: what each part selects, and near words', async () => {
    const { page } = there;
    await page.goto(`${served.origin}/?q=${encodeURIComponent('logLevel:SEVERE AND msg:timeoutt')}`);
    const parts = page.getByRole('list', { name: 'Parts of the query' });
    await parts.getByText(/alone selects \d+ logs/).waitFor();
    await parts.getByText('selects no log').waitFor();
    expect(await violations(page)).toEqual([]);
    await parts.getByRole('button', { name: 'logLevel:SEVERE' }).click();
    await expect.poll(() => counted(page)).toMatch(/logs$/);
  });

  test('an address that makes no sense shows the usual view', async () => {
    const { page } = there;
    await page.goto(`${served.origin}/?view=nothing&from=never&zone=Mars/Olympus&log=x&columns=%00`);
    await expect.poll(() => counted(page)).toBe('2,000 logs');
  });

  largeTest('a log that is not there is said', async () => {
    const { page } = there;
    await page.goto(`${served.origin}/?log=0:999999`);
    await page.getByText('There is no log with the id 999999').waitFor();
  });

  largeTest('an empty case is said, in every view', async () => {
    await using empty = await servePage([]);
    await using visited = await openPage(browser, empty);
    const { page, complaints } = visited;
    await page.getByText('No log matches').waitFor();
    const views = ['investigate', 'patterns', 'changes', 'services', 'trace', 'overview', 'coverage'];
    for (const view of sampled(views, 1)) {
      await page.goto(`${empty.origin}/?view=${view}`);
      await page.waitForLoadState('networkidle');
      expect([view, await violations(page)]).toEqual([view, []]);
    }
    expect(complaints.filter((each) => /Error|Refused/.test(each))).toEqual([]);
  });

  largeTest('reduced motion moves nothing', async () => {
    const { page } = there;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(served.origin);
    await counted(page);
    const moving = await page.evaluate(
      `[...document.querySelectorAll('*')].filter((each) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(each);
        return transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior === 'smooth';
      }).length`,
    );
    expect(moving).toBe(0);
    await page.emulateMedia({ reducedMotion: null });
  });
}
