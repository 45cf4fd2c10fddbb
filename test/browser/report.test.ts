import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addNote } from '../../src/case/contents/notes.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { run } from '../cli/run-in-process.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { hostileLogs, hostileTexts } from '../report/hostile.ts';
import { findChromium, openChromium, openContext } from './chromium.ts';
import { checkAppearance } from './pages.ts';

const opened = await openChromium();
const looks = [
  ['light', 1280],
  ['light', 360],
  ['dark', 1280],
  ['dark', 360],
] as const;
const noon = Date.UTC(2025, 2, 11, 12);
let folder = '';
let incident = '';
let hostile = '';
let autumn = '';
let spring = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-page-'));
  incident = join(folder, 'incident.html');
  hostile = join(folder, 'hostile.html');
  const sample = join(folder, 'incident.duckdb');
  await run(['import', 'samples/incident.ndjson', '--into', sample, '--no-index']);
  await run(['note', 'add', sample, '17', 'a note', '--author', 'ada']);
  await run(['report', sample, '--out', incident]);
  const path = join(folder, "<img src=x onerror='alert(1)'>.duckdb");
  {
    await using into = await openCase(path, { access: 'write', create: true });
    await addLogs(into, hostileLogs(noon), { part: '<script>alert(1)</script>' });
    await addNote(into, {
      logs: [1],
      text: '<b onclick=alert(1)>x</b>',
      tags: ['<i>'],
      author: '"><svg/onload=alert(1)>',
    });
  }
  await run(['report', path, '--out', hostile]);
  autumn = await nightOf('autumn', '2025-10-26T01:00:00Z');
  spring = await nightOf('spring', '2025-03-30T01:00:00Z');
});
afterAll(() => rm(folder, { recursive: true }));

