import { describe, expect, test } from 'vitest';
import {
  catalogOperations,
  formatValues,
  fromCatalogReply,
  fromCatalogRequest,
  sourceOf,
  toCatalogReply,
  toCatalogRequest,
  toFault,
  toWsdl,
  vendorProfiles,
  versionInWords,
  versionValues,
} from '../../src/protocol/catalog.ts';
import { readXml, type XmlElement } from '../../src/protocol/xml.ts';

const service = {
  name: 'Utilities/Printing',
  type: 'GPServer',
  url: 'https://gis.test/arcgis/services/Utilities/Printing/GPServer',
  parentType: '',
  capabilities: 'Map,Query',
  description: 'Prints <maps> & "layers"',
};

describe('a request', () => {
  test.each(Object.values(vendorProfiles))('in the profile $name qualifies the operation only', (profile) => {
    expect(toCatalogRequest({ operation: 'GetServiceDescriptionsEx', folderName: 'A&B' }, profile)).toBe(
      `<?xml version="1.0" encoding="utf-8"?>
<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><tns:GetServiceDescriptionsEx xmlns:tns="${profile.namespace}"><FolderName>A&amp;B</FolderName></tns:GetServiceDescriptionsEx></soap:Body></soap:Envelope>`,
    );
  });

  const inBody = (content: string, prefix = 'S') =>
    `<${prefix}:Envelope xmlns:${prefix}="http://schemas.xmlsoap.org/soap/envelope/"><${prefix}:Header><x:y xmlns:x="urn:x"/></${prefix}:Header><${prefix}:Body>${content}</${prefix}:Body></${prefix}:Envelope>`;

  test.each([
    [
      '<q:GetServiceDescriptionsEx xmlns:q="http://www.esri.com/schemas/ArcGIS/10.8"><FolderName>Roads</FolderName></q:GetServiceDescriptionsEx>',
      'http://www.esri.com/schemas/ArcGIS/10.8',
    ],
    [
      '<GetServiceDescriptionsEx xmlns="http://www.esri.com/schemas/ArcGIS/3.3.0"><folderName>Roads</folderName></GetServiceDescriptionsEx>',
      'http://www.esri.com/schemas/ArcGIS/3.3.0',
    ],
    [
      '<GetServiceDescriptionsEx><n:FolderName xmlns:n="urn:n" xsi:type="xs:string">Roads</n:FolderName></GetServiceDescriptionsEx>',
      '',
    ],
    ['\n <getservicedescriptionsex>\n <FOLDERNAME>Roads</FOLDERNAME>\n</getservicedescriptionsex>\n', ''],
  ])('%s', (content, namespace) => {
    const request = { operation: 'GetServiceDescriptionsEx', folderName: 'Roads' };
    expect(fromCatalogRequest(inBody(content))).toEqual({ request, namespace });
  });

  test('without a folder is for the root folder', () => {
    const root = { request: { operation: 'GetServiceDescriptionsEx', folderName: '' }, namespace: '' };
    expect(fromCatalogRequest(inBody('<GetServiceDescriptionsEx/>'))).toEqual(root);
    expect(
      fromCatalogRequest(inBody('<GetServiceDescriptionsEx><FolderName/></GetServiceDescriptionsEx>')),
    ).toEqual(root);
  });

  test.each([
    ['', 'no well-formed XML'],
    ['<GetFolders/>', 'no SOAP message'],
    [inBody(''), 'no SOAP message'],
    [inBody('<DropTables/>'), 'there is no operation "DropTables"'],
    [`<!DOCTYPE x>${inBody('<GetFolders/>')}`, 'declares a document type'],
    [inBody(`<GetFolders>${' '.repeat(70_000)}</GetFolders>`), 'longer than 65536 characters'],
  ])('%#: what is none says why', (text, problem) => {
    expect(fromCatalogRequest(text)).toEqual({ problem: expect.stringContaining(problem), fault: 'Client' });
  });

  const soap11 = 'http://schemas.xmlsoap.org/soap/envelope/';
  test.each([
    'http://www.w3.org/2003/05/soap-envelope',
    'http://www.w3.org/2001/12/soap-envelope',
    'http://schemas.xmlsoap.org/soap/envelope',
    '',
  ])('in an envelope of the namespace "%s" is of another version', (namespace) => {
    const text = `<Envelope xmlns="${namespace}"><Header/><Body><GetFolders/></Body></Envelope>`;
    expect(fromCatalogRequest(text)).toMatchObject({ fault: 'VersionMismatch' });
    expect(fromCatalogRequest(text.replace(`"${namespace}"`, `"${soap11}"`))).not.toHaveProperty('fault');
  });

  test.each([
    ['s:mustUnderstand="1"', true],
    ['s:mustUnderstand=" 1 "', true],
    ['s:mustUnderstand="true"', true],
    ['s:mustUnderstand="1" s:actor=""', true],
    ['s:mustUnderstand="1" s:actor="http://schemas.xmlsoap.org/soap/actor/next"', true],
    ['s:mustUnderstand="1" s:actor="urn:proxy"', false],
    ['s:mustUnderstand="0"', false],
    ['mustUnderstand="1"', false],
    ['o:mustUnderstand="1" xmlns:o="http://www.w3.org/2003/05/soap-envelope"', false],
    ['q:mustUnderstand="1" xmlns:q="http://schemas.xmlsoap.org/soap/envelope/"', true],
    ['', false],
  ])('with a header of the attributes %s must be understood: %s', (attributes, refused) => {
    const text = `<s:Envelope xmlns:s="${soap11}"><s:Header><a/><h:Security ${attributes} xmlns:h="urn:h"/></s:Header><s:Body><GetFolders/></s:Body></s:Envelope>`;
    const read = fromCatalogRequest(text);
    if (!refused) return expect(read).toEqual({ request: { operation: 'GetFolders' }, namespace: '' });
    return expect(read).toEqual({
      problem: 'its header "Security" is not understood',
      fault: 'MustUnderstand',
    });
  });
});

