import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { folder, start } from '../e2e/process.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { openChromium, openContext } from './chromium.ts';
import { admin, checkAppearance, row, signIn, textOf, type Visit, visit } from './pages.ts';

const opened = await openChromium();

if ('missing' in opened) {
  test(`the reference deployment in a browser is left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  describe('the reference deployment in a browser', () => journeys(opened));
}

function journeys(browser: Browser): void {
  test('from the address that "emulate" prints to a zip, and out again', async () => {
    await using here = await folder();
    const logs = resolve('samples/incident.ndjson');
    const { child, ended, printed, output } = start(['emulate', '--port', '0', '--logs', logs], {
      cwd: here.path,
    });
    await printed('Press Ctrl-C to stop it');
    const [, url = ''] = /is at (\S+) /.exec(output()) ?? [];
    const [, password = ''] = /with the password (\S+)\./.exec(output()) ?? [];
    const context = await openContext(browser, { javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    await signIn(page, { ...admin, password });

    await row(page, 'Export logs').getByRole('link').click();
    await page.getByLabel('searchQuery').fill('logLevel:SEVERE');
    await page.getByRole('button', { name: 'Export logs' }).click();
    await row(page, 'jobsUrl').getByRole('link').click();
    const job = page.url();
    await loadUntil(page, 'status', 'COMPLETED');
    const arriving = page.waitForEvent('download');
    await row(page, 'result').getByRole('link', { name: 'Download' }).click();
    const bytes = await contentOf((await arriving).createReadStream());
    expect(bytes.subarray(0, 2).toString()).toBe('PK');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    await page.goto(job);
    expect(await textOf(page.getByRole('alert'))).toContain('Token Required.');
    await signIn(page, { ...admin, password });
    expect([page.url(), await textOf(row(page, 'status'))]).toEqual([job, 'COMPLETED']);
    await context.close();
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
  });

  describe('signed in', () => {
    let there: Visit;
    beforeAll(async () => {
      there = await visit(browser, { logs: incidentLogs({ count: 200 }) });
      await there.page.goto(there.url);
      await signIn(there.page);
    });
    afterAll(() => there[Symbol.asyncDispose]());

    test.each(sampled(['html', 'json', 'pjson'], 1))('the forms are answered as %s', async (f) => {
      const { page, url } = there;
      await page.goto(`${url}/admin/logs/export`);
      expect(await send(page, 'Export logs', f)).toContain('SUBMITTED');
      await page.goto(`${url}/admin/uploads/upload`);
      await page.getByLabel('itemFile').setInputFiles(file('a.json', '{}'));
      expect(await send(page, 'Upload a file', f)).toContain('a.json');
      await page.goto(`${url}/admin/system/upgrades/checkRollback`);
      expect(await send(page, 'Check rollback', f)).toContain('updates');
      await page.goto(`${url}/admin/system/upgrades?f=${f}`);
      expect(await textOf(page.locator('body'))).toContain('no_upgrade');
    });

    largeTest('an upload leads to its page and its bytes', async () => {
      const { page, url } = there;
      await page.goto(url);
      await row(page, 'Upload a file').getByRole('link').click();
      await page.getByLabel('itemFile').setInputFiles(file('license <1>.json', '{"license":1}'));
      await page.getByLabel('description').fill('for 11.3');
      await page.getByRole('button', { name: 'Upload a file' }).click();
      await row(page, 'itemID').getByRole('link').click();
      expect(await textOf(row(page, 'itemName'))).toBe('license <1>.json');
      const arriving = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download' }).click();
      const download = await arriving;
      expect((await contentOf(download.createReadStream())).toString()).toBe('{"license":1}');
    });

    test('a template leads to a form that holds it; a refused edit keeps what was typed', async () => {
      const { page, url } = there;
      await page.goto(`${url}/admin`);
      await row(page, 'Default properties').getByRole('link').click();
      const gp = page.getByRole('row').filter({ hasText: 'GPServer' }).filter({ hasText: 'Dedicated' });
      await gp.getByRole('link', { name: 'Edit default properties' }).click();
      const field = page.getByLabel('propertyJson');
      const before = await field.inputValue();
      const replicas = (min: number, max: number) =>
        before.replace('"min": 1', `"min": ${min}`).replace('"max": 1', `"max": ${max}`);
      await field.fill(replicas(3, 2));
      await page.getByRole('button', { name: 'Edit default properties' }).click();
      expect(await textOf(page.getByRole('alert'))).toContain('Invalid parameters.');
      expect(await field.inputValue()).toBe(replicas(3, 2));
      await field.fill(replicas(3, 3));
      await page.getByRole('button', { name: 'Edit default properties' }).click();
      expect(await textOf(row(page, 'status'))).toBe('success');
      await page.getByRole('link', { name: 'Default properties of a microservice' }).click();
      expect(await textOf(row(page, 'min'))).toBe('3');
    });

    largeTest('what is not there and what is too large have a way back', async () => {
      const { page, url } = there;
      await page.goto(`${url}/admin/nothing`);
      expect(await textOf(page.getByRole('alert'))).toContain('no operation or resource at this address');
      await page.getByRole('main').getByRole('link').click();
      await row(page, 'Upload a file').getByRole('link').click();
      await page.getByLabel('itemFile').setInputFiles(file('large.json', 'a'.repeat(1_200_000)));
      await page.getByRole('button', { name: 'Upload a file' }).click();
      expect(await textOf(page.getByRole('alert'))).toContain('at most 1048576 bytes');
      await page.getByLabel('itemFile').setInputFiles(file('small.json', '{}'));
      await page.getByRole('button', { name: 'Upload a file' }).click();
      expect(await textOf(row(page, 'itemName'))).toBe('small.json');
    });

    largeTest(
      'a session that ended keeps what was typed, and the form goes on after signing in',
      async () => {
        const { page, url } = there;
        await page.goto(`${url}/admin/logs/export`);
        await page.getByLabel('searchQuery').fill('msg:"<b>" AND timeout');
        await page.context().clearCookies();
        await page.getByRole('button', { name: 'Export logs' }).click();
        expect(await textOf(page.getByRole('alert'))).toContain('Token Required.');
        const beside = page.waitForEvent('popup');
        await page.getByRole('link', { name: 'Sign in in another tab' }).click();
        const other = await beside;
        await other.getByLabel('username').fill(admin.username);
        await other.getByLabel('password').fill(admin.password);
        await other.getByRole('button', { name: 'Sign in' }).click();
        await other.getByText('Signed in as admin').waitFor();
        await other.close();
        await page.getByRole('button', { name: 'Export logs' }).click();
        expect(await textOf(page.getByRole('alert'))).toContain('send it once more');
        expect(await page.getByLabel('searchQuery').inputValue()).toBe('msg:"<b>" AND timeout');
        await page.getByRole('button', { name: 'Export logs' }).click();
        expect(await textOf(row(page, 'status'))).toBe('SUBMITTED');
      },
    );

    test.each(
      sampled(
        [
          ['light', 1000],
          ['dark', 360],
        ] as const,
        1,
      ),
    )('the pages can be read by everyone: %s, %i wide', async (colorScheme, width) => {
      const { page, url } = there;
      const storageState = await page.context().storageState();
      const viewport = { width, height: 800 };
      await using context = await openContext(browser, { storageState, colorScheme, viewport });
      await page.goto(`${url}/admin/system/deployments/properties`);
      const edit = await page
        .getByRole('link', { name: 'Edit default properties' })
        .first()
        .getAttribute('href');
      const paths = [
        '',
        '/logs/export',
        '/system/deployments/properties',
        '/login',
        '/nothing',
        '/jobs/none',
      ];
      const addresses = [...paths.map((path) => `${url}/admin${path}`), `${url}/services`];
      const all = [...addresses, new URL(edit ?? '', url).href];
      for (const each of sampled(all, 1)) await checkAppearance(context, each);
    });

    test('nothing was kept out by the content security policy', () => {
      const refused = there.complaints.filter((each) => !each.startsWith('Failed to load resource'));
      expect(refused).toEqual([]);
    });
  });

  largeTest('an upgrade by hand: available, settings, license, start, messages', async () => {
    await using there = await visit(browser, {
      version: '11.0',
      upgradePace: { release: 1200, patch: 1200 },
    });
    const { page, url } = there;
    await page.goto(`${url}/admin/system/upgrades`);
    await signIn(page);
    expect(await textOf(row(page, 'state'))).toBe('no_upgrade');
    await followRelease(page, 'Get upgrade settings');
    expect(await page.getByLabel('upgradeId').inputValue()).toBe('{"id":"rel_20062023_3480"}');
    await page.getByRole('button', { name: 'Get upgrade settings' }).click();
    expect(await textOf(page.getByRole('main'))).toContain('volumesConfig');
    await page.getByRole('main').getByRole('link', { name: 'Upgrade', exact: true }).click();
    const settings = page.getByLabel('upgradeSettings');
    expect(JSON.parse(await settings.inputValue()).userInputs[1]).toMatchObject({
      id: 'licenseUpload',
      value: '',
    });
    await page.getByRole('button', { name: 'Upgrade' }).click();
    expect(await textOf(page.getByRole('alert'))).toContain('licenseUpload');
    expect(await page.getByLabel('versionManifest', { exact: true }).inputValue()).toBe(
      '{"id":"rel_20062023_3480"}',
    );

    await page.getByRole('link', { name: 'Upload a file' }).click();
    await page.getByLabel('itemFile').setInputFiles(file('license.json', '{}'));
    await page.getByRole('button', { name: 'Upload a file' }).click();
    const id = await textOf(row(page, 'itemID'));
    await page.goto(`${url}/admin/system/upgrades`);
    await followRelease(page, 'Upgrade');
    expect(JSON.parse(await settings.inputValue()).userInputs[1]).toMatchObject({ value: id });
    await page.getByRole('button', { name: 'Upgrade' }).click();
    expect(await textOf(row(page, 'state'))).toBe('in_progress');
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Upgrades' }).click();
    await loadUntil(page, 'state', 'success');
    expect(await page.getByRole('cell', { name: '2012', exact: true }).count()).toBe(1);
  });
}

/** Goes from the upgrades resource to the available release and on by one of its links. */
async function followRelease(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Available updates' }).click();
  await page.getByRole('button', { name: 'Available updates' }).click();
  const release = page.getByRole('row').filter({ hasText: 'rel_20062023_3480' });
  await release.getByRole('link', { name, exact: true }).click();
}

/** Sends the form of a page in a format and reads what comes. */
async function send(page: Page, name: string, format: string): Promise<string> {
  await page.getByLabel('f', { exact: true }).selectOption(format);
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name }).click();
  const type = (await answered).headers()['content-type'];
  expect(type).toBe(`${format === 'html' ? 'text/html' : 'application/json'}; charset=utf-8`);
  await page.waitForLoadState();
  return textOf(page.locator('body'));
}

/** Loads a resource until a member has a value. What a proxy answers in between is no page. */
async function loadUntil(page: Page, member: string, value: string): Promise<void> {
  const address = page.url();
  const values = async () => {
    await page.goto(address);
    return row(page, member).allTextContents();
  };
  await expect.poll(values, { interval: 200 }).toEqual([value]);
}

function file(name: string, text: string) {
  return { name, mimeType: 'application/json', buffer: Buffer.from(text) };
}

async function contentOf(stream: Promise<NodeJS.ReadableStream>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
