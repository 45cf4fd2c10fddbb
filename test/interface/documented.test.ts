import { describe, expect, test } from 'vitest';
import { maxLogs, progressOf, readUpgradeStatus } from '../../src/client/index.ts';
import { formBody, unzip } from '../emulator/calls.ts';
import { postForm, type Running, startRunning, tokenOf } from './running.ts';

/*
 * The tables of sections 2 and 4 of the interface document written out, so that
 * neither the deployment nor the client can be wrong about them in the same way.
 */

const words = (text: string) => text.trim().split(/\s+/);

/** What the deployment answers to a form, as JSON. */
async function ask(running: Running, path: string, form: Record<string, string> = {}): Promise<unknown> {
  const token = await tokenOf(running);
  return postForm(`${running.client.addresses.root}/${path}`, { token, ...form });
}

describe('the catalog (sections 2.1 and 4.1)', () => {
  const wsdlOf = async ({ url }: Running) => (await fetch(`${url}/services?wsdl`)).text();

  test('has the enumerations', async () => {
    await using running = await startRunning();
    const wsdl = await wsdlOf(running);
    const values = [...wsdl.matchAll(/<xs:enumeration value="(\w+)"/g)].map(([, value]) => value);
    const versions = words('83 90 92 93 10 101 103 104 105 106 107 108').map(
      (each) => `vendorVersion${each}`,
    );
    const minors = [5, 10, 4].flatMap((count, at) =>
      Array.from({ length: count }, (_, minor) => `vendorProVersion${at + 1}_${minor}`),
    );
    const formats = ['Soap', 'Bin', 'SoapOrBin'].map((each) => `vendorServiceCatalogMessageFormat${each}`);
    expect(values.toSorted()).toEqual([...versions, ...minors, ...formats].toSorted());
    expect(wsdl).toContain('<xs:simpleType name="vendorVersion">');
    expect(wsdl).toContain('<xs:simpleType name="vendorServiceCatalogMessageFormat">');
  });

  test('has the types, operations and elements', async () => {
    await using running = await startRunning();
    const wsdl = await wsdlOf(running);
    const elementsOf = (start: string) => {
      const [, content = ''] = wsdl.split(start);
      const [sequence = ''] = content.split(/<\/xs:sequence>|<xs:sequence\/>/);
      return [
        ...sequence.matchAll(
          /<xs:element name="(\w+)" type="(\w+:\w+)"( minOccurs="0" maxOccurs="unbounded")?/g,
        ),
      ].map(([, name, type, many]) => `${name} ${type}${many ? ' *' : ''}`);
    };
    const type = (name: string) => elementsOf(`<xs:complexType name="${name}">`);
    const fields = words('Name Type Url ParentType Capabilities Description');
    expect(type('ServiceDescription')).toEqual(fields.map((field) => `${field} xs:string`));
    expect(type('ArrayOfServiceDescription')).toEqual(['ServiceDescription tns:ServiceDescription *']);
    expect(type('ArrayOfString')).toEqual(['String xs:string *']);
    const parts: Record<string, readonly [string[], string[]]> = {
      GetMessageVersion: [[], ['MessageVersion tns:vendorVersion', 'ProMessageVersion tns:vendorVersion']],
      GetMessageFormats: [[], ['MessageFormats tns:vendorServiceCatalogMessageFormat']],
      GetTokenServiceURL: [[], ['TokenServiceURL xs:string']],
      GetFolders: [[], ['FolderNames tns:ArrayOfString']],
      GetServiceDescriptions: [[], ['ServiceDescriptions tns:ArrayOfServiceDescription']],
      GetServiceDescriptionsEx: [
        ['FolderName xs:string'],
        ['ServiceDescriptions tns:ArrayOfServiceDescription'],
      ],
      RequiresTokens: [[], ['Result xs:boolean']],
    };
    for (const [operation, [request, reply]] of Object.entries(parts)) {
      const element = (name: string) => elementsOf(`<xs:element name="${name}"><`);
      expect([operation, element(operation), element(`${operation}Response`)]).toEqual([
        operation,
        request,
        reply,
      ]);
    }
    expect([...wsdl.matchAll(/<soap:operation soapAction="" style="document"/g)]).toHaveLength(7);
    for (const name of [
      'service name="Catalog"',
      'port name="ServiceCatalogPort"',
      'binding name="ServiceCatalogBinding"',
    ]) {
      expect(wsdl).toContain(`<${name}`);
    }
  });
});