describe('a reply', () => {
  test('carries the types of its lists', () => {
    const message = toCatalogReply(
      { operation: 'GetServiceDescriptions', services: [service] },
      vendorProfiles.arcgis,
    );
    expect(message).toContain(
      '<tns:GetServiceDescriptionsResponse xmlns:tns="http://www.esri.com/schemas/ArcGIS/3.3.0"',
    );
    expect(message).toContain(
      '<ServiceDescriptions xsi:type="tns:ArrayOfServiceDescription"><ServiceDescription><Name>',
    );
    expect(fromCatalogReply(message, 'GetServiceDescriptions')).toEqual({
      reply: { operation: 'GetServiceDescriptions', services: [service] },
    });
  });

  const answer = (content: string) =>
    `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>${content}</e:Body></e:Envelope>`;

  test.each([
    ['true', true],
    ['1', true],
    [' false ', false],
    ['0', false],
  ])('the boolean %s', (text, required) => {
    const message = answer(
      `<r:RequiresTokensResponse xmlns:r="urn:r"><Result>${text}</Result></r:RequiresTokensResponse>`,
    );
    expect(fromCatalogReply(message, 'RequiresTokens')).toEqual({
      reply: { operation: 'RequiresTokens', required },
    });
  });

  test('of an older version lacks the version of the desktop application', () => {
    const message = answer(
      '<GetMessageVersionResponse><MessageVersion>esriArcGISVersion93</MessageVersion></GetMessageVersionResponse>',
    );
    expect(fromCatalogReply(message, 'GetMessageVersion')).toEqual({
      reply: { operation: 'GetMessageVersion', messageVersion: 'esriArcGISVersion93' },
    });
  });

  test('with a value that is not known passes through', () => {
    const message = answer(
      '<GetMessageFormatsResponse><MessageFormats>vendorFormatOfTomorrow</MessageFormats></GetMessageFormatsResponse>',
    );
    expect(fromCatalogReply(message, 'GetMessageFormats')).toMatchObject({
      reply: { messageFormats: 'vendorFormatOfTomorrow' },
    });
  });

  test('that is an empty list', () => {
    expect(
      fromCatalogReply(answer('<GetFoldersResponse><FolderNames/></GetFoldersResponse>'), 'GetFolders'),
    ).toEqual({
      reply: { operation: 'GetFolders', folderNames: [] },
    });
  });

  test.each([
    [
      toFault({ code: 'Client', message: 'Token Required', detail: '499' }),
      { code: 'Client', message: 'Token Required', detail: '499' },
    ],
    [
      answer(
        '<e:Fault><e:Code><e:Value>e:Sender</e:Value></e:Code><e:Reason><e:Text>No & no</e:Text></e:Reason></e:Fault>',
      ).replace('&', '&amp;'),
      { code: 'Sender', message: 'No & no', detail: '' },
    ],
  ])('%#: that is a fault', (message, fault) => {
    expect(fromCatalogReply(message, 'GetFolders')).toEqual({ fault });
  });

  test.each([
    ['{"error":{"code":499}}', 'no well-formed XML'],
    [answer('<GetFoldersResponse/>'), 'no answer to "RequiresTokens"'],
    [answer('<RequiresTokensResponse/>'), 'lacks a part'],
    [answer('<RequiresTokensResponse><Result>maybe</Result></RequiresTokensResponse>'), 'lacks a part'],
  ])('%#: that is none says why', (message, problem) => {
    expect(fromCatalogReply(message, 'RequiresTokens')).toEqual({
      problem: expect.stringContaining(problem),
    });
  });
});

