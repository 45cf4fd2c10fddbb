import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ServedPage } from '../ui/serving.ts';
import { openContext } from './chromium.ts';

/** The colours and widths in which everyone must be able to use a page. */
export const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const;

/** A page of the browser, and what its console says. */
export interface Visit extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens the first address of a page in a context of its own; what the console says is collected. */
export async function openPage(
  browser: Browser,
  { url }: Pick<ServedPage, 'url'>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visit> {
  const context = await openContext(browser, { viewport: { width: 1280, height: 800 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { context, page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens the first address of a page and waits for its first logs. */
export async function visit(...given: Parameters<typeof openPage>): Promise<Visit> {
  const opened = await openPage(...given);
  await counted(opened.page);
  return opened;
}

/** Waits until the logs of the query are counted and the first are there. */
export async function counted(page: Page): Promise<string> {
  const count = page.locator('.results-count', { hasText: /\d/ });
  await count.waitFor();
  return (await count.textContent()) ?? '';
}

/** Writes a query and searches for it. */
export async function search(page: Page, query: string): Promise<void> {
  await page.getByLabel('Query', { exact: true }).fill(query);
  await page.getByLabel('Query', { exact: true }).press('Escape');
  await page.getByLabel('Query', { exact: true }).press('Enter');
}

/** Violations of the rules of accessibility on a page as it is. */
export async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ": " + html.slice(0, 200) + " " + (any[0]?.message ?? ""))))',
  );
}

/** True if a page is wider than its window. */
export async function isTooWide(page: Page): Promise<boolean> {
  return 0 < Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
}
