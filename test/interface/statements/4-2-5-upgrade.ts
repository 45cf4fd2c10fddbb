import { expect } from 'vitest';
import {
  readAvailableUpdates,
  readUpgradeStatus,
  startUpgrade,
  watchUpgrade,
} from '../../../src/client/upgrades.ts';
import type { UpgradeRequest } from '../../../src/protocol/upgrades.ts';
import { settingsExample, statusExample, updateExample } from '../parties/examples.ts';
import type { IndependentDeployment } from '../parties/independent-deployment.ts';
import { type Reference, updateOf } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm, type Running } from '../running.ts';
import { byHand, client, deployment, type Section } from './statement.ts';

const path = '/admin/system/upgrades/upgrade';
const license = { name: 'license.json', bytes: new TextEncoder().encode('{"edition":"standard"}') };
const everyField: UpgradeRequest = {
  id: 'rel_1_1',
  settings: settingsExample,
  licenseFile: license,
  versionManifestFile: { name: 'manifest.json', bytes: new Uint8Array() },
  updateToLatestPatch: true,
};

/** Sends a multipart form that was put together by hand. */
async function send(running: Running, fields: Readonly<Record<string, string | File>>): Promise<unknown> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ token: await sharedToken(running), f: 'json', ...fields }))
    body.set(name, value);
  return (await fetch(`${running.client.addresses.upgrades}/upgrade`, { method: 'POST', body })).json();
}

async function fileIn(other: IndependentDeployment, field: string): Promise<readonly string[]> {
  const file = other.last(path).form.get(field);
  if (!(file instanceof File)) throw new Error(`"${field}" is no file`);
  return [file.name, await file.text()];
}

const manifest = async (reference: Reference, kind: 'release' | 'patch') =>
  JSON.stringify({ id: (await updateOf(reference, kind)).id });

const underWay = { status: { state: 'in_progress', code: 1 } };
const refused = (...details: readonly unknown[]) => ({ error: { code: 400, details } });

