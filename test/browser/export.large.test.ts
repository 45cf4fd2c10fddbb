import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../src/database/files.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { password, runDeployment } from '../e2e/deployment.ts';
import { serveFolder } from '../ui/serving.ts';
import { counted, isTooWide, openPage, violations } from './case-page.ts';
import { openChromium } from './chromium.ts';

const opened = await openChromium();

if ('missing' in opened) {
  test(`exports from the page in a browser are left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  describe('an export from the page', () => journeys(opened));
}

/** A page in a browser whose profile "gis" is for a deployment that is slow after its third job. */
async function openWithDeployment(browser: Browser) {
  const folder = await makeTemporaryFolder();
  const deployment = await runDeployment({
    logs: incidentLogs({ count: 600 }),
    pace: { queued: 0, running: 0, perLog: 0 },
    exports: { silentCap: 300 },
    faults: [
      { on: 'exportLogs', skip: 1, times: 1, effect: 'status', status: 503, retryAfter: 0 },
      { on: 'exportLogs', skip: 4, times: 2, effect: 'delayJob', milliseconds: 4000 },
    ],
  });
  const profiles = join(folder, 'settings/logquarry/profiles');
  await mkdir(profiles, { recursive: true });
  const profile = { url: deployment.url, user: 'ann', password };
  await writeFile(join(profiles, 'gis.json'), JSON.stringify(profile), { mode: 0o600 });
  const environment = { XDG_CONFIG_HOME: join(folder, 'settings') };
  const served = await serveFolder({ folder, environment });
  const visited = await openPage(browser, served);
  return {
    ...visited,
    tokens: deployment.tokens,
    async [Symbol.asyncDispose]() {
      await visited[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
      await deployment[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function journeys(browser: Browser): void {
  test('is started, watched, stopped, resumed and looked at, and no secret reaches the page', async () => {
    await using here = await openWithDeployment(browser);
    const { page, tokens, complaints } = here;
    const bodies: string[] = [];
    page.on('response', async (response) => {
      bodies.push(await response.text().catch(() => ''));
    });
    await page.getByRole('button', { name: 'Start an export' }).click();
    const form = page.getByRole('form', { name: 'Order an export' });
    await form.getByLabel('From').fill('someday');
    await form.getByRole('button', { name: 'Start the export' }).click();
    await page.getByText(/error: --from .*someday/).waitFor();
    await form.getByLabel('From').fill('');
    await form.getByRole('textbox', { name: 'To' }).fill('2025-03-12T12:00');
    await form.getByLabel('Level').selectOption('DEBUG');
    await form.getByLabel('Into the case').fill('brought');
    await form.getByRole('button', { name: 'Start the export' }).click();
    const status = page.getByRole('region', { name: 'The last export' });
    await status.getByText('Exporting').waitFor();
    await status.getByText(/[1-9]\d* logs/).waitFor();
    await status.locator('.covered-complete').first().waitFor();
    expect([await violations(page), await isTooWide(page)]).toEqual([[], false]);
    await status.getByRole('button', { name: 'Stop' }).click();
    await status.getByText('Stopped: what came is kept').waitFor();
    await status.locator('.covered-open').first().waitFor();
    await status.getByRole('button', { name: 'Resume' }).click();
    await status.getByText('Complete: these are all requested logs').waitFor();
    await status.getByRole('button', { name: 'Show its logs' }).click();
    await page.waitForURL(/case=brought\.duckdb/);
    await expect.poll(() => counted(page)).toBe('600 logs');
    const all = bodies.join('\n') + (await page.content());
    for (const secret of ['geheim', ...tokens]) expect(all).not.toContain(secret);
    expect(complaints.filter((each) => /Content Security Policy|Refused|Error/.test(each))).toEqual([]);
  });
}
