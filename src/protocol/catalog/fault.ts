import { type Failure, failureCodes } from '../failure.ts';
import { escapeXml } from '../xml/characters.ts';
import { childOf, isNamed, type XmlElement, type XmlLimits } from '../xml/read-xml.ts';
import { bodyOf, element, toEnvelope } from './envelope.ts';

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

/** A fault is some sentences; what is longer is none. */
const faultLimits: XmlLimits = { characters: 1_000_000 };

/** The fault that a text is, if it is one. */
export function faultIn(text: string): SoapFault | undefined {
  if (!/^\s*<[^>]*>/.test(text.slice(0, 1000)) || !text.includes('Fault')) return undefined;
  const content = bodyOf(text, faultLimits);
  return 'problem' in content ? undefined : faultOf(content);
}

/**
 * The failure that a fault stands for. How a deployment says in SOAP that a
 * token is missing is not documented, so its code is looked for in the words.
 */
export function failureOfFault({ code, message, detail }: SoapFault): Failure {
  const words = [code, message, detail].filter((text) => text !== '').join('; ');
  const known = Object.values(failureCodes).find((each) => new RegExp(`\\b${each}\\b`).test(words));
  const meant = known ?? codeIn(words);
  return {
    ...(meant !== undefined && { code: meant }),
    message: message || code,
    details: detail === '' ? [] : [detail],
  };
}

function codeIn(words: string): number | undefined {
  if (/token\s+(is\s+)?required/i.test(words)) return failureCodes.tokenRequired;
  if (/invalid\s+token|token\s+(is\s+|has\s+)?(invalid|expired)/i.test(words))
    return failureCodes.invalidToken;
  return undefined;
}
