import { describe, expect, test } from 'vitest';
import {
  everything,
  fetchToken,
  getTokenServiceUrl,
  readJob,
  readPropertyTemplates,
  readUpgradeStatus,
  requiresTokens,
  submitExport,
  upgradeTokenLife,
} from '../../src/client/index.ts';
import { deploymentVersions } from '../../src/emulator/index.ts';
import { formBody } from '../emulator/calls.ts';
import { admin, postForm, startRunning, tokenOf } from './running.ts';

describe('tokens (section 5)', () => {
  test('the catalog says whether they are required and where they are given', async () => {
    await using running = await startRunning();
    await using anonymous = running.open({ credentials: { kind: 'none' } });
    expect(await requiresTokens(anonymous)).toBe(true);
    const service = await getTokenServiceUrl(anonymous);
    const { username, password } = admin;
    expect(await postForm(service, { username, password, client: 'requestip' })).toMatchObject({
      token: expect.any(String),
      expires: expect.any(Number),
    });
  });

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
    const kept = await fetchToken({ addresses, credentials: { kind: 'password', ...admin, minutes: 30 } });
    expect(kept).toEqual({ token: expect.any(String), expires: expect.any(Number), referer: addresses.root });
    expect(Math.abs(kept.expires - Date.now() - 30 * 60_000)).toBeLessThan(10_000);
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

describe('versions (section 9)', () => {
  test('the deployment can begin as each of them', () => {
    expect(deploymentVersions).toEqual(['10.9', '10.9.1', '11.0', '11.1', '11.2', '11.3']);
  });

  const has = {
    'logs/export': '11.0',
    'system/deployments/properties': '10.9',
    'system/upgrades/getUpgradeSettings': '11.0',
    'system/upgrades/checkRollback': '10.9',
    'system/upgrades/upgrade': '10.9',
  };

  test.each(['10.9', '10.9.1', '11.0', '11.3'])(
    'a deployment of version %s has what that version brought',
    async (version) => {
      await using running = await startRunning({ version });
      const token = await tokenOf(running);
      for (const [path, since] of Object.entries(has)) {
        const response = await fetch(`${running.client.addresses.root}/${path}`, {
          method: 'POST',
          body: formBody(path, { token, f: 'json' }),
        });
        const known = deploymentVersions.indexOf(since) <= deploymentVersions.indexOf(version);
        expect([path, response.status]).toEqual([path, known ? 200 : 404]);
      }
    },
  );

  test('templates have what their version knows', async () => {
    for (const [version, scalingMode, placement, webhooks] of [
      ['10.9.1', false, false, false],
      ['11.0', true, false, true],
      ['11.2', true, true, true],
    ] as const) {
      await using running = await startRunning({ version });
      const templates = await readPropertyTemplates(running.client);
      expect(templates.some(({ spec }) => spec.replicas?.scalingMode !== undefined)).toBe(scalingMode);
      expect(templates.some(({ podPlacementPolicy }) => podPlacementPolicy !== undefined)).toBe(placement);
      expect(templates.some(({ type }) => type === 'WebhookProcessor')).toBe(webhooks);
    }
  });

  test('another version is refused when the deployment is started', async () => {
    await expect(startRunning({ version: '9.3' })).rejects.toThrow('not "9.3"');
  });
});

test('a job belongs to whoever may see it', async () => {
  await using running = await startRunning();
  const { jobsUrl } = await submitExport(running.client, everything);
  await using guest = running.open({
    credentials: { kind: 'password', username: 'guest', password: 'a guest is welcome' },
  });
  await expect(readJob(guest, jobsUrl)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
