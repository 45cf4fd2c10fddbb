import { type Failure, failureCodes } from './reply.ts';
import { childOf, escapeXml, isNamed, readXml, type XmlElement, type XmlLimits } from './xml.ts';

/** The operations of the service catalog (section 4.1 of the interface document). */
export const catalogOperations = [
  'GetMessageVersion',
  'GetMessageFormats',
  'GetTokenServiceURL',
  'GetFolders',
  'GetServiceDescriptions',
  'GetServiceDescriptionsEx',
  'RequiresTokens',
] as const;

/** The name of an operation of the catalog. */
export type CatalogOperation = (typeof catalogOperations)[number];

/** The request of each operation. */
export type CatalogRequest =
  | { readonly operation: Exclude<CatalogOperation, 'GetServiceDescriptionsEx'> }
  /** Empty is the root folder. */
  | { readonly operation: 'GetServiceDescriptionsEx'; readonly folderName: string };

/** The reply of each operation. */
export type CatalogReply =
  | {
      readonly operation: 'GetMessageVersion';
      /** A value of section 2.1, or a later one. */
      readonly messageVersion: string;
      /** Absent in older versions. */
      readonly proMessageVersion?: string;
    }
  | { readonly operation: 'GetMessageFormats'; readonly messageFormats: string }
  /** Empty without a token service. */
  | { readonly operation: 'GetTokenServiceURL'; readonly tokenServiceUrl: string }
  | { readonly operation: 'GetFolders'; readonly folderNames: readonly string[] }
  | { readonly operation: 'GetServiceDescriptions'; readonly services: readonly ServiceDescription[] }
  | { readonly operation: 'GetServiceDescriptionsEx'; readonly services: readonly ServiceDescription[] }
  | { readonly operation: 'RequiresTokens'; readonly required: boolean };

/** The reply of one operation. */
export type CatalogReplyOf<O extends CatalogOperation> = Extract<CatalogReply, { readonly operation: O }>;

/** A service in the catalog (section 2.1 of the interface document). Missing texts are empty. */
export interface ServiceDescription {
  /** With its folder, as `Utilities/Printing`. */
  readonly name: string;
  /** Such as `MapServer`. */
  readonly type: string;
  readonly url: string;
  /** The type of the service that this one extends. */
  readonly parentType: string;
  /** Separated by commas. */
  readonly capabilities: string;
  readonly description: string;
}

/** The elements of a description on the wire, in the order of section 2.1. */
export const descriptionElements = {
  Name: 'name',
  Type: 'type',
  Url: 'url',
  ParentType: 'parentType',
  Capabilities: 'capabilities',
  Description: 'description',
} as const satisfies Readonly<Record<string, keyof ServiceDescription>>;

/**
 * The source of the logs of a service, as the export filter `source` takes it (section 4.2.1): `<folder>/<service>.<type>`.
 *
 * ```ts
 * for (const service of await getServiceDescriptions(client)) console.log(sourceOf(service));
 * ```
 */
export function sourceOf({ name, type }: ServiceDescription): string {
  return `${name}.${type}`;
}

/**
 * A vendor's spelling of names on the wire. The interface document leaves the vendor's own names out; they are
 * publicly known.
 */
export interface VendorProfile {
  readonly name: string;
  /** The namespace of the catalog's messages. A deployment has one with its own version at the end. */
  readonly namespace: string;
  /** The names of the enumerations of section 2.1, which are also prefixes of their values. */
  readonly versionType: string;
  readonly formatType: string;
  /** The prefix of versions of the vendor's desktop application. */
  readonly proVersion: string;
  /** The prefix of the providers of section 2.3 with the name of the vendor's technology. */
  readonly objects: string;
}

/** The names of the interface document. */
const documented: VendorProfile = {
  name: 'default',
  namespace: 'http://vendor.example/schemas/services/3.3.0',
  versionType: 'vendorVersion',
  formatType: 'vendorServiceCatalogMessageFormat',
  proVersion: 'vendorProVersion',
  objects: 'VendorObjects',
};

