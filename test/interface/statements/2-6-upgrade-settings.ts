import { expect } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { getUpgradeSettings, startUpgrade } from '../../../src/client/upgrades.ts';
import { checkSettings, withLicense } from '../../../src/protocol/check-settings.ts';
import { type UpgradeSetting, volumesOf } from '../../../src/protocol/upgrades.ts';
import { settingsExample, volumesExample } from '../parties/examples.ts';
import type { IndependentDeployment } from '../parties/independent-deployment.ts';
import { type Reference, updateOf } from '../parties/reference.ts';
import {
  client,
  deployment,
  isFlag,
  isText,
  isWhole,
  isWord,
  type Section,
  type Statement,
  words,
} from './statement.ts';

const ids = words('updateToLatestPatch licenseUpload volumesConfig');

interface Field {
  readonly name: string;
  readonly says: string;
  readonly holds: (value: unknown) => boolean;
  /** The settings that have it. */
  readonly on: readonly string[];
}

const isFlagOrText = (value: unknown) => isFlag(value) || isText(value);

const fields: readonly Field[] = [
  { name: 'seqNum', says: 'is an integer that gives the order', holds: isWhole, on: ids },
  {
    name: 'description',
    says: 'is a token-like label',
    holds: (value) => /^\S+$/.test(String(value)),
    on: ids,
  },
  {
    name: 'type',
    says: 'is `Boolean`, `File` or `Text`',
    holds: (value) => words('Boolean File Text').includes(String(value)),
    on: ids,
  },
  { name: 'value', says: 'is a boolean or a string, the value to submit', holds: isFlagOrText, on: ids },
  {
    name: 'defaultValue',
    says: 'is a boolean or a string, present on some items',
    holds: isFlagOrText,
    on: words('updateToLatestPatch volumesConfig'),
  },
  { name: 'required', says: 'is a boolean', holds: isFlag, on: ids },
  { name: 'newfield', says: 'is an empty string', holds: (value) => value === '', on: ids },
  {
    name: 'isManagerInvisibleField',
    says: 'is a boolean on `updateToLatestPatch`',
    holds: isFlag,
    on: ['updateToLatestPatch'],
  },
  {
    name: 'validFileExtensions',
    says: 'is an array of strings on `licenseUpload`: `json`',
    holds: (value) => JSON.stringify(value) === '["json"]',
    on: ['licenseUpload'],
  },
  {
    name: 'orderedListofTemplates',
    says: 'is a string on `volumesConfig`',
    holds: isText,
    on: ['volumesConfig'],
  },
  { name: 'templateName', says: 'is a string on `volumesConfig`', holds: isText, on: ['volumesConfig'] },
  {
    name: 'isTemplateRequired',
    says: 'is a boolean on `volumesConfig`',
    holds: isFlag,
    on: ['volumesConfig'],
  },
];

async function settingsOf(reference: Reference): Promise<readonly UpgradeSetting[]> {
  return reference.calls.settings((await updateOf(reference, 'release')).id);
}

async function settingOf(reference: Reference, id: string): Promise<UpgradeSetting> {
  return found(await settingsOf(reference), id);
}

function found(settings: readonly UpgradeSetting[], id: string): UpgradeSetting {
  const setting = settings.find((each) => each.id === id);
  if (!setting) throw new Error(`There is no setting "${id}"`);
  return setting;
}

/** The settings that the upgrade of our client sent. */
async function sentWith(own: Client, other: IndependentDeployment, settings: readonly UpgradeSetting[]) {
  await startUpgrade(own, { id: 'rel_1_1', settings });
  const text = String(other.last('/admin/system/upgrades/upgrade').form.get('upgradeSettings'));
  const { userInputs }: { userInputs: readonly UpgradeSetting[] } = JSON.parse(text);
  return userInputs;
}

function toStatement({ name, says, holds, on }: Field): Statement {
  return {
    id: `2.6 ${name}`,
    says: `\`${name}\` ${says}`,
    client: client('Reads it, and sends it back as it came', async (own, other) => {
      const settings = await getUpgradeSettings(own, 'rel_1_1');
      for (const id of on) expect(found(settings, id)[name]).toEqual(found(settingsExample, id)[name]);
      const sent = await sentWith(own, other, settings);
      for (const id of on) expect(found(sent, id)[name]).toEqual(found(settingsExample, id)[name]);
    }),
    deployment: deployment(`On ${on.length === 3 ? 'each setting' : on.join(' and ')}`, async (reference) => {
      for (const setting of await settingsOf(reference)) {
        if (on.includes(setting.id)) expect(setting[name]).toSatisfy(holds);
        else expect(setting).not.toHaveProperty(name);
      }
    }),
  };
}

