import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listNotes, listSearches } from '../../src/case/contents/notes.ts';
import { openCase } from '../../src/case/file/case.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { hostileTexts } from '../report/hostile.ts';
import { ask, type ServedPage, servePage } from '../ui/serving.ts';
import { counted, looks, search, violations, visit } from './case-page.ts';
import { openChromium, openContext } from './chromium.ts';

const opened = await openChromium();

if ('missing' in opened) {
  test(`what the page keeps and takes away is left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  describe('what the page keeps and takes away', () => journeys(opened));
}

function journeys(browser: Browser): void {
  let served: ServedPage;
  let context: BrowserContext;
  let page: Page;
  let complaints: readonly string[];
  beforeAll(async () => {
    served = await servePage(incidentLogs({ count: 800 }));
    ({ context, page, complaints } = await visit(browser, served));
  });
  afterAll(async () => {
    await context.close();
    await served[Symbol.asyncDispose]();
  });

  const clipboard = async () => {
    await page.getByRole('button', { name: 'Copy as command' }).click();
    await page.getByText('Copied').waitFor();
    return page.evaluate('navigator.clipboard.readText()');
  };

  test('a log is noted by keys, and the note is listed, changed and removed', async () => {
    await page.goto(`${served.origin}/?log=0:17`);
    const panel = page.getByRole('complementary', { name: 'Log 17' });
    await panel.getByText('Fields').waitFor();
    await page.keyboard.press('n');
    await panel.locator('textarea:focus').waitFor();
    await page.keyboard.type('first failure');
    expect(await panel.getByLabel('Comment').inputValue()).toBe('first failure');
    await panel.getByLabel('Tags').fill('start, pool');
    await panel.getByLabel('Comment').press('Control+Enter');
    const note = panel.getByRole('article', { name: 'Note 1' });
    await note.getByText('first failure').waitFor();
    await page.goto(`${served.origin}/?view=notes`);
    await page.getByText('1 note', { exact: true }).waitFor();
    await page.getByLabel('Tag', { exact: true }).selectOption('pool');
    await page.waitForURL(/tag=pool/);
    expect(await clipboard()).toMatch(/^logquarry note list \S+incident\.duckdb --tag pool$/);
    await page.getByRole('article').getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('article').getByLabel('Comment').fill('first failure of the pool');
    await page
      .getByRole('article')
      .getByRole('button', { name: /^Change/ })
      .click();
    await page.getByText('first failure of the pool').waitFor();
    await page
      .getByRole('article')
      .getByRole('button', { name: /Log 17/ })
      .click();
    await page.getByRole('complementary', { name: 'Log 17' }).waitFor();
    await page.keyboard.press('Escape');
    {
      await using from = await openCase(served.path, { access: 'read' });
      expect(await listNotes(from)).toMatchObject([
        { logs: [17], text: 'first failure of the pool', tags: ['start', 'pool'], author: 'ada' },
      ]);
    }
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No notes yet').waitFor();
  });

  largeTest('a search is saved with its times, opened and removed', async () => {
    await page.goto(`${served.origin}/?from=2025-03-11T00:00:00.000Z`);
    await counted(page);
    await search(page, 'logLevel:SEVERE');
    await page.waitForURL(/q=logLevel/);
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved searches' });
    await dialog.getByLabel('Save this search as').fill('failures');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: /^failures/ }).waitFor();
    {
      await using from = await openCase(served.path, { access: 'read' });
      expect(await listSearches(from)).toMatchObject([
        { name: 'failures', query: 'logLevel:SEVERE', from: Date.UTC(2025, 2, 11) },
      ]);
    }
    await page.goto(`${served.origin}/?view=patterns`);
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await dialog.getByRole('button', { name: /^failures/ }).click();
    await page.waitForURL(/view=patterns.*q=logLevel%3ASEVERE.*from=2025-03-11/);
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove failures' }).click();
    await dialog.getByText('No saved search yet').waitFor();
    await page.keyboard.press('Escape');
  });

  largeTest('detections lead on to logs, and are copied as a command', async () => {
    await page.goto(`${served.origin}/?view=detections`);
    await page.getByText(/\d of \d+ rules found something/).waitFor();
    expect(await clipboard()).toMatch(/^logquarry detect \S+incident\.duckdb$/);
    await page.getByRole('table').getByRole('button', { name: 'Search' }).first().click();
    await page.waitForURL(/\?q=/);
    await counted(page);
    await page.goto(`${served.origin}/?view=detections&q=nosuchword`);
    await page.getByText(/^0 of \d+ rules found something$/).waitFor();
  });

  largeTest('logs and their report are downloaded as files', async () => {
    await page.goto(`${served.origin}/?q=logLevel:SEVERE`);
    await counted(page);
    for (const [choice, name] of [
      ['logs xlsx', 'logs.xlsx'],
      ['report html 0', 'report.html'],
      ['report xlsx 0', 'report.xlsx'],
    ] as const) {
      const arriving = page.waitForEvent('download');
      await page.getByLabel('Download the logs').selectOption(choice);
      expect((await arriving).suggestedFilename()).toBe(name);
    }
  });

  test.each(sampled(looks, 1))(
    'hostile notes and searches are text, and can be used by everyone: %s, %i wide',
    async (colorScheme, width) => {
      const texts = hostileTexts.filter((each) => each.length < 5000);
      for (const [index, text] of texts.slice(0, 5).entries()) {
        const tags = [text.slice(0, 90).trim() || 'x'];
        await served.call('addNote', { ofCase: 0, logs: [index + 1], text, tags });
        await served.call('saveSearch', { ofCase: 0, name: tags[0], query: text });
      }
      expect((await ask(served, 'notes', {})).length).toBeGreaterThan(4);
      const own = await openContext(browser, {
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
        storageState: await context.storageState(),
      });
      const there = await own.newPage();
      const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['/?view=notes', async () => undefined],
        ['/?log=0:1', () => there.keyboard.press('n')],
        ['/', () => there.getByRole('button', { name: 'Saved', exact: true }).click()],
      ];
      for (const [path, act] of steps) {
        await there.goto(served.origin + path);
        await there.waitForLoadState('networkidle');
        await act();
        await there.waitForLoadState('networkidle');
        const wide = await there.evaluate('document.documentElement.scrollWidth - innerWidth');
        const alive = await there
          .locator('#page script, #page iframe, #page img:not(.brand img), #page svg[onload]')
          .count();
        expect([path, await violations(there), 0 < Number(wide), alive]).toEqual([path, [], false, 0]);
      }
      await own.close();
    },
  );

  test('nothing was kept out by the content security policy, and no script failed', () => {
    expect(complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
  });
}
