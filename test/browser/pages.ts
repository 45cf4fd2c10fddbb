import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { createDeployment, type DeploymentOptions } from '../../src/emulator/deployment.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { openContext } from './chromium.ts';

export const admin = { username: 'admin', password: 'correct horse battery staple' };

/** A deployment that listens, and a page of a browser of its own in which nobody is signed in yet. */
export interface Visit extends AsyncDisposable {
  /** The address of the deployment. */
  readonly url: string;
  readonly page: Page;
  /** Complaints of the browser, such as content that the security policy blocks. */
  readonly complaints: readonly string[];
}

/** Starts both. Scripts of pages do not run, as the pages have to do without. */
export async function visit(browser: Browser, options: DeploymentOptions = {}): Promise<Visit> {
  const deployment = await createDeployment({ users: [admin], ...options });
  const served = await serveDeployment(deployment);
  const context = await openContext(browser, { javaScriptEnabled: false });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  const close = async () => {
    await context.close();
    await served.close();
    await deployment[Symbol.asyncDispose]();
  };
  return { url: served.url, page, complaints, [Symbol.asyncDispose]: close };
}

/** Signs in by the link at the top of a page, and is back at that page. */
export async function signIn(page: Page, { username, password }: typeof admin = admin): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('username').fill(username);
  await page.getByLabel('password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(`Signed in as ${username}`).waitFor();
}

/** The text of an element, once it is there. */
export async function textOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? '';
}

/** The cells of the row that a word heads. */
export function row(page: Page, name: string): Locator {
  return page.locator('tr', { has: page.locator(`:scope > th:text-is("${name}")`) }).locator(':scope > td');
}

/** Expects that a page breaks no rule of accessibility and is not wider than its window. */
export async function checkAppearance(context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(axe.source);
  const broken = await page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))',
  );
  const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect({ address, broken, tooWide: Number(width) > 0 }).toEqual({ address, broken: [], tooWide: false });
  await page.close();
}
