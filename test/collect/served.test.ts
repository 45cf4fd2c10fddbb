import { expect, test } from 'vitest';
import { readCollectConfiguration } from '../../src/collect/configuration.ts';
import { serveCollector } from '../../src/collect/serve.ts';
import { lockSource } from '../../src/collect/store.ts';
import { hour, simulate, steadyLogs } from './simulated-deployment.ts';

const start = Date.parse('2026-11-23T12:00:00Z');

test('the state is served; a second collector is told who has the source', async () => {
  await using simulated = await simulate({
    start,
    entries: steadyLogs(start - hour, { count: 60, step: 60_000 }),
    source: { backfill: '1h' },
  });
  const { store } = simulated;
  const read = readCollectConfiguration(
    JSON.stringify({ store, sources: { gis: { url: 'http://gis.test/gis', interval: '1h' } } }),
    `${store}/collect.json`,
  );
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const { configuration } = read;
  await using served = await serveCollector(() => configuration, {
    host: '127.0.0.1',
    port: 0,
    now: simulated.clock.now,
  });
  const get = async (path: string) => {
    const response = await fetch(served.url + path);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.text(),
    };
  };
  expect(await get('/healthz')).toMatchObject({ status: 200, body: 'ok\n' });
  expect(await get('/readyz')).toMatchObject({ status: 503, body: 'gis: behind or incomplete\n' });
  {
    await using _lock = await lockSource(store, 'gis');
    await simulated.turn();
    await expect(lockSource(store, 'gis')).rejects.toMatchObject({
      code: 'SOURCE_LOCKED',
      message: expect.stringContaining(`is collected by process ${process.pid} on `),
    });
  }
  expect(await get('/readyz')).toMatchObject({ status: 200 });
  expect(await get('/metrics')).toMatchObject({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
    body: expect.stringContaining('logquarry_collect_turns_total{source="gis"} 1\n'),
  });
  simulated.time += 4 * hour;
  expect(await get('/readyz')).toMatchObject({ status: 503 });
  expect(await get('/')).toMatchObject({ status: 404 });
  expect((await fetch(served.url, { method: 'POST' })).status).toBe(405);
});
