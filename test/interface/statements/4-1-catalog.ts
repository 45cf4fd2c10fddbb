import { expect } from 'vitest';
import {
  getFolders,
  getMessageFormats,
  getMessageVersion,
  getServiceDescriptions,
  getServiceDescriptionsEx,
  getTokenServiceUrl,
  requiresTokens,
} from '../../../src/client/catalog.ts';
import type { Client } from '../../../src/client/client.ts';
import type { Calls } from '../parties/calls.ts';
import { serviceExample } from '../parties/independent-deployment.ts';
import { elementsOf, wsdlOf } from '../parties/read-wsdl.ts';
import { sharedToken } from '../parties/shared-token.ts';
import type { Running } from '../running.ts';
import { byHand, client, deployment, type Section, type Statement } from './statement.ts';

interface Operation {
  readonly name: string;
  readonly request: readonly string[];
  readonly reply: readonly string[];
  /** Result of our client for the answer of the independent deployment. */
  readonly own: (own: Client) => Promise<unknown>;
  readonly given: unknown;
  /** The answer of the reference deployment, with what it must be. */
  readonly calls: (calls: Calls) => Promise<unknown>;
  readonly answered: unknown;
}

const example = {
  name: serviceExample.Name,
  type: serviceExample.Type,
  url: serviceExample.Url,
  parentType: serviceExample.ParentType,
  capabilities: serviceExample.Capabilities,
  description: serviceExample.Description,
};

const operations: readonly Operation[] = [
  {
    name: 'GetMessageVersion',
    request: [],
    reply: ['MessageVersion tns:vendorVersion', 'ProMessageVersion tns:vendorVersion'],
    own: getMessageVersion,
    given: { messageVersion: 'vendorVersion107', proMessageVersion: 'vendorProVersion2_9' },
    calls: (calls) => calls.messageVersion(),
    answered: { MessageVersion: 'vendorVersion108', ProMessageVersion: 'vendorProVersion3_3' },
  },
  {
    name: 'GetMessageFormats',
    request: [],
    reply: ['MessageFormats tns:vendorServiceCatalogMessageFormat'],
    own: getMessageFormats,
    given: 'vendorServiceCatalogMessageFormatSoapOrBin',
    calls: (calls) => calls.messageFormats(),
    answered: 'vendorServiceCatalogMessageFormatSoap',
  },
  {
    name: 'GetTokenServiceURL',
    request: [],
    reply: ['TokenServiceURL xs:string'],
    own: getTokenServiceUrl,
    given: expect.stringMatching(/\/enterprise\/tokens$/),
    calls: (calls) => calls.tokenServiceUrl(),
    answered: expect.stringMatching(/\/gis\/sharing\/rest\/generateToken$/),
  },
  {
    name: 'GetFolders',
    request: [],
    reply: ['FolderNames tns:ArrayOfString'],
    own: getFolders,
    given: ['Roads', 'Rail'],
    calls: (calls) => calls.folders(),
    answered: ['Analysis', 'Basemaps', 'Planning', 'System', 'Transport', 'Utilities'],
  },
  {
    name: 'GetServiceDescriptions',
    request: [],
    reply: ['ServiceDescriptions tns:ArrayOfServiceDescription'],
    own: getServiceDescriptions,
    given: [example],
    calls: async (calls) => (await calls.services()).map(({ name }) => name.split('/')[0]),
    answered: expect.arrayContaining(['Basemaps', 'Utilities']),
  },
  {
    name: 'GetServiceDescriptionsEx',
    request: ['FolderName xs:string'],
    reply: ['ServiceDescriptions tns:ArrayOfServiceDescription'],
    own: (own) => getServiceDescriptionsEx(own, 'Roads'),
    given: [example],
    calls: async (calls) => (await calls.services('Basemaps')).map(({ name }) => name),
    answered: ['Basemaps/City', 'Basemaps/Streets'],
  },
  {
    name: 'RequiresTokens',
    request: [],
    reply: ['Result xs:boolean'],
    own: requiresTokens,
    given: false,
    calls: (calls) => calls.requiresTokens(),
    answered: true,
  },
];

function toStatement(operation: Operation): Statement {
  const { name, request, reply, own: ask, given, calls: call, answered } = operation;
  const names = (parts: readonly string[]) => parts.map((part) => `\`${part.split(' ')[0]}\``).join(', ');
  return {
    id: `4.1 ${name}`,
    says: `\`${name}\` has ${request.length === 0 ? 'no request elements' : names(request)} and answers ${names(reply)}`,
    client: client('Sends the one and reads the other', async (own, other) => {
      expect(await ask(own)).toEqual(given);
      const [, sent = ''] =
        new RegExp(`<(?:\\w+:)?${name}[^>]*>(.*)</(?:\\w+:)?${name}>`).exec(other.last().text) ?? [];
      expect([...sent.matchAll(/<(\w+)[ >]/g)].map(([, part]) => part)).toEqual(
        request.map((part) => part.split(' ')[0]),
      );
    }),
    deployment: deployment(
      'Answers it, and its WSDL has these elements and types',
      async ({ calls, running }) => {
        expect(await call(calls)).toEqual(answered);
        const wsdl = await wsdlOf(running);
        expect(elementsOf(wsdl, `<xs:element name="${name}"><`)).toEqual(request);
        expect(elementsOf(wsdl, `<xs:element name="${name}Response"><`)).toEqual(reply);
      },
    ),
  };
}

