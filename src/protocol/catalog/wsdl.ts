import { writeElement } from './envelope.ts';
import { formatValues, versionValues } from './message-version.ts';
import { type CatalogOperation, catalogOperations } from './operation.ts';
import type { VendorProfile } from './profile.ts';
import { descriptionElements } from './service-description.ts';

const namespaces = {
  xmlns: 'http://schemas.xmlsoap.org/wsdl/',
  'xmlns:soap': 'http://schemas.xmlsoap.org/wsdl/soap/',
  'xmlns:xs': 'http://www.w3.org/2001/XMLSchema',
};

/**
 * Describes the catalog at an address in WSDL 1.1, for any SOAP client (section 4.1 of the interface document).
 * It has document style, literal use, an empty action, and unqualified children.
 */
export function toWsdl(profile: VendorProfile, address: string): string {
  const parts = [
    writeElement('types', schema(profile)),
    ...catalogOperations.flatMap(messages),
    writeElement('portType', catalogOperations.map(abstract).join(''), { name: 'ServiceCatalogPort' }),
    binding(),
    service(address),
  ];
  const scope = { ...namespaces, 'xmlns:tns': profile.namespace, targetNamespace: profile.namespace };
  return `<?xml version="1.0" encoding="utf-8"?>\n${writeElement('definitions', parts.join(''), { ...scope, name: 'Catalog' })}\n`;
}

/** The parts of each request and reply, with their types, as section 4.1 has them. */
const messageParts: Readonly<
  Record<CatalogOperation, { readonly request?: Parts; readonly reply: (profile: VendorProfile) => Parts }>
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

function schema(profile: VendorProfile): string {
  const elements = catalogOperations.flatMap((operation) => {
    const { request = {}, reply } = messageParts[operation];
    return [wrapper(operation, request), wrapper(`${operation}Response`, reply(profile))];
  });
  const description = Object.fromEntries(Object.keys(descriptionElements).map((name) => [name, 'xs:string']));
  const content = [
    enumeration(profile.versionType, versionValues(profile)),
    enumeration(profile.formatType, formatValues(profile)),
    writeElement('xs:complexType', sequence(description), { name: 'ServiceDescription' }),
    listType('ArrayOfServiceDescription', 'ServiceDescription', 'tns:ServiceDescription'),
    listType('ArrayOfString', 'String', 'xs:string'),
    ...elements,
  ];
  return writeElement('xs:schema', content.join(''), { targetNamespace: profile.namespace });
}

function wrapper(name: string, parts: Parts): string {
  return writeElement('xs:element', writeElement('xs:complexType', sequence(parts)), { name });
}

function sequence(parts: Parts): string {
  const elements = Object.entries(parts).map(([name, type]) =>
    writeElement('xs:element', '', { name, type }),
  );
  return writeElement('xs:sequence', elements.join(''));
}

function enumeration(name: string, values: readonly string[]): string {
  const allowed = values.map((value) => writeElement('xs:enumeration', '', { value })).join('');
  return writeElement('xs:simpleType', writeElement('xs:restriction', allowed, { base: 'xs:string' }), {
    name,
  });
}

function listType(name: string, item: string, type: string): string {
  const items = writeElement('xs:element', '', { name: item, type, minOccurs: '0', maxOccurs: 'unbounded' });
  return writeElement('xs:complexType', writeElement('xs:sequence', items), { name });
}

function messages(operation: CatalogOperation): string[] {
  const message = (name: string, wrapped: string) =>
    writeElement('message', writeElement('part', '', { name: 'parameters', element: `tns:${wrapped}` }), {
      name,
    });
  return [message(`${operation}In`, operation), message(`${operation}Out`, `${operation}Response`)];
}

function abstract(operation: CatalogOperation): string {
  const input = writeElement('input', '', { message: `tns:${operation}In` });
  const output = writeElement('output', '', { message: `tns:${operation}Out` });
  return writeElement('operation', input + output, { name: operation });
}

function binding(): string {
  const literal = writeElement('soap:body', '', { use: 'literal' });
  const concrete = catalogOperations.map((name) => {
    const style = writeElement('soap:operation', '', { soapAction: '', style: 'document' });
    return writeElement(
      'operation',
      style + writeElement('input', literal) + writeElement('output', literal),
      { name },
    );
  });
  const transport = 'http://schemas.xmlsoap.org/soap/http';
  const style = writeElement('soap:binding', '', { style: 'document', transport });
  const attributes = { name: 'ServiceCatalogBinding', type: 'tns:ServiceCatalogPort' };
  return writeElement('binding', style + concrete.join(''), attributes);
}

function service(address: string): string {
  const location = writeElement('soap:address', '', { location: address });
  const port = { name: 'ServiceCatalogPort', binding: 'tns:ServiceCatalogBinding' };
  return writeElement('service', writeElement('port', location, port), { name: 'Catalog' });
}
