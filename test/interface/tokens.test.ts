import { describe, expect, test } from 'vitest';
import { readJob, submitExport } from '../../src/client/exports.ts';
import { fetchToken } from '../../src/client/sign-in.ts';
import { readUpgradeStatus, upgradeTokenLife } from '../../src/client/upgrades.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { admin, postForm, startRunning, tokenOf } from './running.ts';

describe('tokens', () => {
  const operations = [
    'logs/export',
    'jobs/j1',
    'uploads/upload',
    'uploads/i1',
    'uploads/i1/download',
    'system/deployments/properties',
    'system/deployments/properties/x',
    'system/deployments/properties/x/edit',
    'system/upgrades',
    'system/upgrades/available',
    'system/upgrades/getUpgradeSettings',
    'system/upgrades/checkRollback',
    'system/upgrades/upgrade',
  ];

  test.each(operations)('%s requires one in the body, and the privilege that goes with it', async (path) => {
    await using running = await startRunning();
    const address = `${running.client.addresses.root}/${path}`;
    expect(await postForm(address, {})).toMatchObject({ error: { code: 499 } });
    expect(await postForm(address, { token: 'invented' })).toMatchObject({ error: { code: 498 } });
    const guest = await tokenOf(running, { username: 'guest', password: 'a guest is welcome' });
    expect(await postForm(address, { token: guest })).toMatchObject({ error: { code: 403 } });
    const token = await tokenOf(running);
    const reply = JSON.stringify(await postForm(address, { token }));
    for (const code of ['498', '499', '403']) expect(reply).not.toContain(`"code":${code}`);
  });
});

describe('signing in and out', () => {
  test('a token that lives too short for a long job is renewed before it, and only then', async () => {
    await using running = await startRunning();
    let signIns = 0;
    const transport = async (request: Request) => {
      if (request.url.endsWith('generateToken')) signIns += 1;
      return fetch(request);
    };
    await using client = running.open({
      credentials: { kind: 'password', ...admin, minutes: 400 },
      transport,
    });
    await client.signIn();
    await client.signIn({ atLeast: upgradeTokenLife });
    expect(signIns).toBe(1);
    running.wait(60 * 60_000);
    await client.signIn();
    expect(signIns).toBe(1);
    await client.signIn({ atLeast: upgradeTokenLife });
    expect(signIns).toBe(2);
  });

  test('signing out ends the token at the deployment', async () => {
    await using running = await startRunning();
    const token = await tokenOf(running);
    await using client = running.open({ credentials: { kind: 'token', token } });
    expect(await readUpgradeStatus(client)).toMatchObject({ state: 'no_upgrade' });
    expect(await client.signOut()).toBe(true);
    expect(await client.signOut()).toBe(false);
    expect(await postForm(client.addresses.upgrades, { token })).toMatchObject({ error: { code: 498 } });
  });

  test('after signing out a user is signed in anew by the next call', async () => {
    await using running = await startRunning();
    expect(await running.client.signOut()).toBe(false);
    await readUpgradeStatus(running.client);
    expect(await running.client.signOut()).toBe(true);
    expect(await readUpgradeStatus(running.client)).toMatchObject({ state: 'no_upgrade' });
  });

  test('a token can be got to be kept, with the referer that it is bound to', async () => {
    await using running = await startRunning();
    const { addresses } = running.client;
    const asked = Date.now();
    const kept = await fetchToken({ addresses, credentials: { kind: 'password', ...admin, minutes: 30 } });
    expect(kept).toEqual({ token: expect.any(String), expires: expect.any(Number), referer: addresses.root });
    expect(kept.expires - 30 * 60_000).toBeGreaterThanOrEqual(asked);
    // The common clock goes on when the client waits.
    expect(kept.expires - 31 * 60_000).toBeLessThan(Date.now());
    await using client = running.open({ credentials: { kind: 'token', ...kept } });
    expect(await readUpgradeStatus(client)).toMatchObject({ state: 'no_upgrade' });
    await expect(
      fetchToken({ addresses, credentials: { kind: 'password', username: 'admin', password: 'wrong' } }),
    ).rejects.toMatchObject({ code: 'REFUSED_LOGIN' });
  });

  test('tokens that someone else keeps are asked for again when one is refused', async () => {
    await using running = await startRunning({
      faults: [{ on: 'upgrades', skip: 1, times: 1, effect: 'expireTokens' }],
    });
    let supplied = 0;
    const supply = async () => {
      supplied += 1;
      return tokenOf(running);
    };
    await using client = running.open({ credentials: { kind: 'supplied', supply } });
    for (let count = 0; count < 3; count += 1) await readUpgradeStatus(client);
    expect(supplied).toBe(2);
    await using stubborn = running.open({
      credentials: { kind: 'supplied', supply: async () => 'always the same' },
    });
    await expect(readUpgradeStatus(stubborn)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(await client.signOut()).toBe(false);
  });

  test.each([
    ['that does not know how', { on: 'revokeToken', effect: 'status', status: 404 }],
    ['that shows a page', { on: 'revokeToken', effect: 'page' }],
    ['that cannot be reached', { on: 'revokeToken', effect: 'reset' }],
  ] as const)('a deployment %s leaves the token to its end', async (_, fault) => {
    await using running = await startRunning({ faults: [fault] });
    await running.client.signIn();
    expect(await running.client.signOut()).toBe(false);
  });
});

test('a job belongs to whoever may see it', async () => {
  await using running = await startRunning();
  const { jobsUrl } = await submitExport(running.client, newestLogsRequest);
  await using guest = running.open({
    credentials: { kind: 'password', username: 'guest', password: 'a guest is welcome' },
  });
  await expect(readJob(guest, jobsUrl)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
