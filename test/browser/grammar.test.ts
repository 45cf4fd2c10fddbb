import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { productions } from '../../grammar/productions.ts';
import { sampled } from '../effort.ts';
import { openChromium, openContext } from './chromium.ts';
import { checkAppearance } from './pages.ts';

const address = pathToFileURL(resolve('grammar/searchquery.html')).href;
const opened = await openChromium();

if ('missing' in opened) {
  test(`the grammar page in a browser is left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  describe('the grammar page in a browser', () => appearance(opened));
}

function appearance(browser: Browser): void {
  test.each(
    sampled(
      [
        ['light', 1280],
        ['light', 360],
        ['dark', 1280],
        ['dark', 360],
      ] as const,
      1,
    ),
  )('is accessible and no wider than the window: %s, %d pixels', async (colorScheme, width) => {
    const context = await openContext(browser, { colorScheme, viewport: { width, height: 800 } });
    await checkAppearance(context, address);
    const page = await context.newPage();
    await page.goto(address);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(18, 24, 31)' : 'rgb(255, 255, 255)');
    if (process.env.SCREENSHOTS) {
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/${colorScheme}-${width}.png`,
        fullPage: width > 360,
      });
    }
    await context.close();
  });

  test('needs no script, has an index of all diagrams, and every link leads somewhere', async () => {
    const context = await openContext(browser, { javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(address);
    expect(await page.locator('script').count()).toBe(0);
    const listed = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(listed.slice(0, productions().length)).toEqual(productions().map(({ name }) => name));
    expect(await page.locator('main h3').allTextContents()).toEqual(listed);
    const links = page.locator('a[href^="#"]');
    expect(await links.count()).toBeGreaterThan(listed.length * 2);
    for (const link of await links.all()) {
      const target = (await link.getAttribute('href')) ?? '';
      expect([target, await page.locator(`[id="${target.slice(1)}"]`).count()]).toEqual([target, 1]);
    }
    await page.getByRole('group', { name: 'Diagram of query' }).getByRole('link', { name: 'level' }).click();
    expect(page.url()).toMatch(/#level$/);
    await context.close();
  });

  test('shows the characters that are typed, not the names of tokens', async () => {
    const context = await openContext(browser, { javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(address);
    const typed = await page.locator('.terminal text').allTextContents();
    expect(typed).toEqual(
      expect.arrayContaining(['AND', '&&', '||', 'NOT', '"', '[', '}', 'TO', '~', '^', '\\u']),
    );
    const boxes = await page.locator('rect + text, rect + a').allTextContents();
    expect(boxes.map((text) => text.trim())).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(And|Or|Not|Open|Close|Quoted|RangeTo|Tilde|Boost|End)$/),
      ]),
    );
    await context.close();
  });
}
