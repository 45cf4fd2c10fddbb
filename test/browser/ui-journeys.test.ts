import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StoredWindow, saveExportChanges } from '../../src/case/contents/exports.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { readSchema } from '../../src/language/meaning/schema.ts';
import type { Log } from '../../src/records/log.ts';
import { largeTest } from '../large-test.ts';
import { ask, askProgressing, type ServedPage, servePage } from '../ui/serving.ts';
import { counted, openPage, type Visit, visit } from './case-page.ts';
import { openChromium } from './chromium.ts';

const opened = await openChromium();

if ('missing' in opened) {
  test(`the page by keyboard in a browser is left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  describe('the page by keyboard alone', () => byKeyboard());
  describe('the page in the nights in which clocks are changed', () => clockChanges());
  describe('the page of an export with gaps', () => gaps());
  describe('the page of a deployment with fields of its own', () => ownFields());
}

/** The part of the page with the focus: its name for people. */
const focused = (page: Page) =>
  page.evaluate(
    'document.activeElement.id || document.activeElement.ariaLabel || document.activeElement.tagName',
  );

function byKeyboard(): void {
  let served: ServedPage;
  let there: Visit;
  beforeAll(async () => {
    if ('missing' in opened) return;
    served = await servePage(incidentLogs({ count: 2000 }));
    there = await visit(opened, served);
    await there.page.evaluate(
      `addEventListener('pointerdown', () => { document.title = 'A pointer was used'; }, true)`,
    );
  });
  afterAll(async () => {
    await there[Symbol.asyncDispose]();
    await served[Symbol.asyncDispose]();
  });

  test('a query is written with suggestions, corrected and searched for', async () => {
    const { page } = there;
    const { keyboard } = page;
    await keyboard.press('/');
    await keyboard.type('levle:');
    await keyboard.press('Alt+Enter');
    await expect.poll(() => page.locator('#query').inputValue()).toBe('logLevel:');
    await keyboard.press('End');
    await keyboard.press('Control+Space');
    await page.getByRole('option', { name: /WARNING.*\d/ }).waitFor();
    await keyboard.type('W');
    await page.getByRole('option', { name: /WARNING.*\d/ }).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect.poll(() => page.locator('#query').inputValue()).toBe('logLevel:WARNING');
    await keyboard.press('Enter');
    await page.waitForURL(/q=logLevel%3AWARNING/);
    await page.locator('.log-row.level-warning').first().waitFor();
  });

  test('an interval is brushed over the bars', async () => {
    const { page } = there;
    const { keyboard } = page;
    const before = await counted(page);
    // The first one leaves the query.
    await keyboard.press('Escape');
    await keyboard.press('h');
    expect(await focused(page)).toMatch(/^Logs over time/);
    for (let move = 0; move < 40; move += 1) await keyboard.press('ArrowRight');
    await keyboard.press('Space');
    for (let move = 0; move < 8; move += 1) await keyboard.press('ArrowRight');
    await page.locator('.histogram-brush').waitFor();
    await page.locator('.histogram-about', { hasText: /logs/ }).waitFor();
    await keyboard.press('Enter');
    await page.waitForURL(/from=.*to=/);
    await expect.poll(() => counted(page)).not.toBe(before);
  });

  test('a log is opened, its parts are read, and the focus goes back to the table', async () => {
    const { page } = there;
    const { keyboard } = page;
    await keyboard.press('t');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.getByRole('complementary', { name: /^Log \d+/ }).waitFor();
    await page.getByRole('tab', { name: 'Fields' }).waitFor();
    await keyboard.press('l');
    await keyboard.press('ArrowRight');
    await page.waitForURL(/part=context/);
    expect(await focused(page)).toBe('tab-context');
    await page.locator('.context-hit').waitFor();
    await keyboard.press('ArrowLeft');
    await keyboard.press('ArrowLeft');
    await page.waitForURL(/part=notes/);
    await keyboard.press('Escape');
    await page.locator('.log-panel').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Logs');
  });

  test('a column is made wider, and a value of a field chosen', async () => {
    const { page } = there;
    const { keyboard } = page;
    const grip = page.getByRole('separator', { name: 'Width of code' });
    const width = Number(await grip.getAttribute('aria-valuenow'));
    // The table, the order, then the edges of time, level and code.
    for (let move = 0; move < 4; move += 1) await keyboard.press('Tab');
    expect(await focused(page)).toBe('Width of code');
    await keyboard.press('ArrowRight');
    await expect.poll(() => grip.getAttribute('aria-valuenow')).toBe(String(width + 16));
    await keyboard.press('f');
    await keyboard.press('Enter');
    await page.waitForURL(/WARNING\+AND\+/);
  });

  test('keys list themselves, and lead to the views', async () => {
    const { page } = there;
    const { keyboard } = page;
    await keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const [key, view] of [
      ['3', 'patterns'],
      ['9', 'overview'],
      ['c', 'cases'],
      ['1', undefined],
    ] as const) {
      await keyboard.press(key);
      await expect.poll(() => new URL(page.url()).searchParams.get('view') ?? undefined).toBe(view);
    }
    expect(await page.title()).toBe('Logquarry');
  });

  test('a search is cancelled, with its rows and fields', async () => {
    const { page } = there;
    await page.goto(served.origin);
    await counted(page);
    const asked = ['histogram', 'logs', 'facets'];
    for (const name of asked) await page.route(`**/api/${name}*`, () => {});
    const aborted = asked.map((name) =>
      page.waitForEvent('requestfailed', (request) => request.url().includes(`/api/${name}`)),
    );
    await page.keyboard.press('/');
    await page.keyboard.type('done');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.locator('.log-table.stale .cell-msg').first().waitFor();
    await page.keyboard.press('Escape');
    await Promise.all(aborted);
    await page.getByRole('status').getByText('Cancelled').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('.log-row .cell-msg').first().textContent()).not.toBe('');
    await page.unrouteAll();
  });

  test('patterns come while logs are read, with how many were', async () => {
    const { page } = there;
    const { result } = await askProgressing(served, 'patterns', { query: '', now: 0 });
    const progress = { logs: 350, of: 2000, found: { ...result, total: 350 } };
    const body = `${JSON.stringify({ value: { kind: 'progress', progress } })}\n`;
    await page.route('**/api/patterns*', (route) => route.fulfill({ body }));
    await page.goto(`${served.origin}/?view=patterns`);
    await page.getByText('350 of 2,000 logs read').waitFor();
    await page
      .getByRole('status')
      .getByText(/patterns of 350 logs so far$/)
      .waitFor();
    await page.locator('.template').first().waitFor();
    await page.getByRole('alert').getByText('The answer of the server is not whole.').waitFor();
    await page.unrouteAll();
    await page.route('**/api/investigate*', () => {});
    const aborted = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/api/investigate'),
    );
    await page.goto(`${served.origin}/?view=investigate`);
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Escape');
    await aborted;
    await page.getByRole('status').getByText('Cancelled').waitFor();
    await page.unrouteAll();
  });

  test('a statement is cancelled', async () => {
    const { page } = there;
    await page.goto(`${served.origin}/?view=sql`);
    await page.route('**/api/sql*', () => {});
    const aborted = page.waitForEvent('requestfailed', (request) => /never/.test(request.postData() ?? ''));
    await page.getByRole('textbox', { name: 'SQL' }).fill('SELECT never');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Escape');
    await aborted;
    await page.getByRole('status').getByText('Cancelled').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unrouteAll();
  });

  test('the bars are marked from the first one on, and the last row can be seen', async () => {
    const { page } = there;
    await page.goto(served.origin);
    await counted(page);
    await page.keyboard.press('t');
    await page.keyboard.press('End');
    await page.locator('#row-1999 .cell-time', { hasText: ':' }).waitFor();
    const below = `document.querySelector('#row-1999').getBoundingClientRect().bottom -
      document.querySelector('.log-scroll').getBoundingClientRect().bottom`;
    await expect.poll(async () => Number(await page.evaluate(below))).toBeLessThanOrEqual(0);
    const { buckets, every } = await ask(served, 'histogram', {
      query: '',
      now: 0,
      by: 'logLevel',
      buckets: 90,
    });
    await page.keyboard.press('h');
    await page.keyboard.press('Space');
    for (let move = 0; move < 3; move += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.waitForURL(/from=.*to=/);
    const { searchParams } = new URL(page.url());
    const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''));
    const start = buckets[0]?.start ?? 0;
    expect([from, to]).toEqual([start, start + 4 * every - 1]);
  });

  test('nothing moves or is covered while a query is written, which is not run yet', async () => {
    const { page } = there;
    await page.goto(`${served.origin}/?q=logLevel:WARNING`);
    await counted(page);
    const place = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      if (!box) throw new Error(`${selector} is not there`);
      return box;
    };
    const { y } = await place('.log-table');
    expect(await page.getByText('Not run yet').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.press('End');
    await page.keyboard.type(' OR msg:timeout AND levle:a');
    await page.locator('.finding').waitFor();
    await page.getByText('Not run yet').waitFor();
    await page.getByText('Results of logLevel:WARNING').waitFor();
    expect((await place('.log-table')).y).toBe(y);
    await page.keyboard.type(' OR log');
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor();
    const finding = await place('.finding');
    expect((await place('.completion')).y).toBeGreaterThanOrEqual(finding.y + finding.height);
    expect((await place('.log-table')).y).toBe(y);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^\d findings$/ }).click();
    await page.getByRole('list', { name: 'All findings' }).getByText('unknown-field').waitFor();
    expect((await place('.log-table')).y).toBe(y);
  });

  test('all values of a field can be found, and what a click searched for', async () => {
    const { page } = there;
    await page.goto(served.origin);
    await counted(page);
    const response = await served.call('facets', { query: '', now: 0, fields: ['logCode'], limit: 1000 });
    const { value: facet } = JSON.parse(await response.text());
    const facetOf = page.locator('.facet', { has: page.getByRole('heading', { name: 'logCode' }) });
    await facetOf.getByRole('button', { name: `${facet.values.length - 6} more` }).click();
    const rarest = String(facet.values.at(-1).value);
    await facetOf.getByLabel('Find a value of logCode').fill(rarest);
    await facetOf
      .locator('.facet-value')
      .filter({ hasNotText: rarest })
      .first()
      .waitFor({ state: 'detached' });
    await facetOf.getByRole('button', { name: new RegExp(`^${rarest}`) }).click();
    await page.waitForURL(/q=logCode/);
    await page.getByRole('button', { name: 'History' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `logCode:${rarest}` })
      .waitFor();
    await page.keyboard.press('Escape');
  });

  test('changes of a query that few logs match have both intervals in one chart', async () => {
    const { page } = there;
    await page.goto(`${served.origin}/?view=changes&q=logCode:9003`);
    await page.locator('.marked-earlier').waitFor();
    expect(await page.locator('.histogram svg').count()).toBe(1);
    const ends = await page.evaluate(`(() => {
      const svg = document.querySelector('.histogram svg').getBoundingClientRect();
      const of = (look) => document.querySelector('.marked-' + look).getBoundingClientRect();
      return [of('earlier').left - svg.left, of('later').left - of('earlier').right, svg.right - of('later').right];
    })()`);
    for (const distance of v.parse(v.array(v.number()), ends)) expect(distance).toBeGreaterThan(-2);
  });

  test('a query with errors greys the last result until it has none', async () => {
    const { page } = there;
    await page.goto(served.origin);
    await counted(page);
    await page.keyboard.press('/');
    await page.keyboard.type('(logLevel:SEVERE');
    await page.keyboard.press('Enter');
    await page.locator('.main.refused .cell-msg').first().waitFor();
    await expect.poll(() => counted(page)).toBe('2,000 logs');
    await page.keyboard.type(')');
    await page.locator('.main:not(.refused)').waitFor();
  });
}

/** A log every 10 minutes around a moment. */
const around = (time: number): readonly Log[] =>
  Array.from({ length: 36 }, (_, index) => ({ time: time + (index - 18) * 600_000, msg: `log ${index}` }));

function clockChanges(): void {
  const spring = Date.UTC(2025, 2, 30, 1);
  const autumn = Date.UTC(2025, 9, 26, 1);
  let served: ServedPage;
  let there: Visit;
  beforeAll(async () => {
    if ('missing' in opened) return;
    served = await servePage([...around(spring), ...around(autumn)]);
    there = await openPage(opened, served);
  });
  afterAll(async () => {
    await there[Symbol.asyncDispose]();
    await served[Symbol.asyncDispose]();
  });
  const show = async (change: number) => {
    const [from, to] = [change - 7_200_000, change + 7_200_000].map((time) => new Date(time).toISOString());
    await there.page.goto(`${served.origin}/?zone=Europe/Berlin&order=oldest&from=${from}&to=${to}`);
    await counted(there.page);
  };
  const shown = (selector: string) => there.page.locator(selector).allTextContents();

  test('in autumn: an hour is there twice, told apart by its offset', async () => {
    await show(autumn);
    await expect.poll(() => shown('.cell-time')).toContain('2025-10-26 02:30:00.000 +02:00');
    const times = await shown('.cell-time');
    expect(times).toContain('2025-10-26 02:30:00.000 +01:00');
    expect(new Set(times).size).toBe(times.length);
    await there.page.getByRole('columnheader', { name: 'time UTC+02:00 and +01:00' }).waitFor();
    const ticks = (await shown('.histogram-tick')).filter((text) => text.endsWith(':00'));
    expect(ticks.filter((text) => text === '02:00')).toHaveLength(2);
  });

  largeTest(
    'in autumn: the beginning of an interval is the first of two times, its end the second',
    async () => {
      await show(autumn);
      const { page } = there;
      await page.getByLabel('From', { exact: true }).fill('2025-10-26 02:30');
      await page.getByLabel('From', { exact: true }).press('Enter');
      await page.waitForURL((url) => url.searchParams.get('from') === '2025-10-26T00:30:00.000Z');
      await page.getByLabel('To', { exact: true }).fill('2025-10-26 02:30');
      await page.getByLabel('To', { exact: true }).press('Enter');
      await page.waitForURL((url) => url.searchParams.get('to') === '2025-10-26T01:30:59.999Z');
      await expect.poll(() => counted(page)).toBe('7 logs');
    },
  );

  largeTest('in spring: an hour is skipped, in the table and below the bars', async () => {
    await show(spring);
    await expect.poll(() => shown('.cell-time')).toContain('2025-03-30 01:50:00.000');
    const times = await shown('.cell-time');
    expect(times.indexOf('2025-03-30 03:00:00.000')).toBe(times.indexOf('2025-03-30 01:50:00.000') + 1);
    expect(await shown('.histogram-tick')).not.toContain('02:00');
    const { page } = there;
    await page.getByLabel('From', { exact: true }).fill('2025-03-30 02:30');
    await page.getByLabel('From', { exact: true }).press('Enter');
    await page.waitForURL((url) => url.searchParams.get('from') === '2025-03-30T01:00:00.000Z');
  });

  largeTest('times before the last log, and back', async () => {
    const { page } = there;
    await page.goto(`${served.origin}/?zone=Europe/Berlin`);
    await counted(page);
    await page.getByRole('button', { name: 'Relative times' }).click();
    await expect.poll(() => shown('.cell-time')).toContain('−10 min');
    await page.waitForURL(/times=relative/);
    await page.goBack();
    await expect.poll(() => shown('.cell-time')).toContain('2025-10-26 04:50:00.000');
  });
}

function gaps(): void {
  test('hatches time that was never requested or not exported, and marks what was capped', async () => {
    if ('missing' in opened) return;
    const second = (at: number) => Date.UTC(2025, 2, 12) + at * 1000;
    await using served = await servePage(
      [second(1), second(2), second(6)].map((time) => ({ time })),
      {
        async fill(into) {
          const kept = {
            export: 1,
            deployment: 'https://gis.example.com/admin',
            request: {},
            learnt: {},
            started: 0,
            settings: { via: 'search', windowBy: 'auto', timeField: 'time', from: '', to: '' },
            oldest: second(1),
            newest: second(7) - 1,
          };
          const window = { export: 1, attempts: 0, updated: 0 };
          const windows: readonly StoredWindow[] = [
            { ...window, window: 1, oldest: second(1), newest: second(2) - 1, state: 'loaded' },
            { ...window, window: 2, oldest: second(2), newest: second(3) - 1, state: 'loaded', missing: 1 },
            { ...window, window: 3, oldest: second(3), newest: second(4) - 1, state: 'failed' },
            { ...window, window: 4, oldest: second(6), newest: second(7) - 1, state: 'loaded' },
          ];
          await saveExportChanges(into, () => ({ export: kept, windows }));
        },
      },
    );
    await using visited = await openPage(opened, served);
    const { page } = visited;
    await counted(page);
    const fillOf = (state: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('.histogram .coverage-${state}')).fill`);
    for (const state of ['never', 'capped', 'open']) expect(await fillOf(state)).toContain(`#hatch-${state}`);
    await page.locator('.histogram svg').focus();
    for (let move = 0; move < 90; move += 1) {
      await page.keyboard.press('ArrowRight');
      if ((await page.locator('.histogram-about').textContent())?.includes('never requested')) break;
    }
    await page.locator('.histogram-about', { hasText: 'never requested' }).waitFor();
    await page.goto(`${served.origin}/?view=coverage`);
    await page.getByText('incomplete: the deployment returned no more').waitFor();
  });
}

