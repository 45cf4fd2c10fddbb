import { escapeXml } from '../xml/characters.ts';
import { childOf, isNamed, readXml, type XmlElement, type XmlLimits } from '../xml/read-xml.ts';

/** The namespace of the envelope of SOAP 1.1. */
export const envelopeNamespace = 'http://schemas.xmlsoap.org/soap/envelope/';

/** The type of a SOAP 1.1 message over HTTP. */
export const soapType = 'text/xml; charset=utf-8';

/** An element as it is written: its name, what is in it, and the attributes, whose values are escaped here. */
export function element(
  name: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
}

/** A SOAP message with this in its body. */
export function toEnvelope(content: string): string {
  const body = element('soap:Body', content);
  return `<?xml version="1.0" encoding="utf-8"?>\n${element('soap:Envelope', body, { 'xmlns:soap': envelopeNamespace })}`;
}

/**
 * The one element in the body of a SOAP message, of any version of SOAP, or why
 * there is none. Prefixes, namespaces and types are not looked at.
 */
export function bodyOf(text: string, limits: XmlLimits): XmlElement | { readonly problem: string } {
  const root = readXml(text, limits);
  if ('problem' in root) return root;
  const body = isNamed(root, 'Envelope') ? childOf(root, 'Body') : undefined;
  const [content] = body?.children ?? [];
  return content ?? { problem: 'it is no SOAP message with something in its body' };
}
