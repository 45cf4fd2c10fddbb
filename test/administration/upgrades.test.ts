import { describe, expect, test } from 'vitest';
import { checkSettings, settingFindingCodes, withLicense } from '../../src/protocol/check-settings.ts';
import {
  newMessages,
  progressOf,
  type UpgradeMessage,
  type UpgradeSetting,
} from '../../src/protocol/upgrades.ts';

const volumes = [
  { component: 'BLOB', labels: {}, provisioningType: 'DYNAMIC', size: '20Gi', storageClass: 'fast' },
];
const latest: UpgradeSetting = {
  seqNum: 1,
  id: 'updateToLatestPatch',
  type: 'Boolean',
  value: true,
  defaultValue: true,
};
const license: UpgradeSetting = { seqNum: 2, id: 'licenseUpload', type: 'File', value: '', required: true };
const volumesConfig: UpgradeSetting = {
  seqNum: 3,
  id: 'volumesConfig',
  type: 'Text',
  value: JSON.stringify(volumes),
};
const given = [latest, license, volumesConfig];
const filled = withLicense(given, 'i1');

const findings = (settings: readonly UpgradeSetting[], original?: readonly UpgradeSetting[]) =>
  checkSettings(settings, original).map(
    ({ code, severity, path, message }) => `${severity} ${code} ${path}: ${message}`,
  );

describe('settings', () => {
  test('as they are given lack the license only', () => {
    expect(findings(given, given)).toEqual([
      'error license-missing licenseUpload: "licenseUpload" requires the identifier of an uploaded license file: upload it first',
    ]);
    expect(findings(filled, given)).toEqual([]);
  });

  test.each([
    [
      { ...latest, value: false },
      'error fixed-setting updateToLatestPatch: "updateToLatestPatch" requires the value true, which must not be changed',
    ],
    [
      { ...volumesConfig, value: 'many' },
      'error volumes volumesConfig: "volumesConfig" requires a text that holds a JSON list of volumes, each with its "component"',
    ],
    [
      { ...volumesConfig, value: JSON.stringify([{ ...volumes[0], size: 'much' }]) },
      'error volumes volumesConfig[0].size: The volume of "BLOB" requires a size with a unit, such as "20Gi", unlike "much"',
    ],
    [
      { ...volumesConfig, required: true, value: '' },
      'error value-missing volumesConfig: "volumesConfig" requires a value',
    ],
    [{ id: 'ofTomorrow', required: true }, 'error value-missing ofTomorrow: "ofTomorrow" requires a value'],
    [
      { id: 'ofTomorrow', type: 'Boolean', value: 'perhaps' },
      'error value-type ofTomorrow: "ofTomorrow" requires true or false',
    ],
  ])('%#: %j', (setting, finding) => {
    expect(findings([setting])).toEqual([finding]);
  });

  test.each([
    { id: 'ofTomorrow', type: 'Of tomorrow', value: 'anything' },
    { id: 'ofTomorrow', type: 'Boolean', value: 'false' },
    { ...volumesConfig, value: '' },
    { ...latest, value: 'true' },
  ])('%j may be', (setting) => {
    expect(findings([setting])).toEqual([]);
  });

  test('that the deployment gave in a form of its own are no errors', () => {
    const odd = (value: unknown): UpgradeSetting[] => [{ ...volumesConfig, value }];
    const sizes = [{ size: '32 GiB' }, { size: '32 gb' }, { size: '5 kb' }, { size: undefined }];
    const texts = sizes.map((size) => JSON.stringify([{ ...volumes[0], ...size, labels: null }]));
    expect(texts.flatMap((text) => findings(odd(text)))).toEqual([
      'warning volumes volumesConfig[0].size: The size "32 GiB" of the volume of "BLOB" is usually written as "32Gi"',
      'warning volumes volumesConfig[0].size: The size "32 gb" of the volume of "BLOB" is usually written as "32G"',
      'warning volumes volumesConfig[0].size: The size "5 kb" of the volume of "BLOB" is usually written as "5k"',
      'warning volumes volumesConfig[0].size: The volume of "BLOB" has no size: the deployment takes its own',
    ]);
    expect(findings(odd([{ ...volumes[0], labels: null }]))).toEqual([]);
  });

  test.each<[UpgradeSetting, string]>([
    [{ ...latest, value: false }, 'fixed-setting'],
    [{ id: 'updateToLatestPatch' }, 'fixed-setting'],
    [{ ...volumesConfig, value: 'many' }, 'volumes'],
    [{ ...volumesConfig, value: JSON.stringify([{ ...volumes[0], size: 'much' }]) }, 'volumes'],
    [{ id: 'ofTomorrow', type: 'Boolean', value: 'perhaps' }, 'value-type'],
  ])('%j is a warning where the deployment gave it', (setting, code) => {
    expect(findings([setting], [setting])[0]).toMatch(new RegExp(`^warning ${code} `));
    expect(findings([{ ...setting, defaultValue: setting.value }])[0]).toMatch(/^warning/);
    expect(findings([setting], [{ ...setting, value: 'another' }])[0]).toMatch(/^error/);
  });

  test('one volume that the deployment gave is a warning beside one that was changed', () => {
    const sizes = (...all: string[]): UpgradeSetting => ({
      ...volumesConfig,
      value: JSON.stringify(all.map((size, at) => ({ component: at === 0 ? 'BLOB' : 'SHARING', size }))),
    });
    expect(findings([sizes('much', 'little')], [sizes('much', 'more')])).toEqual([
      expect.stringMatching(/^warning volumes volumesConfig\[0\]/),
      expect.stringMatching(/^error volumes volumesConfig\[1\]/),
    ]);
  });

  test('a license is asked for where it is required', () => {
    const severities = [true, 'true', false, 'false', undefined, null].map((required) =>
      findings([{ ...license, required }], [{ ...license, required }]).map((each) => each.split(' ')[0]),
    );
    expect(severities).toEqual([['error'], ['error'], [], [], ['warning'], ['warning']]);
  });

  test('that are missing or changed beside their value are found', () => {
    expect(findings(filled.slice(0, 2), given)).toEqual([
      'error setting-missing volumesConfig: "volumesConfig" is missing: all settings are sent back',
    ]);
    expect(findings([{ ...latest, type: 'Text' }, ...filled.slice(1)], given)).toEqual([
      'warning setting-changed updateToLatestPatch: "updateToLatestPatch" differs in more than its value from what the deployment gave',
    ]);
  });

  test('a license is filled in only where one is asked for', () => {
    expect(filled.map(({ value }) => value)).toEqual([true, 'i1', volumesConfig.value]);
    expect(withLicense([latest], 'i1')).toEqual([latest]);
  });

  test('every code is stable', () => {
    expect(Object.keys(settingFindingCodes)).toHaveLength(7);
  });
});

