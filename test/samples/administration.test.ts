import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { initialTemplates } from '../../src/emulator/state.ts';
import { availableUpdates, releaseOf, settingsOf } from '../../src/emulator/upgrade.ts';
import { vendorProfiles } from '../../src/protocol/catalog.ts';
import { checkSettings } from '../../src/protocol/check-settings.ts';
import { checkTemplate } from '../../src/protocol/check-template.ts';
import { toSettingsBody, upgradeSettingsOf } from '../../src/protocol/upgrades.ts';

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));
const read = async (name: string) => JSON.parse(await readFile(`samples/${name}`, 'utf8'));

test('template.json is what a deployment has, and nothing is wrong with it', async () => {
  const revision = Date.UTC(2025, 2, 12, 12);
  const template = initialTemplates('11.2', vendorProfiles.default, revision).find(
    ({ type, mode }) => type === 'GPServer' && mode === 'Dedicated',
  );
  expect(await read('template.json')).toEqual(asJson(template));
  expect(checkTemplate(await read('template.json'), { version: '11.2' }).findings).toEqual([]);
});

test('upgrade-settings.json is what a deployment asks for, and lacks the license only', async () => {
  const from = releaseOf('11.0') ?? { version: '', build: '' };
  const update = availableUpdates(from).find(({ type }) => type === 'release') ?? { id: '' };
  expect(await read('upgrade-settings.json')).toEqual(asJson(toSettingsBody(settingsOf(update, from))));
  const settings = upgradeSettingsOf(await read('upgrade-settings.json')) ?? [];
  expect(checkSettings(settings).map(({ code }) => code)).toEqual(['license-missing']);
});
