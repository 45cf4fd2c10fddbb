import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { ServedPage } from '../ui/serving.ts';

/** A page of the browser at the first address; what it complains of is collected. */
export async function visit(
  browser: Browser,
  { url }: ServedPage,
  options: Parameters<Browser['newContext']>[0] = {},
) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await counted(page);
  return { context, page, complaints };
}

/** Waits until the logs of the query are counted and the first are there. */
export async function counted(page: Page): Promise<string> {
  const count = page.locator('.results-count', { hasText: /\d/ });
  await count.waitFor();
  return (await count.textContent()) ?? '';
}

/** Searches for a query. */
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
