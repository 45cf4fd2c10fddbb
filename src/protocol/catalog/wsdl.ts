import { element } from './envelope.ts';
import { formatValues, versionValues } from './message-version.ts';
import { type CatalogOperation, catalogOperations } from './operation.ts';
import type { Profile } from './profile.ts';
import { descriptionElements } from './service-description.ts';

const namespaces = {
  xmlns: 'http://schemas.xmlsoap.org/wsdl/',
  'xmlns:soap': 'http://schemas.xmlsoap.org/wsdl/soap/',
  'xmlns:xs': 'http://www.w3.org/2001/XMLSchema',
};

/**
 * Describes the catalog at an address in WSDL 1.1, for any SOAP client (section 4.1 of the interface document):
 * document style, literal use, an empty action, and unqualified children.
 */
export function toWsdl(profile: Profile, address: string): string {
  const parts = [
    element('types', schema(profile)),
    ...catalogOperations.flatMap(messages),
    element('portType', catalogOperations.map(abstract).join(''), { name: 'ServiceCatalogPort' }),
    binding(),
    service(address),
  ];
  const scope = { ...namespaces, 'xmlns:tns': profile.namespace, targetNamespace: profile.namespace };
  return `<?xml version="1.0" encoding="utf-8"?>\n${element('definitions', parts.join(''), { ...scope, name: 'Catalog' })}\n`;
}

/** The parts of each request and reply, with their types, as section 4.1 has them. */
const messageParts: Readonly<
  Record<CatalogOperation, { readonly request?: Parts; readonly reply: (profile: Profile) => Parts }>
> = {
  GetMessageVersion: {
    reply: ({ versionType }) => ({
      MessageVersion: `tns:${versionType}`,
      ProMessageVersion: `tns:${versionType}`,
    }),
  },
  GetMessageFormats: { reply: ({ formatType }) => ({ MessageFormats: `tns:${formatType}` }) },
  GetTokenServiceURL: { reply: () => ({ TokenServiceURL: 'xs:string' }) },
  GetFolders: { reply: () => ({ FolderNames: 'tns:ArrayOfString' }) },
  GetServiceDescriptions: { reply: () => ({ ServiceDescriptions: 'tns:ArrayOfServiceDescription' }) },
  GetServiceDescriptionsEx: {
    request: { FolderName: 'xs:string' },
    reply: () => ({ ServiceDescriptions: 'tns:ArrayOfServiceDescription' }),
  },
  RequiresTokens: { reply: () => ({ Result: 'xs:boolean' }) },
};

type Parts = Readonly<Record<string, string>>;

function schema(profile: Profile): string {
  const elements = catalogOperations.flatMap((operation) => {
    const { request = {}, reply } = messageParts[operation];
    return [wrapper(operation, request), wrapper(`${operation}Response`, reply(profile))];
  });
  const description = Object.fromEntries(Object.keys(descriptionElements).map((name) => [name, 'xs:string']));
  const content = [
    enumeration(profile.versionType, versionValues(profile)),
    enumeration(profile.formatType, formatValues(profile)),
    element('xs:complexType', sequence(description), { name: 'ServiceDescription' }),
    listType('ArrayOfServiceDescription', 'ServiceDescription', 'tns:ServiceDescription'),
    listType('ArrayOfString', 'String', 'xs:string'),
    ...elements,
  ];
  return element('xs:schema', content.join(''), { targetNamespace: profile.namespace });
}

function wrapper(name: string, parts: Parts): string {
  return element('xs:element', element('xs:complexType', sequence(parts)), { name });
}

function sequence(parts: Parts): string {
  const elements = Object.entries(parts).map(([name, type]) => element('xs:element', '', { name, type }));
  return element('xs:sequence', elements.join(''));
}

function enumeration(name: string, values: readonly string[]): string {
  const allowed = values.map((value) => element('xs:enumeration', '', { value })).join('');
  return element('xs:simpleType', element('xs:restriction', allowed, { base: 'xs:string' }), { name });
}

function listType(name: string, item: string, type: string): string {
  const items = element('xs:element', '', { name: item, type, minOccurs: '0', maxOccurs: 'unbounded' });
  return element('xs:complexType', element('xs:sequence', items), { name });
}

function messages(operation: CatalogOperation): string[] {
  const message = (name: string, wrapped: string) =>
    element('message', element('part', '', { name: 'parameters', element: `tns:${wrapped}` }), { name });
  return [message(`${operation}In`, operation), message(`${operation}Out`, `${operation}Response`)];
}

function abstract(operation: CatalogOperation): string {
  const input = element('input', '', { message: `tns:${operation}In` });
  const output = element('output', '', { message: `tns:${operation}Out` });
  return element('operation', input + output, { name: operation });
}

function binding(): string {
  const literal = element('soap:body', '', { use: 'literal' });
  const concrete = catalogOperations.map((name) => {
    const style = element('soap:operation', '', { soapAction: '', style: 'document' });
    return element('operation', style + element('input', literal) + element('output', literal), { name });
  });
  const transport = 'http://schemas.xmlsoap.org/soap/http';
  const style = element('soap:binding', '', { style: 'document', transport });
  const attributes = { name: 'ServiceCatalogBinding', type: 'tns:ServiceCatalogPort' };
  return element('binding', style + concrete.join(''), attributes);
}

function service(address: string): string {
  const location = element('soap:address', '', { location: address });
  const port = { name: 'ServiceCatalogPort', binding: 'tns:ServiceCatalogBinding' };
  return element('service', element('port', location, port), { name: 'Catalog' });
}