describe('default properties (section 2.3)', () => {
  test('have the values', async () => {
    await using running = await startRunning();
    const { properties } = (await ask(running, 'system/deployments/properties')) as {
      properties: Record<string, string>[];
    };
    const valuesOf = (key: string) => [...new Set(properties.map((each) => each[key]))].toSorted();
    expect(valuesOf('mode')).toEqual(words('Coordinator Dedicated Primary Shared Standby Undefined'));
    expect(valuesOf('provider')).toEqual(
      words(`DMaps Elasticsearch Ignite MinIO Postgres RabbitMQ SDS Tiles Undefined VendorObjects11
        VendorObjectsRasterRendering`),
    );
    expect(valuesOf('type')).toEqual(
      words(`FeatureServer GPServer GPSyncServer GeometryServer InMemoryStore MapServer ObjectStore QueueServer
        RelationalStore SpatiotemporalIndexStore System TileServer WebhookProcessor`),
    );
  });

  test('have the fields, with their defaults (section 8)', async () => {
    await using running = await startRunning();
    const { properties } = (await ask(running, 'system/deployments/properties')) as { properties: object[] };
    const found = properties.find((each) => 'type' in each && each.type === 'GPServer');
    expect(found).toMatchObject({
      mode: expect.any(String),
      provider: expect.any(String),
      id: expect.any(String),
      type: 'GPServer',
      revision: expect.any(Number),
      spec: {
        replicas: { min: 1, max: 1, scalingMode: 'manual' },
        containers: [
          {
            name: 'main-container',
            resources: { memoryMin: '500Mi', memoryMax: '2Gi', cpuMin: '0.125', cpuMax: '2' },
            containerImageKey: 'GP_SERVER',
          },
          { name: 'filebeat', resources: expect.any(Object), containerImageKey: 'FILEBEAT' },
        ],
      },
    });
  });
});

