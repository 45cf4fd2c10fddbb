import { expect } from 'vitest';
import { getUpgradeSettings, startUpgrade } from '../../../src/client/upgrades.ts';
import { withLicense } from '../../../src/protocol/check-settings.ts';
import { settingsExample } from '../parties/examples.ts';
import { type Reference, updateOf } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm } from '../running.ts';
import { byHand, client, deployment, type Section } from './statement.ts';

async function ask({ running }: Reference, form: Readonly<Record<string, string>>): Promise<unknown> {
  const address = `${running.client.addresses.upgrades}/getUpgradeSettings`;
  return postForm(address, { token: await sharedToken(running), ...form });
}

const path = '/admin/system/upgrades/getUpgradeSettings';

export const getSettings: Section = {
  number: '4.2.3',
  title: 'Get upgrade settings',
  file: '4-2-3-get-settings.ts',
  options: { version: '11.0' },
  statements: [
    {
      id: '4.2.3 upgradeId',
      says: '`upgradeId` is required, a JSON object with the string `id`',
      client: client('Sends it', async (own, other) => {
        await getUpgradeSettings(own, 'rel_1_"1"');
        expect(JSON.parse(String(other.last().form.get('upgradeId')))).toEqual({ id: 'rel_1_"1"' });
      }),
      deployment: byHand('Refuses none, no JSON and no `id`', async (reference) => {
        for (const upgradeId of ['', 'rel_1_1', '{}', '{"id":7}', '{"id":""}'])
          expect(await ask(reference, { upgradeId })).toMatchObject({
            error: { code: 400, details: ['"upgradeId" requires JSON with the member "id"'] },
          });
      }),
    },
    {
      id: '4.2.3 source of upgradeId',
      says: 'The identifier is that of a release or patch of the available operation',
      client: client('Takes any; that operation gives them', async (own, other) => {
        await getUpgradeSettings(own, 'pat_1_1');
        expect(other.last().form.get('upgradeId')).toBe('{"id":"pat_1_1"}');
      }),
      deployment: deployment('Knows those, and refuses any other', async (reference) => {
        const { calls } = reference;
        for (const { id } of await calls.available()) expect(await calls.settings(id)).toBeInstanceOf(Array);
        await expect(calls.settings('rel_1_1')).rejects.toThrow('no available update with this identifier');
      }),
    },
    {
      id: '4.2.3 response',
      says: 'The response is an object with `userInputs`, an array of settings',
      client: client('Takes nothing else for one', async (own, other) => {
        expect(await getUpgradeSettings(own, 'rel_1_1')).toEqual(settingsExample);
        other.answer(path, { userInputs: [] });
        expect(await getUpgradeSettings(own, 'rel_1_1')).toEqual([]);
        for (const answer of [{ userInputs: {} }, { inputs: [] }, []]) {
          other.answer(path, answer);
          await expect(getUpgradeSettings(own, 'rel_1_1')).rejects.toMatchObject({ code: 'BAD_REPLY' });
        }
      }),
      deployment: byHand('Answers just that', async (reference) => {
        const upgradeId = JSON.stringify({ id: (await updateOf(reference, 'release')).id });
        expect(await ask(reference, { upgradeId })).toEqual({
          userInputs: [
            expect.objectContaining({ id: 'updateToLatestPatch' }),
            expect.objectContaining({ id: 'licenseUpload' }),
            expect.objectContaining({ id: 'volumesConfig' }),
          ],
        });
      }),
    },
    {
      id: '4.2.3 versions',
      says: 'The operation applies to 11.0 and later',
      client: client('Says so where it is not there', async (own, other) => {
        other.answer(path, { error: { code: 404, message: 'Not found', details: [] } });
        await expect(getUpgradeSettings(own, 'rel_1_1')).rejects.toThrow(
          'the operation requires version 11.0',
        );
      }),
      deployment: deployment('Has it at 11.0, and not at 10.9.1', async ({ at }) => {
        const [older, newer] = [await at('10.9.1'), await at('11.0')];
        const { id } = await updateOf(older, 'release');
        await expect(older.calls.settings(id)).rejects.toThrow('requires version 11.0');
        expect(await newer.calls.settings((await updateOf(newer, 'release')).id)).toHaveLength(3);
      }),
    },
    {
      id: '4.2.3 use of the settings',
      says: 'The settings are the parameter `upgradeSettings` of the upgrade; `licenseUpload.value` is modified first',
      client: client('Changes that value alone', async (own, other) => {
        const settings = withLicense(await getUpgradeSettings(own, 'rel_1_1'), 'upload-17');
        await startUpgrade(own, { id: 'rel_1_1', settings });
        const sent = JSON.parse(String(other.last().form.get('upgradeSettings')));
        expect(sent).toEqual({
          userInputs: settingsExample.map((each) =>
            each.id === 'licenseUpload' ? { ...each, value: 'upload-17' } : each,
          ),
        });
      }),
      deployment: deployment('Refuses them as they were, and takes them filled in', ({ alone }) =>
        alone({ version: '11.0' }, async (reference) => {
          const { calls } = reference;
          const { id } = await updateOf(reference, 'release');
          const settings = await calls.settings(id);
          await expect(calls.upgrade({ id, settings })).rejects.toThrow('"licenseUpload" requires');
          const file = { name: 'license.json', bytes: new TextEncoder().encode('{}') };
          const filled = withLicense(settings, await calls.upload(file));
          expect(await calls.upgrade({ id, settings: filled })).toMatchObject({ state: 'in_progress' });
        }),
      ),
    },
  ],
};
