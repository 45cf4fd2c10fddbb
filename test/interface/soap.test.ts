import { createClientAsync } from 'soap';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromCatalogReply, readEnvelope } from '../../src/protocol/catalog.ts';
import { type Running, startRunning, tokenOf } from './running.ts';

/* Messages of other SOAP programs, which section 4.1 and the field notes allow, and those that SOAP 1.1 rules out. */

let running: Running;
let token: string;
beforeAll(async () => {
  running = await startRunning({ profile: 'arcgis' });
  token = await tokenOf(running);
});
afterAll(() => running[Symbol.asyncDispose]());

const soap11 = 'http://schemas.xmlsoap.org/soap/envelope/';
const arcgis = (version: string) => `http://www.esri.com/schemas/ArcGIS/${version}`;
const envelope = (content: string, header = '') =>
  `<s:Envelope xmlns:s="${soap11}">${header}<s:Body>${content}</s:Body></s:Envelope>`;
const folders = `<GetFolders xmlns="${arcgis('3.3.0')}"/>`;

async function send(body: string | Uint8Array<ArrayBuffer>, contentType = 'text/xml') {
  const headers = { 'content-type': contentType, soapaction: '""', authorization: `Bearer ${token}` };
  const response = await fetch(`${running.url}/services`, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}

const faultIn = (text: string) => {
  const answer = fromCatalogReply(text, 'GetFolders');
  return 'fault' in answer ? answer.fault : undefined;
};

describe('the namespace of a reply', () => {
  test.each([arcgis('10.8'), arcgis('10.1'), arcgis('3.3.0'), 'http://vendor.example/schemas/services/3.2'])(
    'is that of the request: %s',
    async (namespace) => {
      const { status, text } = await send(envelope(`<q:GetFolders xmlns:q="${namespace}"/>`));
      const read = readEnvelope(text, { characters: 100_000 });
      expect([status, 'problem' in read ? read : read.content]).toMatchObject([
        200,
        { name: 'GetFoldersResponse', namespace, children: [{ name: 'FolderNames', namespace: '' }] },
      ]);
    },
  );

  test('is that of the deployment where the request has none', async () => {
    const { text } = await send(envelope('<GetFolders/>'));
    expect(text).toContain(`xmlns:tns="${arcgis('3.3.0')}"`);
  });

  test.each(['urn:other', arcgis('x'), `${arcgis('10.8')}/more`])(
    '%s is none of a catalog',
    async (other) => {
      const { status, text } = await send(envelope(`<GetFolders xmlns="${other}"/>`));
      expect([status, faultIn(text)]).toMatchObject([
        500,
        { code: 'Client', detail: expect.stringContaining('is not in a namespace of the catalog') },
      ]);
    },
  );

  test('is what a client from a WSDL of another version expects', async () => {
    const wsdl = await (await fetch(`${running.url}/services?wsdl`)).text();
    const older = wsdl.replaceAll(arcgis('3.3.0'), arcgis('10.8'));
    const client = await createClientAsync(older);
    client.addHttpHeader('authorization', `Bearer ${token}`);
    const [reply, raw] = await client.GetFoldersAsync({});
    expect(reply.FolderNames.String).toHaveLength(6);
    expect(raw).toContain(arcgis('10.8'));
  });
});

describe('what SOAP 1.1 requires to be refused', () => {
  test('a header that must be understood, as WS-Security is', async () => {
    const client = await createClientAsync(`${running.url}/services?wsdl`);
    const security = '<w:Security xmlns:w="urn:security" soap:mustUnderstand="1"/>';
    client.addSoapHeader(security);
    await expect(client.GetFoldersAsync({})).rejects.toMatchObject({
      root: { Envelope: { Body: { Fault: { faultcode: 'soap:MustUnderstand' } } } },
    });
    client.clearSoapHeaders();
    client.addSoapHeader(security.replace('"1"', '"0"'));
    client.addHttpHeader('authorization', `Bearer ${token}`);
    const [reply] = await client.GetFoldersAsync({});
    expect(reply.FolderNames.String).toHaveLength(6);
  });

  test('an envelope of SOAP 1.2', async () => {
    const client = await createClientAsync(`${running.url}/services?wsdl`, { forceSoap12Headers: true });
    const failed = await client.GetFoldersAsync({}).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      root: { Envelope: { Body: { Fault: { faultcode: 'soap:VersionMismatch' } } } },
    });
    const { status, text } = await send(
      envelope(folders).replace(soap11, 'http://www.w3.org/2003/05/soap-envelope'),
    );
    expect([status, faultIn(text)?.code]).toEqual([500, 'VersionMismatch']);
    // The fault itself is of the version that the catalog speaks.
    expect(text).toContain(soap11);
  });
});

describe('the encoding of a message', () => {
  const wide = (text: string, order: 'le' | 'be') => {
    const bytes = Buffer.from(text, 'utf16le');
    return new Uint8Array(order === 'le' ? bytes : bytes.swap16());
  };
  const named = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${envelope(folders)}`;
  const marked = `\uFEFF${envelope(folders)}`;

  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['UTF-16 with its byte order mark, little end first', wide(marked, 'le'), 'text/xml'],
    ['UTF-16 with its byte order mark, big end first', wide(marked, 'be'), 'text/xml; charset=utf-16'],
    ['a byte order mark before another charset', wide(marked, 'be'), 'text/xml; charset=utf-8'],
    ['UTF-16 by its declaration', wide(named('UTF-16'), 'le'), 'text/xml'],
    ['UTF-16 by its first character', wide(envelope(folders), 'be'), 'text/xml'],
    ['UTF-16 by its charset', wide(envelope(folders), 'le'), 'text/xml; charset="UTF-16"'],
    ['UTF-16LE by its charset', wide(` ${envelope(folders)}`, 'le'), 'text/xml;charset=utf-16le'],
    ['UTF-8 with its byte order mark', marked, 'text/xml'],
    ['UTF-8 by default', envelope(folders), 'text/xml'],
    ['Latin-1 by its declaration', new Uint8Array(Buffer.from(named('iso-8859-1'), 'latin1')), 'text/xml'],
    ['a charset before a declaration', named('utf-16'), 'text/xml; charset=utf-8'],
  ])('%s is read', async (_, body, contentType) => {
    const { status, text } = await send(body, contentType);
    expect([status, text]).toEqual([200, expect.stringContaining('<String>Utilities</String>')]);
  });

  test('a name in any of them is the same name', async () => {
    const asked = envelope(
      `<GetServiceDescriptionsEx xmlns="${arcgis('10.8')}"><FolderName>Straßen</FolderName></GetServiceDescriptionsEx>`,
    );
    const { text } = await send(wide(`\uFEFF${asked}`, 'le'));
    expect(text).toBe((await send(asked)).text);
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, string, string]>([
    ['one that is not known', envelope(folders), 'text/xml; charset=klingon', 'is not known'],
    ['UTF-8 that is declared as UTF-16', named('utf-16'), 'text/xml', 'does not fit its bytes'],
    ['bytes that are no UTF-8', new Uint8Array([0x3c, 0xc3, 0x28]), 'text/xml', 'does not fit its bytes'],
    ['UTF-16 that is called UTF-8', wide(envelope(folders), 'le'), 'text/xml; charset=utf-8', 'well-formed'],
  ])('%s is refused', async (_, body, contentType, problem) => {
    const { status, text } = await send(body, contentType);
    expect([status, faultIn(text)]).toMatchObject([
      500,
      { code: 'Client', detail: expect.stringContaining(problem) },
    ]);
  });
});
