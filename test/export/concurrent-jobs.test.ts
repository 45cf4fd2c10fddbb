import { expect, test } from 'vitest';
import { openClient } from '../../src/client/client.ts';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import { addressesFor, noPause } from '../client/deployment.ts';
import { rounds, sampled } from '../effort.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf, transportTo } from './exporting-windows.ts';

test.each(sampled(['auto', 4] as const, 1))(
  'an export by %s jobs keeps all logs when the deployment is overloaded',
  async (jobs) => {
    const logs = burstyLogs(rounds(400, 200));
    await using setting = await startWindows({
      logs,
      cap: 60,
      faults: [{ on: 'job', skip: 2, every: 5, effect: 'status', status: 503 }],
    });
    const result = await exportWindows({ ...setting, order: setting.order(), jobs });
    expect(result).toMatchObject({ logs: logs.length, complete: true });
    expect(setting.client.overloads()).toBeGreaterThan(0);
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  },
);

test('the rate holds for all jobs together, sign-ins and repetitions among the requests', async () => {
  const logs = burstyLogs(200, { spread: 0.4 });
  await using setting = await startWindows({
    logs,
    cap: 60,
    faults: [{ on: 'job', every: 4, effect: 'status', status: 503 }],
  });
  const { clock } = setting;
  const sent: number[] = [];
  const client = openClient({
    addresses: addressesFor(`https://gis.example.com${setting.deployment.paths.context}`),
    transport: transportTo(setting.deployment, () => sent.push(clock.now())),
    credentials: { kind: 'password', ...setting.deployment.account },
    clock,
    retry: noPause,
    maxRate: 2,
  });
  await exportWindows({ ...setting, client, order: setting.order(), jobs: 4 });
  expect(sent.length).toBeGreaterThan(20);
  const spans = sent.slice(10).map((time, index) => time - (sent[index] ?? 0));
  // Ten requests after any one take five seconds at least.
  expect(Math.min(...spans)).toBeGreaterThanOrEqual(10 * 500);
});
