import { describe, expect, test } from 'vitest';
import { vendorProfiles } from '../../src/protocol/catalog.ts';
import {
  fromEditForm,
  placementOf,
  readTemplate,
  templateDefaults,
  templateModes,
  templateProviders,
  templatesOf,
  templateTypes,
  toEditForm,
  undocumentedTypes,
} from '../../src/protocol/property-template.ts';
import { readExactJson, writeExactJson } from '../../src/records/exact-json.ts';

const template = {
  id: '9375dd81-30d1-41c0-a802-cabb425159a9',
  mode: 'Dedicated',
  provider: 'VendorObjects11',
  type: 'GPServer',
  revision: 1_741_780_800_000,
  spec: {
    replicas: { min: 1, max: 1, scalingMode: 'manual' },
    containers: [
      {
        name: 'main-container',
        containerImageKey: 'GP_SERVER',
        resources: { memoryMin: '500Mi', memoryMax: '2Gi', cpuMin: '0.125', cpuMax: '2' },
      },
      { name: 'filebeat', containerImageKey: 'FILEBEAT', resources: {}, tomorrow: [1] },
    ],
    tomorrow: { a: null },
  },
  podPlacementPolicy: { tolerations: [{ effect: 'NoSchedule', key: 'a', operator: 'Equal', value: 'b' }] },
  tomorrow: 'kept',
};

test('a template is read with everything in it', () => {
  expect(readTemplate(template)).toEqual({ template });
});

test('an edit sends every member back', () => {
  const form = toEditForm(template);
  expect([...form.keys()]).toEqual(['propertyJson', 'f']);
  expect(fromEditForm(new URLSearchParams(form.toString()))).toEqual({ template });
});

test.each([
  [{}, 'id', '"id" requires a value'],
  [null, '', 'A template requires an object'],
  [[], '', 'A template requires an object'],
  [{ ...template, mode: 1 }, 'mode', '"mode" requires a text'],
  [{ ...template, revision: 'now' }, 'revision', '"revision" requires a whole number'],
  [{ ...template, revision: 0.5 }, 'revision', '"revision" requires a whole number'],
  [{ ...template, spec: [] }, 'spec', '"spec" requires an object'],
  [{ ...template, revision: [] }, 'revision', '"revision" requires a whole number'],
  [
    { ...template, spec: { replicas: { min: 'one' } } },
    'spec.replicas.min',
    '"spec.replicas.min" requires a whole number',
  ],
  [
    { ...template, spec: { containers: [{}] } },
    'spec.containers[0].name',
    '"spec.containers[0].name" requires a value',
  ],
  [{ ...template, spec: { containers: {} } }, 'spec.containers', '"spec.containers" requires a list'],
  [
    { ...template, spec: { containers: [{ name: 'a', resources: { cpuMax: [2] } }] } },
    'spec.containers[0].resources.cpuMax',
    '"spec.containers[0].resources.cpuMax" requires a text',
  ],
])('%#: a wrong type is named with its place', (body, parameter, message) => {
  const read = readTemplate(body);
  expect('findings' in read && read.findings[0]).toEqual({ parameter, message });
});

test.each([
  [undefined, '"propertyJson" requires a value'],
  ['{', '"propertyJson" requires JSON'],
])('the form %j', (propertyJson, message) => {
  const form = new URLSearchParams(propertyJson === undefined ? {} : { propertyJson });
  expect(fromEditForm(form)).toEqual({ findings: [{ parameter: 'propertyJson', message }] });
});

test.each([
  ['a list', [template]],
  ['an object with a list', { total: 1, deploymentProperties: [template, { id: 'broken' }] }],
  ['one template', template],
])('the templates in %s', (_, body) => {
  expect(templatesOf(body)?.templates).toEqual([template]);
});

