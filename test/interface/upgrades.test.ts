import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { openNetwork } from '../../src/client/network.ts';
import {
  getUpgradeSettings,
  readAvailableUpdates,
  readUpgradeStatus,
  startUpgrade,
  type UpgradeEvent,
  watchUpgrade,
} from '../../src/client/upgrades.ts';
import { uploadFile } from '../../src/client/uploads.ts';
import type { DeploymentOptions } from '../../src/emulator/deployment.ts';
import type { Fault } from '../../src/emulator/operation.ts';
import { checkSettings, withLicense } from '../../src/protocol/check-settings.ts';
import {
  progressOf,
  type Update,
  type UpgradeStatus,
  upgradeMessageCodes,
} from '../../src/protocol/upgrades.ts';
import type { NamedFile } from '../../src/protocol/uploads.ts';
import { guest, postForm, startRunning, tokenOf } from './running.ts';

const license: NamedFile = {
  name: 'license.json',
  bytes: new TextEncoder().encode('{"edition":"standard"}'),
};

/** The update of a kind that is available. */
async function updateOf(client: Client, kind: 'release' | 'patch'): Promise<Update> {
  const found = (await readAvailableUpdates(client)).find(({ type }) => type === kind);
  if (!found) throw new Error(`There is no ${kind}`);
  return found;
}

/** Everything that is seen of an upgrade. */
async function watched(client: Client): Promise<readonly UpgradeEvent[]> {
  const events: UpgradeEvent[] = [];
  for await (const event of watchUpgrade(client)) events.push(event);
  return events;
}

function endOf(events: readonly UpgradeEvent[]): UpgradeStatus {
  const last = events.at(-1);
  if (last?.kind !== 'ended') throw new Error('The upgrade did not end');
  return last.status;
}

const start = (version: string, options: DeploymentOptions = {}) => startRunning({ version, ...options });

