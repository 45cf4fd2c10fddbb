import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { makeTemporaryFolder } from '../../src/database/files.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { type ServedPage, serveFolder } from '../ui/serving.ts';
import { counted, isTooWide, looks, openPage, type Visit, violations } from './case-page.ts';
import { openChromium } from './chromium.ts';

const opened = await openChromium();

if ('missing' in opened) {
  test(`the page without a case in a browser is left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  describe('the page without a case', () => journeys(opened));
}

function journeys(browser: Browser): void {
  let folder: string;
  let served: ServedPage;
  let there: Visit;
  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    for (const name of ['first.duckdb', 'second.duckdb']) {
      await using into = await openCase(join(folder, name), { access: 'write', create: true });
      await addLogs(into, [...incidentLogs({ count: 300 })], { part: name });
    }
    await writeFile(join(folder, 'few.ndjson'), '{"time":1000,"msg":"one"}\n{"time":2000,"msg":"two"}\n');
    await writeFile(join(folder, 'letter.txt'), 'This is a letter.\n\nIt holds no log at all.\n');
    served = await serveFolder({ folder });
    there = await openPage(browser, served);
  });
  afterAll(async () => {
    await there[Symbol.asyncDispose]();
    await served[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const home = async () => {
    await there.page.goto(served.origin);
    await there.page.getByRole('button', { name: 'first.duckdb' }).waitFor();
  };

  test('a file of the folder is opened by a click, and back leads back', async () => {
    const { page } = there;
    await home();
    await page.getByRole('button', { name: 'few.ndjson' }).click();
    await page.waitForURL(/case=few\.ndjson/);
    await expect.poll(() => counted(page)).toBe('2 logs');
    await page.goBack();
    await page.getByRole('button', { name: 'few.ndjson' }).waitFor();
  });

  largeTest('several are shown together, each log with its case, and one alone again', async () => {
    const { page } = there;
    await home();
    await page.getByLabel('Together: first.duckdb').check();
    await page.getByLabel('Together: second.duckdb').check();
    await page.getByRole('button', { name: 'Show the ticked ones together' }).click();
    await page.waitForURL(/case=first\.duckdb&case=second\.duckdb/);
    await expect.poll(() => counted(page)).toBe('600 logs');
    await page.getByRole('heading', { name: 'first.duckdb, second.duckdb' }).waitFor();
    await page.getByRole('columnheader', { name: 'case' }).waitFor();
    await page.locator('.log-row .cell-case', { hasText: 'second.duckdb' }).first().click();
    await page.getByRole('complementary', { name: /^Log \d+ of second\.duckdb/ }).waitFor();
    await page.keyboard.press('Escape');
    for (const view of ['Overview', 'Patterns', 'Services', 'Changes', 'Coverage', 'Investigate']) {
      await page.getByRole('link', { name: view }).click();
      await page.getByRole('region', { name: view }).or(page.locator('.view')).first().waitFor();
    }
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'first.duckdb' }).click();
    await page.waitForURL((url) => url.search === '?case=first.duckdb');
    await expect.poll(() => counted(page)).toBe('300 logs');
  });

  test('a file is chosen or dropped, and one that is no log refused in words', async () => {
    const { page } = there;
    await home();
    const log = {
      name: 'sent.ndjson',
      mimeType: 'text/plain',
      buffer: Buffer.from('{"time":1,"msg":"sent"}\n'),
    };
    await page.getByLabel('Choose a file').setInputFiles(log);
    await page.waitForURL(/case=sent\.ndjson/);
    await expect.poll(() => counted(page)).toBe('1 log');
    await home();
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['\\u0089PNG'], 'picture.png'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await page.getByRole('alert').getByText('No log can be read in "picture.png"').waitFor();
    await page.getByRole('button', { name: 'letter.txt' }).click();
    await page.getByRole('alert').getByText('No log can be read in "letter.txt"').waitFor();
  });

  largeTest('a file that is sent is kept as a case of the folder', async () => {
    const { page } = there;
    await home();
    await page.getByLabel('Keep its logs in a new case file').fill('kept');
    const log = {
      name: 'a.ndjson',
      mimeType: 'text/plain',
      buffer: Buffer.from('{"time":1,"msg":"sent"}\n'),
    };
    await page.getByLabel('Choose a file').setInputFiles(log);
    await page.waitForURL(/case=kept\.duckdb/);
    await expect.poll(() => counted(page)).toBe('1 log');
  });

  largeTest("the demo's incident is made on demand", async () => {
    const { page } = there;
    await home();
    await page.getByRole('button', { name: 'Show the incident' }).click();
    await page
      .getByRole('status')
      .getByText(/Start|Export/)
      .waitFor();
    await page.waitForURL(/case=the/);
    await expect.poll(() => counted(page)).toMatch(/^20,\d{3} logs$/);
  });

  largeTest('an address with a case that is gone says so, and offers the others', async () => {
    const { page } = there;
    await page.goto(`${served.origin}/?case=gone.duckdb`);
    await page.getByRole('alert').getByText('no case file and no log file "gone.duckdb"').waitFor();
    await page.getByRole('link', { name: 'Cases' }).click();
    await page.getByRole('button', { name: 'first.duckdb' }).waitFor();
  });

  test.each(sampled(looks, 1))('it can be used by everyone: %s, %i wide', async (colorScheme, width) => {
    const { page } = there;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/', '/?view=export', '/?case=first.duckdb&case=second.duckdb']) {
      await page.goto(served.origin + path);
      await page.waitForLoadState('networkidle');
      expect([path, await violations(page), await isTooWide(page)]).toEqual([path, [], false]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('nothing was kept out by the content security policy, and no script failed', () => {
    expect(there.complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
  });
}