describe('progress', () => {
  const said = (code: number, when: number, message = ''): UpgradeMessage => ({ code, when, message });
  const running = (...messages: UpgradeMessage[]) => progressOf({ state: 'in_progress', code: 1, messages });

  test('of nothing', () => {
    expect(progressOf({ state: 'no_upgrade', code: 0, messages: [] })).toEqual({
      stage: 'none',
      readOnly: false,
    });
  });

  test('counts what the latest message counts', () => {
    expect(
      running(
        said(2175, 30, '3 out of 44 deployments updated.'),
        said(2010, 10, 'Upgrade 1 of 2 started'),
        said(2165, 20),
        said(2038, 40, 'Updating 5 of 6'),
      ),
    ).toEqual({ stage: 'running', counted: { done: 3, of: 44 }, readOnly: true, started: 10, latest: 40 });
    expect(running(said(2173, 1, '7 of 9 deployments updated')).counted).toEqual({ done: 7, of: 9 });
    expect(running(said(2173, 1, '12 out of 9')).counted).toEqual({ done: 9, of: 9 });
    expect(running(said(2173, 1, 'some')).counted).toBeUndefined();
  });

  test('leaves read-only mode', () => {
    expect(running(said(2165, 1), said(2166, 2)).readOnly).toBe(false);
    expect(progressOf({ state: 'success', code: 3, messages: [said(2165, 1)] }).readOnly).toBe(false);
    expect(progressOf({ state: 'failed', code: 2, messages: [said(2165, 1)] })).toMatchObject({
      stage: 'failed',
      readOnly: true,
    });
  });

  test('tells new messages from those that were there, however often one occurs', () => {
    const before = [said(2038, 1, 'a'), said(2038, 1, 'a')];
    const now = [said(2038, 1, 'a'), said(2038, 1, 'a'), said(2038, 1, 'a'), said(2010, 0, 'b')];
    expect(newMessages(before, now)).toEqual([said(2038, 1, 'a'), said(2010, 0, 'b')]);
    expect(newMessages(now, now)).toEqual([]);
    expect(newMessages(now, before)).toEqual([]);
  });
});