/** The upgrade of the deployment with these settings, started where they are taken. */
async function upgradeWith(
  reference: Reference,
  change: (settings: readonly UpgradeSetting[]) => readonly UpgradeSetting[],
) {
  const { id } = await updateOf(reference, 'release');
  return reference.calls.upgrade({ id, settings: change(await reference.calls.settings(id)) });
}

const withValue = (id: string, value: boolean | string) => (settings: readonly UpgradeSetting[]) =>
  settings.map((each) => (each.id === id ? { ...each, value } : each));

const license = { name: 'license.json', bytes: new TextEncoder().encode('{}') };

function volumeMember(
  name: keyof (typeof volumesExample)[number],
  says: string,
  holds: (value: unknown) => boolean,
): Statement {
  return {
    id: `2.6 volumesConfig ${name}`,
    says: `\`${name}\` of a volume is ${says}`,
    client: client('Reads it in the text of the value', async (own) => {
      const { value } = found(await getUpgradeSettings(own, 'rel_1_1'), 'volumesConfig');
      expect(volumesOf(String(value))?.map((volume) => volume[name])).toEqual(
        volumesExample.map((volume) => volume[name]),
      );
    }),
    deployment: deployment('Each volume has it', async (reference) => {
      const { value } = await settingOf(reference, 'volumesConfig');
      for (const volume of JSON.parse(String(value)) as Record<string, unknown>[])
        expect(volume[name]).toSatisfy(holds);
    }),
  };
}

