import { afterAll, expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { servePage } from '../ui/serving.ts';
import { violations, visit } from './case-page.ts';
import { openChromium } from './chromium.ts';

const opened = await openChromium();

if ('missing' in opened) {
  test(`the SQL of the page is left out: ${opened.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => opened.close());
  test('a statement is completed by keys, and its result drawn', async () => {
    await using served = await servePage(incidentLogs({ count: 500 }));
    const { context, page, complaints } = await visit(opened, served);
    await page.goto(`${served.origin}/?view=sql`);
    const field = page.getByRole('textbox', { name: 'SQL' });
    await field.fill('');
    // The names of the case arrive after the view.
    const offersLogs = async () => {
      await field.fill('');
      await field.pressSequentially('SELECT * FROM l');
      return page.getByRole('option', { name: 'logs' }).count();
    };
    await expect.poll(offersLogs).toBe(1);
    await field.press('Tab');
    expect(await field.inputValue()).toBe('SELECT * FROM logs');
    await field.press('Control+z');
    expect(await field.inputValue()).not.toBe('SELECT * FROM logs');
    await field.fill('SELECT source, count(*) AS "<b>logs</b>" FROM logs GROUP BY ALL ORDER BY 2 DESC');
    await field.press('Control+Enter');
    const chart = page.getByRole('figure', { name: 'Chart of the result' });
    await chart
      .getByRole('img', { name: /^<b>logs<\/b> \d+$/ })
      .first()
      .waitFor();
    await field.fill(
      "SELECT date_trunc('hour', time) AS hour, count(*) AS logs, count(elapsed) AS measured FROM logs GROUP BY ALL",
    );
    await field.press('Control+Enter');
    await chart.getByRole('img', { name: 'logs, measured by hour' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await field.fill('SELECT 1 AS one');
    await field.press('Control+Enter');
    await chart.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await context.close();
  });
}