/** The names of the vendor's real deployments, from the field notes and public clients. */
const arcgis: VendorProfile = {
  name: 'arcgis',
  namespace: 'http://www.esri.com/schemas/ArcGIS/3.3.0',
  versionType: 'esriArcGISVersion',
  formatType: 'esriServiceCatalogMessageFormat',
  proVersion: 'esriArcGISProVersion',
  objects: 'ArcObjects',
};

/** The known profiles, the default first. */
export const vendorProfiles = { default: documented, arcgis } as const satisfies Readonly<
  Record<string, VendorProfile>
>;

/** The name of a known profile. */
export type ProfileName = keyof typeof vendorProfiles;

/** True if a namespace is that of the catalog, in any version and any known profile. */
export function isCatalogNamespace(namespace: string): boolean {
  const [base, version = ''] = splitVersion(namespace);
  return (
    /^[\d.]+$/.test(version) &&
    Object.values(vendorProfiles).some((profile) => splitVersion(profile.namespace)[0] === base)
  );
}

function splitVersion(namespace: string): readonly string[] {
  const slash = namespace.lastIndexOf('/');
  return [namespace.slice(0, slash), namespace.slice(slash + 1)];
}

/** The message versions of the server (section 2.1 of the interface document), oldest first, without the vendor's prefix. */
export const serverVersions = [
  '83',
  '90',
  '92',
  '93',
  '10',
  '101',
  '103',
  '104',
  '105',
  '106',
  '107',
  '108',
] as const;

/** The message versions of the desktop application (section 2.1): every minor step of 1.0-1.4, 2.0-2.9 and 3.0-3.3. */
export const proVersions: readonly string[] = [
  ['1', 4],
  ['2', 9],
  ['3', 3],
].flatMap(([major, last]) => Array.from({ length: Number(last) + 1 }, (_, minor) => `${major}_${minor}`));

/** The message formats (section 2.1), without the vendor's prefix. */
export const messageFormats = ['Soap', 'Bin', 'SoapOrBin'] as const;

/** The values of the open enumeration of message versions, as a profile spells them. */
export function versionValues(profile: VendorProfile): readonly string[] {
  return [
    ...serverVersions.map((version) => profile.versionType + version),
    ...proVersions.map((version) => profile.proVersion + version),
  ];
}

/** The values of the open enumeration of message formats, as a profile spells them. */
export function formatValues(profile: VendorProfile): readonly string[] {
  return messageFormats.map((format) => profile.formatType + format);
}

/**
 * A message version as people write it: `10.8`, or `Pro 3.3`, for any profile. Returns other values unchanged.
 *
 * ```ts
 * versionInWords('vendorVersion108'); // '10.8'
 * ```
 */
export function versionInWords(value: string): string {
  const [, pro, digits = ''] = /^[a-z]+?(Pro)?Version(\d[\d_]*)$/i.exec(value) ?? [];
  if (digits === '') return value;
  if (pro) return `Pro ${digits.replaceAll('_', '.')}`;
  // The digits have no dot: the server went from 9.3 to 10 and on to 10.8.
  const major = digits.startsWith('1') ? 2 : 1;
  const minor = digits.slice(major);
  return minor === '' ? digits : `${digits.slice(0, major)}.${minor}`;
}

/** Limit of a request, which is a name, or a name and the name of a folder. */
export const catalogRequestLimits: XmlLimits = { characters: 65_536 };

/**
 * Writes the SOAP message of a request. The interface has no `elementFormDefault`, so only the element of the
 * operation is qualified.
 */
export function toCatalogRequest(request: CatalogRequest, { namespace }: VendorProfile): string {
  const inside =
    request.operation === 'GetServiceDescriptionsEx'
      ? writeElement('FolderName', escapeXml(request.folderName))
      : '';
  return toEnvelope(writeElement(`tns:${request.operation}`, inside, { 'xmlns:tns': namespace }));
}

/** A request as received. */
export interface CatalogRequestMessage {
  readonly request: CatalogRequest;
  /** The namespace of its element, which the reply repeats: clients use the one of their own version. */
  readonly namespace: string;
}