describe('an upgrade', () => {
  test('before any, the state is "no_upgrade"', async () => {
    await using running = await start('11.2');
    expect(await readUpgradeStatus(running.client)).toEqual({ state: 'no_upgrade', code: 0, messages: [] });
    expect((await watched(running.client)).map(({ kind }) => kind)).toEqual(['ended']);
  });

  test('by a release runs through its messages to success', async () => {
    await using running = await start('11.0');
    const { client } = running;
    const { id } = await updateOf(client, 'release');
    const given = await getUpgradeSettings(client, id);
    const upload = await uploadFile(client, license, { description: 'for 11.1' });
    const settings = withLicense(given, upload.itemID);
    expect(checkSettings(settings, given)).toEqual([]);

    const started = await startUpgrade(client, { id, settings });
    expect(started).toMatchObject({ state: 'in_progress', code: 1 });
    expect(started.messages[0]).toMatchObject({
      code: 2010,
      message: 'Upgrade process started from version 11.0.3150 to version 11.1.3495.',
    });

    const events = await watched(client);
    const status = endOf(events);
    expect(status).toMatchObject({ state: 'success', code: 3 });
    const codes = status.messages.map(({ code }) => code);
    for (const code of codes) expect(upgradeMessageCodes).toHaveProperty(String(code));
    expect(codes.slice(-3)).toEqual([2166, 2011, 2012]);
    // All codes of section 2.8 but those of a patch.
    const patchOnly = [2173, 2291];
    expect([...new Set(codes)].toSorted()).toEqual(
      Object.keys(upgradeMessageCodes)
        .map(Number)
        .filter((code) => !patchOnly.includes(code)),
    );
    expect(status.messages.map(({ when }) => when)).toEqual(
      status.messages.map(({ when }) => when).toSorted(),
    );
    expect(progressOf(status)).toMatchObject({
      stage: 'succeeded',
      counted: { done: 9, of: 9 },
      readOnly: false,
    });
    expect(events.filter(({ kind }) => kind === 'message')).toHaveLength(status.messages.length);
    expect((await updateOf(client, 'release')).version).toBe('11.2');
  });

  test('by a patch counts its modules', async () => {
    await using running = await start('11.2');
    const { client } = running;
    const { id } = await updateOf(client, 'patch');
    await startUpgrade(client, { id });
    const { messages } = endOf(await watched(client));
    expect(messages.filter(({ code }) => code === 2173).map(({ message }) => message)).toEqual(
      [1, 2, 3, 4, 5].map((done) => `${done} out of 5 deployments updated.`),
    );
    expect((await readAvailableUpdates(client)).some((update) => update.id === id)).toBe(false);
  });

  test('requires the privilege', async () => {
    await using running = await start('11.2');
    await using client = running.open({ credentials: { kind: 'password', ...guest } });
    const { id } = await updateOf(running.client, 'patch');
    await expect(startUpgrade(client, { id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(uploadFile(client, license)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('an upgrade is never submitted twice', () => {
  const cases: [string, Fault][] = [
    ['the connection breaks after it was accepted', { on: 'upgrade', effect: 'loseAnswer' }],
    [
      'the resource does not answer for a while either',
      { on: 'upgrades', skip: 1, times: 3, effect: 'status', status: 503 },
    ],
  ];

  test.each(cases)('when %s, it is found', async (_, fault) => {
    const lost: Fault = { on: 'upgrade', effect: 'loseAnswer' };
    await using running = await start('11.2', {
      faults: [lost, fault],
      upgradePace: { release: 3_600_000, patch: 3_600_000 },
    });
    let submitted = 0;
    await using network = openNetwork();
    const transport = async (request: Request) => {
      if (request.url.endsWith('/upgrade')) submitted += 1;
      return network.send(request);
    };
    await using client = running.open({ transport });
    const status = await startUpgrade(client, { id: (await updateOf(client, 'patch')).id });
    expect(status).toMatchObject({ state: 'in_progress', code: 1 });
    expect(submitted).toBe(1);
  });

  test('when nothing shows, the error says that it is not known', async () => {
    const faults: Fault[] = [
      { on: 'upgrade', effect: 'reset' },
      { on: 'upgrades', skip: 1, effect: 'status', status: 503 },
    ];
    await using running = await start('11.2', { faults });
    const { id } = await updateOf(running.client, 'patch');
    await expect(startUpgrade(running.client, { id })).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('Whether the upgrade has started is not known'),
    });
  });

  test('a gateway that gives up waiting is no proof either', async () => {
    await using running = await start('11.2', { faults: [{ on: 'upgrade', effect: 'status', status: 504 }] });
    const { id } = await updateOf(running.client, 'patch');
    await expect(startUpgrade(running.client, { id })).rejects.toMatchObject({
      code: 'SERVER_ERROR',
      message: expect.stringContaining('Whether the upgrade has started is not known'),
    });
  });
});

describe('watching', () => {
  test('goes on after the deployment was away, and tells every message once', async () => {
    await using running = await start('11.2', { upgradePace: { release: 3_600_000, patch: 3_600_000 } });
    const { client } = running;
    await startUpgrade(client, { id: (await updateOf(client, 'patch')).id });
    const events: UpgradeEvent[] = [];
    for await (const event of watchUpgrade(client, { pause: 20_000 })) events.push(event);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'lost')).toHaveLength(1);
    expect(kinds.indexOf('found')).toBeGreaterThan(kinds.indexOf('lost'));
    expect(events.find(({ kind }) => kind === 'lost')).toMatchObject({ error: { code: 'SERVER_ERROR' } });
    const { messages } = endOf(events);
    expect(events.filter((event) => event.kind === 'message').map(({ message }) => message)).toEqual(
      messages,
    );
  });

  test('goes on after tokens have ended', async () => {
    const faults: Fault[] = [{ on: 'upgrades', skip: 3, times: 1, effect: 'expireTokens' }];
    await using running = await start('11.2', { faults });
    await startUpgrade(running.client, { id: (await updateOf(running.client, 'patch')).id });
    expect(endOf(await watched(running.client)).state).toBe('success');
  });

  test('gives up where there is no answer for longer than allowed', async () => {
    await using running = await start('11.2', {
      faults: [{ on: 'upgrades', effect: 'status', status: 503 }],
    });
    const before = Date.now();
    const watching = (async () => {
      for await (const event of watchUpgrade(running.client, { patience: 600_000 })) void event;
    })();
    await expect(watching).rejects.toMatchObject({ code: 'SERVER_ERROR' });
    expect(Date.now() - before).toBeLessThan(600_000);
  });

  test('ends with the reason of the signal', async () => {
    await using running = await start('11.2', { upgradePace: { release: 3_600_000, patch: 3_600_000 } });
    const { client } = running;
    await startUpgrade(client, { id: (await updateOf(client, 'patch')).id });
    const stop = new AbortController();
    const watching = (async () => {
      for await (const event of watchUpgrade(client, { signal: stop.signal }))
        if (event.kind === 'status') stop.abort('enough');
    })();
    await expect(watching).rejects.toBe('enough');
  });
});

describe('uploads', () => {
  test('are described and hold what was sent', async () => {
    await using running = await start('11.2');
    const { client } = running;
    const item = await uploadFile(client, license, { description: 'a "license"' });
    const token = await tokenOf(running);
    const address = `${client.addresses.root}/uploads/${item.itemID}`;
    expect(await postForm(address, { token })).toMatchObject({
      itemID: item.itemID,
      itemName: 'license.json',
      description: 'a "license"',
      committed: true,
      size: license.bytes.length,
    });
    const response = await fetch(`${address}/download`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(license.bytes);
  });
});