test('templates that cannot be read are named, with the reason', () => {
  const { spec: _, ...broken } = { ...template, id: 'broken' };
  const missing = { parameter: 'spec', message: '"spec" requires a value' };
  const unreadable = { id: 'broken', at: 1, findings: [missing] };
  expect(templatesOf([template, broken])).toEqual({ templates: [template], unreadable: [unreadable] });
  expect(templatesOf({ properties: [broken] })).toEqual({
    templates: [],
    unreadable: [{ ...unreadable, at: 0 }],
  });
  expect(templatesOf([template, 'text'])?.unreadable).toMatchObject([{ at: 1 }]);
});

describe('a template of a lenient deployment', () => {
  const odd = {
    ...template,
    revision: '1741780800000',
    spec: {
      replicas: { min: '1', max: 1, scalingMode: null, autoscaling: null },
      containers: [
        { name: 'main', resources: { cpuMin: 0.125, cpuMax: null } },
        { name: 'b', resources: null },
      ],
    },
  };

  test('has numbers as texts, texts as numbers and null, and is kept as it is', () => {
    expect(readTemplate(odd)).toEqual({ template: odd });
    const { revision: _, ...bare } = odd;
    expect(readTemplate(bare)).toEqual({ template: bare });
  });

  test('has other types than the documented ones', () => {
    expect(undocumentedTypes(template)).toEqual([]);
    expect(undocumentedTypes(odd)).toEqual([
      { parameter: 'revision', message: '"revision" requires a whole number' },
      { parameter: 'spec.replicas.min', message: '"spec.replicas.min" requires a whole number' },
      {
        parameter: 'spec.containers[0].resources.cpuMin',
        message: expect.stringContaining('requires a text'),
      },
    ]);
  });

  test('goes back with every digit that it came with', () => {
    const text =
      '{"id":"a","mode":"m","provider":"p","type":"t","revision":1.0,"spec":{"of":[12345678901234567890,1e3]}}';
    const read = readTemplate(readExactJson(text));
    expect('template' in read && toEditForm(read.template).get('propertyJson')).toBe(text);
    const received = fromEditForm(new URLSearchParams({ propertyJson: text }));
    expect('template' in received && writeExactJson(received.template)).toBe(text);
  });
});

test.each([[null], [{}], [{ properties: [] }], ['text']])('there is no template in %j', (body) => {
  expect(templatesOf(body)).toBeUndefined();
});

test('a placement policy is found in either place', () => {
  const { podPlacementPolicy, ...rest } = template;
  expect(placementOf(template)).toEqual({ path: 'podPlacementPolicy', policy: podPlacementPolicy });
  expect(placementOf({ ...rest, spec: { ...rest.spec, podPlacementPolicy } })).toEqual({
    path: 'spec.podPlacementPolicy',
    policy: podPlacementPolicy,
  });
  expect(placementOf(rest)).toBeUndefined();
});

describe('the enumerations and defaults of sections 2.3 and 8', () => {
  test('modes', () => {
    expect(templateModes).toEqual(['Shared', 'Dedicated', 'Undefined', 'Primary', 'Standby', 'Coordinator']);
  });

  test('providers', () => {
    const documented =
      'SDS VendorObjects11 DMaps Undefined Postgres Tiles Ignite MinIO Elasticsearch RabbitMQ VendorObjectsRasterRendering';
    expect(templateProviders(vendorProfiles.default).join(' ')).toBe(documented);
    expect(templateProviders(vendorProfiles.arcgis).join(' ')).toBe(documented.replaceAll('Vendor', 'Arc'));
  });

  test('types', () => {
    expect(templateTypes.join(' ')).toBe(
      'FeatureServer GeometryServer GPServer GPSyncServer MapServer TileServer System InMemoryStore ObjectStore SpatiotemporalIndexStore QueueServer RelationalStore WebhookProcessor',
    );
  });

  test('defaults', () => {
    expect(templateDefaults).toEqual({
      replicas: { min: 1, max: 1 },
      resources: { memoryMin: '500Mi', memoryMax: '2Gi', cpuMin: '0.125', cpuMax: '2' },
    });
  });
});
