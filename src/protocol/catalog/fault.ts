import { escapeXml } from '../xml/characters.ts';
import { childOf, isNamed, type XmlElement } from '../xml/read-xml.ts';
import { element, toEnvelope } from './envelope.ts';

/** A refusal in SOAP. The interface declares none, so nothing but the standard parts can be counted on. */
export interface SoapFault {
  /** Whose fault it is, such as `Client` or `Server`, without its prefix. */
  readonly code: string;
  readonly message: string;
  /** Empty where there is none. */
  readonly detail: string;
}

/** The SOAP 1.1 message of a fault. */
export function toFault({ code, message, detail }: SoapFault): string {
  const parts = [
    element('faultcode', `soap:${escapeXml(code)}`),
    element('faultstring', escapeXml(message)),
    ...(detail === '' ? [] : [element('detail', element('message', escapeXml(detail)))]),
  ];
  return toEnvelope(element('soap:Fault', parts.join('')));
}

/** The fault that an element of a body is, in SOAP 1.1 or 1.2; undefined where it is none. */
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
  // The parts stand on lines of their own or not, so white space between them says nothing.
  const inside = content.children.map(textOf).filter((text) => text !== '');
  return inside.length === 0 ? content.text : inside.join(' ');
}
