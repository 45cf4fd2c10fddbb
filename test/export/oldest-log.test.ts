import { expect, test } from 'vitest';
import { findExports } from '../../src/case/contents/exports.ts';
import { openClient } from '../../src/client/client.ts';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import { addressesFor, noPause } from '../client/deployment.ts';
import { burstyLogs, startWindows } from './exporting-windows.ts';

test('what other jobs observe while the oldest log is looked for stays observed', async () => {
  await using setting = await startWindows({ logs: burstyLogs(250), exports: { order: 'unsorted' } });
  const { deployment, clock, into } = setting;
  const observed = async () => (await findExports(into))[0]?.learnt;
  let release = () => {};
  const othersLoaded = new Promise<void>((resolve) => {
    release = resolve;
  });
  let before: Awaited<ReturnType<typeof observed>>;
  const transport = async (request: Request) => {
    if (!request.url.endsWith('/logs/export')) return deployment.fetch(request);
    const body = await request.text();
    // A single log is asked for to find the oldest: the first time it comes after other windows.
    if (new URLSearchParams(body).get('num') === '1' && before === undefined) {
      before = await observed();
      await othersLoaded;
    }
    const { url, method, headers } = request;
    return deployment.fetch(new Request(url, { method, headers, body }));
  };
  const addresses = addressesFor(`https://gis.example.com${deployment.paths.context}`);
  const credentials = { kind: 'password', ...deployment.account } as const;
  await using client = openClient({ addresses, transport, clock, retry: noPause, credentials });
  let loaded = 0;
  const seen: string[][] = [];
  let reading = Promise.resolve();
  await exportWindows({
    ...setting,
    client,
    order: setting.order(),
    jobs: 4,
    onProgress: (each) => {
      // One after the other, so that each is as old as the one before, or newer.
      reading = reading.then(async () => {
        seen.push(Object.keys((await observed()) ?? {}));
      });
      if (each.event === 'window' && each.state === 'loaded') loaded += 1;
      if (loaded === 2) release();
    },
  });
  expect(before).not.toHaveProperty('cap');
  await reading;
  expect(seen.at(-1)).toEqual(expect.arrayContaining(['begins', 'cap']));
  for (const [index, keys] of seen.slice(1).entries())
    expect(keys).toEqual(expect.arrayContaining(seen[index] ?? []));
});