describe('the enumerations of section 2.1', () => {
  test('of versions has every minor step of each range', () => {
    expect(versionValues(vendorProfiles.default)).toEqual([
      ...['83', '90', '92', '93', '10', '101', '103', '104', '105', '106', '107', '108'].map(
        (v) => `vendorVersion${v}`,
      ),
      ...['1_0', '1_1', '1_2', '1_3', '1_4'].map((v) => `vendorProVersion${v}`),
      ...['2_0', '2_1', '2_2', '2_3', '2_4', '2_5', '2_6', '2_7', '2_8', '2_9'].map(
        (v) => `vendorProVersion${v}`,
      ),
      ...['3_0', '3_1', '3_2', '3_3'].map((v) => `vendorProVersion${v}`),
    ]);
  });

  test('of formats', () => {
    expect(formatValues(vendorProfiles.default)).toEqual([
      'vendorServiceCatalogMessageFormatSoap',
      'vendorServiceCatalogMessageFormatBin',
      'vendorServiceCatalogMessageFormatSoapOrBin',
    ]);
    expect(formatValues(vendorProfiles.arcgis)[0]).toBe('esriServiceCatalogMessageFormatSoap');
  });

  test.each([
    ['vendorVersion83', '8.3'],
    ['vendorVersion90', '9.0'],
    ['esriArcGISVersion10', '10'],
    ['esriArcGISVersion101', '10.1'],
    ['vendorVersion108', '10.8'],
    ['vendorProVersion2_9', 'Pro 2.9'],
    ['esriArcGISProVersion3_3', 'Pro 3.3'],
    ['something else', 'something else'],
  ])('%s in words is %s', (value, words) => {
    expect(versionInWords(value)).toBe(words);
  });
});

describe('the WSDL', () => {
  const definitions = readXml(toWsdl(vendorProfiles.default, 'http://gis.test/gis/services?a=1&b=2'), {
    characters: 100_000,
  });
  if ('problem' in definitions) throw new Error(definitions.problem);
  const named = (element: XmlElement, name: string): XmlElement[] => [
    ...element.children.filter((child) => child.name === name),
    ...element.children.flatMap((child) => named(child, name)),
  ];

  test('has every operation once in the port type and once in the binding', () => {
    expect(named(definitions, 'portType').map(({ children }) => children.length)).toEqual([7]);
    expect(named(definitions, 'message')).toHaveLength(14);
    expect(named(definitions, 'binding')).toHaveLength(2);
  });

  test('names service, port and binding as section 4.1 does', () => {
    const text = toWsdl(vendorProfiles.arcgis, 'http://gis.test/gis/services?a=1&b=2');
    for (const part of [
      '<service name="Catalog"><port name="ServiceCatalogPort" binding="tns:ServiceCatalogBinding">',
      '<binding name="ServiceCatalogBinding" type="tns:ServiceCatalogPort">',
      '<soap:operation soapAction="" style="document">',
      '<soap:address location="http://gis.test/gis/services?a=1&amp;b=2">',
      'targetNamespace="http://www.esri.com/schemas/ArcGIS/3.3.0"',
      '<xs:simpleType name="esriArcGISVersion">',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('elementFormDefault');
    for (const operation of catalogOperations)
      expect(text).toContain(`<xs:element name="${operation}Response">`);
  });
});

test('the source of the logs of a service', () => {
  expect(sourceOf(service)).toBe('Utilities/Printing.GPServer');
});
