import { escapeXml } from '../xml/characters.ts';
import { childOf, isNamed, readXml, type XmlElement, type XmlLimits } from '../xml/read-xml.ts';

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
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
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