export const upgradeSettings: Section = {
  number: '2.6',
  title: 'Upgrade settings',
  file: '2-6-upgrade-settings.ts',
  options: { version: '11.0' },
  statements: [
    {
      id: '2.6 id and name',
      says: '`id` and `name` are the same identifier; three have been seen',
      client: client('Reads these and any other', async (own, other) => {
        const later = { ...found(settingsExample, 'volumesConfig'), id: 'later', name: 'later', seqNum: 4 };
        other.answer('/admin/system/upgrades/getUpgradeSettings', {
          userInputs: [...settingsExample, later],
        });
        const settings = await getUpgradeSettings(own, 'rel_1_1');
        expect(settings.map(({ id, name }) => [id, name])).toEqual([...ids, 'later'].map((id) => [id, id]));
      }),
      deployment: deployment('Has all three', async (reference) => {
        expect((await settingsOf(reference)).map(({ id, name }) => [id, name])).toEqual(
          ids.map((id) => [id, id]),
        );
      }),
    },
    ...fields.map(toStatement),
    {
      id: '2.6 members',
      says: 'A setting has these members',
      client: client('Keeps others that a later version may have', async (own, other) => {
        const settings = settingsExample.map((each) => ({ ...each, later: [1] }));
        other.answer('/admin/system/upgrades/getUpgradeSettings', { userInputs: settings });
        expect(await sentWith(own, other, await getUpgradeSettings(own, 'rel_1_1'))).toEqual(settings);
      }),
      deployment: deployment('Has no other', async (reference) => {
        const known = ['id', 'name', ...fields.map(({ name }) => name)];
        for (const setting of await settingsOf(reference))
          expect(Object.keys(setting).filter((name) => !known.includes(name))).toEqual([]);
      }),
    },
    {
      id: '2.6 order of seqNum',
      says: 'The settings are in the order of `seqNum`',
      client: client('Puts them into it', async (own, other) => {
        other.answer('/admin/system/upgrades/getUpgradeSettings', {
          userInputs: settingsExample.toReversed(),
        });
        expect((await getUpgradeSettings(own, 'rel_1_1')).map(({ id }) => id)).toEqual(ids);
      }),
      deployment: deployment('Counts from 1', async (reference) => {
        expect((await settingsOf(reference)).map(({ seqNum }) => seqNum)).toEqual([1, 2, 3]);
      }),
    },
    {
      id: '2.6 updateToLatestPatch',
      says: '`updateToLatestPatch` is `true` by default, must not be changed, and brings bundled patches',
      client: client('Sends `true`; `upgrade check` finds another value', async (own, other) => {
        const settings = await getUpgradeSettings(own, 'rel_1_1');
        expect(found(await sentWith(own, other, settings), 'updateToLatestPatch').value).toBe(true);
        const changed = withValue('updateToLatestPatch', false)(withLicense(settings, 'upload-17'));
        expect(checkSettings(changed)).toMatchObject([
          { code: 'fixed-setting', path: 'updateToLatestPatch' },
        ]);
      }),
      deployment: deployment('Refuses `false`; the release comes with its patches', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const { calls, running } = reference;
          const changed = upgradeWith(reference, withValue('updateToLatestPatch', false));
          await expect(changed).rejects.toThrow('"updateToLatestPatch" requires the value true');
          await upgradeWith(reference, (settings) => settings);
          running.wait(100_000);
          expect(await calls.available()).toEqual([]);
          expect((await calls.rollbackOptions()).map(({ version }) => version)).toEqual(['11.3']);
        }),
      ),
    },
    {
      id: '2.6 licenseUpload',
      says: '`licenseUpload` is required, empty on retrieval, and must be set to the identifier of an uploaded .json',
      client: client('Fills it in; `upgrade check` finds it empty', async (own, other) => {
        const settings = await getUpgradeSettings(own, 'rel_1_1');
        expect(checkSettings(settings)).toMatchObject([{ code: 'license-missing', path: 'licenseUpload' }]);
        const filled = withLicense(settings, 'upload-17');
        expect(checkSettings(filled)).toEqual([]);
        expect(found(await sentWith(own, other, filled), 'licenseUpload').value).toBe('upload-17');
      }),
      deployment: deployment('Is empty; refuses none, an unknown one, and no .json', async (reference) => {
        expect(await settingOf(reference, 'licenseUpload')).toMatchObject({
          value: '',
          required: true,
          type: 'File',
        });
        const filled = (value: string) => upgradeWith(reference, withValue('licenseUpload', value));
        await expect(filled('')).rejects.toThrow('"licenseUpload" requires the identifier');
        await expect(filled('i1')).rejects.toThrow('"licenseUpload" names no uploaded file');
        const text = await reference.calls.upload({ ...license, name: 'license.txt' });
        await expect(filled(text)).rejects.toThrow('The license requires a .json file');
      }),
    },
    {
      id: '2.6 versions of licenseUpload',
      says: 'A license is required before upgrading from 10.9.1 to 11.0 and from 11.0 to 11.1',
      client: client('Asks for one exactly where the settings do', async (own, other) => {
        const others = settingsExample.filter(({ id }) => id !== 'licenseUpload');
        other.answer('/admin/system/upgrades/getUpgradeSettings', { userInputs: others });
        expect(checkSettings(await getUpgradeSettings(own, 'rel_1_1'))).toEqual([]);
      }),
      deployment: deployment('Takes none from 11.1 on, and requires one before', async ({ at }) => {
        for (const version of ['11.1', '11.2']) {
          const ids = (await settingsOf(await at(version))).map(({ id }) => id);
          expect(ids).not.toContain('licenseUpload');
        }
        expect((await settingsOf(await at('11.0'))).map(({ id }) => id)).toContain('licenseUpload');
        const before = await at('10.9.1');
        const { id } = await updateOf(before, 'release');
        await expect(before.calls.upgrade({ id })).rejects.toThrow('"licenseFile" requires a license file');
      }),
    },
    {
      id: '2.6 volumesConfig',
      says: '`value` and `defaultValue` of `volumesConfig` are strings that hold a JSON array of volumes',
      client: client('Reads the array; `upgrade check` finds what is none', async (own) => {
        const settings = withLicense(await getUpgradeSettings(own, 'rel_1_1'), 'upload-17');
        const { value, defaultValue } = found(settings, 'volumesConfig');
        for (const text of [value, defaultValue]) expect(volumesOf(String(text))).toEqual(volumesExample);
        for (const wrong of ['{}', 'many', '[{"size":"1Gi"}]'])
          expect(checkSettings(withValue('volumesConfig', wrong)(settings))).toMatchObject([
            { code: 'volumes', path: 'volumesConfig' },
          ]);
      }),
      deployment: deployment('Has two volumes in both; refuses what is no array', async (reference) => {
        const { value, defaultValue, type } = await settingOf(reference, 'volumesConfig');
        expect([type, defaultValue]).toEqual(['Text', value]);
        const volumes = JSON.parse(String(value)) as { component: string }[];
        expect(volumes.map(({ component }) => component)).toEqual(['BLOB', 'SHARING']);
        const wrong = upgradeWith(reference, withValue('volumesConfig', 'many'));
        await expect(wrong).rejects.toThrow('"volumesConfig" requires a text that holds a JSON list');
      }),
    },
    volumeMember('component', 'a string such as `BLOB` or `SHARING`', (value) =>
      ['BLOB', 'SHARING'].includes(String(value)),
    ),
    volumeMember('labels', 'an object of string to string', (value) =>
      Object.values(value as object).every(isText),
    ),
    volumeMember('provisioningType', 'a string such as `DYNAMIC`', (value) => value === 'DYNAMIC'),
    volumeMember('size', 'a string with a unit', (value) => /^\d+[KMGT]i$/.test(String(value))),
    volumeMember('storageClass', 'a string', isWord),
  ],
};
