import { expect } from 'vitest';
import {
  getFolders,
  getMessageFormats,
  getMessageVersion,
  getServiceDescriptions,
} from '../../../src/client/catalog.ts';
import { type ServiceDescription, versionInWords } from '../../../src/protocol/catalog.ts';
import { serviceExample, servicesReply, soapReply } from '../parties/independent-deployment.ts';
import { elementsOf, wsdlOf } from '../parties/read-wsdl.ts';
import { byHand, client, deployment, isText, type Section, type Statement, words } from './statement.ts';

const keys = {
  Name: 'name',
  Type: 'type',
  Url: 'url',
  ParentType: 'parentType',
  Capabilities: 'capabilities',
  Description: 'description',
} as const satisfies Record<string, keyof ServiceDescription>;

function field(name: keyof typeof keys): Statement {
  return {
    id: `2.1 ${name}`,
    says: `\`${name}\` of a ServiceDescription is a string`,
    client: client('Gives it back as it came, and an absent one as empty', async (own, other) => {
      expect((await getServiceDescriptions(own))[0]?.[keys[name]]).toBe(serviceExample[name]);
      const { [name]: _, ...without } = serviceExample;
      other.answer('GetServiceDescriptions', servicesReply('GetServiceDescriptions', [without]));
      expect((await getServiceDescriptions(own))[0]?.[keys[name]]).toBe('');
    }),
    deployment: deployment('Each service has it', async ({ calls, running }) => {
      const services = await calls.services();
      for (const service of services) expect(service[keys[name]]).toSatisfy(isText);
      const wsdl = await wsdlOf(running);
      expect(elementsOf(wsdl, '<xs:complexType name="ServiceDescription">')).toContain(`${name} xs:string`);
    }),
  };
}

const serverVersions = words('83 90 92 93 10 101 103 104 105 106 107 108').map(
  (each) => `vendorVersion${each}`,
);
const proVersions = [5, 10, 4].flatMap((count, at) =>
  Array.from({ length: count }, (_, minor) => `vendorProVersion${at + 1}_${minor}`),
);
const formats = ['Soap', 'Bin', 'SoapOrBin'].map((each) => `vendorServiceCatalogMessageFormat${each}`);

function valuesOf(wsdl: string, type: string): readonly string[] {
  const [, simpleType = ''] = wsdl.split(`<xs:simpleType name="${type}">`);
  const [content = ''] = simpleType.split('</xs:simpleType>');
  return [...content.matchAll(/<xs:enumeration value="(\w+)"/g)].map(([, value = '']) => value);
}

export const catalogTypes: Section = {
  number: '2.1',
  title: 'ServiceDescription and the types of the catalog',
  file: '2-1-catalog-types.ts',
  statements: [
    ...(Object.keys(keys) as (keyof typeof keys)[]).map(field),
    {
      id: '2.1 ArrayOfServiceDescription',
      says: 'ArrayOfServiceDescription holds any number of `ServiceDescription` items, none as well',
      client: client('Reads none, one and many', async (own, other) => {
        for (const count of [0, 1, 300]) {
          const services = Array.from({ length: count }, () => serviceExample);
          other.answer('GetServiceDescriptions', servicesReply('GetServiceDescriptions', services));
          expect(await getServiceDescriptions(own)).toHaveLength(count);
        }
      }),
      deployment: deployment('Has folders with none, one and two', async ({ calls, running }) => {
        const counts = await Promise.all(
          ['Nowhere', 'Analysis', 'Basemaps'].map(async (folder) => (await calls.services(folder)).length),
        );
        expect(counts).toEqual([0, expect.any(Number), 2]);
        expect(
          elementsOf(await wsdlOf(running), '<xs:complexType name="ArrayOfServiceDescription">'),
        ).toEqual(['ServiceDescription tns:ServiceDescription *']);
      }),
    },
    {
      id: '2.1 ArrayOfString',
      says: 'ArrayOfString holds any number of `String` items, none as well',
      client: client('Reads none, one and many', async (own, other) => {
        for (const count of [0, 1, 300]) {
          const names = Array.from({ length: count }, (_, at) => `Folder ${at}`);
          const items = names.map((name) => `<String>${name}</String>`).join('');
          other.answer('GetFolders', soapReply('GetFolders', `<FolderNames>${items}</FolderNames>`));
          expect(await getFolders(own)).toEqual(names);
        }
      }),
      deployment: deployment('Holds the names of the folders', async ({ calls, running }) => {
        expect(await calls.folders()).toEqual(words('Analysis Basemaps Planning System Transport Utilities'));
        expect(elementsOf(await wsdlOf(running), '<xs:complexType name="ArrayOfString">')).toEqual([
          'String xs:string *',
        ]);
      }),
    },
    {
      id: '2.1 vendorServiceCatalogMessageFormat',
      says: 'The values of `vendorServiceCatalogMessageFormat` end with `Soap`, `Bin` and `SoapOrBin`',
      client: client('Gives each back', async (own, other) => {
        for (const format of formats) {
          const reply = `<MessageFormats>${format}</MessageFormats>`;
          other.answer('GetMessageFormats', soapReply('GetMessageFormats', reply));
          expect(await getMessageFormats(own)).toBe(format);
        }
      }),
      deployment: deployment('Its WSDL lists them, and the answer is one', async ({ calls, running }) => {
        const values = valuesOf(await wsdlOf(running), 'vendorServiceCatalogMessageFormat');
        expect(values).toEqual(formats);
        expect(values).toContain(await calls.messageFormats());
      }),
    },
    {
      id: '2.1 vendorVersion of servers',
      says: `\`vendorVersion\` has the values ${serverVersions.map((value) => value.slice(13)).join(', ')}`,
      client: client('Gives each back, and writes it as people do', async (own, other) => {
        for (const version of serverVersions) {
          const reply = `<MessageVersion>${version}</MessageVersion>`;
          other.answer('GetMessageVersion', soapReply('GetMessageVersion', reply));
          expect(await getMessageVersion(own)).toEqual({ messageVersion: version });
        }
        expect(serverVersions.map(versionInWords)).toEqual(
          words('8.3 9.0 9.2 9.3 10 10.1 10.3 10.4 10.5 10.6 10.7 10.8'),
        );
      }),
      deployment: byHand('Its WSDL lists them', async ({ running }) => {
        const values = valuesOf(await wsdlOf(running), 'vendorVersion');
        expect(values.filter((value) => value.startsWith('vendorVersion'))).toEqual(serverVersions);
      }),
    },
    {
      id: '2.1 vendorVersion of Pro',
      says: 'The same enumeration has `vendorProVersion1_0` to `1_4`, `2_0` to `2_9` and `3_0` to `3_3`',
      client: client('Gives each back, and writes it as people do', async (own, other) => {
        for (const version of proVersions) {
          const reply = `<MessageVersion>vendorVersion108</MessageVersion><ProMessageVersion>${version}</ProMessageVersion>`;
          other.answer('GetMessageVersion', soapReply('GetMessageVersion', reply));
          expect((await getMessageVersion(own)).proMessageVersion).toBe(version);
        }
        expect([proVersions[0], proVersions.at(-1)].map((value = '') => versionInWords(value))).toEqual([
          'Pro 1.0',
          'Pro 3.3',
        ]);
      }),
      deployment: byHand('Its WSDL lists them, and nothing else', async ({ running }) => {
        const values = valuesOf(await wsdlOf(running), 'vendorVersion');
        expect(values.toSorted()).toEqual([...serverVersions, ...proVersions].toSorted());
      }),
    },
  ],
};