function ownFields(): void {
  test('checks, completes, reads and builds queries with them', async () => {
    if ('missing' in opened) return;
    const read = readSchema({ fields: [{ name: 'tenant', type: 'keyword', values: ['north', 'south'] }] });
    if (!('schema' in read)) throw new Error(read.problem);
    await using served = await servePage(incidentLogs({ count: 200 }), { schema: read.schema });
    await using visited = await visit(opened, served);
    const { page } = visited;
    const query = page.getByLabel('Query', { exact: true });
    await query.pressSequentially('ten');
    await page.getByRole('option', { name: /tenant/ }).waitFor();
    await query.press('Tab');
    await page.getByRole('option', { name: /north/ }).waitFor();
    await query.fill('tenant:north OR msg:a AND msg:b');
    await page.getByRole('button', { name: /^Details|findings$/ }).click();
    await page.getByRole('region', { name: 'How the server reads it' }).getByText('tenant:north').waitFor();
    expect(await page.locator('.finding', { hasText: 'unknown-field' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('dialog').getByLabel('Field').selectOption('tenant');
  });

  test('completes them also for one who types before they are known', async () => {
    if ('missing' in opened) return;
    const read = readSchema({ fields: [{ name: 'tenant', type: 'keyword' }] });
    if (!('schema' in read)) throw new Error(read.problem);
    await using served = await servePage(incidentLogs({ count: 200 }), { schema: read.schema });
    await using visited = await visit(opened, served);
    const { page } = visited;
    let type = () => {};
    const isTyped = new Promise<void>((resolve) => {
      type = resolve;
    });
    await page.route('**/api/about*', async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.reload();
    await page.getByLabel('Query', { exact: true }).pressSequentially('ten');
    type();
    await page.getByRole('option', { name: /tenant/ }).waitFor();
  });
}