/** The problem with a message that is no request. */
export interface CatalogRequestProblem {
  readonly problem: string;
  /** The SOAP 1.1 code of the fault (section 4.4.1 of its specification). */
  readonly fault: 'Client' | 'MustUnderstand' | 'VersionMismatch';
}

/**
 * Reads the request in a SOAP 1.1 message, or returns the problem with it. Names are compared without prefix,
 * namespace and case: real clients vary all three. A missing `FolderName` is the root folder. A header that
 * must be understood is refused, because none is defined here.
 */
export function fromCatalogRequest(text: string): CatalogRequestMessage | CatalogRequestProblem {
  const envelope = readEnvelope(text, catalogRequestLimits);
  if ('problem' in envelope) return { problem: envelope.problem, fault: 'Client' };
  if (envelope.namespace !== envelopeNamespace) {
    const problem = `its envelope is not of SOAP 1.1, whose namespace is ${envelopeNamespace}`;
    return { problem, fault: 'VersionMismatch' };
  }
  const unknown = envelope.header.find(mustBeUnderstood);
  if (unknown) {
    return {
      problem: `its header "${unknown.name.slice(0, 80)}" is not understood`,
      fault: 'MustUnderstand',
    };
  }
  const { content } = envelope;
  if (!content) return { problem: 'it is no SOAP message with something in its body', fault: 'Client' };
  const operation = catalogOperations.find((name) => isNamed(content, name));
  if (!operation) {
    return { problem: `there is no operation "${content.name.slice(0, 80)}"`, fault: 'Client' };
  }
  const { namespace } = content;
  if (operation !== 'GetServiceDescriptionsEx') return { request: { operation }, namespace };
  const folderName = childOf(content, 'FolderName')?.text ?? '';
  return { request: { operation, folderName }, namespace };
}

/** The actor of the first receiver of a message (section 4.2.2 of SOAP 1.1). */
const nextActor = 'http://schemas.xmlsoap.org/soap/actor/next';

/** True if the receiver must refuse a message unless it knows this header entry (section 4.2.3 of SOAP 1.1). */
function mustBeUnderstood({ attributes }: XmlElement): boolean {
  const attributeOf = (attributeName: string) =>
    attributes
      .find(({ name, namespace }) => name === attributeName && namespace === envelopeNamespace)
      ?.value.trim();
  const actor = attributeOf('actor') || nextActor;
  return actor === nextActor && ['1', 'true'].includes(attributeOf('mustUnderstand') ?? '');
}

/** The namespace of the envelope of SOAP 1.1. */
export const envelopeNamespace = 'http://schemas.xmlsoap.org/soap/envelope/';

/** The type of a SOAP 1.1 message over HTTP. */
export const soapType = 'text/xml; charset=utf-8';

