import { type Failure, failureCodes } from '../failure.ts';
import { escapeXml } from '../xml/characters.ts';
import { childOf, isNamed, type XmlElement, type XmlLimits } from '../xml/read-xml.ts';
import { bodyOf, toEnvelope, writeElement } from './envelope.ts';

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
export function faultIn(text: string): SoapFault | undefined {
  if (!/^\s*<[^>]*>/.test(text.slice(0, 1000)) || !text.includes('Fault')) return undefined;
  const content = bodyOf(text, faultLimits);
  return 'problem' in content ? undefined : faultOf(content);
}

/**
 * Converts a fault to a failure. The form of a missing token in SOAP is not documented, so its code is found in
 * the texts.
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