export const upgrade: Section = {
  number: '4.2.5',
  title: 'Upgrade',
  file: '4-2-5-upgrade.ts',
  statements: [
    {
      id: '4.2.5 versionManifest',
      says: '`versionManifest` is required, a JSON object with the string `id`',
      client: client('Sends it', async (own, other) => {
        await startUpgrade(own, { id: 'rel_1_1' });
        expect(other.last().form.get('versionManifest')).toBe('{"id":"rel_1_1"}');
      }),
      deployment: byHand('Refuses none, no JSON and no `id`', async ({ running }) => {
        for (const versionManifest of ['', 'rel_1_1', '{}', '{"id":7}'])
          expect(await send(running, { versionManifest })).toMatchObject(
            refused('"versionManifest" requires JSON with the member "id"'),
          );
        expect(await send(running, { versionManifest: '{"id":"rel_1_1"}' })).toMatchObject(
          refused('There is no available update with this identifier.'),
        );
      }),
    },
    {
      id: '4.2.5 source of versionManifest',
      says: 'The identifier is taken from the version manifest that the available operation returns',
      client: client('Reads them there', async (own) => {
        expect((await readAvailableUpdates(own)).map(({ id }) => id)).toEqual(['rel_1100_17']);
      }),
      deployment: deployment('Refuses any other', async ({ calls }) => {
        expect(await calls.available()).not.toEqual([]);
        const other = calls.upgrade({ id: 'rel_1_1' });
        await expect(other).rejects.toThrow('There is no available update with this identifier');
      }),
    },
    {
      id: '4.2.5 licenseFile',
      says: '`licenseFile` is a .json file, the license used before 11.0',
      client: client('Sends it under its name', async (own, other) => {
        await startUpgrade(own, { id: 'rel_1_1', licenseFile: license });
        expect(await fileIn(other, 'licenseFile')).toEqual(['license.json', '{"edition":"standard"}']);
        await startUpgrade(own, { id: 'rel_1_1' });
        expect(other.last(path).form.has('licenseFile')).toBe(false);
      }),
      deployment: deployment('Requires it from 10.9.1 to 11.0; refuses what is no .json', ({ alone }) =>
        alone({ version: '10.9.1' }, async (reference) => {
          const { calls } = reference;
          const { id } = await updateOf(reference, 'release');
          await expect(calls.upgrade({ id })).rejects.toThrow('"licenseFile" requires a license file');
          for (const wrong of [
            { ...license, name: 'license.txt' },
            { ...license, bytes: new TextEncoder().encode('no JSON') },
          ])
            await expect(calls.upgrade({ id, licenseFile: wrong })).rejects.toThrow('requires a .json file');
          expect(await calls.upgrade({ id, licenseFile: license })).toMatchObject({ state: 'in_progress' });
        }),
      ),
    },
    {
      id: '4.2.5 versionManifestFile',
      says: '`versionManifestFile` is a file that holds the version manifest; it may be sent empty',
      client: client('Sends it, an empty one as well, or leaves it out', async (own, other) => {
        await startUpgrade(own, everyField);
        expect(await fileIn(other, 'versionManifestFile')).toEqual(['manifest.json', '']);
        await startUpgrade(own, { id: 'rel_1_1' });
        expect(other.last(path).form.has('versionManifestFile')).toBe(false);
      }),
      deployment: byHand('Takes both files empty', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const fields = {
            versionManifest: await manifest(reference, 'patch'),
            versionManifestFile: new File([], ''),
            licenseFile: new File([], ''),
            upgradeSettings: '{}',
            updateToLatestPatch: 'true',
          };
          expect(await send(reference.running, fields)).toMatchObject(underWay);
        }),
      ),
    },
    {
      id: '4.2.5 upgradeSettings',
      says: '`upgradeSettings` is JSON with `userInputs` as `getUpgradeSettings` returned them; required for 11.0',
      client: client('Sends them', async (own, other) => {
        await startUpgrade(own, everyField);
        expect(JSON.parse(String(other.last(path).form.get('upgradeSettings')))).toEqual({
          userInputs: settingsExample,
        });
      }),
      deployment: byHand('Refuses a release without them, and what is no such JSON', async (reference) => {
        const versionManifest = await manifest(reference, 'release');
        for (const fields of [{}, { upgradeSettings: '{}' }, { upgradeSettings: '' }])
          expect(await send(reference.running, { versionManifest, ...fields })).toMatchObject(
            refused('"upgradeSettings" requires the settings of the upgrade, filled in'),
          );
        for (const upgradeSettings of ['[]', 'no', '{"userInputs":{}}'])
          expect(await send(reference.running, { versionManifest, upgradeSettings })).toMatchObject(
            refused('"upgradeSettings" requires JSON with the member "userInputs"'),
          );
      }),
    },
    {
      id: '4.2.5 upgradeSettings {}',
      says: '`upgradeSettings` may be `{}` when a license file is sent',
      client: client('Sends `{}` then', async (own, other) => {
        await startUpgrade(own, { id: 'rel_1_1', licenseFile: license });
        expect(other.last(path).form.get('upgradeSettings')).toBe('{}');
      }),
      deployment: byHand('Takes it', ({ alone }) =>
        alone({ version: '11.0' }, async (reference) => {
          const fields = {
            versionManifest: await manifest(reference, 'release'),
            upgradeSettings: '{}',
            licenseFile: new File([license.bytes], license.name),
          };
          expect(await send(reference.running, fields)).toMatchObject(underWay);
        }),
      ),
    },
    {
      id: '4.2.5 updateToLatestPatch',
      says: '`updateToLatestPatch` is a boolean as text, deprecated at 11.0',
      client: client('Sends it where it is given, and else leaves it out', async (own, other) => {
        await startUpgrade(own, { id: 'rel_1_1', updateToLatestPatch: false });
        expect(other.last(path).form.get('updateToLatestPatch')).toBe('false');
        await startUpgrade(own, { id: 'rel_1_1' });
        expect(other.last(path).form.has('updateToLatestPatch')).toBe(false);
      }),
      deployment: deployment('Heeds it before 11.0', ({ alone }) =>
        alone({ version: '10.9.1' }, async (reference) => {
          const { calls, running } = reference;
          const { id } = await updateOf(reference, 'release');
          await calls.upgrade({ id, licenseFile: license, updateToLatestPatch: false });
          running.wait(100_000);
          const patches = (await calls.available()).filter(({ type }) => type === 'patch');
          expect([patches.length, await calls.rollbackOptions()]).toEqual([1, []]);
        }),
      ),
    },
    {
      id: '4.2.5 value of updateToLatestPatch',
      says: '`updateToLatestPatch` is `true` or `false`',
      deployment: byHand('Refuses any other text', async (reference) => {
        const versionManifest = await manifest(reference, 'patch');
        expect(await send(reference.running, { versionManifest, updateToLatestPatch: 'yes' })).toMatchObject(
          refused('"updateToLatestPatch" requires true or false'),
        );
      }),
    },
    {
      id: '4.2.5 license of a GIS server',
      says: 'A license file of a GIS server is deprecated at 11.0; its field is not shown',
      client: client('Sends no field that is not shown', async (own, other) => {
        await startUpgrade(own, everyField);
        expect([...other.last(path).form.keys()].toSorted()).toEqual([
          'f',
          'licenseFile',
          'token',
          'updateToLatestPatch',
          'upgradeSettings',
          'versionManifest',
          'versionManifestFile',
        ]);
      }),
      deployment: byHand('Leaves out fields that are not shown', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const versionManifest = await manifest(reference, 'patch');
          const serverLicense = new File(['a license'], 'server.prvc');
          expect(await send(reference.running, { versionManifest, serverLicense })).toMatchObject(underWay);
        }),
      ),
    },
    {
      id: '4.2.5 multipart',
      says: 'The body is `multipart/form-data`',
      client: client('Sends it, without files as well', async (own, other) => {
        await startUpgrade(own, { id: 'rel_1_1' });
        expect(other.last(path).type).toMatch(/^multipart\/form-data; *boundary=/);
      }),
      deployment: byHand('Refuses any other form', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const { running, calls } = reference;
          const body = new URLSearchParams({
            token: await sharedToken(running),
            versionManifest: await manifest(reference, 'patch'),
            f: 'json',
          });
          const address = `${running.client.addresses.upgrades}/upgrade`;
          const answer = await fetch(address, { method: 'POST', body });
          expect(await answer.json()).toHaveProperty('error');
          expect(await calls.status()).toMatchObject({ state: 'no_upgrade' });
        }),
      ),
    },
    {
      id: '4.2.5 response',
      says: 'The response is at once a `status` with `in_progress`, 1 and the first messages',
      client: client('Returns it', async (own) => {
        expect(await startUpgrade(own, { id: 'rel_1_1' })).toMatchObject({
          state: 'in_progress',
          code: 1,
          messages: statusExample.messages.slice(0, 1),
        });
      }),
      deployment: byHand('Answers just that', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          expect(
            await send(reference.running, { versionManifest: await manifest(reference, 'patch') }),
          ).toEqual({
            status: {
              state: 'in_progress',
              code: 1,
              messages: [{ message: expect.any(String), code: 2010, when: expect.any(Number) }],
            },
          });
        }),
      ),
    },
    {
      id: '4.2.5 messages',
      says: 'The full messages and the final `success` (3) are read from the upgrades resource',
      client: client('Watches it to the end', async (own, other) => {
        const [first, second] = statusExample.messages;
        const looks = [
          { status: { state: 'in_progress', code: 1, messages: [first] } },
          { status: { ...statusExample, messages: [first, second] } },
        ];
        other.answer('/admin/system/upgrades', () => looks.shift() ?? {});
        const seen = [];
        for await (const event of watchUpgrade(own, { pause: 1 })) seen.push(event);
        expect(seen.flatMap((event) => (event.kind === 'message' ? [event.message] : []))).toEqual([
          first,
          second,
        ]);
        expect(seen.at(-1)).toMatchObject({ kind: 'ended', status: statusExample });
      }),
      deployment: deployment('Has them there', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const { calls, running } = reference;
          const started = await calls.upgrade({ id: (await updateOf(reference, 'patch')).id });
          running.wait(40_000);
          const { state, code, messages } = await calls.status();
          expect([state, code]).toEqual(['success', 3]);
          expect(messages.slice(0, started.messages.length)).toEqual(started.messages);
          expect(messages.length).toBeGreaterThan(20);
        }),
      ),
    },
    {
      id: '4.2.5 patch',
      says: 'A patch upgrade installs a new patch on the base version',
      deployment: deployment('Keeps the version; the patch is no longer available', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const { calls, running } = reference;
          const patch = await updateOf(reference, 'patch');
          expect(patch.version).toBe('11.2');
          await calls.upgrade({ id: patch.id });
          running.wait(40_000);
          expect((await calls.available()).map(({ id }) => id)).not.toContain(patch.id);
          expect((await updateOf(reference, 'release')).previousVersion).toBe('11.2');
        }),
      ),
    },
    {
      id: '4.2.5 release',
      says: 'A release upgrade moves the entire deployment to the latest release',
      deployment: deployment('Has that version afterwards', ({ alone }) =>
        alone({ version: '11.1' }, async (reference) => {
          const { calls, running } = reference;
          const { id, version } = await updateOf(reference, 'release');
          await calls.upgrade({ id, settings: await calls.settings(id) });
          running.wait(100_000);
          expect((await updateOf(reference, 'release')).previousVersion).toBe(version);
        }),
      ),
    },
    {
      id: '4.2.5 one at a time',
      says: 'A second upgrade while one runs is not shown',
      client: client('Sends none', async (own, other) => {
        other.answer('/admin/system/upgrades', { status: { state: 'in_progress', code: 1, messages: [] } });
        const second = startUpgrade(own, { id: 'rel_1_1' });
        await expect(second).rejects.toMatchObject({ code: 'UPGRADE_RUNNING', arrived: false });
        expect(other.arrived.map((each) => each.path)).toEqual(['/admin/system/upgrades']);
      }),
      deployment: byHand('Refuses it', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const versionManifest = await manifest(reference, 'patch');
          expect(await send(reference.running, { versionManifest })).toMatchObject(underWay);
          expect(await send(reference.running, { versionManifest })).toMatchObject({ error: { code: 503 } });
        }),
      ),
    },
    {
      id: '4.2.5 available operation',
      says: 'The shapes of the available operation are not shown',
      client: client('Reads a list under any of the names that have been seen', async (own, other) => {
        for (const name of ['versions', 'releases', 'patches', 'updates']) {
          other.answer('/admin/system/upgrades/available', { [name]: [updateExample], signature: 's' });
          expect(await readAvailableUpdates(own)).toEqual([updateExample]);
        }
      }),
      deployment: byHand('Answers `versions` and `signature` to POST', async ({ running }) => {
        const form = { token: await sharedToken(running) };
        const body = await postForm(`${running.client.addresses.upgrades}/available`, form);
        expect(body).toEqual({ versions: expect.any(Array), signature: '' });
      }),
    },
    {
      id: '4.2.5 lost answer',
      says: 'What holds where the answer is lost is not shown',
      client: client('Never sends it twice; asks the upgrades resource', async (own, other) => {
        let isSubmitted = false;
        other.answer(path, () => {
          isSubmitted = true;
          return '<html><title>Gateway</title></html>';
        });
        const started = { state: 'in_progress', code: 1, messages: statusExample.messages };
        other.answer('/admin/system/upgrades', () =>
          isSubmitted ? { status: started } : { status: { state: 'no_upgrade', code: 0, messages: [] } },
        );
        expect(await startUpgrade(own, { id: 'rel_1_1' })).toMatchObject({ ...started, isCertain: false });
        expect(other.arrived.filter((each) => each.path === path)).toHaveLength(1);
        expect(await readUpgradeStatus(own)).toEqual(started);
      }),
    },
  ],
};
