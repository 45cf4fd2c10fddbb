import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { pageViews } from '../../src/page/page-state.ts';
import { type Log, textFields } from '../../src/records/log.ts';
import { rounds, sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { type ServedPage, servePage } from '../ui/serving.ts';
import { counted, isTooWide, looks, search, violations, visit } from './case-page.ts';
import { openChromium, openContext } from './chromium.ts';

const opened = await openChromium();

if ('missing' in opened) {
  test(`the page of a case in a browser is left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  describe('the page of a case', () => journeys(opened));
  describe('the page of hostile logs', () => hostile(opened));
}

function journeys(browser: Browser): void {
  let served: ServedPage;
  let context: BrowserContext;
  let page: Page;
  let complaints: readonly string[];
  const home = async () => {
    await page.goto(served.origin);
    await counted(page);
  };
  beforeAll(async () => {
    served = await servePage(incidentLogs({ count: 3000 }));
    ({ context, page, complaints } = await visit(browser, served));
  });
  afterAll(async () => {
    await context.close();
    await served[Symbol.asyncDispose]();
  });

  test('the secret leaves the address, and the logs are there', async () => {
    expect(page.url()).toBe(`${served.origin}/`);
    await expect.poll(() => counted(page)).toBe('3,000 logs');
    await page.locator('.log-row .cell-msg').first().waitFor();
  });

  test('findings come while typing, a key fixes, Enter searches, back goes back', async () => {
    await home();
    const query = page.getByLabel('Query', { exact: true });
    await query.fill('levle:SEVERE');
    await page.locator('.finding', { hasText: 'unknown-field' }).waitFor();
    await query.press('Alt+Enter');
    await expect.poll(() => query.inputValue()).toBe('logLevel:SEVERE');
    await query.press('Escape');
    await query.press('Enter');
    await page.waitForURL(/q=logLevel%3ASEVERE/);
    await page.locator('.log-row.level-severe').first().waitFor();
    await page.goBack();
    await page.waitForURL(`${served.origin}/`);
    await expect.poll(() => query.inputValue()).toBe('');
    await page.goForward();
    await page.waitForURL(/q=logLevel/);
    await expect.poll(() => query.inputValue()).toBe('logLevel:SEVERE');
  });

  test('found words are marked in messages alone', async () => {
    await page.goto(`${served.origin}/?q=logLevel:INFO+AND+msg:request`);
    await page.locator('.cell-msg mark').first().waitFor();
    expect(await page.locator('.log-cell:not(.cell-msg) mark').count()).toBe(0);
  });

  test('a query with errors keeps the last good result', async () => {
    await home();
    await search(page, '(logLevel:SEVERE');
    await page.locator('.finding-error').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await expect.poll(() => counted(page)).toBe('3,000 logs');
  });

  test('the reading of the server is said, and written so that nobody misreads it', async () => {
    await home();
    const query = page.getByLabel('Query', { exact: true });
    await query.fill('logLevel:SEVERE OR msg:timeout AND logCode:9003');
    const reading = page.getByRole('region', { name: 'How the server reads it' });
    await page.getByRole('button', { name: /^Details|findings$/ }).click();
    await reading.getByText('filters nothing').waitFor();
    await reading.getByRole('button', { name: 'Write as AND before OR' }).click();
    await expect.poll(() => query.inputValue()).toBe('logLevel:SEVERE OR (msg:timeout AND logCode:9003)');
    await query.press('Control+z');
    await expect.poll(() => query.inputValue()).toBe('logLevel:SEVERE OR msg:timeout AND logCode:9003');
    await query.press('Alt+Shift+Enter');
    await expect.poll(() => query.inputValue()).toBe('msg:timeout AND logCode:9003');
    expect(await page.getByRole('listbox').count()).toBe(0);
  });

  test('completion offers fields, and values of the case with their counts', async () => {
    await home();
    const query = page.getByLabel('Query', { exact: true });
    await query.pressSequentially('logLe');
    await page
      .getByRole('option', { name: /logLevel/ })
      .first()
      .waitFor();
    await query.press('Tab');
    await expect.poll(() => query.inputValue()).toBe('logLevel:');
    await page.getByRole('option', { name: /SEVERE.*\d/ }).click();
    await expect.poll(() => query.inputValue()).toBe('logLevel:SEVERE');
    await query.press('Control+z');
    await expect.poll(() => query.inputValue()).not.toBe('logLevel:SEVERE');
  });

  largeTest('a value is included and excluded by a click', async () => {
    await home();
    const fields = page.getByRole('complementary', { name: 'Fields' });
    await fields.getByRole('button', { name: /^WARNING/ }).click();
    await page.waitForURL(/q=logLevel%3AWARNING/);
    await fields.getByRole('button', { name: 'Without Rest Catalog' }).first().click();
    await page.waitForURL(/NOT/);
    expect(new URL(page.url()).searchParams.get('q')).toBe('logLevel:WARNING AND NOT source:"Rest Catalog"');
  });

  largeTest('dragging over the bars zooms, and the interval can be left', async () => {
    await home();
    const box = await page.locator('.histogram svg').boundingBox();
    if (!box) throw new Error('The bars are not there');
    await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    await page.locator('.results-count', { hasNotText: '3,000' }).filter({ hasText: /\d/ }).waitFor();
    await page.getByRole('button', { name: 'All times' }).click();
    await page.locator('.results-count', { hasText: '3,000 logs' }).waitFor();
  });

  largeTest('a log opens by keys with its fields, context and record, and has an address', async () => {
    await home();
    await page.locator('.log-row .cell-msg').first().waitFor();
    await page.keyboard.press('t');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: /^Log \d+/ });
    await panel.getByRole('tab', { name: 'Context' }).click();
    await panel.locator('.context-hit').waitFor();
    await panel.getByRole('tab', { name: 'Record' }).click();
    await panel.getByText('part', { exact: true }).waitFor();
    const address = page.url();
    const name = await panel.getAttribute('aria-label');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.goto(address);
    await page.getByRole('complementary', { name: name ?? '' }).waitFor();
  });

  largeTest('columns are chosen, and the order is turned', async () => {
    await home();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog').getByLabel('user', { exact: true }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('columnheader', { name: 'user' }).waitFor();
    await page.getByRole('button', { name: /^time/ }).click();
    await page.waitForURL(/order=oldest/);
    expect(await page.getByRole('columnheader', { name: /^time/ }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
  });

  largeTest('the end of the table is there at once', async () => {
    await home();
    await page.locator('.log-row .cell-msg').first().waitFor();
    await page.locator('.log-table').press('End');
    await page.locator('#row-2999 .cell-time', { hasText: ':' }).waitFor();
  });

  largeTest('another zone shows its clock and its offset', async () => {
    await home();
    await page.getByLabel('Zone of times').selectOption('Australia/Eucla');
    await page.getByRole('columnheader', { name: /UTC\+08:45/ }).waitFor();
  });

  largeTest('patterns, changes, requests and SQL lead on to logs', async () => {
    await home();
    await page.getByRole('link', { name: 'Patterns' }).click();
    await page.locator('.template').first().click();
    await page.locator('.pattern-values').waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).nth(1).click();
    await page.waitForURL(/\?q=msg/);
    await page.goto(`${served.origin}/?view=changes`);
    await page.getByText(/groups? of differences/).waitFor();
    await page.goto(`${served.origin}/?view=sql`);
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('Rest Catalog').waitFor();
    await page.getByRole('textbox', { name: 'SQL' }).fill('DROP TABLE logs');
    await page.getByRole('textbox', { name: 'SQL' }).press('Control+Enter');
    await page.getByRole('alert').waitFor();
  });

  largeTest('services and an investigation lead on to requests and logs', async () => {
    await page.goto(`${served.origin}/?view=services`);
    await page.getByRole('button', { name: 'Trace', exact: true }).first().click();
    await page.getByRole('figure', { name: 'Lanes of the request' }).waitFor();
    await page.goto(`${served.origin}/?view=investigate`);
    await page.getByRole('heading', { name: 'The main change' }).waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).nth(1).click();
    await page.waitForURL(/\?q=/);
  });

  largeTest('a request is shown in lanes', async () => {
    await page.goto(`${served.origin}/?q=requestID:*`);
    await counted(page);
    await page.locator('.log-row .cell-msg').first().click();
    await page.getByRole('button', { name: 'Trace request' }).click();
    await page.getByRole('figure', { name: 'Lanes of the request' }).waitFor();
  });

  largeTest('a view is copied as a command, and logs are downloaded', async () => {
    await page.goto(`${served.origin}/?q=logLevel:SEVERE`);
    await counted(page);
    await page.getByRole('button', { name: 'Copy as command' }).click();
    await page.getByText('Copied').waitFor();
    const command = await page.evaluate('navigator.clipboard.readText()');
    expect(command).toMatch(/^logquarry search logLevel:SEVERE \S+incident\.duckdb$/);
    const arriving = page.waitForEvent('download');
    await page.getByLabel('Download the logs').selectOption('logs csv');
    expect((await arriving).suggestedFilename()).toBe('logs.csv');
  });

  largeTest('a query is found in the history, and a filter is built without writing', async () => {
    await home();
    await search(page, 'logCode:9029');
    await page.waitForURL(/9029/);
    await search(page, 'done');
    await page.waitForURL(/q=done/);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByLabel('Find a query').fill('902');
    await page.getByRole('dialog').getByRole('button', { name: 'logCode:9029' }).click();
    await page.waitForURL(/9029/);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Operator').selectOption('is not');
    await page.locator('input[list]').fill('INFO');
    await page.getByRole('button', { name: 'Add and search' }).click();
    await page.waitForURL(/NOT/);
    expect(new URL(page.url()).searchParams.get('q')).toBe('logCode:9029 AND NOT logLevel:INFO');
  });

  largeTest('no hit says so, and a way back', async () => {
    await page.goto(`${served.origin}/?q=nosuchword`);
    await page.getByText('No log matches').waitFor();
    await page.getByRole('button', { name: 'Show all logs' }).click();
    await page.locator('.results-count', { hasText: '3,000 logs' }).waitFor();
  });

  test('the keys are listed by a key', async () => {
    await home();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement?.id')).toBe('query');
  });

  describe.each(sampled(looks, 1))('%s, %i wide', (colorScheme, width) => {
    test('every view can be used by everyone', async () => {
      const own = await openContext(browser, {
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
        storageState: await context.storageState(),
      });
      const there = await own.newPage();
      const found: unknown[] = [];
      const appearances = sampled<readonly [path: string, button?: string]>(
        [
          ['/?q=logLevel:SEVERE+OR+msg:timeout+AND+logCode:9003'],
          ...['', '&part=context', '&part=record', '&part=notes'].map(
            (part) => [`/?q=logLevel:SEVERE&log=0:1${part}`] as const,
          ),
          ...pageViews.slice(1).map((view) => [`/?view=${view}`] as const),
          ['/?by=source&zone=Europe/Berlin&times=relative'],
          ['/?q=nosuchword'],
          ...['Keys', 'Columns', 'Add filter', 'History', 'Saved'].map((button) => ['/', button] as const),
        ],
        2,
      );
      for (const [path, button] of appearances) {
        await there.goto(served.origin + path);
        await there.waitForLoadState('networkidle');
        if (button !== undefined) await there.getByRole('button', { name: button, exact: true }).click();
        found.push([path, button, await violations(there), await isTooWide(there)]);
      }
      expect(found).toEqual(appearances.map(([path, button]) => [path, button, [], false]));
      await own.close();
    });
  });

  test('nothing was kept out by the content security policy, and no script failed', () => {
    expect(complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
  });
}

/** Texts that would run, reorder or break a page that takes them for anything but text. */
const hostileTexts = [
  '<script>document.title = "broken"</script>',
  '"><img src=x onerror="document.title=\'broken\'">',
  'javascript:document.title="broken"',
  '\u001b[31mred\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007',
  'invoice\u202egpj.exe\u202c \u200b\u2066hidden\u2069',
  '{{constructor.constructor("document.title=1")()}} ${7*7} <style>*{display:none}</style>',
  "=cmd|'/c calc'!A1",
  '\ud800 lone \u0000 nul',
] as const;

/** A log with a text of markup in each field, of so many characters. */
const logOfMarkup = (length: number): Log => ({
  time: 1_700_000_100_000,
  ...Object.fromEntries(textFields.map((name) => [name, '<b>x</b>'.repeat(length / 8)])),
});

const hostileLogs: readonly Log[] = [
  ...hostileTexts.map((text, index) => ({
    time: 1_700_000_000_000 + index * 1000,
    logLevel: text.slice(0, 200),
    source: text,
    msg: text,
    username: text,
    requestID: text.slice(0, 60),
    stackTraces: `${text}\n  at ${text.slice(0, 100)}`,
    className: text.slice(0, 300),
    machine: text,
  })),
  logOfMarkup(rounds(100_000)),
];

/** The title of a page, the number of elements that no view makes, and whether a hidden character is shown. */
const lookOfPage = String.raw`[
  document.title,
  document.querySelectorAll('#page script, #page iframe, #page style, #page img:not(.brand img), #page a[href^="javascript"]').length,
  /[\u0000-\u0008\u001b\u200b\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText),
].join(' ')`;

function hostile(browser: Browser): void {
  test('shows them as text, everywhere', async () => {
    await using served = await servePage(hostileLogs);
    const { context, page, complaints } = await visit(browser, served);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const paths = [
      '/?q=script',
      ...hostileLogs.map((_, index) => `/?log=0:${index + 1}`),
      ...['investigate', 'patterns', 'changes', 'detections', 'services', 'overview', 'coverage'].map(
        (view) => `/?view=${view}`,
      ),
      `/?view=trace&request=${encodeURIComponent(hostileTexts[0])}`,
      `/?view=sql&sql=${encodeURIComponent('SELECT msg AS "<b>", source FROM logs')}`,
      `/?q=${encodeURIComponent('msg:"<img src=x onerror=alert(1)>"')}`,
    ];
    for (const path of sampled(paths, 2)) {
      await page.goto(served.origin + path);
      await page.waitForLoadState('networkidle');
      const shown = await page.evaluate(lookOfPage);
      expect([path, shown]).toEqual([path, 'Logquarry 0 false']);
    }
    expect(requests.filter((each) => !each.startsWith(served.origin))).toEqual([]);
    expect(complaints.filter((each) => /Content Security Policy|Refused|Error/.test(each))).toEqual([]);
    await context.close();
  });

  test('shows a megabyte in each field by its beginning, and whole on demand', async () => {
    const length = rounds(1_000_000, 120_000);
    await using served = await servePage([logOfMarkup(length)]);
    await using visited = await visit(browser, served);
    const { page, complaints } = visited;
    await page.goto(`${served.origin}/?log=0:1`);
    const values = page.locator('.log-panel .field-value');
    await values.first().waitFor();
    const shown = () => page.evaluate('document.querySelector(".log-panel").textContent.length');
    expect(Number(await shown())).toBeLessThan(120_000);
    await page
      .getByRole('button', { name: `All ${length.toLocaleString('en')} characters` })
      .first()
      .click();
    await expect.poll(async () => Number(await shown())).toBeGreaterThan(length);
    expect(await page.locator('.log-panel b').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
}
