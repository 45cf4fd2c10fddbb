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

/** A SOAP message in its parts. */
export interface Envelope {
  /** The namespace of the envelope, which tells the version of SOAP. */
  readonly namespace: string;
  /** The entries of the header. */
  readonly header: readonly XmlElement[];
  /** The one element in the body. */
  readonly content: XmlElement | undefined;
}

/** The parts of a SOAP message of any version, or why there are none. */
export function readEnvelope(text: string, limits: XmlLimits): Envelope | { readonly problem: string } {
  const root = readXml(text, limits);
  if ('problem' in root) return root;
  if (!isNamed(root, 'Envelope')) return { problem: noMessage };
  const { namespace } = root;
  const header = childOf(root, 'Header')?.children ?? [];
  return { namespace, header, content: childOf(root, 'Body')?.children[0] };
}

const noMessage = 'it is no SOAP message with something in its body';

/** The one element in the body of a SOAP message of any version, or why there is none. */
export function bodyOf(text: string, limits: XmlLimits): XmlElement | { readonly problem: string } {
  const envelope = readEnvelope(text, limits);
  return 'problem' in envelope ? envelope : (envelope.content ?? { problem: noMessage });
}