if ('missing' in opened) {
  test(`the report in a browser is left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  describe('the page of a report', () => appearance(opened));
  describe('its filters', () => filters(opened));
  describe('a page of hostile logs', () => safety(opened));
}

/** Writes a report in Berlin's time, of a log a minute in the two hours before and after a time. */
async function nightOf(name: string, middle: string): Promise<string> {
  const [source, target] = [join(folder, `${name}.ndjson`), join(folder, `${name}.html`)];
  const logs = Array.from({ length: 240 }, (_, minute) =>
    JSON.stringify({ time: Date.parse(middle) + (minute - 120) * 60_000, msg: `${minute}`, type: 'INFO' }),
  );
  await writeFile(source, logs.join('\n'));
  await run(['import', source, '--into', join(folder, `${name}.duckdb`), '--no-index']);
  await run(['report', join(folder, `${name}.duckdb`), '--out', target, '--zone', 'Europe/Berlin']);
  return target;
}

/** Half hours of the sample with a severe log; a half hour is one bar of the chart. */
function severeHalfHours(): number {
  const logs = readFileSync('samples/incident.ndjson', 'utf8').trimEnd().split('\n');
  const severe = logs
    .map((line) => JSON.parse(line))
    .filter(({ type, logLevel }) => (type ?? logLevel) === 'SEVERE');
  return new Set(severe.map(({ time }) => Math.floor(Number(time) / 1_800_000))).size;
}

/** Opens a page and collects what the browser complains of. */
async function visit(browser: Browser, path: string): Promise<{ page: Page; complaints: readonly string[] }> {
  const context = await openContext(browser, { colorScheme: 'light' });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(`dialog ${dialog.message()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) complaints.push(`request ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  return { page, complaints };
}

function appearance(browser: Browser): void {
  test.each(sampled(looks, 1))(
    'is accessible and no wider than the window: %s, %d pixels',
    async (colorScheme, width) => {
      const context = await openContext(browser, {
        colorScheme,
        viewport: { width, height: 800 },
        bypassCSP: true,
      });
      await checkAppearance(context, pathToFileURL(incident).href);
      if (width === 1280) await checkAppearance(context, pathToFileURL(hostile).href);
      await context.close();
    },
  );

  largeTest(
    'fits the paper without forms: a page for who decides and the main tables, or every row',
    async () => {
      // A4 landscape without its margins.
      const context = await openContext(browser, {
        viewport: { width: 1032, height: 700 },
        colorScheme: 'dark',
      });
      const page = await context.newPage();
      for (const path of [incident, hostile]) {
        await page.goto(pathToFileURL(path).href);
        await page.emulateMedia({ media: 'print' });
        const tooWide = await page.evaluate(
          '[...document.querySelectorAll("section")].filter((each) => 1034 < each.scrollWidth).map(({ id }) => id)',
        );
        expect([path, tooWide]).toEqual([path, []]);
        expect(await page.locator('form, nav').filter({ visible: true }).count()).toBe(0);
        expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
      }
      await page.goto(pathToFileURL(incident).href);
      // The first page ends on the first sheet.
      expect(
        await page.evaluate('document.querySelector(".intro").getBoundingClientRect().bottom'),
      ).toBeLessThan(700);
      const rows = () => page.locator('tbody tr').filter({ visible: true }).count();
      const short = await rows();
      expect(await page.locator('#services tbody tr:visible').count()).toBe(10);
      expect(await page.locator('#services .printed').textContent()).toBe('The first 10 of 14 are printed.');
      expect(await page.locator('#logs').isVisible()).toBe(false);
      const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pagesOf(pdf)).toBeLessThanOrEqual(5);
      await page.emulateMedia({ media: 'screen' });
      await page.getByLabel('Print every row').check();
      await page.emulateMedia({ media: 'print' });
      expect([
        await page.locator('#logs').isVisible(),
        await page.locator('.printed:visible').count(),
      ]).toEqual([true, 0]);
      expect(await rows()).toBe(await page.locator('tbody tr').count());
      expect(short).toBeLessThan(await rows());
      expect(pagesOf(await page.pdf({ preferCSSPageSize: true }))).toBeGreaterThan(pagesOf(pdf));
      // The pages are wider than high.
      const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1')) ?? [];
      expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([842, 595]);
      await context.close();
    },
  );

  largeTest('becomes a PDF by the command', async () => {
    const target = join(folder, 'incident.pdf');
    const program = findChromium();
    if (program === undefined) throw new Error('A Chromium is open, but there is none');
    const ran = await run([
      'report',
      join(folder, 'incident.duckdb'),
      '--out',
      target,
      '--chromium',
      program,
    ]);
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('Written to')]);
    expect(readFileSync(target).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('says all without a script', async () => {
    const context = await openContext(browser, { javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(incident).href);
    expect(await page.locator('#logs tbody tr').count()).toBe(220);
    expect(await page.locator('form').isVisible()).toBe(false);
    expect(await page.locator('.bars rect').count()).toBeGreaterThan(20);
    for (const link of await page.locator('nav a').all())
      expect(await page.locator(`[id="${(await link.getAttribute('href'))?.slice(1)}"]`).count()).toBe(1);
    await context.close();
  });

  largeTest('breaks no rule of its policy', async () => {
    const { page, complaints } = await visit(browser, incident);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
}

function filters(browser: Browser): void {
  test('by level, service, text and time show what matches, in the tables and the chart', async () => {
    const { page } = await visit(browser, incident);
    const logs = page.locator('#logs tbody tr:visible');
    const said = () => page.locator('output').textContent();
    const heights = () =>
      page.locator('.bars rect').evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
    const before = await heights();
    for (const level of ['WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'])
      await page.getByLabel(level, { exact: true }).uncheck();
    expect(await logs.count()).toBe(9);
    expect(await said()).toBe('9 logs match time, level and service; 9 of those listed also match the text.');
    const after = await heights();
    expect(after).not.toEqual(before);
    expect(after.filter((height) => 0 < height)).toHaveLength(severeHalfHours());
    const first = page.locator('#services tbody tr:visible').first();
    expect(await first.locator('td').nth(1).textContent()).toBe('4');
    await page.locator('select[name=source]').selectOption({ label: 'Utilities/Water.FeatureServer' });
    expect(await logs.count()).toBe(4);
    expect(await page.locator('#services tbody tr:visible').count()).toBe(1);
    await page.locator('input[name=text]').fill('RUN dry');
    expect(await logs.count()).toBe(4);
    await page.locator('input[name=text]').fill('no such words');
    expect(await logs.count()).toBe(0);
    expect(await page.locator('#logs .none').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => logs.count()).toBe(220);
    expect(await heights()).toEqual(before);
    await page.getByLabel('From (UTC)').fill('2025-03-12T08:00:00');
    await page.getByLabel('To (UTC)').fill('2025-03-12T08:59:59');
    const times = await logs.locator('td:first-child').allTextContents();
    expect(times.length).toBeGreaterThan(0);
    expect(times.every((time) => time.startsWith('2025-03-12 08:'))).toBe(true);
    await page.context().close();
  });

  largeTest('by time follow the clocks of the zone where these are changed', async () => {
    const { page } = await visit(browser, autumn);
    const logs = page.locator('#logs tbody tr:visible');
    const countBetween = async (from: string, to: string) => {
      await page.getByLabel('From (Europe/Berlin)').fill(from);
      await page.getByLabel('To (Europe/Berlin)').fill(to);
      return await logs.count();
    };
    // Two o'clock occurs twice in autumn, and not at all in spring.
    expect(await countBetween('2025-10-26T02:00:00', '2025-10-26T02:59:59')).toBe(120);
    expect(await countBetween('2025-10-26T01:00:00', '2025-10-26T01:59:59')).toBe(60);
    expect(await countBetween('2025-10-26T03:00:00', '2025-10-26T03:59:59')).toBe(60);
    await page.goto(pathToFileURL(spring).href);
    expect(await countBetween('2025-03-30T01:00:00', '2025-03-30T02:30:00')).toBe(60);
    expect(await countBetween('2025-03-30T02:30:00', '2025-03-30T03:09:59')).toBe(10);
    await page.context().close();
  });

  largeTest('by time are set by drawing over the chart', async () => {
    const { page } = await visit(browser, incident);
    await page.locator('.chart').scrollIntoViewIfNeeded();
    const box = await page.locator('.chart > svg').boundingBox();
    if (!box) throw new Error('The chart has no place');
    const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
    await page.mouse.move(...at(0.2));
    await page.mouse.down();
    await page.mouse.move(...at(0.4));
    await page.mouse.up();
    expect(await page.getByLabel('From (UTC)').inputValue()).toMatch(/^2025-03-11T/);
    expect(await page.locator('#logs tbody tr:visible').count()).toBeLessThan(220);
    expect(Number(await page.locator('.chosen').getAttribute('width'))).toBeGreaterThan(100);
    await page.context().close();
  });
}

function safety(browser: Browser): void {
  test('has no markup, script, handler or address of theirs', async () => {
    const { page, complaints } = await visit(browser, hostile);
    expect(complaints).toEqual([]);
    expect(await page.locator('img, iframe, object, embed, link, base, style:not(head style)').count()).toBe(
      0,
    );
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('a:not(nav a)').count()).toBe(0);
    const handlers = await page.evaluate(
      '[...document.querySelectorAll("*")].flatMap((each) => [...each.attributes].filter(({ name }) => /^on|^style$|^src/.test(name)).map(({ name }) => each.tagName + name))',
    );
    expect(handlers).toEqual([]);
    const text = (await page.locator('#logs').textContent()) ?? '';
    expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e\u200b\u2066-\u2069\ud800-\udfff]/);
    expect(text).toContain('<script>alert(1)</script>');
    expect(await page.locator('#logs tbody tr').count()).toBe(hostileTexts.length + 2);
    await page.context().close();
  });
}
