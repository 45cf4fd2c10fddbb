import { escapeXml } from '../xml/characters.ts';
import { childOf, isNamed, type XmlLimits } from '../xml/read-xml.ts';
import { bodyOf, element, toEnvelope } from './envelope.ts';
import { type CatalogRequest, catalogOperations } from './operation.ts';
import type { Profile } from './profile.ts';

/** A request is a name, or a name and the name of a folder. */
export const requestLimits: XmlLimits = { characters: 65_536 };

/** The SOAP message of a request. As the interface has no `elementFormDefault`, only the element of the operation is qualified. */
export function toCatalogRequest(request: CatalogRequest, { namespace }: Profile): string {
  const inside =
    request.operation === 'GetServiceDescriptionsEx'
      ? element('FolderName', escapeXml(request.folderName))
      : '';
  return toEnvelope(element(`tns:${request.operation}`, inside, { 'xmlns:tns': namespace }));
}

/**
 * The request in a SOAP message, or why there is none. Names are compared
 * without their prefix, their namespace and their case: real clients vary all
 * three. A missing `FolderName` is the root folder.
 */
export function fromCatalogRequest(text: string): CatalogRequest | { readonly problem: string } {
  const content = bodyOf(text, requestLimits);
  if ('problem' in content) return content;
  const operation = catalogOperations.find((name) => isNamed(content, name));
  if (!operation) return { problem: `there is no operation "${content.name.slice(0, 80)}"` };
  if (operation !== 'GetServiceDescriptionsEx') return { operation };
  return { operation, folderName: childOf(content, 'FolderName')?.text ?? '' };
}