describe('upgrades (sections 2.6 to 2.8)', () => {
  async function updates(running: Running): Promise<{ id: string; type: string }[]> {
    const { versions } = (await ask(running, 'system/upgrades/available')) as {
      versions: { id: string; type: string }[];
    };
    return versions;
  }

  test('settings have every field and no other', async () => {
    await using running = await startRunning({ version: '11.0' });
    const release = (await updates(running)).find(({ type }) => type === 'release');
    const upgradeId = JSON.stringify({ id: release?.id });
    const body = await ask(running, 'system/upgrades/getUpgradeSettings', { upgradeId });
    const common = { seqNum: expect.any(Number), description: expect.stringMatching(/^\S+$/), newfield: '' };
    expect(body).toEqual({
      userInputs: [
        {
          ...common,
          ...{ id: 'updateToLatestPatch', name: 'updateToLatestPatch', type: 'Boolean', required: false },
          ...{ value: true, defaultValue: true, isManagerInvisibleField: true },
        },
        {
          ...common,
          ...{ id: 'licenseUpload', name: 'licenseUpload', type: 'File', required: true, value: '' },
          validFileExtensions: ['json'],
        },
        {
          ...common,
          ...{ id: 'volumesConfig', name: 'volumesConfig', type: 'Text', required: false },
          ...{ value: expect.any(String), defaultValue: expect.any(String) },
          ...{ orderedListofTemplates: expect.any(String), templateName: expect.any(String) },
          isTemplateRequired: false,
        },
      ],
    });
    const { userInputs } = body as { userInputs: { value: string }[] };
    const volume = {
      labels: expect.any(Object),
      provisioningType: 'DYNAMIC',
      size: expect.stringMatching(/^\d+Gi$/),
      storageClass: expect.any(String),
    };
    expect(JSON.parse(userInputs[2]?.value ?? '')).toEqual([
      { component: 'BLOB', ...volume },
      { component: 'SHARING', ...volume },
    ]);
  });

  test('a rollback option has every field and the containers', async () => {
    await using running = await startRunning({ version: '11.2' });
    expect(await ask(running, 'system/upgrades/checkRollback')).toEqual({ updates: [] });
    const patch = (await updates(running)).find(({ type }) => type === 'patch');
    await ask(running, 'system/upgrades/upgrade', { versionManifest: JSON.stringify({ id: patch?.id }) });
    running.wait(24 * 3_600_000);
    const { updates: options } = (await ask(running, 'system/upgrades/checkRollback')) as {
      updates: { containers: { name: string }[] }[];
    };
    expect(options[0]).toEqual({
      ...{ id: expect.stringMatching(/^rel_\d+_\d+$/), type: 'release', released: expect.any(Number) },
      ...{ name: expect.any(String), description: expect.any(String), url: expect.any(String) },
      ...{ version: expect.any(String), build: expect.any(String) },
      ...{ previousVersion: expect.any(String), previousReleaseBuild: expect.any(String) },
      containers: expect.any(Array),
    });
    expect(options[0]?.containers.map(({ name }) => name).toSorted()).toEqual(
      words(`ENTERPRISE_ADMIN_API STORE_POSTGRES STORE_MINIO STORE_RELATIONAL STORE_SBDS STORE_IGNITE
        PORTAL_SHARING_API PORTAL_HOME_APP MANAGER_APP PORTAL_JSAPI CATALOG_SERVER CONFIG_FACTORY_SERVER
        MAP_SERVER GEOCODE_SERVER GEOMETRY_SERVER IMAGE_SERVER GPPROXY_SERVER GP_SERVER SDS_FEATURE_SERVER
        TILE_SERVER PROMETHEUS KIBANA FILEBEAT RABBITMQ HELP ADMIN_TOOLS UPGRADER PORTAL_CONTENT_TEMPLATE
        POSTGRES_UPGRADER INGRESS_CONTROLLER PORTAL_APPS BUSYBOX DISASTER_RECOVERY WEB_PROXY
        PORTAL_WEB_STYLE_APP`).toSorted(),
    );
    for (const container of options[0]?.containers ?? []) {
      expect(Object.keys(container).toSorted()).toEqual(['checksum', 'image', 'name']);
    }
  });

  test('the messages have the codes, and the states their numbers', async () => {
    await using running = await startRunning({ version: '11.1' });
    const codes = new Set<number>();
    for (const kind of ['patch', 'release']) {
      const { id } = (await updates(running)).find(({ type }) => type === kind) ?? { id: '' };
      const upgradeId = JSON.stringify({ id });
      const settings = await ask(running, 'system/upgrades/getUpgradeSettings', { upgradeId });
      const answer = await ask(running, 'system/upgrades/upgrade', {
        versionManifest: upgradeId,
        ...(kind === 'release' && { upgradeSettings: JSON.stringify(settings) }),
      });
      expect(answer).toMatchObject({
        status: { state: 'in_progress', code: 1, messages: [{ code: 2010, when: expect.any(Number) }] },
      });
      running.wait(24 * 3_600_000);
      const { status } = (await ask(running, 'system/upgrades')) as {
        status: { messages: { message: string; code: number; when: number }[] };
      };
      expect(status).toMatchObject({ state: 'success', code: 3 });
      for (const { code, message } of status.messages) {
        codes.add(code);
        if (code === 2173 || code === 2175) expect(message).toMatch(/^\d+ out of \d+ deployments updated/);
      }
      expect(progressOf(await readUpgradeStatus(running.client)).stage).toBe('succeeded');
    }
    const documented =
      words(`2010 2011 2012 2168 2165 2166 2270 2271 2287 2288 2281 2094 2291 2173 2175 2108 2109
      2087 2090 2092 2093 2144 2145 2153 2148 2149 2151 2134 2132 2038 2101 2103 2187 2188 2179 2180 2181 2178
      2185 2191 2192`);
    expect([...codes].toSorted()).toEqual(documented.map(Number).toSorted());
  });

  test('an upgrade takes a multipart form with every field, its files sent empty as well (section 4.2.5)', async () => {
    await using running = await startRunning({ version: '11.2' });
    const patch = (await updates(running)).find(({ type }) => type === 'patch');
    const form = new FormData();
    const fields = {
      versionManifest: JSON.stringify({ id: patch?.id }),
      ...{ upgradeSettings: '{}', updateToLatestPatch: 'true', f: 'json', token: await tokenOf(running) },
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('licenseFile', new Blob([]), '');
    form.set('versionManifestFile', new Blob([]), '');
    const address = `${running.client.addresses.root}/system/upgrades/upgrade`;
    const response = await fetch(address, { method: 'POST', body: form });
    expect(await response.json()).toMatchObject({ status: { state: 'in_progress', code: 1 } });
  });
});

describe('an export (section 4.2.1)', () => {
  const now = Date.now();
  const log = { logLevel: 'INFO', logCode: 1, source: 'Rest', machine: 'm', process: '1' } as const;
  const logs = [
    { ...log, time: now - 3_600_000_000, msg: 'red' },
    { ...log, time: now - 5000, msg: 'red red red', stackTraces: 'at a.b', logLevel: 'SEVERE' },
    { ...log, time: now - 4000, msg: 'a long text in which red occurs once among others', logLevel: 'FINE' },
    { ...log, time: now + 3_600_000, msg: 'red in the future' },
  ];

  async function exported(running: Running, form: Record<string, string>): Promise<readonly string[]> {
    const token = await tokenOf(running);
    const submitted = await ask(running, 'logs/export', form);
    const { jobsUrl } = submitted as { jobsUrl: string };
    running.wait(10_000);
    const job = (await postForm(jobsUrl, { token })) as { result: { URL: string } };
    const response = await fetch(`${job.result.URL}/download`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const [text = ''] = (await unzip(new Uint8Array(await response.arrayBuffer()))).values();
    return text.split('\n').filter((line) => line.includes('"msg":"') && line.includes('red'));
  }

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['of a search', { searchQuery: 'red' }, { sortBy: 'bestMatch', sortOrder: 'desc' }],
    ['of a filter', {}, { logLevel: 'INFO', endTime: '' }],
    [
      'of both',
      { searchQuery: 'red', sortBy: 'time' },
      { sortOrder: 'desc', stackTraces: 'false', num: '1000' },
    ],
  ])('%s has the defaults', async (_, form, defaults) => {
    await using running = await startRunning({ logs, logLevel: 'INFO' });
    const lines = await exported(running, form);
    expect(await exported(running, { ...form, ...defaults })).toEqual(lines);
    // The oldest too, but not what is still to come; the current level is a default of filters, not of searches.
    const found = lines
      .map((line) => JSON.parse(line).msg)
      .filter((msg) => msg !== 'red' && msg !== 'red red red');
    expect([lines.length - found.length, found.length]).toEqual([2, 'searchQuery' in form ? 1 : 0]);
    expect(found).not.toContain('red in the future');
    for (const line of lines) expect(JSON.parse(line)).not.toHaveProperty('stackTraces');
  });
});

