import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  containerNames,
  fromUpgradeForm,
  isRequired,
  listedUpdatesOf,
  rollbackOptionsOf,
  settingIds,
  settingTypes,
  toSettingsBody,
  toStatusBody,
  toUpgradeForm,
  updateIdOf,
  upgradeMessageCodes,
  upgradeSettingsOf,
  upgradeStageOf,
  upgradeStatusOf,
  volumesOf,
} from '../../src/protocol/upgrades.ts';
import { type NamedFile, toUploadForm, uploadedItemOf } from '../../src/protocol/uploads.ts';
import { compareVersions, introducedIn, isVersionSince } from '../../src/protocol/versions.ts';
import { readExactJson } from '../../src/records/exact-json.ts';
import { rounds } from '../effort.ts';

const license: NamedFile = { name: 'license.json', bytes: new TextEncoder().encode('{"\u00e9":1}') };

/** Parts of a form that a server reads: its texts, and its files with their names. */
async function received(form: FormData) {
  const sent = await new Response(form).formData();
  const texts = new URLSearchParams();
  const files = new Map<string, NamedFile>();
  for (const [name, value] of sent) {
    if (typeof value === 'string') texts.append(name, value);
    else files.set(name, { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  return { texts, files };
}

const settings = [
  {
    seqNum: 1,
    id: 'updateToLatestPatch',
    name: 'updateToLatestPatch',
    type: 'Boolean',
    value: true,
    defaultValue: true,
    newfield: '',
  },
  {
    seqNum: 2,
    id: 'licenseUpload',
    type: 'File',
    value: 'i1',
    required: true,
    validFileExtensions: ['json'],
  },
];

describe('the form of an upgrade', () => {
  test.each([
    [{ id: 'rel_01012025_1' }],
    [{ id: 'rel_01012025_1', settings }],
    [{ id: 'rel_01012025_1', licenseFile: license, updateToLatestPatch: false }],
    [
      {
        id: 'pat_01012025_1',
        versionManifestFile: { name: 'manifest.dat', bytes: new Uint8Array([0, 255, 13, 10]) },
      },
    ],
  ])('%#: arrives as it was', async (request) => {
    const { texts, files } = await received(toUpgradeForm(request));
    expect(fromUpgradeForm(texts, files)).toEqual({ request, findings: [] });
  });

  test('names every parameter that is wrong', () => {
    const form = new URLSearchParams({
      versionManifest: '{}',
      upgradeSettings: '[]',
      updateToLatestPatch: 'yes',
    });
    expect(fromUpgradeForm(form, new Map()).findings.map(({ message }) => message)).toEqual([
      '"versionManifest" requires JSON with the member "id"',
      '"upgradeSettings" requires JSON with the member "userInputs"',
      '"updateToLatestPatch" requires true or false',
    ]);
  });
});

describe('settings', () => {
  test('come in their order with everything in them', () => {
    expect(upgradeSettingsOf({ userInputs: settings.toReversed(), more: 1 })).toEqual(settings);
    expect(upgradeSettingsOf(toSettingsBody(settings))).toEqual(settings);
  });

  test.each([[null], [[]], [{ userInputs: [{}] }], [{ status: 'success' }]])('%j has none', (body) => {
    expect(upgradeSettingsOf(body)).toBeUndefined();
  });

  test('the three that have been seen', () => {
    expect(Object.values(settingIds)).toEqual(['updateToLatestPatch', 'licenseUpload', 'volumesConfig']);
    expect(settingTypes).toEqual(['Boolean', 'File', 'Text']);
  });

  test('volumes are read from their text', () => {
    const volume = {
      component: 'BLOB',
      labels: { a: 'b' },
      provisioningType: 'DYNAMIC',
      size: '20Gi',
      storageClass: 'fast',
      more: 1,
    };
    expect(volumesOf(JSON.stringify([volume]))).toEqual([volume]);
    for (const text of ['', '{}', '[{}]', '[{"component":"BLOB","size":[20]}]', 'true'])
      expect(volumesOf(text)).toBeUndefined();
  });

  test('volumes of a lenient deployment', () => {
    const volume = { component: 'BLOB', labels: null, size: 20, storageClass: null };
    expect(volumesOf(JSON.stringify([volume]))).toEqual([volume]);
    expect(volumesOf([volume])).toEqual([volume]);
  });

  test('of a lenient deployment are kept as they are', () => {
    const odd = [
      { id: 'b', seqNum: '2', required: 'true', value: 5, description: null },
      { id: 'a', seqNum: 1, value: [{ component: 'BLOB' }], required: null },
    ];
    expect(upgradeSettingsOf({ userInputs: odd })).toEqual(odd.toReversed());
    expect(odd.map((setting) => isRequired(setting))).toEqual([true, undefined]);
    expect(upgradeSettingsOf({ userInputs: [{ name: 'a', value: 1 }] })).toEqual([
      { id: 'a', name: 'a', value: 1 },
    ]);
  });

  test('are sent with every digit that they came with', () => {
    const text = '{"userInputs":[{"id":"a","seqNum":1.0,"more":12345678901234567890}]}';
    const read = upgradeSettingsOf(readExactJson(text)) ?? [];
    expect(toUpgradeForm({ id: 'rel_1_1', settings: read }).get('upgradeSettings')).toBe(text);
  });
});

describe('updates', () => {
  const release = {
    id: 'rel_01062024_4019',
    type: 'release',
    name: 'Release 11.3',
    description: '',
    version: '11.3',
    build: '4019',
    previousVersion: '',
    previousReleaseBuild: '',
    released: 1_717_200_000_000,
    url: 'https://downloads.test/4019',
    containers: [{ name: 'GP_SERVER', image: 'gp:11.3', checksum: 'N/A' }],
    newLicensesRequired: true,
  };
  const patch = { id: 'pat_01072024_4020', type: 'patch' };

  test('that can be rolled back to', () => {
    expect(rollbackOptionsOf({ updates: [] })).toEqual([]);
    expect(rollbackOptionsOf({ updates: [release] })).toEqual([release]);
    expect(rollbackOptionsOf({ status: 'success' })).toBeUndefined();
  });

  test.each([
    [{ versions: [release, patch], signature: 'abc' }],
    [{ releases: [release], patches: [patch] }],
    [[release, patch]],
    [{ releases: [release], patches: [patch], versions: [release] }],
  ])('%#: that are available, each once', (body) => {
    expect(
      listedUpdatesOf(body)
        ?.map(({ id }) => id)
        .toSorted(),
    ).toEqual([patch.id, release.id]);
  });

  test.each([[null], [{}], [{ versions: 'none' }], [['rel_1_1']]])('%j names none', (body) => {
    expect(listedUpdatesOf(body)).toBeUndefined();
  });

  test('a member of the wrong type does not hide the others', () => {
    expect(
      rollbackOptionsOf({ updates: [{ ...release, released: 'soon', containers: null }] }),
    ).toMatchObject([{ id: release.id, released: undefined }]);
  });

  test('there are 35 containers that have been seen', () => {
    expect(new Set(containerNames).size).toBe(35);
  });

  test.each([
    ['{"id":"rel_1_2"}', 'rel_1_2'],
    ['{"id":""}', undefined],
    ['{"id":1}', undefined],
    ['rel_1_2', undefined],
  ])('the parameter %s names %s', (text, id) => {
    expect(updateIdOf(text)).toBe(id);
  });
});

describe('the status', () => {
  const messages = [{ message: 'Started', code: 2010, when: 1_700_000_000_000 }];

  test('is read from the resource and from the answer to an upgrade', () => {
    const status = { state: 'in_progress', code: 1, messages };
    expect(upgradeStatusOf(toStatusBody(status))).toEqual(status);
    expect(upgradeStatusOf(status)).toEqual(status);
    expect(upgradeStatusOf({ status: { state: 'no_upgrade', code: 0, messages: [] } })).toEqual({
      state: 'no_upgrade',
      code: 0,
      messages: [],
    });
  });

  test('is read though parts are missing or texts', () => {
    expect(
      upgradeStatusOf({
        status: { state: 'success', code: '3', messages: [{ message: 'a', code: '2012', when: '5' }] },
      }),
    ).toEqual({
      state: 'success',
      code: 3,
      messages: [{ message: 'a', code: 2012, when: 5 }],
    });
    expect(upgradeStatusOf({ state: 'odd' })).toEqual({ state: 'odd', code: -1, messages: [] });
    expect(upgradeStatusOf({ status: { state: 'success', messages: null, more: 1 } })).toEqual({
      state: 'success',
      code: 3,
      messages: [],
    });
    expect(upgradeStatusOf({ status: { state: 3, messages: 'done' } })).toEqual({
      state: '3',
      code: 3,
      messages: [{ message: 'done', code: 0 }],
    });
  });

  test('is the same however its numbers are written, wrapped, and whatever else it carries', () => {
    const time = fc.integer({ min: 1, max: 8.64e15 });
    const message = fc.record({
      message: fc.string(),
      code: fc.integer(),
      when: fc.option(time, { nil: undefined }),
    });
    const someStatus = fc.record({
      state: fc.constantFrom('no_upgrade', 'in_progress', 'failed', 'success', 'odd'),
      code: fc.integer(),
      messages: fc.array(message),
    });
    const forms = fc.record({ asText: fc.boolean(), isWrapped: fc.boolean(), isNull: fc.boolean() });
    fc.assert(
      fc.property(someStatus, forms, (given, { asText, isWrapped, isNull }) => {
        const write = (value: number) => (asText ? String(value) : value);
        const messages = given.messages.map(({ when, ...said }) => ({
          ...said,
          code: write(said.code),
          more: [1],
          when: when === undefined ? (isNull ? null : undefined) : write(when),
        }));
        const body = { ...given, code: write(given.code), messages, more: { state: 1 } };
        const read = upgradeStatusOf(
          JSON.parse(JSON.stringify(isWrapped ? { status: body, more: 1 } : body)),
        );
        expect(read).toEqual(given);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('keeps every message, however the others are written', () => {
    const read = upgradeStatusOf({
      status: {
        state: 'in_progress',
        code: 1,
        messages: [{ message: 7, code: 'x' }, null, 'b', { message: 'c', when: '1700000000000', who: 'ann' }],
      },
    });
    expect(read?.messages).toEqual([
      { message: '7', code: 0 },
      { message: 'b', code: 0 },
      { message: 'c', code: 0, when: 1_700_000_000_000 },
    ]);
  });

  test.each([[null], [{}], [{ status: 'success' }], [{ status: { code: 1 } }]])('%j is none', (body) => {
    expect(upgradeStatusOf(body)).toBeUndefined();
  });

  test.each([
    ['no_upgrade', 0, 'none'],
    ['in_progress', 1, 'running'],
    ['failed', 2, 'failed'],
    ['success', 3, 'succeeded'],
    ['SUCCESS', 9, 'succeeded'],
    ['upgrade_failed', 9, 'failed'],
    ['of tomorrow', 3, 'succeeded'],
    ['of tomorrow', 9, 'unknown'],
    ['IN-PROGRESS', 9, 'running'],
    ['In progress', -1, 'running'],
    ['failover_running', 9, 'unknown'],
    ['1', -1, 'unknown'],
  ])('%s with the code %s is %s', (state, code, stage) => {
    expect(upgradeStageOf({ state, code })).toBe(stage);
  });

  test('every code of section 2.8 has a meaning', () => {
    const documented = [
      2010, 2011, 2012, 2168, 2165, 2166, 2270, 2271, 2287, 2288, 2281, 2094, 2291, 2173, 2175, 2108, 2109,
      2087, 2090, 2092, 2093, 2144, 2145, 2153, 2148, 2149, 2151, 2134, 2132, 2038, 2101, 2103, 2187, 2188,
      2179, 2180, 2181, 2178, 2185, 2191, 2192,
    ];
    expect(Object.keys(upgradeMessageCodes).map(Number)).toEqual(documented.toSorted((a, b) => a - b));
  });
});

describe('an upload', () => {
  test('is a multipart form with the file in its field', async () => {
    const { texts, files } = await received(toUploadForm(license, 'for 11.1'));
    expect(files.get('itemFile')).toEqual(license);
    expect(Object.fromEntries(texts)).toEqual({ description: 'for 11.1', f: 'json' });
  });

  test.each([
    [
      { status: 'success', item: { itemID: 'i1', itemName: 'a.json', date: 1, committed: true } },
      { itemID: 'i1', itemName: 'a.json', date: 1, committed: true },
    ],
    [{ success: true, item: { itemID: 'i1' } }, { itemID: 'i1' }],
    [{ status: 'success', item: 'i1' }, { itemID: 'i1' }],
    [
      { item: { itemID: 7, date: '1700000000000', committed: 'true', itemName: null } },
      { itemID: '7', date: 1_700_000_000_000, committed: true },
    ],
    [{ item: { itemID: 'i1', date: 0 } }, { itemID: 'i1' }],
    [{ status: 'success' }, undefined],
    [{ item: { itemID: '' } }, undefined],
  ])('the reply %j', (body, item) => {
    expect(uploadedItemOf(body)).toEqual(item);
  });
});

describe('versions', () => {
  test.each([
    ['11.2', '11.1', 1],
    ['11.2', '11.2', 0],
    ['11.2', '11.2.0', 0],
    ['11.2.0.4019', '11.2', 1],
    ['10.9.1', '10.9', 1],
    ['10.9.1', '11.0', -1],
    ['10.10', '10.9', 1],
  ])('%s and %s', (a, b, sign) => {
    expect(Math.sign(compareVersions(a, b))).toBe(sign);
  });

  test('section 9', () => {
    expect(introducedIn).toMatchObject({
      exportLogs: '11.0',
      editProperties: '10.9',
      autoscalingV1: '10.9.1',
      autoscalingV2: '11.2',
    });
    expect(isVersionSince('10.9.1', introducedIn.getUpgradeSettings)).toBe(false);
    expect(isVersionSince('11.0.0.3000', introducedIn.getUpgradeSettings)).toBe(true);
  });
});

test.each([8.64e15 + 1, -8.64e15 - 1, 1e300, 'never', null, '', 0, '0', -1, undefined])(
  'a time of %j is none',
  (time) => {
    const messages = [{ message: 'a', code: 2010, when: time }];
    expect(upgradeStatusOf({ status: { state: 'success', code: 3, messages } })?.messages[0]).toEqual({
      message: 'a',
      code: 2010,
    });
    const [update] = listedUpdatesOf({ versions: [{ id: 'rel_1_1', released: time }] }) ?? [];
    expect(update?.released).toBeUndefined();
  },
);
