import { escapeXml } from '../xml/characters.ts';
import { childOf, isNamed, type XmlElement, type XmlLimits } from '../xml/read-xml.ts';
import { bodyOf, toEnvelope, writeElement } from './envelope.ts';
import { faultOf, type SoapFault } from './fault.ts';
import type { CatalogOperation, CatalogReply, CatalogReplyOf } from './operation.ts';
import type { VendorProfile } from './profile.ts';
import { descriptionElements, type ServiceDescription } from './service-description.ts';

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