/** Writes an element from its name, its written content and its attributes. Escapes the attribute values. */
export function writeElement(
  name: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const attributeTexts = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${attributeTexts.join('')}>${content}</${name}>`;
}

/** Writes a SOAP message with this content in its body. */
export function toEnvelope(content: string): string {
  const body = writeElement('soap:Body', content);
  return `<?xml version="1.0" encoding="utf-8"?>\n${writeElement('soap:Envelope', body, { 'xmlns:soap': envelopeNamespace })}`;
}

/** The parts of a SOAP message. */
export interface Envelope {
  /** The namespace of the envelope, which determines the version of SOAP. */
  readonly namespace: string;
  /** The entries of the header. */
  readonly header: readonly XmlElement[];
  /** The one element in the body. */
  readonly content: XmlElement | undefined;
}

/** Reads the parts of a SOAP message of any version, or returns the problem with it. */
export function readEnvelope(text: string, limits: XmlLimits): Envelope | { readonly problem: string } {
  const root = readXml(text, limits);
  if ('problem' in root) return root;
  if (!isNamed(root, 'Envelope')) return { problem: noMessage };
  const { namespace } = root;
  const header = childOf(root, 'Header')?.children ?? [];
  return { namespace, header, content: childOf(root, 'Body')?.children[0] };
}

const noMessage = 'it is no SOAP message with something in its body';

/** Reads the one element in the body of a SOAP message of any version, or returns the problem with it. */
export function bodyOf(text: string, limits: XmlLimits): XmlElement | { readonly problem: string } {
  const envelope = readEnvelope(text, limits);
  return 'problem' in envelope ? envelope : (envelope.content ?? { problem: noMessage });
}

/** Limit of a reply: a catalog of ten thousand services takes some five million characters. */
export const catalogReplyLimits: XmlLimits = { characters: 16_000_000 };

const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';

/**
 * Writes the SOAP message of a reply in a namespace. Its parts carry their types, as those of real deployments
 * do.
 */
export function toCatalogReply(reply: CatalogReply, { namespace }: Pick<VendorProfile, 'namespace'>): string {
  const scope = { 'xmlns:tns': namespace, 'xmlns:xsi': instanceNamespace };
  return toEnvelope(writeElement(`tns:${reply.operation}Response`, contentOf(reply), scope));
}

function contentOf(reply: CatalogReply): string {
  switch (reply.operation) {
    case 'GetMessageVersion': {
      const { messageVersion, proMessageVersion } = reply;
      const pro = proMessageVersion === undefined ? '' : text('ProMessageVersion', proMessageVersion);
      return text('MessageVersion', messageVersion) + pro;
    }
    case 'GetMessageFormats':
      return text('MessageFormats', reply.messageFormats);
    case 'GetTokenServiceURL':
      return text('TokenServiceURL', reply.tokenServiceUrl);
    case 'GetFolders':
      return list('FolderNames', 'String', reply.folderNames.map(escapeXml));
    case 'GetServiceDescriptions':
    case 'GetServiceDescriptionsEx':
      return list('ServiceDescriptions', 'ServiceDescription', reply.services.map(descriptionContent));
    case 'RequiresTokens':
      return text('Result', String(reply.required));
  }
}

function text(name: string, content: string): string {
  return writeElement(name, escapeXml(content));
}

function list(name: string, item: string, contents: readonly string[]): string {
  const items = contents.map((content) => writeElement(item, content));
  return writeElement(name, items.join(''), { 'xsi:type': `tns:ArrayOf${item}` });
}

function descriptionContent(service: ServiceDescription): string {
  return Object.entries(descriptionElements)
    .map(([name, key]) => text(name, service[key]))
    .join('');
}

/** The answer to a request: a reply, a refusal, or the problem with something else. */
export type CatalogAnswer<O extends CatalogOperation> =
  | { readonly reply: CatalogReplyOf<O> }
  | { readonly fault: SoapFault }
  | { readonly problem: string };

/** Reads the answer in a SOAP message. Names are compared without prefix, namespace and case. */
export function fromCatalogReply<O extends CatalogOperation>(
  message: string,
  operation: O,
): CatalogAnswer<O> {
  const content = bodyOf(message, catalogReplyLimits);
  if ('problem' in content) return content;
  const fault = faultOf(content);
  if (fault) return { fault };
  if (!isNamed(content, `${operation}Response`)) return { problem: `it is no answer to "${operation}"` };
  const reply = replyOf(content, operation);
  // `replyOf` chooses the reply by the operation, which the compiler cannot follow.
  return reply
    ? { reply: reply as CatalogReplyOf<O> }
    : { problem: `it lacks a part of the answer to "${operation}"` };
}

function replyOf(content: XmlElement, operation: CatalogOperation): CatalogReply | undefined {
  const part = (name: string) => childOf(content, name)?.text.trim();
  const items = (name: string) => childOf(content, name)?.children;
  switch (operation) {
    case 'GetMessageVersion': {
      const messageVersion = part('MessageVersion');
      const proMessageVersion = part('ProMessageVersion');
      if (!messageVersion) return undefined;
      return { operation, messageVersion, ...(proMessageVersion && { proMessageVersion }) };
    }
    case 'GetMessageFormats': {
      const messageFormats = part('MessageFormats');
      return messageFormats ? { operation, messageFormats } : undefined;
    }
    case 'GetTokenServiceURL':
      return { operation, tokenServiceUrl: part('TokenServiceURL') ?? '' };
    case 'GetFolders':
      return { operation, folderNames: (items('FolderNames') ?? []).map(({ text }) => text) };
    case 'GetServiceDescriptions':
    case 'GetServiceDescriptionsEx':
      return { operation, services: (items('ServiceDescriptions') ?? []).map(toDescription) };
    case 'RequiresTokens': {
      const required = booleanOf(part('Result'));
      return required === undefined ? undefined : { operation, required };
    }
  }
}

/** The four spellings of a boolean in XML. */
function booleanOf(text: string | undefined): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

function toDescription(content: XmlElement): ServiceDescription {
  const part = (name: string) => childOf(content, name)?.text ?? '';
  return {
    name: part('Name'),
    type: part('Type'),
    url: part('Url'),
    parentType: part('ParentType'),
    capabilities: part('Capabilities'),
    description: part('Description'),
  };
}

/** A refusal in SOAP. The interface declares none, so only the standard parts are read. */
export interface SoapFault {
  /** The responsible side, such as `Client` or `Server`, without its prefix. */
  readonly code: string;
  readonly message: string;
  /** Empty where there is none. */
  readonly detail: string;
}

/** Writes the SOAP 1.1 message of a fault. */
export function toFault({ code, message, detail }: SoapFault): string {
  const parts = [
    writeElement('faultcode', `soap:${escapeXml(code)}`),
    writeElement('faultstring', escapeXml(message)),
    ...(detail === '' ? [] : [writeElement('detail', writeElement('message', escapeXml(detail)))]),
  ];
  return toEnvelope(writeElement('soap:Fault', parts.join('')));
}

/** Reads the fault in an element of a body, of SOAP 1.1 or 1.2; undefined if it is none. */
export function faultOf(content: XmlElement): SoapFault | undefined {
  if (!isNamed(content, 'Fault')) return undefined;
  const code = textOf(childOf(content, 'faultcode') ?? childOf(content, 'Code'));
  return {
    code: code.replace(/^.*:/, '').trim(),
    message: textOf(childOf(content, 'faultstring') ?? childOf(content, 'Reason')),
    detail: textOf(childOf(content, 'detail')),
  };
}

function textOf(content: XmlElement | undefined): string {
  if (!content) return '';
  // White space between the parts has no meaning.
  const inside = content.children.map(textOf).filter((text) => text !== '');
  return inside.length === 0 ? content.text : inside.join(' ');
}

/** Limit of a fault: longer texts are none. */
const faultLimits: XmlLimits = { characters: 1_000_000 };

/** Reads the fault in a text; undefined if it is none. */
export function parseSoapFault(text: string): SoapFault | undefined {
  if (!/^\s*<[^>]*>/.test(text.slice(0, 1000)) || !text.includes('Fault')) return undefined;
  const content = bodyOf(text, faultLimits);
  return 'problem' in content ? undefined : faultOf(content);
}

/**
 * Converts a fault to a failure. The form of a missing token in SOAP is not documented, so its code is found in
 * the texts.
 */
export function failureOfFault({ code, message, detail }: SoapFault): Failure {
  const faultText = [code, message, detail].filter((text) => text !== '').join('; ');
  const known = Object.values(failureCodes).find((code) => new RegExp(`\\b${code}\\b`).test(faultText));
  const meant = known ?? codeIn(faultText);
  return {
    ...(meant !== undefined && { code: meant }),
    message: message || code,
    details: detail === '' ? [] : [detail],
  };
}

function codeIn(faultText: string): number | undefined {
  if (/token\s+(is\s+)?required/i.test(faultText)) return failureCodes.tokenRequired;
  if (/invalid\s+token|token\s+(is\s+|has\s+)?(invalid|expired)/i.test(faultText))
    return failureCodes.invalidToken;
  return undefined;
}

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