const namespace = 'http://vendor.example/schemas/services/3.3.0';

/** Sends a SOAP message that was written by hand. */
async function send(running: Running, content: string, headers: Readonly<Record<string, string>> = {}) {
  const envelope = `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>${content}</env:Body></env:Envelope>`;
  const response = await fetch(`${running.url}/services?token=${await sharedToken(running)}`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml', soapaction: '""', ...headers },
    body: envelope,
  });
  return { status: response.status, text: await response.text() };
}

export const catalog: Section = {
  number: '4.1',
  title: 'Service catalog (SOAP)',
  file: '4-1-catalog.ts',
  statements: [
    {
      id: '4.1 POST',
      says: 'All operations are HTTP POST to the address of the catalog',
      client: client('Sends POST', async (own, other) => {
        for (const { own: ask } of operations) await ask(own);
        expect(other.arrived.map(({ method, path }) => `${method} ${path}`)).toEqual(
          operations.map(() => 'POST /services'),
        );
      }),
      deployment: byHand('Takes POST; refuses PUT', async ({ running }) => {
        expect((await send(running, `<c:RequiresTokens xmlns:c="${namespace}"/>`)).status).toBe(200);
        const other = await fetch(`${running.url}/services`, { method: 'PUT' });
        expect(other.status).toBe(405);
      }),
    },
    {
      id: '4.1 document, literal',
      says: 'Messages have the SOAP document style and the literal use',
      client: client('Writes the element of the operation straight into the body', async (own, other) => {
        await getFolders(own);
        expect(other.last().text).toMatch(
          /<(\w+):Body><(\w+):GetFolders [^>]*>.*<\/\2:GetFolders><\/\1:Body>/,
        );
        expect(other.last().text).not.toContain('encodingStyle');
      }),
      deployment: byHand('Its WSDL says so; reads what is written so', async ({ running }) => {
        const wsdl = await wsdlOf(running);
        expect(wsdl.match(/style="document"/g)).toHaveLength(8);
        expect(wsdl.match(/<soap:body use="literal"/g)).toHaveLength(14);
        const { text } = await send(running, `<c:RequiresTokens xmlns:c="${namespace}"/>`);
        expect(text).toMatch(/Body><(\w+):RequiresTokensResponse/);
      }),
    },
    {
      id: '4.1 soapAction',
      says: 'The soapAction is empty',
      client: client('Sends `SOAPAction: ""`', async (own, other) => {
        await getFolders(own);
        expect(other.last().headers.soapaction).toBe('""');
      }),
      deployment: byHand(
        'Its WSDL has an empty one; needs none to tell operations apart',
        async ({ running }) => {
          expect((await wsdlOf(running)).match(/soapAction=""/g)).toHaveLength(7);
          for (const soapaction of ['', '""']) {
            const { text } = await send(running, `<c:RequiresTokens xmlns:c="${namespace}"/>`, {
              soapaction,
            });
            expect(text).toContain('RequiresTokensResponse');
          }
        },
      ),
    },
    ...(
      [
        ['service name', 'The service is named `Catalog`', '<service name="Catalog">'],
        ['port name', 'The port is named `ServiceCatalogPort`', '<port name="ServiceCatalogPort"'],
        [
          'binding name',
          'The binding is named `ServiceCatalogBinding`',
          '<binding name="ServiceCatalogBinding"',
        ],
      ] as const
    ).map(
      ([id, says, text]): Statement => ({
        id: `4.1 ${id}`,
        says,
        deployment: byHand('Its WSDL has that name', async ({ running }) => {
          expect(await wsdlOf(running)).toContain(text);
        }),
      }),
    ),
    {
      id: '4.1 request elements',
      says: 'Each request element carries the name of its operation',
      client: client('Writes it', async (own, other) => {
        for (const { name, own: ask } of operations) {
          await ask(own);
          expect(other.last().text).toMatch(new RegExp(`Body><\\w+:${name}[ >]`));
        }
      }),
      deployment: byHand('Tells operations apart by it; refuses an unknown one', async ({ running }) => {
        for (const { name } of operations) {
          const { text } = await send(running, `<c:${name} xmlns:c="${namespace}"/>`);
          expect(text).toContain(`${name}Response`);
        }
        const { status, text } = await send(running, `<c:GetOther xmlns:c="${namespace}"/>`);
        expect([status, text]).toEqual([500, expect.stringContaining('Fault')]);
      }),
    },
    {
      id: '4.1 response elements',
      says: 'Each response element is named after its operation, with `Response` behind it',
      client: client('Reads no other', async (own, other) => {
        other.answer('GetFolders', '<e:Envelope xmlns:e="e"><e:Body><GetFolders/></e:Body></e:Envelope>');
        await expect(getFolders(own)).rejects.toMatchObject({ code: 'BAD_REPLY' });
      }),
      deployment: byHand('Writes it', async ({ running }) => {
        for (const { name } of operations) {
          const { text } = await send(running, `<c:${name} xmlns:c="${namespace}"/>`);
          expect(text).toMatch(new RegExp(`Body><(\\w+):${name}Response[ >].*</\\1:${name}Response></`));
        }
      }),
    },
    {
      id: '4.1 {namespace}',
      says: 'The elements live in the XML namespace of the service',
      client: client('Writes it; reads a reply under any', async (own, other) => {
        await getFolders(own);
        expect(other.last().text).toMatch(new RegExp(`<(\\w+):GetFolders xmlns:\\1="${namespace}"`));
        const content = '<x:GetFoldersResponse xmlns:x="urn:other"><x:FolderNames/></x:GetFoldersResponse>';
        other.answer('GetFolders', `<Envelope><Body>${content}</Body></Envelope>`);
        expect(await getFolders(own)).toEqual([]);
      }),
      deployment: byHand('Its WSDL has it as the target, and its replies are in it', async ({ running }) => {
        expect(await wsdlOf(running)).toContain(`targetNamespace="${namespace}"`);
        const { text } = await send(running, `<c:RequiresTokens xmlns:c="${namespace}"/>`);
        const [, prefix] = /<(\w+):RequiresTokensResponse/.exec(text) ?? [];
        expect(text).toContain(`xmlns:${prefix}="${namespace}"`);
      }),
    },
    {
      id: '4.1 versions of {namespace}',
      says: 'The namespaces of other versions are not shown',
      deployment: byHand('Answers in the namespace of the request', async ({ running }) => {
        const other = namespace.replace('3.3.0', '10.8');
        const { text } = await send(running, `<c:RequiresTokens xmlns:c="${other}"/>`);
        const [, prefix] = /<(\w+):RequiresTokensResponse/.exec(text) ?? [];
        expect(text).toContain(`xmlns:${prefix}="${other}"`);
      }),
    },
    {
      id: '4.1 encoding',
      says: 'The encoding of messages is not shown',
      deployment: byHand('Reads UTF-16 as well, as XML requires it', async ({ running }) => {
        const envelope = `\uFEFF<?xml version="1.0" encoding="UTF-16"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><c:RequiresTokens xmlns:c="${namespace}"/></e:Body></e:Envelope>`;
        const response = await fetch(`${running.url}/services`, {
          method: 'POST',
          headers: { 'content-type': 'text/xml; charset=utf-16', soapaction: '""' },
          body: Buffer.from(envelope, 'utf16le'),
        });
        expect([response.status, await response.text()]).toEqual([
          200,
          expect.stringContaining('RequiresTokensResponse'),
        ]);
      }),
    },
    ...operations.map(toStatement),
    {
      id: '4.1 root folder',
      says: 'The name of the root folder is not shown',
      client: client('Sends the empty name', async (own, other) => {
        await getServiceDescriptionsEx(own, '');
        expect(other.last().text).toMatch(/<FolderName><\/FolderName>|<FolderName\/>/);
      }),
      deployment: deployment('Has services in it, under the empty name', async ({ calls }) => {
        const atRoot = (await calls.services('')).map(({ name }) => name);
        expect(atRoot.length).toBeGreaterThan(0);
        const all = (await calls.services()).map(({ name }) => name);
        expect(atRoot).toEqual(all.filter((name) => !name.includes('/')));
      }),
    },
    {
      id: '4.1 FolderName',
      says: '`FolderName` of `GetServiceDescriptionsEx` is a string',
      client: client('Sends it, whatever characters it has', async (own, other) => {
        await getServiceDescriptionsEx(own, `A & B <"'>`);
        const [, sent = ''] = /<FolderName>(.*)<\/FolderName>/.exec(other.last().text) ?? [];
        const plain = sent
          .replace(/&lt;|&#0*60;|&#x3c;/gi, '<')
          .replace(/&gt;|&#0*62;|&#x3e;/gi, '>')
          .replace(/&quot;|&#0*34;|&#x22;/gi, '"')
          .replace(/&apos;|&#0*39;|&#x27;/gi, "'")
          .replace(/&amp;|&#0*38;|&#x26;/gi, '&');
        expect(plain).toBe(`A & B <"'>`);
      }),
      deployment: deployment(
        'Selects the services of that folder, and none of an unknown one',
        async ({ calls }) => {
          const all = await calls.services();
          for (const folder of await calls.folders()) {
            const inFolder = all.filter(({ name }) => name.startsWith(`${folder}/`));
            expect(await calls.services(folder)).toEqual(inFolder);
          }
          expect(await calls.services(`A & B <"'>`)).toEqual([]);
        },
      ),
    },
  ],
};
