import { describe, expect, test } from 'vitest';
import { findWindows } from '../../src/case/contents/exports.ts';
import { servedLogs, startAwkward } from './awkward-export.ts';
import { type AwkwardOptions, counted, ordered, rules } from './awkward-server.ts';

const logs = servedLogs(60);
const now = (logs.at(-1)?.time ?? 0) + 3_600_000;
const rule = rules(ordered('as asked'), counted());
const start = (more: Partial<AwkwardOptions>) => startAwkward({ logs, rule, now, ...more });

describe('a deployment that names other addresses', () => {
  test('with a user and a password keeps them to itself', async () => {
    await using setting = await start({ base: 'https://robot:hunter2@gis.example.com/arcgis/admin' });
    expect(await setting.run()).toMatchObject({ complete: true, lost: 0 });
    expect(JSON.stringify(await findWindows(setting.options.into))).not.toContain('hunter2');
  });

  test('that cannot be reached, of another context, is asked at its own', async () => {
    const instead = ({ hostname }: URL) => (hostname === 'node-3.internal' ? lost() : undefined);
    await using setting = await start({ base: 'https://node-3.internal:7443/gis/admin', instead });
    expect(await setting.run()).toMatchObject({ complete: true, lost: 0 });
  });

  test('that refuse a token are tried without one', async () => {
    let refused = 0;
    await using setting = await start({
      instead: (url, _, form) => {
        if (!url.pathname.includes('/uploads/')) return undefined;
        if (!form.has('token') && url.pathname.endsWith('/download')) return undefined;
        refused += 1;
        return Response.json({ error: { code: 400, message: 'No more than one permission.', details: [] } });
      },
      uploadPath: '/download',
    });
    expect(await setting.run()).toMatchObject({ complete: true, lost: 0 });
    expect(refused).toBeGreaterThan(0);
  });
});

function lost(): Response {
  throw new Error('An internal host was asked');
}

describe('a deployment that restarts', () => {
  const restarting = (url: URL, request: number) =>
    8 < request && request < 60 && url.pathname.includes('/admin')
      ? new Response('Service Unavailable', { status: 503 })
      : undefined;

  test('for a minute is waited for', async () => {
    await using setting = await startAwkward({ logs, rule, now, instead: restarting }, { patience: 300_000 });
    expect(await setting.run()).toMatchObject({ complete: true, lost: 0 });
  });

  test('is given up after the time that patience names', async () => {
    const instead = (url: URL, request: number) => (8 < request ? restarting(url, 10) : undefined);
    await using setting = await startAwkward({ logs, rule, now, instead }, { patience: 20_000 });
    const { gaps } = await setting.run();
    expect(gaps).toMatchObject([{ kind: 'failed', reason: expect.stringContaining('503') }]);
    expect(setting.server.requests()).toBeLessThan(200);
  });
});

test('a text beside the logs in every zip is no missing log', async () => {
  const manifest = {
    name: 'manifest.json',
    text: JSON.stringify({ version: '11.3', created: 1_700_000_000, files: 1 }),
  };
  await using setting = await start({
    entries: [manifest, { name: 'checksums.sha256', text: `${'a'.repeat(64)}  logs.ndjson\n` }],
  });
  const result = await setting.run();
  expect([result.complete, result.lost, result.extra, result.gaps]).toEqual([true, 0, 0, []]);
});