describe('all operations (section 4.2)', () => {
  const operations = [
    'logs/export',
    'system/deployments/properties/9375dd81-30d1-41c0-a802-cabb425159b1/edit',
    'system/upgrades/getUpgradeSettings',
    'system/upgrades/checkRollback',
    'system/upgrades/upgrade',
  ];

  test.each(operations)('%s takes POST, and "f" with its values and default', async (path) => {
    await using running = await startRunning();
    const address = `${running.client.addresses.root}/${path}`;
    const send = async (f: Record<string, string>) => {
      const body = formBody(path, { token: await tokenOf(running), ...f });
      const response = await fetch(address, { method: 'POST', body });
      return [
        response.headers.get('content-type')?.split(';')[0],
        (await response.text()).split('\n').length,
      ];
    };
    expect((await send({}))[0]).toBe('text/html');
    expect((await send({ f: 'html' }))[0]).toBe('text/html');
    expect(await send({ f: 'json' })).toEqual(['application/json', 1]);
    const [type, lines] = await send({ f: 'pjson' });
    expect([type, Number(lines) > 1]).toEqual(['application/json', true]);
    const other = await fetch(`${address}?f=json`);
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('at most 10,000 logs are returned (section 8)', () => expect(maxLogs).toBe(10_000));

  test.each([
    ['the history of upgrades', 'system/upgrades/history'],
    ['the edit of one deployment', 'system/deployments/9375dd81/edit'],
    ['anything else', 'system/upgrades/anything'],
  ])('%s, whose request is not documented, is answered as what is not there', async (_, path) => {
    await using running = await startRunning();
    const token = await tokenOf(running);
    for (const f of ['json', 'html']) {
      const response = await fetch(`${running.client.addresses.root}/${path}`, {
        method: 'POST',
        body: new URLSearchParams({ token, f, versionManifest: '{"id":"rel_1_1"}' }),
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        error: {
          code: 404,
          message: 'Not found.',
          details: ['There is no operation or resource at this address.'],
        },
      });
    }
  });
});
